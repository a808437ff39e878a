import type { Evidence, FileFacts } from '../../reading/facts.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import { lineKey, type SameEdit } from '../../reading/same-edits.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../article-source.ts';
import { isBalanced } from '../plain-text.ts';
import { codeLines, idleLines } from './lines.ts';

export type Part = 'documentation' | 'test' | 'build' | 'comment';

/** What a headline says where no public name and no default changed; `of` is a function or a file. */
export type HeadlineFact = { evidence: Evidence[] } & (
  | { kind: 'optional'; of: string; names: string[] }
  /** One text that stands for another, here or wherever it stood; empty where it came or went. */
  | { kind: 'edit'; of: string | null; isFile: boolean; isComment: boolean; from: string; to: string }
  /** What is done under a new condition, and what is returned where that is all. */
  | { kind: 'branch'; of: string; condition: string; returns: string | null }
  | { kind: 'file'; path: string; change: 'added' | 'removed' }
  | { kind: 'converted'; from: string; to: string }
  | { kind: 'parts'; parts: Part[] }
  /** Where a fix is. */
  | { kind: 'fix'; of: string }
);

interface Touched {
  file: FileFacts;
  /** As the diff has them, without blank ones. */
  lines: DiffLine[];
}

/** What certainly happens, as the lines themselves say it; null where that takes more than a headline. */
export function headlineFactOf(source: ArticleSource, edits: SameEdit[]): HeadlineFact | null {
  const read = source.facts.files.filter(({ kind }) => kind !== 'lock');
  if (read.some(({ skipped, isSubmodule }) => skipped !== null || isSubmodule)) return null;
  const touched = read.map((file): Touched => {
    const own = source.diff.find(({ path }) => path === file.path);
    return { file, lines: own ? codeLines(own, file).filter(({ text }) => text.trim() !== '') : [] };
  });
  const main = touched.filter(({ file: { kind } }) => kind !== 'test' && kind !== 'documentation');
  return (
    optionalParameter(read) ??
    ofWholeFile(main.length > 0 ? main : touched) ??
    everywhere(touched, edits) ??
    inOnePlace(main.length > 0 ? main : touched, source) ??
    ofParts(touched)
  );
}

function optionalParameter(files: FileFacts[]): HeadlineFact | null {
  for (const symbol of files.filter(isShipped).flatMap(({ symbols }) => symbols)) {
    const { isPublic, container, name, signatureEdits, evidence } = symbol;
    const names = signatureEdits.flatMap((edit) => (edit.kind === 'parameterAdded' ? edit.name : []));
    if (isPublic && names.length > 0 && names.every((one) => /^\w+$/.test(one)))
      return { kind: 'optional', of: container ? `${container}.${name}` : name, names, evidence: [evidence] };
  }
  return null;
}

export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** A file that came, went, or is a document in another markup now. */
function ofWholeFile([only, ...others]: Touched[]): HeadlineFact | null {
  if (!only || others.length > 0 || only.file.kind === 'test') return null;
  const { path, previousPath, status, kind, place } = only.file;
  const evidence = place ? [place] : [];
  if (status === 'added' || status === 'removed') return { kind: 'file', path, change: status, evidence };
  const [from, to] = [extensionOf(previousPath ?? path), extensionOf(path)];
  const isOther = kind === 'documentation' && from !== to && /^(?:md|rst)$/.test(to);
  return isOther ? { kind: 'converted', from: previousPath ?? path, to: path, evidence } : null;
}

/** One edit that is all of the change. */
function everywhere(files: Touched[], edits: SameEdit[]): HeadlineFact | null {
  const keys = files.flatMap(({ file: { path }, lines }) =>
    placesOf(path, lines).map(({ side, startLine }) => lineKey(path, side, startLine)),
  );
  const only = edits.find((edit) => edit.from && edit.to && keys.every((key) => edit.lines.has(key)));
  if (!only || keys.length === 0) return null;
  const { from, to, evidence } = only;
  return { kind: 'edit', of: null, isFile: false, isComment: false, from, to, evidence };
}

const placesOf = (fileName: string, lines: DiffLine[]): Evidence[] =>
  lines.map(({ side, oldLine, newLine }) => {
    const line = (side === 'removed' ? oldLine : newLine) ?? 0;
    return { fileName, startLine: line, endLine: line, side: side === 'removed' ? 'old' : 'new' };
  });

