import { wordSet } from '../../domain/text.ts';
import { commentEnd } from '../comment-signs.ts';
import type { UnitChange } from '../facts.ts';
import type { HunkLine } from '../hunk-lines.ts';

type UnitKind = 'code' | 'import' | 'comment' | 'text';

export class Unit {
  readonly lines: HunkLine[];
  readonly #start: 'code' | 'string' | 'comment' | 'text';
  #kind: UnitKind | null = null;
  #key: string | null = null;

  constructor(lines: HunkLine[], cut: Cut) {
    const [first] = lines;
    this.lines = lines;
    this.#start = cut === 'text' || !first ? 'text' : isCommentLine(first) ? 'comment' : first.hidden;
  }

  get isComment(): boolean {
    return this.#start === 'comment';
  }

  get isTouched(): boolean {
    return this.lines.some(({ isChanged }) => isChanged);
  }

  get text(): string {
    return this.lines.map(({ text }) => text).join(' ');
  }

  get kind(): UnitKind {
    this.#kind ??=
      this.#start === 'code' && isImportLine(this.text)
        ? 'import'
        : this.#start === 'string'
          ? 'code'
          : this.#start;
    return this.#kind;
  }

  /** The text without white space; units with the same key are equal. */
  get key(): string {
    this.#key ??= unitKey(this.lines, this.isComment);
    return this.#key;
  }

  /** Comparing lines is cheaper than computing keys, and most units consist of unchanged lines. */
  saysTheSameAs(other: Unit): boolean {
    const hasSameLines =
      this.isComment === other.isComment &&
      this.lines.length === other.lines.length &&
      this.lines.every((line, index) => line === other.lines[index]);
    return hasSameLines || this.key === other.key;
  }
}

/** A longer statement is a table or a list, whose lines are compared one by one. */
const longestStatement = 12;

export type Cut = 'code' | 'text';

interface OpenStatement {
  lines: HunkLine[];
  depth: number;
  /** Whether the last line begins a block or a list, which ends the statement. */
  endsHere: boolean;
  bareEnd: string;
}

export function cutIntoUnits(lines: HunkLine[], cut: Cut): Unit[] {
  const units: Unit[] = [];
  const nothing = (): OpenStatement => ({ lines: [], depth: 0, endsHere: false, bareEnd: '' });
  let open = nothing();
  const finish = () => {
    const own = open.lines;
    if (own.length > longestStatement) for (const line of own) units.push(new Unit([line], cut));
    else if (own.length > 0) units.push(new Unit(own, cut));
    open = nothing();
  };
  for (const line of lines) {
    if (line.text === '') {
      if (cut === 'text' || !isStatementOpen(open)) finish();
      continue;
    }
    const last = open.lines.at(-1);
    if (last && !(cut === 'text' ? goesOnAsText(last, line) : goesOnAsCode(open, last, line))) finish();
    open.lines.push(line);
    const isSpoken = cut === 'text' || isCommentLine(line);
    open.bareEnd = isSpoken ? '' : bare(line.text);
    open.endsHere = isSpoken || opensBlock(open.bareEnd);
    for (const sign of open.bareEnd)
      if ('(['.includes(sign)) open.depth++;
      else if (')]'.includes(sign)) open.depth = Math.max(0, open.depth - 1);
  }
  finish();
  return units;
}

const isStatementOpen = ({ depth, endsHere }: OpenStatement): boolean => depth > 0 && !endsHere;

const blockEnd = /(?:[{[]|=>\s*\(|\bdo(?:\s*\|[^|]*\|)?|\bthen|\bbegin)$/;
/** Checking the last character first avoids the pattern for most lines. */
const opensBlock = (bareEnd: string): boolean =>
  '{[(o|n'.includes(bareEnd.at(-1) ?? ' ') && blockEnd.test(bareEnd);

function unitKey(lines: HunkLine[], isComment: boolean): string {
  let joined = '';
  for (const { text, signs } of lines)
    joined += isComment ? text.replace(signs.line, '').replace(commentEnd, '') : keepBlanks(text);
  const tight = joined.replace(/\s+/g, '');
  // Formatters add and remove commas after the last of several lines.
  const key = tight.includes(',') ? tight.replace(/,(?=[)\]}]|$)/g, '') : tight;
  return key.endsWith(';') ? key.slice(0, -1) : key;
}

