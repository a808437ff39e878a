import { type FoundFunction, findFunctions, siblingsOf } from './find-functions.ts';
import { type EditKind, type KnownEdit, noTruth, type Truth, type World } from './known-edit.ts';
import type { EditedLanguage } from './languages.ts';

export interface SourceFile {
  path: string;
  lines: string[];
  functions: FoundFunction[];
  language: EditedLanguage;
}

export function openFile(path: string, text: string, language: EditedLanguage): SourceFile {
  const lines = text.split('\n');
  return { path, lines, functions: findFunctions(lines, language), language };
}

/** The input of an editor: the file, others of the repository, and a source of random numbers. */
interface Desk {
  file: SourceFile;
  others: SourceFile[];
  random: () => number;
  /** Part of every invented name, so that no two edits share one. */
  serial: number;
}

/** Edits a copy of the file, or returns null if this edit is impossible there. */
export type Editor = (
  desk: Desk,
) => { lines: string[]; truth: Partial<Truth>; more?: [string, string[]][] } | null;

export function pick<T>(some: T[], random: () => number): T | undefined {
  return some[Math.floor(random() * some.length)];
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? '';
export const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+/gu) ?? [];

/** The declarations around some lines, innermost first. */
export function around(lines: string[], at: number): string[] {
  const names: string[] = [];
  let indent = indentOf(lines[at] ?? '').length;
  for (let index = at - 1; index >= 0 && indent > 0; index--) {
    const line = lines[index] ?? '';
    if (line.trim() === '' || indentOf(line).length >= indent || /^\s*(?:\/\/|#|\*|\/\*)/.test(line))
      continue;
    indent = indentOf(line).length;
    names.push(...wordsOf(line));
    // The first line of a header has the name.
    if (/^\s*[)\]}>]/.test(line)) indent += 1;
  }
  return [...names, ...typeAbove(lines, at)];
}

/** The last unindented type above a line. */
function typeAbove(lines: string[], at: number): string[] {
  const line = lines
    .slice(0, at)
    .findLast((one) =>
      /^\w.*\b(?:class|struct|enum|trait|interface|object|extension|impl|protocol)\b/.test(one),
    );
  return line === undefined ? [] : wordsOf(line);
}

