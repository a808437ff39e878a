import type { FileFacts } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';
import { chooseCited, longestLine } from './choose-cited.ts';
import { type CitingSentence, firstCited, type LineNumbers, timesCited } from './cited-lines.ts';
import { Enclosing } from './enclosing.ts';
import { contextLines, excerptLine, gap, mostChanged, mostExcerpts, mostLines } from './excerpt-form.ts';
import { blocksOf, DiffLines, type PlacedLine } from './verify/diff-lines.ts';
import type { Excerpt, ExcerptLine } from './written-article.ts';

const mostOfChange = 3;

/** A change of an article, as far as it says which lines it is about. */
interface CitingChange {
  statements: CitingSentence[];
}

/** What is known of a file beside its diff. */
type KnownFile = Pick<FileFacts, 'path' | 'ranges' | 'changes'>;

/** Of so many places one will show best what a sentence is about. */
const mostTried = 12;

/** Lines of a run of changed ones that are shown together. */
interface Span {
  lines: PlacedLine[];
  /** The first sentence that cites one of them, and how many of them it cites. */
  first: number;
  cited: number;
}

/**
 * Excerpts for each of some changes: the lines of the diff that their sentences are about, cut where a hunk has them, those of
 * the first sentence first, and none of them twice. What was removed is never shown without what stands there instead, nor the
 * reverse: where both are too long, neither is shown.
 */
export function cutCited(changes: CitingChange[], diff: FileDiff[], known: KnownFile[] = []): Excerpt[][] {
  const changed = diff.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  let left = mostExcerpts(changed);
  const cutter = new Cutter(changes, diff, known);
  const kept = changes.map((): CutExcerpt[] => []);
  // Each change has its first before another has its second.
  for (let place = 0; place < mostOfChange; place += 1) {
    for (const index of changes.keys()) {
      const next = left > 0 ? cutter.next(index) : null;
      if (!next) continue;
      kept[index]?.push(next);
      left -= 1;
    }
  }
  return kept.map((some) =>
    some.sort((one, other) => one.first - other.first || one.at - other.at).map(({ excerpt }) => excerpt),
  );
}

/** An excerpt with the first sentence that it shows, and where it begins. */
interface CutExcerpt {
  excerpt: Excerpt;
  first: number;
  at: number;
}

/** The runs of changed lines that a change cites in a file. */
interface CitedRuns {
  path: string;
  runs: PlacedLine[][];
}

class Cutter {
  readonly #lines: DiffLines;
  readonly #known: Map<string, KnownFile>;
  readonly #times: LineNumbers;
  readonly #first: LineNumbers[];
  /** What each change has not shown yet. */
  readonly #left: CitedRuns[][];
  readonly #shown = new Map<string, Set<number>>();

  constructor(changes: CitingChange[], diff: FileDiff[], known: KnownFile[]) {
    this.#lines = new DiffLines(diff);
    this.#known = new Map(known.map((file) => [file.path, file]));
    const sentences = changes.flatMap(({ statements }) => statements);
    this.#times = timesCited(sentences, this.#lines);
    this.#first = changes.map(({ statements }) => firstCited(statements, this.#lines));
    this.#left = this.#first.map((files) =>
      [...files].map(([path, cited]) => ({
        path,
        runs: blocksOf(this.#lines.of(path)).filter((run) => run.some(({ at }) => cited.has(at))),
      })),
    );
  }

