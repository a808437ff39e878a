import type { Evidence, FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import { DiffLines, type PlacedLine } from '../verify/diff-lines.ts';
import type { Hunk } from '../written-article.ts';

/** Old and new together; more is not read between two paragraphs. */
const mostLines = 18;
const contextLines = 3;
/** Longer lines are not read in an article. */
const longestLine = 1_000;

interface CitingChange {
  statements: { basis: 'diff' | 'words' | 'judgement'; evidence: Evidence[] }[];
}

/**
 * For each section of an article, the contiguous lines of one hunk that hold most of what its sentences cite, or null. No
 * changed line is shown twice, and none without what it replaces: where both sides are too long together, neither is shown.
 */
export function citedHunks(
  changes: CitingChange[],
  diff: FileDiff[],
  files: Pick<FileFacts, 'path' | 'ranges'>[],
): (Hunk | null)[] {
  const lines = new DiffLines(diff);
  const ranges = new Map(files.map((file) => [file.path, file.ranges]));
  const shown = new Set<PlacedLine>();
  return changes.map((change) => {
    const stretch = bestStretch(timesCited(change, lines), lines, shown);
    if (!stretch) return null;
    const { path, hunk, from, to } = stretch;
    const own = hunk.slice(from, to);
    for (const line of own) if (line.block !== null) shown.add(line);
    const isCutOff = (line: PlacedLine | undefined) => (other: PlacedLine) =>
      other.block !== null && other.block === line?.block;
    const around = withContext(hunk, from, to, shown);
    return {
      fileName: path,
      heading: nameAround(own, ranges.get(path) ?? []),
      lines: around.map(({ side, oldLine, newLine, text }) => ({ kind: side, oldLine, newLine, text })),
      moreBefore: hunk.slice(0, from).filter(isCutOff(own[0])).length,
      moreAfter: hunk.slice(to).filter(isCutOff(own.at(-1))).length,
    };
  });
}

/** By file, the changed lines that sentences about the diff cite, and how often. */
function timesCited({ statements }: CitingChange, lines: DiffLines): Map<string, Map<PlacedLine, number>> {
  const files = new Map<string, Map<PlacedLine, number>>();
  for (const { basis, evidence } of statements) {
    if (basis !== 'diff') continue;
    for (const { fileName, side, startLine, endLine } of evidence) {
      const times = files.get(fileName) ?? new Map<PlacedLine, number>();
      for (const line of lines.between(fileName, side, startLine, endLine))
        if (line.block !== null) times.set(line, (times.get(line) ?? 0) + 1);
      files.set(fileName, times);
    }
  }
  return files;
}

/** Lines of a hunk from one place to another, the latter not included. */
interface Stretch {
  path: string;
  hunk: PlacedLine[];
  from: number;
  to: number;
  cited: number;
}

function bestStretch(
  cited: Map<string, Map<PlacedLine, number>>,
  lines: DiffLines,
  shown: ReadonlySet<PlacedLine>,
): Stretch | null {
  let best: Stretch | null = null;
  for (const [path, times] of cited) {
    for (const number of new Set([...times.keys()].map((line) => line.hunk))) {
      const hunk = lines.ofHunk(path, number);
      const looking = { hunk, times, shown, replacing: replacingBlocks(hunk) };
      for (const from of hunk.keys()) {
        const to = endFrom(from, looking);
        const sum = hunk.slice(from, to).reduce((all, line) => all + (times.get(line) ?? 0), 0);
        if (sum > (best?.cited ?? 0)) best = { path, hunk, from, to, cited: sum };
      }
    }
  }
  return best;
}

/** The runs of changed lines that have both sides. */
const replacingBlocks = (hunk: PlacedLine[]): Set<number | null> =>
  new Set(
    hunk.flatMap(({ block, side }, at) => {
      const above = hunk[at - 1];
      return block !== null && above?.block === block && above.side !== side ? [block] : [];
    }),
  );

interface Looking {
  hunk: PlacedLine[];
  times: ReadonlyMap<PlacedLine, number>;
  shown: ReadonlySet<PlacedLine>;
  replacing: ReadonlySet<number | null>;
}

/** How far lines can be shown from a place on: up to the last cited one that fits, and nowhere where none can begin there. */
function endFrom(from: number, { hunk, times, shown, replacing }: Looking): number {
  const [first, above] = [hunk[from], hunk[from - 1]];
  if (!first || first.block === null) return from;
  if (first.block === above?.block && (replacing.has(first.block) || !times.has(first))) return from;
  let end = from;
  let hasCited = false;
  for (let at = from; at < Math.min(hunk.length, from + mostLines); at += 1) {
    const line = hunk[at];
    if (!line || shown.has(line) || line.text.length > longestLine) break;
    hasCited ||= times.has(line);
    const isLast = hunk[at + 1]?.block !== line.block;
    if (line.block !== null && (isLast ? hasCited : times.has(line) && !replacing.has(line.block)))
      end = at + 1;
  }
  return end;
}

/** With unchanged lines of the hunk above and below, as far as there is room. */
function withContext(
  hunk: PlacedLine[],
  from: number,
  to: number,
  shown: ReadonlySet<PlacedLine>,
): PlacedLine[] {
  const isContext = (line: PlacedLine | undefined): boolean =>
    line !== undefined && line.block === null && !shown.has(line) && line.text.length <= longestLine;
  let [first, last] = [from, to];
  for (let step = 0; step < contextLines; step += 1) {
    if (last - first < mostLines && isContext(hunk[first - 1])) first -= 1;
    if (last - first < mostLines && isContext(hunk[last])) last += 1;
  }
  return hunk.slice(first, last);
}

/** The function or section that holds all of some lines. */
function nameAround(own: PlacedLine[], ranges: FileFacts['ranges']): string | null {
  for (const side of ['new', 'old'] as const) {
    const numbers = own.flatMap((line) => (side === 'new' ? line.newLine : line.oldLine) ?? []);
    const [startLine, endLine] = [numbers[0], numbers.at(-1)];
    if (startLine !== undefined && endLine !== undefined)
      return innermostRange(ranges, { side, startLine, endLine })?.name ?? null;
  }
  return null;
}
