import type { Evidence, FileFacts, NamedRange } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { lineKey, type SameEdit } from '../../reading/same-edits.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../article-source.ts';
import { isBalanced } from '../plain-text.ts';
import { codeLines, idleLines, standsIn } from './lines.ts';

/** Which files a change is about, where it is about several kinds of them. */
export type Part = 'documentation' | 'test' | 'build' | 'comment';

/** What a headline says where no public name and no default changed; `of` is a function or a file. */
export type HeadlineFact = { evidence: Evidence[] } & (
  | { kind: 'optional'; of: string; names: string[] }
  /** One text that stands for another; empty where it came or went. */
  | { kind: 'edit'; of: string; isFile: boolean; isComment: boolean; from: string; to: string }
  | { kind: 'everywhere' | 'converted'; from: string; to: string }
  /** A condition with what is returned under it, where that is all. */
  | { kind: 'branch'; of: string; condition: string; returns: string | null }
  /** A function that is newly called, and which it takes the place of. */
  | { kind: 'uses'; of: string; from: string | null; to: string }
  | { kind: 'submodule'; path: string }
  | { kind: 'file'; path: string; change: 'added' | 'removed' }
  | { kind: 'parts'; parts: Part[] }
  /** Where a fix is. */
  | { kind: 'function'; of: string }
);

interface Touched {
  path: string;
  lines: DiffLine[];
  facts: FileFacts;
}

/** What certainly happens, said by the lines themselves; null where that takes more than a headline. */
export function headlineFactOf(source: ArticleSource, edits: SameEdit[]): HeadlineFact | null {
  const { facts, diff } = source;
  const read = facts.files.filter(({ kind }) => kind !== 'lock');
  const [first] = read;
  if (first?.isSubmodule && first.status === 'modified' && read.length === 1)
    return { kind: 'submodule', path: first.path, evidence: first.place ? [first.place] : [] };
  if (read.length === 0 || read.some(({ skipped, isSubmodule }) => skipped !== null || isSubmodule))
    return null;
  const own = (some: FileFacts[]): Touched[] =>
    some.flatMap((file) => {
      const found = diff.find(({ path }) => path === file.path);
      return found ? [{ path: file.path, facts: file, lines: codeLines(found, file).filter(isWritten) }] : [];
    });
  const isBeside = ({ kind }: FileFacts): boolean => kind === 'test' || kind === 'documentation';
  const main = read.filter((file) => !isBeside(file));
  const all = own(main.length > 0 ? main : read);
  return (
    optionalParameter(read) ??
    converted(read, diff) ??
    everywhere(own(read), edits) ??
    wholeFile(main) ??
    inOnePlace(all, source) ??
    parts(own(read))
  );
}

const isWritten = ({ text }: DiffLine): boolean => text.trim() !== '';

function optionalParameter(files: FileFacts[]): HeadlineFact | null {
  const symbols = files.filter(isShipped).flatMap(({ symbols: found }) => found);
  for (const { isPublic, change, container, name, signatureEdits, evidence } of symbols) {
    const names = signatureEdits.flatMap((edit) => (edit.kind === 'parameterAdded' ? edit.name : []));
    if (
      isPublic &&
      change === 'signatureChanged' &&
      names.length > 0 &&
      names.every((one) => /^\w+$/.test(one))
    )
      return { kind: 'optional', of: container ? `${container}.${name}` : name, names, evidence: [evidence] };
  }
  return null;
}

const markup: ReadonlySet<string> = new Set(['md', 'rst', 'adoc', 'txt']);
export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** A document that is written in another markup now. */
function converted(files: FileFacts[], diff: FileDiff[]): HeadlineFact | null {
  const [only, ...others] = files.filter(({ kind }) => kind === 'documentation');
  const from = diff.find(({ path }) => path === only?.path)?.previousPath;
  if (!only || !from || others.length > 0 || files.length > 1) return null;
  const [was, is] = [extensionOf(from), extensionOf(only.path)];
  if (was === is || !markup.has(was) || !markup.has(is)) return null;
  return { kind: 'converted', from, to: only.path, evidence: only.place ? [only.place] : [] };
}

/** One edit that is all of the change. */
function everywhere(files: Touched[], edits: SameEdit[]): HeadlineFact | null {
  const keys = files.flatMap(({ path, lines }) => lines.map((line) => keyOf(path, line)));
  const only = edits.find(({ lines, from, to }) => from && to && keys.every((key) => lines.has(key)));
  if (!only || keys.length === 0 || only.from.length + only.to.length > 50) return null;
  return { kind: 'everywhere', from: only.from, to: only.to, evidence: only.evidence };
}

