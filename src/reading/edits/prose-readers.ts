import { splitLine } from '../description/sentences.ts';
import type { HunkLine } from '../hunk-lines.ts';
import { likeness } from '../symbols/is-renamed.ts';
import { difference } from './code-words.ts';
import type { EditReader, FoundEdit } from './edit-reader.ts';

const longestPiece = 90;

export const replacedText: EditReader = ({ gone, come }, { changed }) => {
  if (gone.length !== come.length || gone.length > 2) return [];
  return come.flatMap((line, index): FoundEdit[] => {
    const told = difference(gone[index]?.text ?? '', line.text, longestPiece);
    if (!told || /`/.test(told.before + told.after)) return [];
    if (changed.has('new', told.before) || changed.has('old', told.after)) return [];
    return [{ kind: 'replaced', text: told.after, before: told.before, lines: [line] }];
  });
};

/** A paragraph that was added is told by how it begins. */
export const addedText: EditReader = ({ removed, added, come }, { changed }) => {
  if (removed.length > 0) return [];
  const prose = come.find(
    ({ text }) => /^(?:[-*]\s+)?[\p{L}`"“(*_]/u.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 5,
  );
  if (!prose || /^(?:```|~~~)/.test(added[0]?.text ?? '')) return [];
  const from = added.indexOf(prose);
  const paragraph = paragraphFrom(added, from);
  const [sentence = ''] = splitLine(paragraph.map(({ text }) => text).join(' '));
  const text = sentence.replace(/^[-*]\s+/, '');
  if (text.length < 20 || text.length > 220 || changed.has('old', text)) return [];
  return [{ kind: 'textAdded', text, lines: paragraph }];
};

/** Lines that follow each other, up to one that begins something else. */
function paragraphFrom(lines: HunkLine[], from: number): HunkLine[] {
  const end = lines.findIndex(
    ({ text, newLine }, index) =>
      index > from &&
      (!/^[\p{L}\p{N}`(*_"“]/u.test(text) || newLine !== (lines[index - 1]?.newLine ?? 0) + 1),
  );
  return lines.slice(from, end < 0 ? undefined : end);
}

export const headings: EditReader = ({ come, hunk }, { changed }) => {
  let place = -1;
  return come.flatMap((line): FoundEdit[] => {
    place = hunk.new.indexOf(line, place + 1);
    // Further in, it is a comment of an example.
    const text =
      (line.indent === 0 ? headingIn(line.text) : null) ?? underlinedHeading(line, hunk.new[place + 1]);
    return text === null || changed.has('old', text) ? [] : [{ kind: 'heading', text, lines: [line] }];
  });
};

const headingIn = (line: string): string | null =>
  /^#{1,6}\s+(.{2,80}?)\s*(?:\{#.*\})?#*$/
    .exec(line)?.[1]
    ?.replace(/[*_]{2}|\]\([^()]*\)|[[\]]|<[^<>]*>/g, '')
    .trim() || null;

/** reStructuredText has its headings underlined, with as many signs as there are letters. */
function underlinedHeading(line: HunkLine, next: HunkLine | undefined): string | null {
  const below = next?.text ?? '';
  const isHeading =
    /^([=~^"*+-])\1{2,}$/.test(below) && below.length >= line.text.length && line.text.length >= 2;
  return isHeading && line.text.length <= 80 && /\p{L}/u.test(line.text) ? line.text : null;
}

export const changelogName =
  /(?:^|\/)(?:changelog|changes|history|news|release[-_ ]?notes|whats[-_ ]?new)[^/]*$/i;

const item = /^(?:[-*+•]|\d+[.)])\s+/;
const mostEntryLines = 12;
const sameEntry = 0.5;

/** What a changelog newly says, each entry in full: nobody sums a change up better than who made it. */
export const changelogEntries: EditReader = ({ come, gone, hunk }, { changed }) => {
  const found: FoundEdit[] = [];
  let place = -1;
  for (const line of come) {
    place = hunk.new.indexOf(line, place + 1);
    if (!item.test(line.text) || headingIn(line.text) !== null) continue;
    const lines = entryFrom(hunk.new, place);
    const text = lines
      .map((one) => one.text)
      .join(' ')
      .replace(item, '');
    const isTold = (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3 && text.length <= 600;
    // One that is like what went was only corrected.
    const isOld = gone.some((old) => likeness(old.text, lines[0]?.text ?? '') >= sameEntry);
    if (isTold && !isOld && !changed.has('old', text)) found.push({ kind: 'changelogEntry', text, lines });
  }
  return found;
};

function entryFrom(side: HunkLine[], start: number): HunkLine[] {
  const lines = side.slice(start, start + 1);
  const indent = lines[0]?.indent ?? 0;
  for (const line of side.slice(start + 1, start + mostEntryLines)) {
    if (
      line.text === '' ||
      item.test(line.text) ||
      line.indent < indent ||
      /^(?:#|[=~^-]{3})/.test(line.text)
    )
      break;
    // What stood there before belongs to another entry, or to one that was only lengthened.
    if (!line.isChanged) break;
    lines.push(line);
  }
  return lines;
}
