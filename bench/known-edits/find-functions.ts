import type { EditedLanguage } from './languages.ts';

/** A function of a file, by its lines. This code shares nothing with the reader that is tested. */
export interface FoundFunction {
  name: string;
  indent: string;
  /** The first line, with comments and annotations above. */
  from: number;
  /** The line with the name. */
  start: number;
  /** The last line of the header. */
  headerEnd: number;
  end: number;
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';

/** Functions formatted as formatters do; others are skipped. */
export function findFunctions(lines: string[], language: EditedLanguage): FoundFunction[] {
  const found: FoundFunction[] = [];
  for (let start = 0; start < lines.length; start++) {
    const [, indent = '', ...names] = language.functionLine.exec(lines[start] ?? '') ?? [];
    const name = names.find((one) => one !== undefined);
    if (name === undefined) continue;
    const headerEnd = endOfHeader(lines, start, language);
    if (headerEnd < 0) continue;
    const end = language.isIndented
      ? endByIndentation(lines, headerEnd, indent)
      : endByBrace(lines, headerEnd, indent);
    if (end < 0 || end - start > 80) continue;
    found.push({
      name,
      indent,
      from: startOfComments(lines, start, indent, language),
      start,
      headerEnd,
      end,
    });
  }
  return found;
}

function endOfHeader(lines: string[], start: number, { isIndented }: EditedLanguage): number {
  let depth = 0;
  for (let index = start; index < Math.min(lines.length, start + 12); index++) {
    const line = lines[index] ?? '';
    for (const character of line.replace(/"[^"]*"|'[^']*'/g, '')) {
      if (character === '(' || character === '[') depth++;
      else if (character === ')' || character === ']') depth--;
    }
    if (depth === 0) return (isIndented ? /:$/ : /\{$/).test(line) ? index : -1;
  }
  return -1;
}

function endByBrace(lines: string[], headerEnd: number, indent: string): number {
  for (let index = headerEnd + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (line === `${indent}}`) return index;
    if (!line.startsWith(indent) || indentOf(line).length <= indent.length) {
      // Labels and the preprocessor are not indented.
      if (!/^\s*(?:#|\w+:$)/.test(line)) return -1;
    }
  }
  return -1;
}

function endByIndentation(lines: string[], headerEnd: number, indent: string): number {
  let last = headerEnd;
  for (let index = headerEnd + 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (indentOf(line).length <= indent.length) break;
    last = index;
  }
  return last > headerEnd ? last : -1;
}

function startOfComments(lines: string[], start: number, indent: string, language: EditedLanguage): number {
  let from = start;
  const mark = language.isIndented ? /^(?:#|@)/ : /^(?:\/\/|\/\*|\*|@|#\[)/;
  while (from > 0) {
    const line = lines[from - 1] ?? '';
    if (!line.startsWith(indent) || !mark.test(line.slice(indent.length).trimStart())) break;
    from--;
  }
  return from;
}

/** Neighbouring functions: in the same file, equally deep, with nothing around one of them only. */
export function siblingsOf(lines: string[], all: FoundFunction[]): [FoundFunction, FoundFunction][] {
  const pairs: [FoundFunction, FoundFunction][] = [];
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) {
      if (other.indent !== one.indent || other.from <= one.end) continue;
      const between = lines.slice(one.end + 1, other.from);
      const isBeside = between.every(
        (line) => line.trim() === '' || indentOf(line).length >= one.indent.length,
      );
      if (isBeside) pairs.push([one, other]);
    }
  }
  return pairs;
}
