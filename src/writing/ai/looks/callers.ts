import type { FileFacts, SymbolChange } from '../../../reading/facts.ts';
import type { Looker, LookOutcome } from './looker.ts';
import type { Look } from './requests.ts';

const mostNames = 8;

/** A name called in more places than this is called by everything, which says nothing. */
const mostCalls = 60;

const followed = 6;

/** The share of the remaining space for callers; the rest is for what the writer asks to see. */
const shareOfCallers = 1 / 3;

/**
 * The shortest name whose callers are searched for: shorter ones are on too many lines that use the word in another
 * sense.
 */
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

/** Whether the users of a changed name may notice: those of a class or module whose body changed use its members. */
export const isUsed = (kind: SymbolChange['kind'], change: SymbolChange['change']): boolean =>
  change !== 'added' &&
  kind !== 'field' &&
  kind !== 'constant' &&
  (change !== 'bodyChanged' || (kind !== 'module' && kind !== 'class' && kind !== 'type'));

/**
 * Names that existed before and were changed: declarations with another signature or body, and functions with changed
 * lines.
 */
export function changedNames(files: FileFacts[]): string[] {
  const names = files
    .filter(({ kind, status, skipped }) => kind === 'source' && status !== 'added' && skipped === null)
    .flatMap(({ symbols, ranges }) => [
      ...symbols
        .filter(({ kind, change }) => isUsed(kind, change))
        .map(({ kind, name, previousName, container }) =>
          kind === 'constructor' ? (container ?? '') : (previousName ?? name),
        ),
      ...ranges
        .filter(({ isFunction, side }) => isFunction && side === 'new')
        .map(({ name }) => lastOf(name)),
    ]);
  const plain = names.filter(
    (name) => name.length >= shortestName && /^[\p{L}_$][\p{L}\p{N}_$?!]*$/u.test(name),
  );
  return [...new Set(plain)].slice(0, mostNames);
}

/** Finds where changed functions are used, and the users of their users, up to public ones. */
export async function lookAtCallers(looker: Looker, files: FileFacts[]): Promise<LookOutcome[]> {
  const names = changedNames(files);
  if (names.length === 0) return [];
  const first = await looker.answer(names.map(usagesOf), { share: shareOfCallers, mostCalls });
  const known = new Set(names);
  const callers = new Set<string>();
  for (const { holders } of first)
    for (const { name, isPublic } of holders)
      if (!isPublic && !known.has(lastOf(name)) && lastOf(name).length >= shortestName)
        callers.add(lastOf(name));
  const next = [...callers].slice(0, followed);
  if (next.length === 0) return first;
  const second = await looker.answer(next.map(usagesOf), { share: shareOfCallers, mostCalls });
  return [...first, ...second];
}
