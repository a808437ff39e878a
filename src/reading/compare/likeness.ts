/** Words and single signs, so that `a.b` and `a->b` are not alike by chance. */
const words = /[\p{L}\p{N}_$]+|[=!<>]=|=>|->|&&|\|\||[-+*/%<>!?]/gu;

/** How much two pieces of code or text have in common, from 0 to 1: the words of both, each as often as it stands. */
export function likeness(one: string, other: string): number {
  const [first, second] = [one.match(words) ?? [], other.match(words) ?? []];
  if (first.length === 0 || second.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of first) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of second) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    common++;
  }
  return (2 * common) / (first.length + second.length);
}
