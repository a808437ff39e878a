/** A copy. A slice keeps the whole string in memory, and facts outlive the diff. */
export function detachText(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

export const foldSpace = (text: string): string => text.replace(/\s+/g, ' ').trim();

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words and single signs, so that `a.b` and `a->b` are not alike by chance. */
const words = /[\p{L}\p{N}_$]+|[=!<>]=|=>|->|&&|\|\||[-+*/%<>!?]/gu;

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
