import type { Evidence } from '../reading/facts.ts';
import type { DiffLines } from './verify/diff-lines.ts';

/** A sentence, as far as it says which lines it is about. */
export interface CitingSentence {
  basis: 'diff' | 'words' | 'judgement';
  evidence: Evidence[];
}

/** A number for each of some changed lines, by their files and their places in the diffs of these. */
export type LineNumbers = Map<string, Map<number, number>>;

/** The first of some sentences, by its place among them, that says of a line what the diff does there. */
export function firstCited(sentences: CitingSentence[], lines: DiffLines): LineNumbers {
  const told = sentences.map((one) => (one.basis === 'diff' ? one.evidence : []));
  return numberLines(told, lines, (known, sentence) => known ?? sentence);
}

/** How many of some sentences cite a line. */
export const timesCited = (sentences: CitingSentence[], lines: DiffLines): LineNumbers =>
  numberLines(
    sentences.map(({ evidence }) => evidence),
    lines,
    (known = 0) => known + 1,
  );

function numberLines(
  cited: Evidence[][],
  lines: DiffLines,
  next: (known: number | undefined, sentence: number) => number,
): LineNumbers {
  const numbers: LineNumbers = new Map();
  for (const [sentence, evidence] of cited.entries()) {
    for (const [path, places] of meantBy(evidence, lines)) {
      const known = numbers.get(path) ?? new Map<number, number>();
      for (const at of places) known.set(at, next(known.get(at), sentence));
      numbers.set(path, known);
    }
  }
  return numbers;
}

interface Reach {
  fileName: string;
  from: number;
  to: number;
  changed: number[];
}

/**
 * The changed lines that a sentence is about. A reference that holds another one of the same sentence, as one to a whole hunk
 * does, says where that stands and no more.
 */
function meantBy(evidence: Evidence[], lines: DiffLines): Map<string, Set<number>> {
  const all = evidence.flatMap((one) => reachOf(one, lines) ?? []);
  const meant = new Map<string, Set<number>>();
  for (const one of all.filter((reach) => !all.some((other) => isInside(other, reach))))
    meant.set(one.fileName, new Set([...(meant.get(one.fileName) ?? []), ...one.changed]));
  return meant;
}

function reachOf({ fileName, side, startLine, endLine }: Evidence, lines: DiffLines): Reach | null {
  const cited = lines.between(fileName, side, startLine, endLine);
  const [from, to] = [cited[0]?.at, cited.at(-1)?.at];
  if (from === undefined || to === undefined) return null;
  const within = lines.of(fileName).slice(from, to + 1);
  const changed = within.flatMap(({ at, block }) => (block === null ? [] : at));
  return changed.length > 0 ? { fileName, from, to, changed } : null;
}

const isInside = (one: Reach, other: Reach): boolean =>
  one.fileName === other.fileName &&
  one.from >= other.from &&
  one.to <= other.to &&
  one.to - one.from < other.to - other.from;
