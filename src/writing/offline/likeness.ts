/** Of two texts with less in common, neither was made out of the other. */
export const leastAlike = 0.6;

/** With so much in common, one text of a document was made out of another in its place. */
export const leastRewritten = 0.4;

/** What reads so much like another line was moved and touched up. */
export const almostTheSame = 0.8;

/** How much two texts have in common, from 0 to 1. */
export const likeness = (one: string, other: string): number => likenessOf(wordSet(one), wordSet(other));

export const wordSet = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);

/** The same of their words, for whoever compares many. */
export function likenessOf(first: Set<string>, second: Set<string>): number {
  let shared = 0;
  for (const word of first) if (second.has(word)) shared++;
  const dice = (2 * shared) / Math.max(1, first.size + second.size);
  // A line that grew holds almost all of what it was.
  const [least, most] = [Math.min(first.size, second.size), Math.max(first.size, second.size)];
  const held = shared >= 4 && least * 3 >= most ? shared / least : 0;
  return Math.max(dice, held * 0.75);
}
