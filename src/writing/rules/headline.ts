import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { ArticleSource } from '../articles.ts';
import { isBalanced } from '../plain-text.ts';
import { isIdleLineIn, lineOfPiece } from './pieces.ts';

export type HeadlineFact = { evidence: Evidence[] } & (
  | { kind: 'edit'; of: string; isFile: boolean; isComment: boolean; from: string; to: string }
  | { kind: 'file'; path: string; change: 'added' | 'removed' }
  | { kind: 'fix'; of: string }
);

interface Touched {
  file: FileFacts;
  lines: DiffLine[];
}

export function headlineFactOf(source: ArticleSource): HeadlineFact | null {
  const read = source.facts.files.filter(({ kind }) => kind !== 'lock');
  if (read.some(({ skipped, isSubmodule }) => skipped !== null || isSubmodule)) return null;
  const touched = read.map((file): Touched => {
    const own = source.diff.find(({ path }) => path === file.path);
    return { file, lines: own ? codeLines(own, file).filter(({ text }) => text.trim() !== '') : [] };
  });
  const main = touched.filter(({ file: { kind } }) => kind !== 'test' && kind !== 'documentation');
  const files = main.length > 0 ? main : touched;
  return ofWholeFile(files) ?? inOnePlace(files, source);
}

function ofWholeFile([only, ...others]: Touched[]): HeadlineFact | null {
  if (!only || others.length > 0 || only.file.kind === 'test') return null;
  const { path, status, place } = only.file;
  if (status !== 'added' && status !== 'removed') return null;
  return { kind: 'file', path, change: status, evidence: place ? [place] : [] };
}

function inOnePlace(files: Touched[], { title, facts }: ArticleSource): HeadlineFact | null {
  const busy = files.map(({ file, lines }) => {
    const isIdleLine = isIdleLineIn(file);
    return { file, lines: lines.filter((line) => !isIdleLine(line)) };
  });
  const isIdle = busy.every(({ lines }) => lines.length === 0);
  const [only, ...others] = (isIdle ? files : busy).filter(({ lines }) => lines.length > 0);
  if (!only || others.length > 0) return null;
  const { lines, file } = only;
  const places = lines.map((changed): Evidence => {
    const { side, line } = lineOfPiece(changed);
    return { fileName: file.path, startLine: line, endLine: line, side };
  });
  const functions = file.ranges.filter(({ isFunction }) => isFunction);
  const inner = new Set(places.map((place) => innermostRange(functions, place)?.name));
  const [name] = inner.size === 1 ? inner : [];
  const [of, evidence] = [name ?? file.path, places.slice(0, 8)];
  const isComment = isIdle && lines.every(isIdleLineIn(file, ['comment']));
  const edit = editIn(lines, name === undefined || isComment);
  if (edit) return { kind: 'edit', of, isFile: name === undefined, isComment, ...edit, evidence };
  const isBody = file.symbols.every(({ change }) => change === 'bodyChanged');
  if (name === undefined || isIdle || !isBody || file.kind !== 'source') return null;
  const isFix = facts.changeType === 'FIX' && /^\W*fix/i.test(title) && !/typo|lint|warn|format/i.test(title);
  return isFix ? { kind: 'fix', of, evidence } : null;
}

const longestText = 40;
const isShort = (text: string): boolean =>
  text.length <= longestText && isBalanced(text) && !text.includes('`') && /\w{2}/.test(text);

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
  const cut = (words: string[]): string =>
    words
      .slice(start, words.length - end)
      .join('')
      .replace(/^[\s,|]+|[\s,|]+$/g, '');
  return [cut(old), cut(current)];
}

const rustTests = /\bmod \w*tests?\b|#\[cfg\(test\)\]|#\[(?:\w+::)*test\b/;

function codeLines({ hunks }: FileDiff, { language }: FileFacts): DiffLine[] {
  const lines: DiffLine[] = [];
  for (const hunk of hunks) {
    if (language === 'Rust' && rustTests.test(hunk.heading)) return lines;
    for (const line of linesOf(hunk)) {
      if (language === 'Rust' && rustTests.test(line.text)) return lines;
      if (line.side !== 'context') lines.push(line);
    }
  }
  return lines;
}
