import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

export const listMarker = /^[\s>]*(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/;

/** A text of a document for comparing: how it is laid out and emphasized makes no difference. */
export const documentWords = (text: string): string =>
  text
    .replace(listMarker, '')
    .replace(/^\s*#{1,6}\s+|:?-{3,}:?|={3,}|[*_`|\\~]/g, '')
    .replace(/\s+/g, '');

const longestTerm = 80;

const withoutLinks = (text: string): string => text.replace(/\[([^[\]]+)\]\([^()]*\)/g, '$1');

/** What an entry of a list is about, before what is said of it; null for what is no such entry. */
function termOf(text: string): string | null {
  const [, term] =
    /^(.{2,60}?)(?::(?=\s|$)|\s[-—–]+\s)/.exec(withoutLinks(text.replace(listMarker, ''))) ?? [];
  return documentWords(term ?? '') || null;
}

/** Whether an entry stays, with something else said of it, or nothing. What stands before several is no entry but a label. */
export function entriesThatStay(diff: FileDiff): (text: string, side: 'removed' | 'added') => boolean {
  const entries = { removed: new Map<string, number>(), added: new Map<string, number>() };
  const alone = { removed: new Set<string>(), added: new Set<string>() };
  for (const { side, text } of diff.hunks.flatMap(linesOf)) {
    const term = termOf(text);
    for (const one of ['removed', 'added'] as const) {
      if (side !== 'context' && side !== one) continue;
      if (term !== null) entries[one].set(term, (entries[one].get(term) ?? 0) + 1);
      else if (text.length <= longestTerm) alone[one].add(documentWords(withoutLinks(text)));
    }
  }
  return (text, side) => {
    const term = termOf(text);
    const other = side === 'removed' ? 'added' : 'removed';
    return (
      term !== null &&
      (entries[other].get(term) === 1 || (alone[other].has(term) && !entries[other].has(term)))
    );
  };
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
const namesOf = (text: string): string[] => text.match(/`[^`]+`/g) ?? [];

/** Of so few words, most stand anywhere. */
const leastWords = 3;
const mostOf = 0.6;

/** Whether one of these paragraphs has most of the words of a sentence. */
export function isSaidIn(sentence: string, paragraphs: string[]): boolean {
  const words = wordsOf(sentence);
  return (
    words.size >= leastWords &&
    paragraphs.some((paragraph) => sharedBy(words, paragraph).length >= words.size * mostOf)
  );
}

function sharedBy(words: Set<string>, paragraph: string): string[] {
  const others = wordsOf(paragraph);
  return [...words].filter((word) => others.has(word));
}

/** Whether one of these paragraphs goes on with what a sentence said, in other words. */
export function goesOnIn(sentence: string, paragraphs: string[]): boolean {
  if (isSaidIn(sentence, paragraphs)) return true;
  const names = namesOf(sentence);
  const words = wordsOf(sentence);
  return paragraphs.some((paragraph) => {
    const shared = names.length > 0 ? sharedBy(words, paragraph) : [];
    const named = names.filter((name) => paragraph.includes(name));
    return named.length > 0 && shared.some((word) => !named.some((name) => name.includes(word)));
  });
}