const keyOf = (path: string, { side, oldLine, newLine }: DiffLine): string =>
  side === 'removed' ? lineKey(path, 'old', oldLine ?? 0) : lineKey(path, 'new', newLine ?? 0);

function wholeFile([only, ...others]: FileFacts[]): HeadlineFact | null {
  if (!only || others.length > 0 || (only.status !== 'added' && only.status !== 'removed')) return null;
  return { kind: 'file', path: only.path, change: only.status, evidence: only.place ? [only.place] : [] };
}

/** One edit, one new condition, or one function in which everything changed. */
function inOnePlace(files: Touched[], { title, facts, diff }: ArticleSource): HeadlineFact | null {
  const busy = files.map((file) => ({ ...file, lines: file.lines.filter(not(idleLines(file.facts))) }));
  const isIdle = busy.every(({ lines }) => lines.length === 0);
  const [only, ...others] = (isIdle ? files : busy).filter(({ lines }) => lines.length > 0);
  if (!only || others.length > 0) return null;
  const { path, lines, facts: file } = only;
  const around = diff.find((one) => one.path === path)?.hunks.flatMap(linesOf) ?? [];
  const inner = new Set(lines.map((line) => functionAround(line, file.ranges)));
  const [name = null] = inner.size === 1 ? inner : [];
  const evidence = placesOf(path, lines);
  const isComment = file.kind !== 'documentation' && lines.every(not(importLines(file))) && isIdle;
  const edit = editIn(lines, name === null || isIdle);
  if (edit) return { kind: 'edit', of: name ?? path, isFile: name === null, isComment, ...edit, evidence };
  if (name === null || isIdle || file.symbols.some((one) => one.change !== 'bodyChanged')) return null;
  if (file.kind !== 'source') return null;
  const branch = branchIn(lines);
  if (branch) return { kind: 'branch', of: name, ...branch, evidence };
  const uses = usesIn(lines, around);
  if (uses) return { kind: 'uses', of: name, ...uses, evidence };
  const isFix =
    facts.changeType === 'FIX' && /^\W*fix/i.test(title) && !/typo|lint|warning|format/i.test(title);
  return isFix ? { kind: 'function', of: name, evidence } : null;
}

const not =
  <T>(is: (one: T) => boolean) =>
  (one: T): boolean =>
    !is(one);

const importLines = ({ changes, language }: FileFacts): ((line: DiffLine) => boolean) =>
  idleLines({ changes: changes.filter(({ of }) => of === 'import'), language } as FileFacts);

const spanOf = ({ startLine, endLine }: NamedRange): number => endLine - startLine;

const functionAround = (line: DiffLine, ranges: NamedRange[]): string | null =>
  ranges
    .filter((range) => range.isFunction && standsIn(line, range))
    .sort((one, other) => spanOf(one) - spanOf(other))[0]?.name ?? null;

const longestText = 40;
const isShort = (text: string): boolean =>
  text.length <= longestText && isBalanced(text) && !text.includes('`') && /\w{2}/.test(text);

