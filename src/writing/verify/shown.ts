import type { StatedFact } from '../draft.ts';
import { formOf } from './facts/stands.ts';

/** What a sentence may say that stands on no line: names and numbers that its facts have shown to be so. */
export interface Shown {
  names: string[];
  numbers: number[];
}

export function shownBy(facts: StatedFact[]): Shown {
  return {
    names: facts.flatMap(namesShownBy),
    numbers: facts.flatMap((fact) =>
      fact.relation === 'count' || fact.relation === 'others' || fact.relation === 'passages'
        ? fact.value
        : [],
    ),
  };
}

function namesShownBy(fact: StatedFact): string[] {
  switch (fact.relation) {
    case 'file':
      return fact.from === null ? [fact.path] : [fact.path, fact.from];
    case 'moved':
    case 'carried':
      return [fact.fromFile, fact.toFile];
    case 'within':
      return [fact.name];
    case 'becomes':
      // Group and name of a package were found apart from each other.
      return [fact.from, fact.to, ...fact.of.filter((name) => name.includes(':'))];
    case 'reworded':
      return [fact.from, fact.to];
    case 'comes':
    case 'goes':
      // The parts of these stand on the lines, but not always beside each other.
      return formOf[fact.thing] === 'parts' ? [fact.name] : [];
    default:
      return [];
  }
}
