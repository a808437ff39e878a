import type { StatedFact } from '../../draft.ts';
import { shownBy } from '../facts/check-facts.ts';
import { countHolds } from '../facts/files-and-counts.ts';
import type { Said, Sentence } from './said.ts';

/** By the sentence's facts where they count such things, otherwise counted anew in what is cited, or in all. */
export function isCounted({ of, value }: Extract<Said, { kind: 'count' }>, sentence: Sentence): boolean {
  const { facts, scope, file, marked } = sentence;
  if (of === 'more') return shownBy(facts, marked).numbers.includes(value);
  if (of === 'changedLines') return isCountOfLines(value, sentence);
  const counted = facts.filter((fact) => fact.relation === 'count').filter((fact) => fact.of === of);
  if (counted.length > 0) return shownBy(counted, marked).numbers.includes(value);
  if (of === 'places') return isCountOfPlaces(value, sentence);
  const lines = facts.filter((fact) => fact.relation === 'count').filter((fact) => isOfLines(fact.of));
  if (isOfLines(of) && lines.length > 0)
    return lines.some(({ paths }) =>
      countHolds({ relation: 'count', of, name: null, paths, value }, scope.ground),
    );
  const cited = scope.files.map(({ path }) => path);
  if (of === 'files' && value === cited.length) return true;
  return [[], cited, file ? [file.path] : cited].some((paths) =>
    countHolds({ relation: 'count', of, name: null, paths, value }, scope.ground),
  );
}

/** Some name of the sentence comes, or goes, so often in what is cited, in its file or in all. */
function isCountOfPlaces(value: number, { scope, file, marked }: Sentence): boolean {
  const cited = scope.files.map(({ path }) => path);
  return marked.marks.some(({ text: name }) =>
    [[], cited, file ? [file.path] : cited].some((paths) =>
      countHolds({ relation: 'count', of: 'places', name, paths, value }, scope.ground),
    ),
  );
}

/** A plain number of lines is that of those that come, that go, or of both. */
function isCountOfLines(value: number, { facts, scope, file }: Sentence): boolean {
  const stated = facts.filter((fact) => fact.relation === 'count').filter(({ of }) => linesCounted.has(of));
  if (stated.length > 0) return stated.some((fact) => fact.value === value);
  const cited = file ? [file.path] : scope.files.map(({ path }) => path);
  return [...linesCounted].some((of) =>
    countHolds({ relation: 'count', of, name: null, paths: cited, value }, scope.ground),
  );
}

type Counted = Extract<StatedFact, { relation: 'count' }>['of'];
const linesCounted: ReadonlySet<Counted> = new Set<Counted>(['additions', 'deletions', 'changedLines']);

const isOfLines = (of: string): boolean => of === 'additions' || of === 'deletions';
