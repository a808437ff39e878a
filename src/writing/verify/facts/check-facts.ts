import type { StatedFact } from '../../draft.ts';
import type { Shown } from '../check-marks.ts';
import { mentions } from '../declaration-forms.ts';
import { foldWords } from '../fold-words.ts';
import type { MarkedText } from '../marked-text.ts';
import type { Scope } from '../scope.ts';
import { citedLines, longestWord } from '../sightings.ts';
import { isNewWord, standsAnywhereOn, standsOn, standsOnlyOn } from './comes-and-goes.ts';
import { countHolds, fileHolds, mostUnderHolds } from './files-and-counts.ts';
import { movedHolds } from './moves.ts';
import { parameterHolds, parameterRenamedHolds, parameterTypeHolds, returnsHolds } from './signatures.ts';
import { formOf, isDeclaredAs, standsAs } from './stands.ts';
import {
  becomesHolds,
  defaultHolds,
  isReformatted,
  reformattedHolds,
  rewordedHolds,
  versionHolds,
} from './transitions.ts';
import { isUnder } from './under.ts';
import { isEnclosed, liesWithin } from './within.ts';

/** What of a sentence's facts the lines do not bear out; null where they bear out all. */
export function findFalseFact(facts: StatedFact[], scope: Scope): StatedFact | null {
  return facts.find((fact) => !holds(fact, scope)) ?? elsewhere(facts, scope) ?? notReformatted(facts, scope);
}

/** That only the layout changes is said of every file that is counted. */
function notReformatted(facts: StatedFact[], scope: Scope): StatedFact | null {
  const stated = facts.find(({ relation }) => relation === 'reformatted');
  const paths = facts.flatMap((fact) => (fact.relation === 'count' && fact.of === 'files' ? fact.paths : []));
  return stated && !paths.every((path) => isReformatted(path, scope)) ? stated : null;
}

/** What happened to a file is shown by a line of it, where lines are shown at all. */
function elsewhere(facts: StatedFact[], { files }: Scope): StatedFact | null {
  const stated = facts.filter((fact) => fact.relation === 'file');
  const isShown = stated.some(({ path }) => files.some((file) => file.path === path));
  return files.length === 0 || isShown ? null : (stated[0] ?? null);
}

type Fact<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

function holds(fact: StatedFact, scope: Scope): boolean {
  switch (fact.relation) {
    case 'comes':
      return standsOnlyOn('added', fact.thing, fact.name, scope);
    case 'goes':
      return standsOnlyOn('removed', fact.thing, fact.name, scope);
    case 'renamed':
      return renamedHolds(fact, scope);
    case 'moved':
      return movedHolds(fact, scope);
    case 'wrapped':
      return wrappedHolds(fact, scope);
    case 'changes':
      return changesHolds(fact, scope);
    case 'becomes':
      return becomesHolds(fact, scope);
    case 'reworded':
      return rewordedHolds(fact, scope);
    case 'reformatted':
      return reformattedHolds(scope);
    case 'under':
      return isUnder(fact.heading, scope);
    case 'within':
      return liesWithin(fact.name, scope);
    case 'parameter':
      return parameterHolds(fact, scope);
    case 'parameterRenamed':
      return parameterRenamedHolds(fact, scope);
    case 'parameterType':
      return parameterTypeHolds(fact, scope);
    case 'returns':
      return returnsHolds(fact, scope);
    case 'default':
      return defaultHolds(fact, scope);
    case 'version':
      return versionHolds(fact, scope);
    case 'file':
      return fileHolds(fact, scope.ground);
    case 'count':
      return countHolds(fact, scope.ground);
    case 'mostUnder':
      return mostUnderHolds(fact, scope.ground);
    case 'more':
      return fact.facts.every((one) => holds(one, scope.everywhere(nameIn(one))));
  }
}

