const distinctWords = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}_$]{2,}/gu) ?? []);
const isRow = (text: string): boolean => /^[^,]*,.*,$/.test(text.trimEnd());

/**
 * Whether a row of items was broken into lines anew: what one of two rows has and the other lacks stands in another line of
 * the other's side, and neither came nor went.
 */
export function isReflowed(old: string, now: string, removed: string[], added: string[]): boolean {
  if (!isRow(old) && !isRow(now)) return false;
  const [was, is] = [distinctWords(old), distinctWords(now)];
  const stands = (words: Set<string>, others: Set<string>, lines: string[], own: string): boolean =>
    [...words].some(
      (word) => !others.has(word) && lines.some((line) => line !== own && distinctWords(line).has(word)),
    );
  return stands(was, is, added, now) || stands(is, was, removed, old);
}
