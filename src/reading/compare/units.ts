import { commentEnd } from '../comment-signs.ts';
import type { HunkLine } from '../hunk-lines.ts';
import { isImportLine } from './import-line.ts';

/** What a part of a file is, as far as it must be known to compare it. */
export type UnitKind = 'code' | 'import' | 'comment' | 'text';

/** The smallest part of a side that is compared as a whole: a statement, a paragraph, or a line. */
export interface Unit {
  kind: UnitKind;
  lines: HunkLine[];
  /** What it says, free of white space; two units with the same key are the same. */
  key: string;
}

/** More lines than these are a table or a list: each line of it is compared by itself. */
const longestStatement = 12;

/** How the lines of a file are put together. */
export type Cut = 'code' | 'text';

/** Cuts one side of a hunk into units; empty lines belong to none. */
export function cutIntoUnits(lines: HunkLine[], cut: Cut): Unit[] {
  const units: Unit[] = [];
  let open: HunkLine[] = [];
  const finish = () => {
    if (open.length > longestStatement) for (const line of open) units.push(unitOf([line], cut));
    else if (open.length > 0) units.push(unitOf(open, cut));
    open = [];
  };
  for (const [index, line] of lines.entries()) {
    if (line.text === '') {
      if (cut === 'text' || !isStatementOpen(open)) finish();
      continue;
    }
    const last = open.at(-1);
    if (last && !(cut === 'text' ? goesOnAsText(last, line) : goesOnAsCode(open, last, line))) finish();
    open.push(line);
    if (index === lines.length - 1) finish();
  }
  finish();
  return units;
}

function unitOf(lines: HunkLine[], cut: Cut): Unit {
  const [first] = lines;
  const kind =
    cut === 'text'
      ? 'text'
      : lines.every(isCommentLine)
        ? 'comment'
        : first && first.hidden === 'code' && isImportLine(lines.map(({ text }) => text).join(' '))
          ? 'import'
          : 'code';
  return { kind, lines, key: keyOf(lines, kind) };
}

function keyOf(lines: HunkLine[], kind: UnitKind): string {
  const texts = lines.map(({ text, signs }) =>
    kind === 'comment' ? text.replace(signs.line, '').replace(commentEnd, '') : keepBlanks(text),
  );
  // Formatters put a comma behind the last of several lines, and take it away again.
  return texts
    .join('')
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}]|$)/g, '')
    .replace(/;$/, '');
}

const literal = /("(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`)/;

/** In quotation marks every blank counts. */
const keepBlanks = (text: string): string =>
  /["'`].*\s.*["'`]/.test(text)
    ? text
        .split(literal)
        .map((part, index) => (index % 2 === 1 ? part.replace(/\s/g, '\0') : part))
        .join('')
    : text;

export const isComment = ({ text, signs }: HunkLine): boolean => signs.line.test(text);

/** Also a line inside of a comment, or of a string that documents something. */
export const isCommentLine = (line: HunkLine): boolean =>
  line.hidden === 'comment' || (line.hidden === 'code' && isComment(line));

const startsBlock = /^(?:#{1,6}\s|[-*+•]\s|\d+[.)]\s|\||```|~~~|>|=+$|-+$|\.\. |:\w+:|<|@|\{)/;

/** Whether a line of prose goes on with what the line above it says. */
const goesOnAsText = (last: HunkLine, line: HunkLine): boolean =>
  !startsBlock.test(line.text) && !/^(?:#{1,6}\s|\||```|~~~)/.test(last.text);

function goesOnAsCode(open: HunkLine[], last: HunkLine, line: HunkLine): boolean {
  if (isCommentLine(last) || isCommentLine(line)) {
    if (!isCommentLine(last) || !isCommentLine(line)) return false;
    // A list in a comment, or a tag of its documentation, begins anew.
    return !/^\W*(?:@\w|[-*]\s|\d+[.)]\s)/.test(line.text.replace(line.signs.line, ''));
  }
  if (line.hidden === 'string') return true;
  return isStatementOpen(open) || continues.test(line.text) || awaitsMore.test(bare(last.text));
}

/** What only goes on with the line above: a call on its value, an operator, a branch of a choice. */
const continues = /^(?:\.(?!\.)\w|\?\.|&&|\|\||\?\s|:\s|\+\s|and\s|or\s|=>\s|\|>|<<\s)/;
/** What has to go on behind it. */
const awaitsMore = /(?:[=+&|?]|=>|->|<<|&&|\|\||\\|\b(?:return|and|or|not|in|is))$/;

const texts = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;
const remark = /\s(?:\/\/|#\s|--\s).*$/;

/** A line of code without what stands in quotation marks, and without the comment behind it. */
export const bare = (code: string): string => code.replace(texts, '""').replace(remark, '').trimEnd();

/** Whether a bracket is open behind the last line; one that begins a block or a list ends the statement. */
function isStatementOpen(open: HunkLine[]): boolean {
  const last = open.at(-1);
  if (!last || isCommentLine(last)) return false;
  const end = bare(last.text);
  if (/(?:[{[]|=>\s*\(|\bdo(?:\s*\|[^|]*\|)?|\bthen|\bbegin)$/.test(end)) return false;
  let depth = 0;
  for (const { text } of open) {
    for (const sign of bare(text)) {
      if (sign === '(' || sign === '[') depth++;
      else if (sign === ')' || sign === ']') depth = Math.max(0, depth - 1);
    }
  }
  return depth > 0;
}
