import { placeSentences } from '../reading/description/sentences.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { isQuotable, showsNames } from './words/quotable.ts';
import { citesAnother } from './words/whole-thoughts.ts';
import type { AuthorQuote } from './written-article.ts';

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
  const isShown = (sentence: string): boolean => showsNames(sentence, diff);
  const find = (from: AuthorQuote['from'], texts: string[]): AuthorQuote | null => {
    for (const text of texts) {
      const found = ownSentences(text).find(
        (sentence) =>
          isQuotable(sentence) &&
          !background.some((told) => told.includes(sentence)) &&
          (from === 'code' ? !stoodBefore(sentence, diff) : isShown(sentence)),
      );
      if (found) return { text: found, from };
    }
    return null;
  };
  return (
    find('description', [description]) ?? find('commit', commitMessages.map(bodyOf)) ?? find('code', comments)
  );
}

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
