import { splitLine } from '../description/sentences.ts';
import { type HunkLine, placeIn } from '../hunk-lines.ts';
import { likeness } from '../symbols/is-renamed.ts';
import { longestLine } from './changed-runs.ts';
import { difference } from './code-words.ts';
import { commentsIn, commentText, firstSentence, isCommentLine, isForReaders } from './comments.ts';
import type { EditReader, FoundEdit } from './edit-reader.ts';

/** More alike than this, a comment was reworded; otherwise another one stands in its place. */
const likeEnough = 0.4;
/** With less in common, one comment stands where the other stood, and says something else. */
const leastAlike = 0.2;
const linesOfOnePlace = 12;
const longestComment = 120;

/** What comments say that are new, and what others say now that said something else before. */
export const comments: EditReader = ({ gone: left, come, hunk }, { changed }) => {
  const gone = commentsIn(left);
  const found: FoundEdit[] = [];
  const current = commentsIn(come);
  const all = current.flatMap(({ lines }) => lines);
  // One that stands where another stood is no new one, however little they have in common.
  const isOneForOne = gone.length === 1 && current.length === 1;
  const isBesideCode = left.some((line) => !isCommentLine(line)) && come.some((line) => !isCommentLine(line));
  for (const { text, lines } of current) {
    const index = isOneForOne
      ? 0
      : gone.findIndex((old) => old.text === text || likeness(old.text, text) >= likeEnough);
    const [was] = index < 0 ? [] : gone.splice(index, 1);
    if (was && (staysBelow(was.lines, lines, text) || goesOnBelow(was.text, text, all))) continue;
    // Where only one of the two is whole, the rest of the other stands above.
    if (was && begins(was.lines, hunk.old) !== begins(lines, hunk.new)) continue;
    if (was && (isBroken(was.lines, hunk.old) || isBroken(lines, hunk.new))) continue;
    // Beside code that changes, or among many lines, what has nothing in common with it was not made out of it.
    const least = isBesideCode ? likeEnough : left.length + come.length > linesOfOnePlace ? leastAlike : 0;
    if (was && likeness(was.text, text) < least) continue;
    if (was) found.push(...reworded(was.text, text, lines));
    else if (gone.length === 0) {
      const sentence = begins(lines, hunk.new) ? firstSentence(text) : null;
      if (sentence !== null && !changed.has('old', sentence))
        found.push({ kind: 'comment', text: sentence, lines });
    }
  }
  return found;
};

/** Whether a line is missing between or above these, because it is too long to be read. */
const isBroken = (lines: HunkLine[], side: HunkLine[]): boolean => {
  const at = placeIn(side, lines[0] as HunkLine);
  return side
    .slice(Math.max(0, at - 1), at)
    .some(({ text, isChanged }) => isChanged && text.length > longestLine);
};

/** So much alike, a line of a comment is the same line. */
const sameLine = 0.6;

/** Whether a line of the old comment stands in the new one, further down than what is told of that. */
const staysBelow = (old: HunkLine[], now: HunkLine[], told: string): boolean =>
  now.some(
    (line) =>
      !told.includes(commentText([line])) && old.some(({ text }) => likeness(text, line.text) >= sameLine),
  );

/** Whether what a comment no longer says where it begins, it says further down. */
function goesOnBelow(before: string, told: string, lines: HunkLine[]): boolean {
  const wordsIn = (text: string): Set<string> => new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
  const below = wordsIn(
    lines
      .map((line) => commentText([line]))
      .filter((text) => !told.includes(text))
      .join(' '),
  );
  return splitLine(before).some((sentence) => {
    const words = [...wordsIn(sentence)];
    return !told.includes(sentence) && words.filter((word) => below.has(word)).length > words.length / 2;
  });
}

function reworded(before: string, text: string, lines: HunkLine[]): FoundEdit[] {
  const words = (comment: string) => comment.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  // A single word is a name above what has it.
  if (words(before) === words(text) || !isForReaders(text) || !/\S\s\S/.test(before + text)) return [];
  const isShort = Math.max(before.length, text.length) <= longestComment;
  const told = isShort ? { before, after: text } : difference(before, text, longestComment);
  if (!told) return [];
  return [{ kind: 'reworded', text: told.after, before: told.before, lines }];
}

/** Whether a comment begins with these lines, and is not the rest of a sentence above them. */
function begins([first]: HunkLine[], side: HunkLine[]): boolean {
  const above = first ? side[placeIn(side, first) - 1] : undefined;
  return (
    !above ||
    !isCommentLine(above) ||
    commentText([above]) === '' ||
    /(?:[.:!?]|\*\/|"""|''')$/.test(above.text)
  );
}