/** Also true of lines inside block comments and documentation strings. */
export const isCommentLine = ({ hidden, isComment }: HunkLine): boolean =>
  hidden === 'comment' || (hidden === 'code' && isComment);

const startsBlock = /^(?:#{1,6}\s|[-*+•]\s|\d+[.)]\s|\||```|~~~|>|=+$|-+$|\.\. |:\w+:|<|@|\{)/;

const goesOnAsText = (last: HunkLine, line: HunkLine): boolean =>
  !startsBlock.test(line.text) && !/^(?:#{1,6}\s|\||```|~~~)/.test(last.text);

function goesOnAsCode(open: OpenStatement, last: HunkLine, line: HunkLine): boolean {
  if (isCommentLine(last) !== isCommentLine(line)) return false;
  // List items and documentation tags in a comment are units of their own.
  if (isCommentLine(line))
    return !/^\W*(?:@\w|[-*]\s|\d+[.)]\s)/.test(line.text.replace(line.signs.line, ''));
  if (line.hidden === 'string') return true;
  return isStatementOpen(open) || continues.test(line.text) || awaitsMore(open.bareEnd);
}

const continues = /^(?:\.(?!\.)\w|\?\.|&&|\|\||\?\s|:\s|\+\s|and\s|or\s|=>\s|\|>|<<\s)/;

const unfinished = /(?:[=+&|?]|=>|->|<<|&&|\|\||\\|\b(?:return|and|or|not|in|is))$/;
const awaitsMore = (bareEnd: string): boolean =>
  '=+&|?><\\ndrts'.includes(bareEnd.at(-1) ?? ' ') && unfinished.test(bareEnd);

const texts = /"(?:[^"\\]|\\.){0,300}"|'(?:[^'\\]|\\.){0,300}'|`(?:[^`\\]|\\.){0,300}`/g;
const remark = /\s(?:\/\/|#\s|--\s).*$/;

const bare = (code: string): string => {
  const plain = /["'`]/.test(code) ? code.replace(texts, '""') : code;
  return (/\/\/|#|--/.test(plain) ? plain.replace(remark, '') : plain).trimEnd();
};

const importLine =
  /^\uFEFF?(?:import\s.*(?:['";]|[\w.*)}]$)|from \S+ import |(?:global )?using (?:static )?[\w.]+(?: = [\w.<>, ]+)?;?$|use (?:[\w\\:{}*, ]+;|\w*(?:::|\\)[\w\\:{}*, ]+$)|#include\s*[<"]|require(?:_relative)?[ (]['"]|package [\w.]+;?$|(?:alias|require) [A-Z][\w.]*$)/;

const requiring = /^\uFEFF?(?:const|let|var) .* = require\(/;

/** Whether the line is an import; a sentence may begin with the same word. */
function isImportLine(text: string): boolean {
  const line = text.trim();
  return importLine.test(line) || (line.includes('= require(') && requiring.test(line));
}

const literal = /("(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`)/;

/** Replaces blanks within quotation marks, so that they still count when white space is removed. */
const keepBlanks = (text: string): string =>
  /["'`]/.test(text) && /\s/.test(text)
    ? text
        .split(literal)
        .map((part, index) => (index % 2 === 1 ? part.replace(/\s/g, '\0') : part))
        .join('')
    : text;

export const indentedLanguages = wordSet(`
  Python Cython YAML CoffeeScript F# GDScript Haml Haskell Makefile Mojo Nim Pug Sass Slim Stylus
`);

/** Whether only the layout of a unit changed. In an indented language, indenting one line changes its meaning. */
export function isLayout({ kind, old, new: current }: UnitChange, language: string | null): boolean {
  const isOneLine = old?.startLine === old?.endLine && current?.startLine === current?.endLine;
  return kind === 'rewrapped' && !(isOneLine && indentedLanguages.has(language ?? ''));
}
