import { likeness } from '../symbols/is-renamed.ts';

/** A line, and the words in it. */
export interface Worded {
  text: string;
  words: string[];
}

export const worded = (text: string): Worded => ({ text, words: wordsIn(text) });

/** Whether one line was made out of the other: they share a word that is not just punctuation. */
export function areAlike(before: string, after: string): boolean {
  const words = new Set(wordsIn(before));
  // Short names leave only signs to go by.
  if (words.size === 0) return likeness(before, after) >= 0.3;
  const shared = wordsIn(after).filter((word) => words.has(word)).length;
  return shared > 0 && shared >= Math.min(words.size, 6) / 3;
}

/** With less in common, one line stands where the other stood, and was not made out of it. */
export const leastShared = 0.5;

/** How much of what two lines say they have in common, from 0 to 1. */
export const shareOfWords = (one: string, other: string): number => shareOfWorded(worded(one), worded(other));

export function shareOfWorded(
  { text: one, words: first }: Worded,
  { text: other, words: second }: Worded,
): number {
  if (one.length > 8 && other.length > 8 && (one.includes(other) || other.includes(one)))
    return areApart(one, other) ? 0 : 1;
  if (first.length === 0 || second.length === 0) return areApart(one, other) ? 0 : likeness(one, other);
  const left = [...second];
  let shared = 0;
  for (const word of first) {
    const at = left.indexOf(word);
    if (at < 0) continue;
    left.splice(at, 1);
    shared++;
  }
  return shared === 0 || areApart(one, other) ? 0 : (2 * shared) / (first.length + second.length);
}

/** Whether neither of two lines can have been made out of the other, however alike they look. */
export const areApart = (one: string, other: string): boolean =>
  declaresOther(one, other) || declaresOther(other, one) || areOtherItems(one, other);

const namedItem = /^\s*-\s+(\w+):\s+(.+)$/;

/** An item of a list that has a name of its own is not another item, which begins with the same key. */
function areOtherItems(one: string, other: string): boolean {
  const [, key, value = ''] = namedItem.exec(one) ?? [];
  const [, otherKey, otherValue = ''] = namedItem.exec(other) ?? [];
  return key !== undefined && key === otherKey && likeness(value, otherValue) < leastShared;
}

/** A declaration of one name is not made out of a line that does not hold it. */
function declaresOther(line: string, other: string): boolean {
  const name =
    /^\W*(?:\w+\s+){0,4}(?:def\w*|fn|func|fun|function|class|interface|struct|enum|trait|module)\s+([\w.]+)/.exec(
      line,
    )?.[1];
  return name !== undefined && !other.includes(name);
}

/** Words that half of all lines have, and that make no two of them alike. */
const commonWords =
  /^(?:abstract|async|await|class|const|def|defp|do|else|end|export|final|fn|for|from|fun|func|function|if|import|in|include|int|let|new|not|null|private|protected|public|require|return|self|static|string|this|throw|true|false|unless|use|using|val|var|void|while)$/i;

export const wordsIn = (line: string): string[] =>
  (line.match(/[\p{L}_$][\p{L}\p{N}_$]+/gu) ?? []).filter((word) => !commonWords.test(word));
