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
  const open = new OpenStatement();
  const finish = () => {
    const own = open.take();
    if (own.length > longestStatement) for (const line of own) units.push(unitOf([line], cut));
    else if (own.length > 0) units.push(unitOf(own, cut));
  };
  for (const line of lines) {
    if (line.text === '') {
      if (cut === 'text' || !open.isOpen) finish();
      continue;
    }
    const { last } = open;
    if (last && !(cut === 'text' ? goesOnAsText(last, line) : goesOnAsCode(open, last, line))) finish();
    open.add(line, cut);
  }
  finish();
  return units;
}

/** The lines of a statement that is being read, and whether a bracket is open behind them. */
class OpenStatement {
  #lines: HunkLine[] = [];
  #depth = 0;
  /** What ends the last line begins a block or a list, and so ends the statement. */
  #endsHere = false;
  #bareEnd = '';

  get last(): HunkLine | undefined {
    return this.#lines.at(-1);
  }

  get isOpen(): boolean {
    return this.#depth > 0 && !this.#endsHere;
  }

  /** The last line without texts and comments. */
  get bareEnd(): string {
    return this.#bareEnd;
  }

  add(line: HunkLine, cut: Cut): void {
    this.#lines.push(line);
    if (cut === 'text' || isCommentLine(line)) {
      this.#bareEnd = '';
      this.#endsHere = true;
      return;
    }
    this.#bareEnd = bare(line.text);
    this.#endsHere = opensBlock.test(this.#bareEnd);
    for (const sign of this.#bareEnd) {
      if (sign === '(' || sign === '[') this.#depth++;
      else if (sign === ')' || sign === ']') this.#depth = Math.max(0, this.#depth - 1);
    }
  }

  take(): HunkLine[] {
    const taken = this.#lines;
    [this.#lines, this.#depth, this.#endsHere, this.#bareEnd] = [[], 0, false, ''];
    return taken;
  }
}

const opensBlock = /(?:[{[]|=>\s*\(|\bdo(?:\s*\|[^|]*\|)?|\bthen|\bbegin)$/;

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
  const joined = texts.join('').replace(/\s+/g, '');
  return (joined.includes(',') ? joined.replace(/,(?=[)\]}]|$)/g, '') : joined).replace(/;$/, '');
}

const literal = /("(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`)/;

/** In quotation marks every blank counts. */
const keepBlanks = (text: string): string =>
  /["'`]/.test(text) && /\s/.test(text)
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

function goesOnAsCode(open: OpenStatement, last: HunkLine, line: HunkLine): boolean {
  if (isCommentLine(last) || isCommentLine(line)) {
    if (!isCommentLine(last) || !isCommentLine(line)) return false;
    // A list in a comment, or a tag of its documentation, begins anew.
    return !/^\W*(?:@\w|[-*]\s|\d+[.)]\s)/.test(line.text.replace(line.signs.line, ''));
  }
  if (line.hidden === 'string') return true;
  return open.isOpen || continues.test(line.text) || awaitsMore.test(open.bareEnd);
}

/** What only goes on with the line above: a call on its value, an operator, a branch of a choice. */
const continues = /^(?:\.(?!\.)\w|\?\.|&&|\|\||\?\s|:\s|\+\s|and\s|or\s|=>\s|\|>|<<\s)/;
/** What has to go on behind it. */
const awaitsMore = /(?:[=+&|?]|=>|->|<<|&&|\|\||\\|\b(?:return|and|or|not|in|is))$/;

const texts = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;
const remark = /\s(?:\/\/|#\s|--\s).*$/;

/** A line of code without what stands in quotation marks, and without the comment behind it. */
const bare = (code: string): string => {
  const plain = /["'`]/.test(code) ? code.replace(texts, '""') : code;
  return (/\/\/|#|--/.test(plain) ? plain.replace(remark, '') : plain).trimEnd();
};
