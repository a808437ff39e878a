import { mostChanged } from './excerpt-form.ts';
import type { PlacedLine } from './verify/diff-lines.ts';

/** Longer lines are not read in an excerpt. */
export const longestLine = 1_000;
/** More places than these are no longer read as one. */
const mostRuns = 3;
/** Between two places that are shown, so many lines are shown with them; of more there is a gap. */
const shortestGap = 3;

/** What a test expects, and what a function ends with. */
const decides =
  /\b(?:assert\w*|expect\w*|should|throws?|raises?|panic|abort|return|reject|Err|Error\w*)\b|\b\w+(?:Error|Exception)\b/;

export interface Choosing {
  /** How many sentences of the article cite a line; 0 where those of this change do not. */
  times: (line: PlacedLine) => number;
  isShown: (line: PlacedLine) => boolean;
  /** What a line is a part of; lines that are a statement together have the same. */
  statement: (line: PlacedLine) => unknown;
}

/**
 * The lines of a run that are worth their room: all of it where it fits. Of one that replaces something, and does not fit,
 * none; of another one the statements that most sentences cite, those before others that decide something.
 */
export function chooseCited(run: PlacedLine[], choosing: Choosing): PlacedLine[] {
  const isOneSided = new Set(run.map(({ side }) => side)).size === 1;
  if (run.length <= mostChanged) return run.some((line) => choosing.isShown(line) || isLong(line)) ? [] : run;
  if (!isOneSided) return [];
  const statements = statementsOf(run, choosing);
  const rank = (some: PlacedLine[]): [times: number, decides: number] => [
    Math.max(...some.map(choosing.times)),
    some.some(({ text }) => decides.test(text)) ? 1 : 0,
  ];
  const ranked = statements.map((some) => ({ some, rank: rank(some) }));
  ranked.sort(({ rank: [a, b] }, { rank: [c, d] }) => c - a || d - b);
  const chosen = new Set<PlacedLine>();
  for (const { some } of ranked) {
    const next = run.filter((line) => chosen.has(line) || some.includes(line));
    if (next.length <= mostChanged && runsOf(next) <= mostRuns) for (const line of some) chosen.add(line);
  }
  return closeGaps(run, chosen, choosing);
}

const isLong = ({ text }: PlacedLine): boolean => text.length > longestLine;

/** What is cited, statement by statement; of a statement that is too long alone, the lines themselves. */
function statementsOf(run: PlacedLine[], { times, isShown, statement }: Choosing): PlacedLine[][] {
  const isFree = (line: PlacedLine): boolean => !isShown(line) && !isLong(line);
  return [...Map.groupBy(run, statement).values()].flatMap((lines) => {
    const cited = lines.filter((line) => times(line) > 0);
    if (cited.length === 0) return [];
    return lines.length <= mostChanged && lines.every(isFree)
      ? [lines]
      : cited.filter(isFree).map((line) => [line]);
  });
}

const runsOf = (lines: PlacedLine[]): number =>
  lines.filter(({ at }, index) => lines[index - 1]?.at !== at - 1).length;

/** With the few lines that stand between two that are chosen, as far as there is room for them. */
function closeGaps(run: PlacedLine[], chosen: ReadonlySet<PlacedLine>, { isShown }: Choosing): PlacedLine[] {
  const shown = new Set(chosen);
  let above: number | null = null;
  for (const [index, line] of run.entries()) {
    if (!chosen.has(line)) continue;
    const between = above === null ? [] : run.slice(above + 1, index);
    const isFit = between.length <= shortestGap && shown.size + between.length <= mostChanged;
    if (isFit && !between.some((one) => isShown(one) || isLong(one)))
      for (const one of between) shown.add(one);
    above = index;
  }
  return run.filter((line) => shown.has(line));
}
