import type { FileFacts } from '../../../reading/facts.ts';
import type { Looker, LookOutcome } from './looker.ts';
import type { Look } from './requests.ts';

const mostNames = 8;

/** What is called in so many places is called by everything. */
const mostPlaces = 60;

const followed = 6;

/** Of what is left, each time: a writer knows better what it wants to see. */
const shareOfCallers = 1 / 5;

/** Shorter names are on too many lines that mean something else. */
const shortestName = 4;

const lastOf = (name: string): string => name.split(/\.|::|#/).at(-1) ?? name;

const usagesOf = (name: string): Look => ({
  kind: 'usages',
  text: name,
  in: '',
  name: '',
  lines: null,
  side: 'new',
});

/** What was there before and is changed: declarations whose look or body is another, and functions that hold changed lines. */
export function changedNames(files: FileFacts[]): string[] {
  const names = files
    .filter(({ kind, status, skipped }) => kind === 'source' && status !== 'added' && skipped === null)
    .flatMap(({ symbols, ranges }) => [
      ...symbols
        .filter(({ kind, change }) => change !== 'added' && kind !== 'field' && kind !== 'constant')
        .map(({ name, previousName }) => previousName ?? name),
      ...ranges
        .filter(({ isFunction, side }) => isFunction && side === 'new')
        .map(({ name }) => lastOf(name)),
    ]);
  const plain = names.filter(
    (name) => name.length >= shortestName && /^[\p{L}_$][\p{L}\p{N}_$?!]*$/u.test(name),
  );
  return [...new Set(plain)].slice(0, mostNames);
}

/** Where changed functions are used, and where that which uses them is used, up to what others can call. */
export async function lookAtCallers(looker: Looker, files: FileFacts[]): Promise<LookOutcome[]> {
  const names = changedNames(files);
  if (names.length === 0) return [];
  const first = await looker.answer(names.map(usagesOf), { share: shareOfCallers, mostFound: mostPlaces });
  const known = new Set(names);
  const callers = new Set<string>();
  for (const { holders } of first)
    for (const { name, isPublic } of holders)
      if (!isPublic && !known.has(lastOf(name)) && lastOf(name).length >= shortestName)
        callers.add(lastOf(name));
  const next = [...callers].slice(0, followed);
  if (next.length === 0) return first;
  const second = await looker.answer(next.map(usagesOf), { share: shareOfCallers, mostFound: mostPlaces });
  return [...first, ...second];
}