/** Reformatting lines of multi-line strings would change their content. */
export const hasLongString = (lines: string[]): boolean =>
  lines.some((line) => (line.match(/`/g)?.length ?? 0) % 2 === 1 || /"""|'''|R"|r#"/.test(line));

/**
 * Whether the assumed end of a function is within a string that continues, and into which another function would fall.
 */
const endsInString = (lines: string[]): boolean =>
  (lines.join('\n').match(/"""|'''/g)?.length ?? 0) % 2 === 1;

const moveWithin: Editor = ({ file: { lines, functions, path }, random }) => {
  const pair = pick(siblingsOf(lines, functions), random);
  if (!pair) return null;
  const [one, other] = random() < 0.5 ? pair : [pair[1], pair[0]];
  if (endsInString(lines.slice(other.from, other.end + 1))) return null;
  const piece = lines.slice(one.from, one.end + 1);
  const without = [...lines.slice(0, one.from), ...lines.slice(afterBlanks(lines, one.end))];
  const shift = one.from < other.from ? afterBlanks(lines, one.end) - one.from : 0;
  const at = other.end + 1 - shift;
  const blanks = lines.slice(one.end + 1, afterBlanks(lines, one.end));
  const gap = blanks.length > 0 ? blanks : [''];
  const result = [...without.slice(0, at), ...gap, ...piece, ...without.slice(at)];
  const [first, last] = one.from < other.from ? [one, other] : [other, one];
  return {
    lines: result,
    truth: {
      moved: namesBetween(lines, first, last),
      fromFile: path,
      toFile: path,
      touched: around(lines, one.start),
    },
  };
};

function afterBlanks(lines: string[], end: number): number {
  let next = end + 1;
  while (next < lines.length && lines[next]?.trim() === '') next++;
  return next;
}

function namesBetween(lines: string[], first: FoundFunction, last: FoundFunction): string[] {
  return lines
    .slice(first.from, last.end + 1)
    .filter((line) => indentOf(line).length <= first.indent.length + 4)
    .flatMap(wordsOf);
}

const swap: Editor = ({ file: { lines, functions, path }, random }) => {
  const adjacent = siblingsOf(lines, functions).filter(([one, other]) =>
    lines.slice(one.end + 1, other.from).every((line) => line.trim() === ''),
  );
  const pair = pick(adjacent, random);
  if (!pair) return null;
  const [one, other] = pair;
  const result = [
    ...lines.slice(0, one.from),
    ...lines.slice(other.from, other.end + 1),
    ...lines.slice(one.end + 1, other.from),
    ...lines.slice(one.from, one.end + 1),
    ...lines.slice(other.end + 1),
  ];
  return {
    lines: result,
    truth: {
      moved: namesBetween(lines, one, other),
      fromFile: path,
      toFile: path,
      touched: around(lines, one.start),
    },
  };
};

const moveToFile: Editor = ({ file: { lines, functions, path }, others, random }) => {
  const piece = pick(
    functions.filter(({ indent }) => indent === ''),
    random,
  );
  const target = pick(others, random);
  if (!piece || !target) return null;
  if (target.lines.some((line) => wordsOf(line).includes(piece.name))) return null;
  const moved = lines.slice(piece.from, piece.end + 1);
  const end = target.lines.at(-1) === '' ? target.lines.length - 1 : target.lines.length;
  const received = [...target.lines.slice(0, end), '', ...moved, ''];
  return {
    lines: [...lines.slice(0, piece.from), ...lines.slice(afterBlanks(lines, piece.end))],
    more: [[target.path, received]],
    truth: {
      moved: [...new Set([piece.name, ...moved.flatMap(wordsOf)])],
      fromFile: path,
      toFile: target.path,
    },
  };
};

const wrapDeclaration: Editor = ({ file: { lines, functions, language }, random, serial }) => {
  const piece = pick(
    functions.filter(({ indent, from, end }) => indent === '' && !hasLongString(lines.slice(from, end + 1))),
    random,
  );
  const [head, foot] = language.aroundDeclaration ?? [];
  if (!piece || head === undefined || foot === undefined) return null;
  const opened = head.replace(/nclos(ure|ing)/, `nclos$1${serial}`);
  const inner = lines.slice(piece.from, piece.end + 1).map((line) => (line === '' ? '' : `    ${line}`));
  return {
    lines: [
      ...lines.slice(0, piece.from),
      opened,
      ...inner,
      ...(foot === '' ? [] : [foot]),
      ...lines.slice(piece.end + 1),
    ],
    truth: { wrapper: opened, newWords: `${opened} ${foot}`, touched: wordsOf(opened), moved: [] },
  };
};

const wrapStatements: Editor = ({ file: { lines, functions, language }, random, serial }) => {
  const piece = pick(functions, random);
  if (!piece) return null;
  const last = language.isIndented ? piece.end : piece.end - 1;
  const body = lines.slice(piece.headerEnd + 1, last + 1);
  const first = body.findIndex((line) => line.trim() !== '' && !/^\s*(?:"""|'''|r""")/.test(line));
  if (first < 0 || hasLongString(body)) return null;
  const inner = indentOf(body[first] ?? '');
  const starts = body.flatMap((line, index) =>
    indentOf(line) === inner &&
    /^\s*[\p{L}_@&*(]/u.test(line) &&
    !/^\s*(?:else|elif|except|finally|case|catch)\b/.test(line)
      ? [index]
      : [],
  );
  const from = pick(starts, random);
  if (from === undefined) return null;
  const later = starts.filter((index) => index > from);
  const to = later.length > 0 && random() < 0.7 ? (later[0] as number) : body.length;
  const trimmed = body.slice(from, to);
  while (trimmed.at(-1)?.trim() === '') trimmed.pop();
  const step = inner.includes('\t') ? '\t' : '    ';
  const condition = `isWanted${serial}`;
  const [head, foot] = language.aroundStatements(condition);
  const at = piece.headerEnd + 1 + from;
  return {
    lines: [
      ...lines.slice(0, at),
      inner + head,
      ...trimmed.map((line) => (line === '' ? '' : step + line)),
      ...(foot === '' ? [] : [inner + foot]),
      ...lines.slice(at + trimmed.length),
    ],
    truth: {
      wrapper: head,
      newWords: `${head} ${foot}`,
      touched: [piece.name, ...around(lines, at)],
    },
  };
};

const indent: Editor = ({ file: { lines, functions }, random }) => {
  const piece = pick(
    functions.filter(({ headerEnd, end }) => !hasLongString(lines.slice(headerEnd + 1, end))),
    random,
  );
  if (!piece) return null;
  const step = indentOf(lines[piece.headerEnd + 1] ?? '').includes('\t') ? '\t' : '  ';
  const result = lines.map((line, index) =>
    index > piece.headerEnd &&
    index <= piece.end &&
    line.trim() !== '' &&
    indentOf(line).length > piece.indent.length
      ? step + line
      : line,
  );
  return { lines: result, truth: { isLayout: true, touched: [piece.name, ...around(lines, piece.start)] } };
};

/** Edits by kind for an editor of a single file; those of names and values are in make-word-edits.ts. */
export const shapeEditors: Partial<Record<EditKind, Editor>> = {
  'move within a file': moveWithin,
  'move to another file': moveToFile,
  swap,
  'wrap a declaration': wrapDeclaration,
  'wrap statements': wrapStatements,
  indent,
};

export function makeEdit(kind: EditKind, editor: Editor, desk: Desk): KnownEdit | null {
  const { file, others } = desk;
  const made = editor(desk);
  // Swapping two equal functions is not a change.
  const written = (lines: string[]) => lines.filter((line) => line.trim() !== '').join('\n');
  if (!made || written(made.lines) === written(file.lines)) return null;
  const before: World = new Map([[file.path, file.lines.join('\n')]]);
  const after: World = new Map([[file.path, made.lines.join('\n')]]);
  for (const [path, lines] of made.more ?? []) {
    const known = others.find((other) => other.path === path);
    if (known) before.set(path, known.lines.join('\n'));
    after.set(path, lines.join('\n'));
  }
  return { kind, language: file.language.name, before, after, truth: { ...noTruth, ...made.truth } };
}
