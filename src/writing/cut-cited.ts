import type { Evidence } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { contextLines, excerptLine, gap, mostChanged, mostExcerpts, mostLines } from './excerpt-form.ts';
import { headingAbove } from './heading-above.ts';
import { cite, isCited } from './verify/citation.ts';
import { blocksOf, DiffLines, type PlacedLine } from './verify/diff-lines.ts';
import type { Excerpt, ExcerptLine } from './written-article.ts';

const mostOfChange = 3;

/** Longer lines are not read in an excerpt. */
const longestLine = 1_000;

/** A change of an article, as far as it says which lines it is about. */
interface CitingChange {
  statements: { basis: 'diff' | 'words' | 'judgement'; evidence: Evidence[] }[];
}

/** Neighbouring lines of a hunk, by their positions in the file's diff, the last one included. */
interface Span {
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
  const lines = new DiffLines(diff);
  const changed = diff.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  let left = mostExcerpts(changed);
  const wanted = changes.map((change) => excerptsOf(change, lines));
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

function excerptsOf({ statements }: CitingChange, lines: DiffLines): Excerpt[] {
  const evidence = statements.flatMap((one) => (one.basis === 'diff' ? one.evidence : []));
  return cite(evidence, lines).flatMap((file) => {
    const own = evidence.filter(({ fileName }) => fileName === file.path);
    const spans = blocksOf(file.lines).flatMap((run) => spanOf(run, own));
    return groupSpans(spans).map((group) => cut(file.path, group, lines));
  });
}

/** A run of changed lines as a whole, or what is cited of one that replaces nothing and is too long; none where neither fits. */
function spanOf(run: PlacedLine[], evidence: Evidence[]): Span[] {
  const cited = run.flatMap((line, at) => (evidence.some((one) => isCited(line, one)) ? [at] : []));
  const isWhole = run.length <= mostChanged || new Set(run.map(({ side }) => side)).size > 1;
  const start = cited[0] ?? 0;
  const shown = isWhole ? run : run.slice(start, Math.min((cited.at(-1) ?? 0) + 1, start + mostChanged));
  const [first] = shown;
  if (!first || shown.length > mostChanged || shown.some(({ text }) => text.length > longestLine)) return [];
  const from = first.at;
  return [{ from, to: from + shown.length - 1, cited: cited.length }];
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
function cut(fileName: string, changed: Span[], lines: DiffLines): Excerpt {
  const all = lines.of(fileName);
  const shown = new Set(changed.flatMap(({ from, to }) => range(from, to)));
  for (let step = 1; step <= contextLines; step += 1) {
    for (const { from, to } of changed) {
      for (const [next, beside] of [
        [from - step, from - step + 1],
        [to + step, to + step - 1],
      ] as const) {
        const line = all[next];
        const isBeside = shown.has(beside) && line?.hunk === all[beside]?.hunk;
        if (!isBeside || line?.side !== 'context' || line.text.length > longestLine) continue;
        if (print(new Set([...shown, next]), all).length <= mostLines) shown.add(next);
      }
    }
  }
  return { fileName, heading: headingOf(fileName, changed, lines), lines: print(shown, all) };
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

function headingOf(fileName: string, spans: Span[], lines: DiffLines): string | null {
  const all = lines.of(fileName);
  const [first, last] = [all[spans[0]?.from ?? 0], all[spans.at(-1)?.to ?? 0]];
  if (!first || !last || first.hunk !== last.hunk) return null;
  const above = all.slice(0, last.at + 1).filter(({ hunk }) => hunk === first.hunk);
  return headingAbove(lines.file(fileName)?.hunks[first.hunk]?.heading ?? '', above, all);
}

function print(shown: ReadonlySet<number>, all: PlacedLine[]): ExcerptLine[] {
  return [...shown]
    .sort((one, other) => one - other)
    .flatMap((at, index): ExcerptLine[] => {
      const [line, above] = [all[at], all[at - 1]];
      if (!line) return [];
      const isJoined = index === 0 || (shown.has(at - 1) && above?.hunk === line.hunk);
      return [...(isJoined ? [] : [gap]), excerptLine(line)];
    });
}
