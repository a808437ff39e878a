import { isBalanced, scriptOf } from '../plain-text.ts';

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.replace(/(?<=\p{L}{3})(?:s|e|es|ed|ing)$/u, ''),
  );

const shareKnown = (words: string[], known: Set<string>): number =>
  words.filter((word) => known.has(word)).length / Math.max(1, words.length);

const small = /^(?:th[ie]s|the|pr|pull|request|a|an|is|of|for|from|in|on|to|and|with|us|unus|old)$/;
const tellingWords = (text: string): string[] => wordsOf(text).filter((word) => !small.test(word));

/** What repeats the title tells nothing. */
export const repeats = (sentence: string, title: string): boolean =>
  shareKnown(tellingWords(sentence), new Set(wordsOf(title))) >= 0.8;

const undoing = /^(?:remove|delete|drop|revert|undo|back out)[sd]?\b[:\s"“]*/i;

/** Whether one commit removes what another, by its subject, was about. */
export function takesBack(later: string, earlier: string): boolean {
  const bare = later.replace(/^[a-z]+(?:\([^)]*\))?!?:\s*/i, '');
  if (!undoing.test(bare)) return false;
  const gone = tellingWords(bare.replace(undoing, ''));
  return gone.length > 0 && shareKnown(gone, new Set(wordsOf(earlier))) >= 0.6;
}

const greeting =
  /^(?:hi|hello|hey|thanks?|thank you|please|cc|fyi|ptal|lgtm|fix(?:es|ed)?|close[sd]?|resolve[sd]?|ref(?:s|erences)?|see|related(?: to)?|part of|follow[- ]up (?:to|of)|depends on|n\/a|none|no)\b[^.]{0,30}[.!:#]?$/i;

/** Whether a sentence says something of the change: no greeting, no bare reference, nothing that is announced. */
export function tellsSomething(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const isWide = scriptOf(sentence) !== 'latin';
  if (isWide ? sentence.length < 6 : words < 4) return false;
  // What ends with a colon announces something that is not in this sentence.
  return (
    !/[:：]$/.test(sentence) &&
    !greeting.test(sentence) &&
    isBalanced(sentence) &&
    !/\b(?:e\.g|i\.e|see|also|like|at|from|in|by|to|as|of|and|or|with|the)\.?$/i.test(sentence) &&
    !/^(?:#\d+|[\w-]+\/[\w-]+#\d+)|\bby @[\w-]+ in\b|^Sourced from|first contribution in/.test(sentence)
  );
}
