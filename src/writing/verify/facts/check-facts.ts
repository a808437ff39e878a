import type { StatedFact } from '../../draft.ts';
import type { Scope } from '../scope.ts';
import { standsInText } from '../stands-in-text.ts';
import { becomesHolds, rewordedHolds } from './becomes.ts';
import { standsOnlyOn } from './comes-and-goes.ts';
import { countOf, fileHolds } from './files-and-counts.ts';
import { carriedHolds, movedHolds } from './moves.ts';
import { reformattedHolds } from './reformatted.ts';
import { parameterHolds } from './signatures.ts';
import { liesWithin } from './within.ts';

/** What of a sentence's facts the lines do not bear out; null where they bear out all. */
export function findFalseFact(facts: StatedFact[], scope: Scope): StatedFact | null {
  return facts.find((fact) => !holds(fact, scope)) ?? elsewhere(facts, scope);
}

/** What happened to a file is shown by a line of it, where lines are shown at all. */
function elsewhere(facts: StatedFact[], { files }: Scope): StatedFact | null {
  const stated = facts.filter((fact) => fact.relation === 'file');
  const isShown = stated.some(({ path }) => files.some((file) => file.path === path));
  return files.length === 0 || isShown ? null : (stated[0] ?? null);
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
    case 'others':
      return fact.facts.length === fact.value && fact.facts.every((one) => holds(one, scope));
    case 'carried':
      return carriedHolds(fact, scope.ground);
  }
}
