import type { FactOf, StatedFact, Thing } from '../../draft.ts';

export const within = (name: string | null): StatedFact[] =>
  name === null ? [] : [{ relation: 'within', name }];

export const comes = (thing: Thing, name: string): StatedFact => ({ relation: 'comes', thing, name });

export const goes = (thing: Thing, name: string): StatedFact => ({ relation: 'goes', thing, name });

export const becomes = (from: string, to: string, ...of: string[]): StatedFact => ({
  relation: 'becomes',
  of,
  from,
  to,
});

export const fileIs = (
  path: string,
  status: FactOf<'file'>['status'],
  from: string | null = null,
): StatedFact => ({
  relation: 'file',
  path,
  status,
  from,
});

export const others = (facts: StatedFact[]): StatedFact => ({
  relation: 'others',
  facts,
  value: facts.length,
});