/** One edit, one new condition, or a fix in one function. */
function inOnePlace(files: Touched[], { title, facts }: ArticleSource): HeadlineFact | null {
  const busy = files.map(({ file, lines }) => ({
    file,
    lines: lines.filter((line) => !idleLines(file)(line)),
  }));
  const isIdle = busy.every(({ lines }) => lines.length === 0);
  const [only, ...others] = (isIdle ? files : busy).filter(({ lines }) => lines.length > 0);
  if (!only || others.length > 0) return null;
  const { lines, file } = only;
  const places = placesOf(file.path, lines);
  const functions = file.ranges.filter(({ isFunction }) => isFunction);
  const inner = new Set(places.map((place) => innermostRange(functions, place)?.name));
  const [name] = inner.size === 1 ? inner : [];
  const [of, evidence] = [name ?? file.path, places.slice(0, 8)];
  const isComment = isIdle && lines.every(idleLines(file, ['comment']));
  const edit = editIn(lines, name === undefined || isComment);
  if (edit) return { kind: 'edit', of, isFile: name === undefined, isComment, ...edit, evidence };
  const isBody = file.symbols.every(({ change }) => change === 'bodyChanged');
  if (name === undefined || isIdle || !isBody || file.kind !== 'source') return null;
  const branch = branchIn(lines);
  if (branch) return { kind: 'branch', of, ...branch, evidence };
  const isFix = facts.changeType === 'FIX' && /^\W*fix/i.test(title) && !/typo|lint|warn|format/i.test(title);
  return isFix ? { kind: 'fix', of, evidence } : null;
}

const longestText = 40;
const isShort = (text: string): boolean =>
  text.length <= longestText && isBalanced(text) && !text.includes('`') && /\w{2}/.test(text);

/** What one line was and is: the part that differs, in whole words. */
function editIn(lines: DiffLine[], isProse: boolean): { from: string; to: string } | null {
  const [gone = [], come = []] = (['removed', 'added'] as const).map((wanted) =>
    lines.flatMap(({ side, text }) => (side === wanted ? text.trim().replace(/[,;]$/, '') : [])),
  );
  const [[before = ''], [after = '']] = [gone, come];
  if (gone.length > 1 || come.length > 1) return null;
  if (before === '' || after === '') return isShort(before + after) ? { from: before, to: after } : null;
  for (const words of [/[^\s"'()[\]{},]+|./g, /[\w.+-]+|./g]) {
    const parts = differing(before.match(words) ?? [], after.match(words) ?? []);
    const isWhole = isProse || parts.every((part) => part !== '');
    const [from, to] = parts;
    if (isWhole && parts.every((part) => part === '' || isShort(part)) && from.length + to.length <= 50)
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
  // What was put into a list came with a comma.
  const cut = (words: string[]): string =>
    words
      .slice(start, words.length - end)
      .join('')
      .replace(/^[\s,|]+|[\s,|]+$/g, '');
  return [cut(old), cut(current)];
}

/** A new condition with all that stands under it, where nothing else changed. */
function branchIn(lines: DiffLine[]): { condition: string; returns: string | null } | null {
  const [first = '', ...rest] = lines.map(({ text }) => text.replaceAll('\t', '    '));
  const [, indent = '', written = ''] = /^(\s*)if (.+?)\s*(?:\{|:|\bthen)?\s*$/.exec(first) ?? [];
  const condition = written.replace(/^\((.*)\)$/, '$1').trim();
  const depth = (text: string): number => text.search(/\S/) - indent.length;
  const body = rest.filter(
    (text, at) => at < rest.length - 1 || depth(text) !== 0 || !/^\s*(?:\}|end)$/.test(text),
  );
  const isNext = (line: DiffLine, at: number): boolean =>
    line.side === 'added' && (line.newLine ?? 0) - (lines[at - 1]?.newLine ?? line.newLine ?? 0) <= 2;
  const isAll = lines.every(isNext) && body.length > 0 && body.every((text) => depth(text) > 0);
  if (!isAll || !isShort(condition) || /[;{]|:=|^let /.test(condition)) return null;
  const [, returns = ''] = (body.length === 1 && /^\s*return ([^;]+);?$/.exec(body[0] ?? '')) || [];
  return { condition, returns: returns !== '' && returns.length <= longestText ? returns : null };
}

/** Several kinds of files, or comments of code. */
function ofParts(files: Touched[]): HeadlineFact | null {
  const kinds = files.map(({ file, lines }): Part | null => {
    if (file.kind === 'documentation' || file.kind === 'test' || file.kind === 'build') return file.kind;
    return lines.length > 0 && lines.every(idleLines(file, ['comment'])) ? 'comment' : null;
  });
  const parts = [...new Set(kinds.flatMap((kind) => kind ?? []))];
  if (kinds.includes(null) || parts.length < 2) return null;
  return { kind: 'parts', parts, evidence: files.flatMap(({ file: { place } }) => place ?? []).slice(0, 5) };
}
