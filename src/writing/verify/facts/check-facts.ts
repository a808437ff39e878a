import type { FileDiff } from '../../../reading/file-diff.ts';
import type { FactOf, StatedFact } from '../../draft.ts';
import type { Ground } from '../ground.ts';
import type { Scope } from '../scope.ts';
import { becomesHolds } from './becomes.ts';
import { standsOnlyOn } from './comes-and-goes.ts';
import { movedHolds } from './moves.ts';
import { parameterHolds } from './signatures.ts';

/** What of a sentence's facts the lines do not bear out; null where they bear out all. */
export function findFalseFact(facts: StatedFact[], scope: Scope): StatedFact | null {
  return facts.find((fact) => !holds(fact, scope)) ?? elsewhere(facts, scope);
}

/** What happened to a file is shown by a line of it, where lines are shown at all and it has some. */
function elsewhere(facts: StatedFact[], { files, ground }: Scope): StatedFact | null {
  if (files.length === 0) return null;
  const stated = facts.filter((fact) => fact.relation === 'file');
  const unshown = stated.filter(({ path }) => !files.some((file) => file.path === path));
  const hasLines = unshown.find(({ path }) => (ground.lines.file(path)?.hunks.length ?? 0) > 0);
  return hasLines ?? (unshown.length === stated.length ? (unshown[0] ?? null) : null);
}

function holds(fact: StatedFact, scope: Scope): boolean {
  switch (fact.relation) {
    case 'comes':
    case 'goes':
      return standsOnlyOn(fact.relation === 'comes' ? 'added' : 'removed', fact.thing, fact.name, scope);
    case 'moved':
      return movedHolds(fact, scope);
    case 'becomes':
      return becomesHolds(fact, scope);
    case 'parameter':
      return parameterHolds(fact, scope);
    case 'file':
      return fileHolds(fact, scope.ground);
    case 'count':
      return countOf(fact.of, [...scope.ground.lines.files], scope.ground) === fact.value;
  }
}

function fileHolds({ path, status, from }: FactOf<'file'>, ground: Ground): boolean {
  const file = ground.lines.file(path);
  return file?.status === status && (from === null || file.previousPath === from);
}

/** How many of these files there are, or how many of their lines come or go. */
export function countOf(of: FactOf<'count'>['of'], files: FileDiff[], ground: Ground): number {
  if (of === 'files') return files.length;
  const side = of === 'additions' ? 'added' : 'removed';
  return files.reduce(
    (sum, { path }) => sum + ground.lines.of(path).filter((line) => line.side === side).length,
    0,
  );
}
