/** Words and single signs, so that `a.b` and `a->b` are not alike by chance. */
const words = /[\p{L}\p{N}_$]+|[=!<>]=|=>|->|&&|\|\||[-+*/%<>!?]/gu;

/** How much two pieces of code or text have in common, from 0 to 1: the words of both, each as often as it stands. */
export function likeness(one: string, other: string, pattern = words): number {
  const [first, second] = [one.match(pattern) ?? [], other.match(pattern) ?? []];
  const left = new Map<string, number>();
  for (const word of first) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const count = left.get(word) ?? 0;
    if (count > 0) common++;
    left.set(word, count - 1);
  }
  return common === 0 ? 0 : (2 * common) / (first.length + second.length);
}
