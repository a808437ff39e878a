import type { Evidence } from '../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../reading/file-diff.ts';
import { headingAbove } from './heading-above.ts';
import type { Excerpt, ExcerptLine } from './written-article.ts';

const mostLines = 16;
const mostChanged = 12;
const mostOfChange = 3;
const contextLines = 2;

/** Longer lines are not read in an excerpt. */
const longestLine = 1_000;

/** Beyond this many changed lines, an article has room for more excerpts. */
const smallChange = 300;
const mostOfArticle = { small: 4, large: 6 };

/** A change of an article, as far as it says which lines it is about. */
interface CitingChange {
  statements: { basis: 'diff' | 'words' | 'judgement'; evidence: Evidence[] }[];
}

/** Neighbouring lines of a hunk, by their positions in it, the last one included. */
interface Span {
  heading: string;
  lines: readonly DiffLine[];
  from: number;
  to: number;
  /** How many of its lines are cited. */
  cited: number;
}

/**
 * Excerpts for each of some changes: the lines of the diff that their sentences are about, cut where a hunk has them. What was
 * removed is never shown without what stands there instead, nor the reverse: where both are too long, neither is shown.
 */
export function cutCited(changes: CitingChange[], diff: FileDiff[]): Excerpt[][] {
  const files = new Map(diff.map((file) => [file.path, file]));
  const lines = diff.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  let left = lines > smallChange ? mostOfArticle.large : mostOfArticle.small;
  const wanted = changes.map((change) => excerptsOf(change, files));
  const kept = changes.map((): Excerpt[] => []);
  const shown = new Set<string>();
  // Each change has its first before another has its second.
  for (let place = 0; place < mostOfChange; place += 1) {
    for (const [index, excerpts] of wanted.entries()) {
      const excerpt = excerpts[place];
      const key = JSON.stringify(excerpt);
      if (!excerpt || left === 0 || shown.has(key)) continue;
      shown.add(key);
      kept[index]?.push(excerpt);
      left -= 1;
    }
  }
  return kept;
}

function excerptsOf({ statements }: CitingChange, files: Map<string, FileDiff>): Excerpt[] {
  const evidence = statements.flatMap((one) => (one.basis === 'diff' ? one.evidence : []));
  return [...Map.groupBy(evidence, ({ fileName }) => fileName)].flatMap(([fileName, cited]) => {
    const hunks = files.get(fileName)?.hunks ?? [];
    return groupSpans(hunks.flatMap((hunk) => citedSpans(hunk, cited))).map((spans) => cut(fileName, spans));
  });
}

/** The runs of changed lines in a hunk that have cited ones, as far as they can be shown. */
function citedSpans(hunk: Hunk, evidence: Evidence[]): Span[] {
  const near = evidence.filter(({ side, startLine, endLine }) =>
    side === 'old'
      ? startLine < hunk.oldStart + hunk.oldLines && endLine >= hunk.oldStart
      : startLine < hunk.newStart + hunk.newLines && endLine >= hunk.newStart,
  );
  if (near.length === 0) return [];
  const lines = linesOf(hunk);
  const runs: { from: number; to: number; cited: number[] }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.side === 'context') continue;
    const last = runs.at(-1);
    const run = last?.to === index - 1 ? last : { from: index, to: index, cited: [] };
    if (run !== last) runs.push(run);
    run.to = index;
    if (near.some((one) => isIn(one, line))) run.cited.push(index);
  }
  return runs.flatMap((run) => {
    const { from, to } = shownOf(run, lines);
    const isShort = lines.slice(from, to + 1).every(({ text }) => text.length <= longestLine);
    return run.cited.length > 0 && to - from < mostChanged && isShort
      ? [{ heading: hunk.heading, lines, from, to, cited: run.cited.length }]
      : [];
  });
}

/** A run as a whole, or what is cited of one that replaces nothing and is too long. */
function shownOf(
  { from, to, cited }: { from: number; to: number; cited: number[] },
  lines: readonly DiffLine[],
): { from: number; to: number } {
  const sides = new Set(lines.slice(from, to + 1).map(({ side }) => side));
  if (to - from < mostChanged || sides.size > 1) return { from, to };
  const first = cited[0] ?? from;
  return { from: first, to: Math.min(cited.at(-1) ?? to, first + mostChanged - 1) };
}

function isIn({ side, startLine, endLine }: Evidence, { oldLine, newLine }: DiffLine): boolean {
  const number = side === 'old' ? oldLine : newLine;
  return number !== null && number >= startLine && number <= endLine;
}

/** Spans that have room together stand in one excerpt; those with the most cited lines come first. */
function groupSpans(spans: Span[]): Span[][] {
  const groups: Span[][] = [];
  for (const span of spans) {
    const last = groups.at(-1);
    const joined = [...(last ?? []), span];
    const changed = joined.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    if (last && changed <= mostChanged && changed + last.length <= mostLines) last.push(span);
    else groups.push([span]);
  }
  const citedIn = (group: Span[]) => group.reduce((sum, { cited }) => sum + cited, 0);
  return groups.sort((one, other) => citedIn(other) - citedIn(one));
}

/** Spans with as much of what stands around them as there is room for, and gaps between them. */
function cut(fileName: string, changed: Span[]): Excerpt {
  const spans = changed.map((span) => ({ ...span }));
  for (let step = 0; step < contextLines; step += 1) {
    for (const [index, span] of spans.entries()) {
      for (const end of ['from', 'to'] as const) {
        const next = end === 'from' ? span.from - 1 : span.to + 1;
        const neighbour = spans[end === 'from' ? index - 1 : index + 1];
        const line = span.lines[next];
        const isTaken = neighbour?.lines === span.lines && next >= neighbour.from && next <= neighbour.to;
        if (line?.side !== 'context' || line.text.length > longestLine || isTaken) continue;
        const before = span[end];
        span[end] = next;
        if (print(spans).length > mostLines) span[end] = before;
      }
    }
  }
  const [first] = changed;
  const last = changed.at(-1);
  const heading =
    first && first.lines === last?.lines
      ? headingAbove(first.heading, first.lines.slice(0, last.to + 1))
      : null;
  return { fileName, heading, lines: print(spans) };
}

function print(spans: Span[]): ExcerptLine[] {
  return spans.flatMap(({ lines: all, from, to }, index) => {
    const lines = all
      .slice(from, to + 1)
      .map(({ side, oldLine, newLine, text }): ExcerptLine => ({ kind: side, oldLine, newLine, text }));
    const before = spans[index - 1];
    const isJoined = !before || (before.lines === all && before.to === from - 1);
    return isJoined ? lines : [{ kind: 'gap', oldLine: null, newLine: null, text: '' }, ...lines];
  });
}