/** What one line was and is: the part that differs, in whole words. */
function editIn(lines: DiffLine[], isProse: boolean): { from: string; to: string } | null {
  const texts = (['removed', 'added'] as const).map((wanted) =>
    lines.flatMap(({ side, text }) => (side === wanted ? text.trim().replace(/[,;]$/, '') : [])),
  );
  const [[before = ''] = [], [after = ''] = []] = texts;
  if (texts.some((some) => some.length > 1)) return null;
  if (before === '' || after === '') return isShort(before + after) ? { from: before, to: after } : null;
  for (const words of [/[^\s"'()[\]{},]+|./g, /[\w.+-]+|./g]) {
    const [old, current] = [before, after].map((text): string[] => text.match(words) ?? []);
    const [from, to] = differing(old ?? [], current ?? []);
    const isWhole = from !== '' && to !== '';
    if ((isWhole || isProse) && (isShort(from) || from === '') && (isShort(to) || to === ''))
      return { from, to };
  }
  return isShort(before) && isShort(after) ? { from: before, to: after } : null;
}

function differing(old: string[], current: string[]): [string, string] {
  const least = Math.min(old.length, current.length);
  let start = 0;
  while (start < least && old[start] === current[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  const cut = (words: string[]): string => words.slice(start, words.length - end).join('');
  const [from, to] = [cut(old).trim(), cut(current).trim()];
  // What was put into a list came with a comma.
  return from === '' || to === '' ? [bareItem(from), bareItem(to)] : [from, to];
}

const bareItem = (text: string): string => text.replace(/^[\s,|]+|[\s,|]+$/g, '');

const called = /(?<![\w$.])((?:[\w$]+(?:\.|::))*[\w$]{4,})!?\(/g;
const keywords: ReadonlySet<string> = new Set(
  'while switch match catch func function return panic append make print len super assert'.split(' '),
);
const callsIn = (lines: { text: string }[]): Set<string> =>
  new Set(
    lines.flatMap(({ text }) =>
      Array.from(text.replace(/"[^"]*"|'[^']*'/g, '""').matchAll(called), ([, name = '']) =>
        name.replace(/^(?:self|this)\./, ''),
      ).filter((name) => !keywords.has(name)),
    ),
  );

/** The only function that is newly called, and the one that no longer is where there is one. */
function usesIn(lines: DiffLine[], around: DiffLine[]): { from: string | null; to: string } | null {
  const [gone, come] = (['removed', 'added'] as const).map((wanted) =>
    callsIn(lines.filter(({ side }) => side === wanted)),
  );
  const known = callsIn(around.filter(({ side }) => side === 'context'));
  const isNew = (name: string, other: Set<string> | undefined): boolean =>
    !other?.has(name) && !known.has(name);
  const [to, ...more] = [...(come ?? [])].filter((name) => isNew(name, gone));
  const lost = [...(gone ?? [])].filter((name) => isNew(name, come));
  if (to === undefined || more.length > 0 || lost.length > 1 || to.length > longestText) return null;
  return { from: lost[0] ?? null, to };
}

/** A statement under a new condition that is all that came. */
function branchIn(lines: DiffLine[]): { condition: string; returns: string | null } | null {
  const [first = '', ...rest] = lines.map(({ text }) => text.replaceAll('\t', '    '));
  const [, indent = '', condition = ''] = /^(\s*)if (.+?)\s*(?:\{|:|\bthen)?\s*$/.exec(first) ?? [];
  const bare = condition.replace(/^\((.*)\)$/, '$1').trim();
  const isAll = lines.every(({ side }, at) => side === 'added' && isNext(lines[at - 1], lines[at]));
  const isEnd = (text: string): boolean =>
    /^\s*(?:\}|end)$/.test(text) && text.search(/\S/) === indent.length;
  const body = rest.filter((text, at) => !(at === rest.length - 1 && isEnd(text)));
  const isInside = body.length > 0 && body.every((text) => text.search(/\S/) > indent.length);
  if (!isAll || !isInside || !isShort(bare) || /[;{]|:=|^let /.test(bare)) return null;
  const [, returns = null] = (body.length === 1 && /^\s*return ([^;]+);?$/.exec(body[0] ?? '')) || [];
  return { condition: bare, returns: returns !== null && returns.length <= longestText ? returns : null };
}

const isNext = (before: DiffLine | undefined, line: DiffLine | undefined): boolean =>
  before === undefined || (line?.newLine ?? 0) - (before.newLine ?? 0) <= 2;

/** Kinds of files, and comments of code. */
function parts(files: Touched[]): HeadlineFact | null {
  const kinds = new Set(
    files.map(({ facts, lines }): Part | null => {
      if (facts.kind === 'documentation' || facts.kind === 'test' || facts.kind === 'build')
        return facts.kind;
      const isImport = importLines(facts);
      return lines.length > 0 && lines.every((line) => idleLines(facts)(line) && !isImport(line))
        ? 'comment'
        : null;
    }),
  );
  const found = [...kinds].flatMap((kind) => kind ?? []);
  if (kinds.has(null) || found.length < 2) return null;
  return {
    kind: 'parts',
    parts: found,
    evidence: files.flatMap(({ facts: { place } }) => place ?? []).slice(0, 5),
  };
}

/** Runs of changed lines, each on its own side. */
function placesOf(fileName: string, lines: DiffLine[]): Evidence[] {
  const places: Evidence[] = [];
  for (const { side: kind, oldLine, newLine } of lines) {
    const side = kind === 'removed' ? 'old' : 'new';
    const line = (side === 'old' ? oldLine : newLine) ?? 0;
    const last = places.findLast((place) => place.side === side);
    if (last?.endLine === line - 1) last.endLine = line;
    else places.push({ fileName, startLine: line, endLine: line, side });
  }
  return places.slice(0, 8);
}
