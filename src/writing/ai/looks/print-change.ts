import type { FileFacts, FileKind, LookedLines } from '../../../reading/facts.ts';
import { type Hunk, linesOf } from '../../../reading/file-diff.ts';
import { type Material, printHead, printLine, printLooked, printPath, sizeOf } from '../material.ts';

/** Choosing where to look needs less material than writing. */
const mostBytes = { first: 5_000, again: 1_000 };

/** The shares for what people wrote, and for notes on a change that is too large to be shown. */
const mostBytesOfWords = { first: 1_200, again: 300 };
const mostBytesOfNotes = { first: 3_000, again: 1_000 };
const mostBytesOfNews = 5_000;
const longestLine = 160;
const mostHeads = 40;
const mostFiles = 40;

const shownKinds: ReadonlySet<FileKind> = new Set(['source', 'build', 'configuration', 'manifest']);

export const isShown = ({ kind }: Pick<FileFacts, 'kind'>): boolean => shownKinds.has(kind);

/** The changed lines of code; of other files, and of what has no room, only the names. */
export function printChange(
  { files, heads, lines }: Material,
  facts: FileFacts[],
  isAgain: boolean,
): string[] {
  const part = isAgain ? 'again' : 'first';
  const kinds = new Map(facts.map((file) => [file.path, file]));
  let [left, headsLeft] = [mostBytes[part], mostHeads];
  const code = [...files].slice(0, mostFiles).flatMap(([label, file]) => {
    const path = printPath(label, file);
    const { kind = 'source', additions, deletions } = kinds.get(file.path) ?? {};
    if (!shownKinds.has(kind)) return [`${path}, +${additions} -${deletions}, ${kind}`];
    const hunks = file.hunks.flatMap((hunk, index) => {
      const head = printHead(index, hunk, heads);
      const own = [head, ...changedLines(hunk)];
      if (sizeOf(own) <= left) {
        left -= sizeOf(own);
        return own;
      }
      headsLeft -= 1;
      return headsLeft >= 0 ? [`${head}, ${own.length - 1} lines`] : [];
    });
    return [path, ...hunks];
  });
  if (files.size > mostFiles) code.push(`and ${files.size - mostFiles} more files`);
  const notes = lines.filter((line) => /^n\d+ /.test(line));
  const words = lines.filter((line) => /^w\d+ /.test(line));
  return [...within(notes, mostBytesOfNotes[part]), ...code, ...within(words, mostBytesOfWords[part])];
}

const changedLines = (hunk: Hunk): string[] =>
  linesOf(hunk)
    .filter(({ side, text }) => side !== 'context' && text.trim() !== '')
    .map((line) => printLine({ ...line, text: line.text.slice(0, longestLine) }));

function within(lines: string[], most: number): string[] {
  let left = most;
  return lines.filter((line) => {
    left -= sizeOf([line]);
    return left >= 0;
  });
}

/** Lines that were looked at since; those without room by their numbers. */
export function printNews(
  looked: LookedLines[],
  earlier: LookedLines[],
  labels: ReadonlyMap<string, string>,
): string[] {
  let left = mostBytesOfNews;
  const news = without(looked, earlier);
  const shown = news.filter(({ lines }) => {
    left -= sizeOf(lines) + 6 * lines.length;
    return left >= 0;
  });
  return [
    ...printLooked(shown, labels),
    ...printSpans(
      news.filter((run) => !shown.includes(run)),
      labels,
    ),
  ];
}

/** Lines that the writer sees, by their numbers. */
export const printSpans = (runs: LookedLines[], labels: ReadonlyMap<string, string>): string[] => {
  const spans = runs.map(({ fileName, side, startLine, lines }) => {
    return `${labels.get(fileName)}${side === 'new' ? '+' : '-'}${startLine}-${startLine + lines.length - 1}`;
  });
  return spans.length === 0 ? [] : [`seen ${spans.slice(0, mostHeads).join(', ')}`];
};

export function without(looked: LookedLines[], earlier: LookedLines[]): LookedLines[] {
  const keyOf = ({ side, fileName }: LookedLines, line: number) => `${side} ${line} ${fileName}`;
  const known = new Set(earlier.flatMap((run) => run.lines.map((_, at) => keyOf(run, run.startLine + at))));
  return looked.flatMap((run) => {
    const runs: LookedLines[] = [];
    for (const [at, text] of run.lines.entries()) {
      const line = run.startLine + at;
      if (known.has(keyOf(run, line))) continue;
      const last = runs.at(-1);
      if (last && last.startLine + last.lines.length === line) last.lines.push(text);
      else runs.push({ ...run, startLine: line, lines: [text] });
    }
    return runs;
  });
}
