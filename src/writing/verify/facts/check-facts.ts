import type { StatedFact } from '../../draft.ts';
import type { Scope } from '../scope.ts';
import { standsInText } from '../stands-in-text.ts';
import { becomesHolds, rewordedHolds } from './becomes.ts';
import { standsOnlyOn } from './comes-and-goes.ts';
import { countOf, fileHolds } from './files-and-counts.ts';
import { carriedHolds, movedHolds } from './moves.ts';
import { newPassages } from './new-passages.ts';
import { reformattedHolds } from './reformatted.ts';
import { parameterHolds } from './signatures.ts';
import { liesWithin } from './within.ts';

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
    case 'changes':
      return scope.files.some((file) =>
        (['added', 'removed'] as const).some((side) => standsInText(fact.name, file.text(side), file.path)),
      );
    case 'becomes':
      return becomesHolds(fact, scope);
    case 'reworded':
      return rewordedHolds(fact, scope);
    case 'reformatted':
      return reformattedHolds(scope);
    case 'within':
      return liesWithin(fact.name, scope);
    case 'parameter':
      return parameterHolds(fact, scope);
    case 'file':
      return fileHolds(fact, scope.ground);
    case 'count':
      return countOf(fact.of, [...scope.ground.lines.files], scope.ground) === fact.value;
    case 'passages':
      return newPassages(fact.path, scope.ground.lines).length === fact.told + fact.value;
    case 'others':
      return fact.facts.length === fact.value && fact.facts.every((one) => holds(one, scope));
    case 'carried':
      return carriedHolds(fact, scope.ground);
  }
}
