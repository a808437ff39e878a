import type { FileDiff } from '../../reading/file-diff.ts';
import { holdsKey } from '../key-shapes.ts';
import { plainText } from '../plain-text.ts';
import { leansBack } from './whole-thoughts.ts';

/** Shorter than this is a remark, and longer is a paragraph. */
const shortest = 40;
const longest = 220;

/** Whether all that a sentence names of code stands in a diff: of what does not, a later commit may have taken it back. */
export const showsNames = (sentence: string, diff: Pick<FileDiff, 'bytes'>[]): boolean =>
  namesIn(sentence).every((name) => diff.some(({ bytes }) => bytes.includes(name)));

/** Names that only code has: with an underscore, a hump, or called. */
const namesIn = (sentence: string): string[] =>
  Array.from(
    sentence.matchAll(/`([A-Za-z_]\w+)`|(\w+)(!?\()?/g),
    ([, span, word = '', call]) =>
      span ?? ((call !== undefined && word.length > 1) || isCodeName.test(word) ? word : ''),
  ).filter((name) => name !== '');

const isCodeName = /^[\d_]*[A-Za-z]\w*_\w|^[a-z]+[A-Z]/;

const begins = /^(?:`|["“「『]?[\p{Lu}\p{Lo}])/u;
const ends = /[.!?。！？]["”」』)]?$/u;
const count = (sentence: string, mark: RegExp): number => sentence.match(mark)?.length ?? 0;

/** Where a speech begins in one sentence and ends in another, neither stands by itself. */
const speechEnds = (sentence: string): boolean =>
  count(sentence, /"/g) % 2 === 0 && count(sentence, /[“「『]/g) === count(sentence, /[”」』]/g);

const address = /https?:|www\.|\S@[^\s@]+\.\S|[\w-]\.[a-z]{2,}\/\S/i;
const smallTalk =
  /^(?:thanks?|thank you|hi|hello|hey|please|sorry|cc|lgtm|notice|note|i have (?:read|added|tested))\b/i;

/** A sentence that is mostly code is read as code. */
const leastProse = 0.6;

/** What takes back what was said before, or will be by what comes next; and what announces or counts the parts of a list. */
const unfinished =
  /\b(?:however|(?<!even |as )though|so far)\b|^but\b|^(?:there|here) (?:is|are|was|were|(?:has|have|had) been) (?:a (?:few|couple|number)|\d+|two|three|four|five|some|several|many|multiple|various)\b|^(?:first|second|third|last|final)(?:ly)?(?:,| &| and (?:most|fore))|^(?:しかし|ただし)/iu;

const pointer =
  /\b(?:this|these|those|such|here|therefore|thus|hence|earlier|the (?:other|latter|former))\b(?! (?:pr|pull|change|changes|commit|patch|branch|mr|merge|work|fix|feature|release|update|refactor\w*)\b)/i;

/** Whether a word in its first half stands for something that other sentences tell. */
const pointsOutside = (sentence: string): boolean => {
  const at = sentence.search(pointer);
  return at >= 0 && at < sentence.length / 2;
};

/** Whether a sentence can stand by itself, set large. */
export function isQuotable(sentence: string): boolean {
  const { length } = [...sentence];
  return (
    length >= shortest &&
    length <= longest &&
    begins.test(sentence) &&
    ends.test(sentence) &&
    speechEnds(sentence) &&
    !sentence.endsWith('...') &&
    count(sentence, /`[^`]+`/g) <= 3 &&
    sentence.replace(/`[^`]+`/g, '').length >= sentence.length * leastProse &&
    !address.test(sentence) &&
    !/\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}\b/.test(sentence) &&
    !holdsKey(sentence) &&
    !smallTalk.test(sentence) &&
    !leansBack(sentence) &&
    !pointsOutside(sentence) &&
    !unfinished.test(sentence) &&
    // Whatever a page would have to leave out, or show differently, would not be word for word.
    plainText(sentence) === sentence
  );
}
