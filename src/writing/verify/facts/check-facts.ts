import type { StatedFact } from '../../draft.ts';
import type { Shown } from '../check-marks.ts';
import type { Ground } from '../ground.ts';
import { countHolds, fileHolds, mostUnderHolds } from './files-and-counts.ts';

/** What of a sentence's facts does not hold; null where all do. */
export function findFalseFact(facts: StatedFact[], ground: Ground): StatedFact | null {
  return facts.find((fact) => !holds(fact, ground)) ?? null;
}

function holds(fact: StatedFact, ground: Ground): boolean {
  switch (fact.relation) {
    case 'file':
      return fileHolds(fact, ground);
    case 'count':
      return countHolds(fact, ground);
    case 'mostUnder':
      return mostUnderHolds(fact, ground);
    case 'more':
      return fact.facts.every((one) => holds(one, ground));
    default:
      return true;
  }
}

/** What facts that hold let a sentence say that stands on no line: paths, folders and counts. */
export function shownBy(facts: StatedFact[], text: string): Shown {
  const shown: Shown = { names: [], numbers: [] };
  for (const fact of facts) {
    if (fact.relation === 'file') shown.names.push(fact.path, ...(fact.from === null ? [] : [fact.from]));
    if (fact.relation === 'mostUnder') shown.names.push(fact.folder);
    if (fact.relation === 'moved') shown.names.push(fact.fromFile, fact.toFile);
    if (fact.relation === 'more') shown.numbers.push(fact.facts.length);
    if (fact.relation === 'count') {
      // Where some are named, the number may be of those beside them.
      const named = fact.of === 'files' ? fact.paths.filter((path) => text.includes(path)) : [];
      shown.names.push(...named);
      shown.numbers.push(fact.value, fact.value - named.length);
    }
  }
  return shown;
}