  /** The next excerpt of a change, of lines that none has shown yet. */
  next(change: number): CutExcerpt | null {
    const places = (this.#left[change] ?? []).flatMap((file) => {
      const spans = this.#spansOf(change, file).sort(compare);
      return spans.map((span) => ({ file, span, spans }));
    });
    const first = Math.min(...places.map(({ span }) => span.first));
    const [best] = places
      .filter(({ span }) => span.first === first)
      .slice(0, mostTried)
      .map(({ file, span, spans }) => ({ file, group: groupAround(span, spans, this.#enclosing(file.path)) }))
      .sort((one, other) => citedIn(other.group, first) - citedIn(one.group, first));
    return best ? this.#show(best.file, best.group) : null;
  }

  #show(file: CitedRuns, group: Span[]): CutExcerpt {
    const { path } = file;
    const own = group.flatMap(({ lines }) => lines).sort((one, other) => one.at - other.at);
    this.#shown.set(path, new Set([...(this.#shown.get(path) ?? []), ...own.map(({ at }) => at)]));
    file.runs = file.runs.filter((run) => !run.some((line) => own.includes(line)));
    const excerpt = {
      fileName: path,
      heading: this.#enclosing(path).heading(own),
      lines: withContext(own, this.#lines.of(path)),
    };
    return { excerpt, first: Math.min(...group.map((span) => span.first)), at: own[0]?.at ?? 0 };
  }

  #enclosing(path: string): Enclosing {
    return new Enclosing(path, this.#lines, this.#known.get(path)?.ranges ?? []);
  }

  #spansOf(change: number, { path, runs }: CitedRuns): Span[] {
    const [first, times, shown] = [
      this.#first[change]?.get(path),
      this.#times.get(path),
      this.#shown.get(path),
    ];
    const choosing = {
      times: ({ at }: PlacedLine): number => (first?.has(at) ? (times?.get(at) ?? 0) : 0),
      isShown: ({ at }: PlacedLine): boolean => shown?.has(at) ?? false,
      statement: statementsIn(this.#known.get(path)),
    };
    return runs.flatMap((run) => {
      const lines = chooseCited(run, choosing);
      const citing = lines.flatMap(({ at }) => first?.get(at) ?? []);
      const leading = Math.min(...citing);
      const cited = citing.filter((sentence) => sentence === leading).length;
      return cited > 0 ? [{ lines, first: leading, cited }] : [];
    });
  }
}

const compare = (one: Span, other: Span): number => one.first - other.first || other.cited - one.cited;

/** How many lines a sentence cites that nothing before it does. */
const citedIn = (group: Span[], sentence: number): number =>
  group.reduce((sum, { first, cited }) => sum + (first === sentence ? cited : 0), 0);

/** Which statement a line belongs to; to none but its own where that is not known. */
function statementsIn(file: KnownFile | undefined): (line: PlacedLine) => unknown {
  const numbers = { old: new Map<number, unknown>(), new: new Map<number, unknown>() };
  for (const change of file?.changes ?? []) {
    for (const span of [change.old, change.new]) {
      for (let line = span?.startLine ?? 1; line <= (span?.endLine ?? 0); line += 1)
        if (span) numbers[span.side].set(line, change);
    }
  }
  return (line) => {
    const known =
      line.side === 'removed' ? numbers.old.get(line.oldLine ?? 0) : numbers.new.get(line.newLine ?? 0);
    return known ?? line;
  };
}

/** Spans that have room beside one, and are read with it. */
function groupAround(span: Span, spans: Span[], enclosing: Enclosing): Span[] {
  const group = [span];
  for (const one of spans) {
    const joined = [...group, one];
    const size = joined.reduce((sum, { lines }) => sum + lines.length, 0);
    const isFit = size <= mostChanged && size + gapsIn(joined) <= mostLines;
    if (isFit && one !== span && group.every((other) => enclosing.areTogether(other.lines, one.lines)))
      group.push(one);
  }
  return group;
}

const gapsIn = (spans: Span[]): number =>
  spans.flatMap(({ lines }) => lines.filter(({ at }, index) => lines[index - 1]?.at !== at - 1)).length - 1;

/** Lines with as much of what stands around them as there is room for, and gaps between them. */
function withContext(own: PlacedLine[], all: PlacedLine[]): ExcerptLine[] {
  const shown = new Set(own.map(({ at }) => at));
  for (let step = 1; step <= contextLines; step += 1) {
    for (const { at } of own) {
      for (const [next, beside] of [
        [at - step, at - step + 1],
        [at + step, at + step - 1],
      ] as const) {
        const line = all[next];
        const isBeside = shown.has(beside) && line?.hunk === all[beside]?.hunk;
        if (!isBeside || line?.side !== 'context' || line.text.length > longestLine) continue;
        if (print(new Set([...shown, next]), all).length <= mostLines) shown.add(next);
      }
    }
  }
  return print(shown, all);
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