/** A word by which the files can be found that a fact is about. */
const nameIn = (fact: StatedFact): string =>
  longestWord(
    'name' in fact && fact.name !== null
      ? fact.name
      : 'of' in fact
        ? fact.of
        : 'to' in fact
          ? (fact.to ?? '')
          : '',
  );

/** One name went where the other came, and neither stands on the other side as such a thing. */
function renamedHolds({ thing, from, to }: Fact<'renamed'>, scope: Scope): boolean {
  if (from.includes(to) || to.includes(from)) {
    if (from === to) return false;
    return becomesHolds({ relation: 'becomes', from, to }, scope);
  }
  if (foldWords(from) === foldWords(to)) return becomesHolds({ relation: 'becomes', from, to }, scope);
  if (formOf[thing] !== 'declaration') {
    return standsOnlyOn('removed', thing, from, scope) && standsOnlyOn('added', thing, to, scope);
  }
  if (isNewWord('removed', from, scope) && isNewWord('added', to, scope)) return true;
  return (
    from !== to &&
    standsOn('removed', thing, from, scope) &&
    standsOn('added', thing, to, scope) &&
    !standsAnywhereOn('added', thing, from, scope) &&
    !standsAnywhereOn('removed', thing, to, scope)
  );
}

function wrappedHolds({ thing, name, wrapper }: Fact<'wrapped'>, scope: Scope): boolean {
  return (
    scope.files.some(
      (file) =>
        standsAs('code', file.text('added'), wrapper, file.path) &&
        !standsAs('code', file.text('removed'), wrapper, file.path),
    ) &&
    scope.files.some(({ lines }) =>
      lines.some(({ text }) => isDeclaredAs(thing, text, name) || mentions(text, name)),
    )
  );
}

/** It stands on a changed line, or something changed inside of it. */
function changesHolds({ thing, name }: Fact<'changes'>, scope: Scope): boolean {
  if (formOf[thing] === 'declaration') {
    const isChanged = (['added', 'removed'] as const).some((side) =>
      citedLines(scope, side).some(({ line }) => mentions(line.text, name)),
    );
    return isChanged || isEnclosed(name, scope);
  }
  return scope.files.some((file) =>
    (['added', 'removed'] as const).some((side) => standsAs(formOf[thing], file.text(side), name, file.path)),
  );
}

/** What facts that hold let a sentence say that stands on no line: paths, folders and counts. */
export function shownBy(facts: StatedFact[], { marks }: MarkedText): Shown {
  const marked = new Set(marks.map(({ text }) => text));
  const shown: Shown = { names: [], numbers: [], counted: [] };
  for (const fact of facts) {
    // What merely changes is named where it is cited.
    if (fact.relation === 'file' && fact.status !== 'modified')
      shown.names.push(fact.path, ...(fact.from === null ? [] : [fact.from]));
    if (fact.relation === 'mostUnder') shown.names.push(fact.folder);
    if (fact.relation === 'moved') shown.names.push(fact.fromFile, fact.toFile);
    if (fact.relation === 'within') shown.names.push(fact.name);
    if (fact.relation === 'under') shown.names.push(fact.heading);
    // Group and name of a package were found apart from each other.
    if (fact.relation === 'version' && fact.of.includes(':')) shown.names.push(fact.of);
    // What was found on the lines, with those around that stayed, need not be found once more.
    if ('from' in fact && 'to' in fact)
      shown.names.push(...[fact.from, fact.to].filter((one) => one !== null));
    // The parts of these stand on the lines, but not always beside each other.
    const isPut = fact.relation === 'comes' || fact.relation === 'goes' || fact.relation === 'changes';
    if (isPut && formOf[fact.thing] === 'parts') shown.names.push(fact.name);
    if (fact.relation === 'more') shown.numbers.push(fact.facts.length);
    if (fact.relation === 'count') {
      // Where some are named, the number may be of those beside them.
      const named = fact.of === 'files' ? fact.paths.filter((path) => marked.has(path)) : [];
      shown.counted.push(...named);
      shown.numbers.push(fact.value, fact.value - named.length);
    }
  }
  return shown;
}
