import { placeSentences } from '../reading/description/sentences.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { holdsKey } from './key-shapes.ts';
import { plainText } from './plain-text.ts';
import { citesAnother, leansBack } from './whole-thoughts.ts';
import type { AuthorQuote } from './written-article.ts';

/** Shorter than this is a remark, and longer is a paragraph. */
const shortest = 40;
const longest = 180;

interface Said {
  /** What the author wrote, without what templates and machines put there. */
  description: string;
  commitMessages: string[];
  /** Comments in the code that the article cites. */
  comments: string[];
  /** What the article says of the background: the quote must not repeat it. */
  background: string[];
  /** What is said of code that it does not show, a later commit may have taken back. */
  diff: Pick<FileDiff, 'bytes'>[];
}

/** The first sentence of the author's that can stand by itself, word for word: of the description, a commit or the code. */
export function chooseQuote(said: Said): AuthorQuote | null {
  const { description, commitMessages, comments, background, diff } = said;
  const isShown = (name: string): boolean => diff.some(({ bytes }) => bytes.includes(name));
  const find = (from: AuthorQuote['from'], texts: string[]): AuthorQuote | null => {
    for (const text of texts) {
      const found = ownSentences(text).find(
        (sentence) =>
          isQuotable(sentence) &&
          !background.some((told) => told.includes(sentence)) &&
          (from === 'code' ? !stoodBefore(sentence, diff) : namesIn(sentence).every(isShown)),
      );
      if (found) return { text: found, from };
    }
    return null;
  };
  return (
    find('description', [description]) ?? find('commit', commitMessages.map(bodyOf)) ?? find('code', comments)
  );
}

/** Names that only code has: with an underscore, a hump, or called. */
const namesIn = (sentence: string): string[] =>
  Array.from(
    sentence.matchAll(/`([A-Za-z_]\w+)`|(\w+)(!?\()?/g),
    ([, span, word = '', call]) =>
      span ?? ((call !== undefined && word.length > 1) || isCodeName.test(word) ? word : ''),
  ).filter((name) => name !== '');

const isCodeName = /^[\d_]*[A-Za-z]\w*_\w|^[a-z]+[A-Z]/;

/** What stands before the words of a comment. */
const marks = /^[-\s][\s*/#;%!<"'-]*/;

const emphasis = /[*_`]+/g;

/** Whether the lines as they were show the same words already, be it elsewhere: repeating them says nothing new. */
function stoodBefore(sentence: string, diff: Said['diff']): boolean {
  const [longestWord = ''] = sentence.split(/[\s*_`]+/).sort((one, other) => other.length - one.length);
  return diff.some(({ bytes }) => {
    if (!bytes.includes(longestWord)) return false;
    const old = bytes
      .toString()
      .split('\n')
      .filter((line) => /^[- ]/.test(line))
      .map((line) => line.replace(marks, '').trimEnd());
    return old.join(' ').replace(emphasis, '').replace(/\s+/g, ' ').includes(sentence.replace(emphasis, ''));
  });
}

/** What the author says of the whole: not what stands below one commit in a list of them, nor in a message that is cited. */
function ownSentences(text: string): string[] {
  const placed = placeSentences(text);
  if (placed.some(({ isHistory }) => isHistory)) return [];
  const sentences = placed.map((sentence) => sentence.text);
  const end = sentences.findIndex((sentence) => citesAnother.test(sentence));
  return end < 0 ? sentences : sentences.slice(0, end);
}

const trailer = /^[A-Z][\w-]+-(?:by|Id|on):\s/i;

const bodyOf = (message: string): string =>
  message
    .split('\n')
    .slice(1)
    .filter((line) => !trailer.test(line))
    .join('\n');

const begins = /^["“「『]?[\p{Lu}\p{Lo}]/u;
const ends = /[.!?。！？]["”」』)]?$/u;
const count = (sentence: string, mark: RegExp): number => sentence.match(mark)?.length ?? 0;

/** Where a speech begins in one sentence and ends in another, neither stands by itself. */
const speechEnds = (sentence: string): boolean =>
  count(sentence, /"/g) % 2 === 0 && count(sentence, /[“「『]/g) === count(sentence, /[”」』]/g);

const address = /https?:|www\.|\S@[^\s@]+\.\S|[\w-]\.[a-z]{2,}\/\S/i;
const smallTalk = /^(?:thanks?|thank you|hi|hello|hey|please|sorry|cc|lgtm|i have (?:read|added|tested))\b/i;

/** What takes back what was said before, or will be by what comes next; and what announces or counts the parts of a list. */
const unfinished =
  /\b(?:however|(?<!even |as )though|but|so far)\b|^(?:there|here) (?:is|are|was|were|(?:has|have|had) been) (?:a (?:few|couple|number)|\d+|two|three|four|five|some|several|many|multiple|various)\b|^(?:first|second|third|last|final)(?:ly)?(?:,| &| and (?:most|fore))|^(?:しかし|ただし)/iu;

function isQuotable(sentence: string): boolean {
  const { length } = [...sentence];
  return (
    length >= shortest &&
    length <= longest &&
    begins.test(sentence) &&
    ends.test(sentence) &&
    speechEnds(sentence) &&
    !sentence.endsWith('...') &&
    count(sentence, /`[^`]+`/g) <= 1 &&
    !address.test(sentence) &&
    !holdsKey(sentence) &&
    !smallTalk.test(sentence) &&
    !leansBack(sentence) &&
    !unfinished.test(sentence) &&
    // Whatever a page would have to leave out, or show differently, would not be word for word.
    plainText(sentence) === sentence
  );
}
