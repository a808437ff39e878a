import type { Outline, Told } from './outline.ts';
import { firstSwapIn } from './repeated-swaps.ts';
import type { Statement } from './statements.ts';

/** Statements that say what a change does, and not only to how much. */
const complementing = new Set<Statement['say']>(['defines', 'dependencies', 'renames', 'sections']);

/** Those that show lines, which say what a change is about where they are all of it. */
const showing = new Set<Statement['say']>([
  ...complementing,
  'addedOften',
  'checksDifferently',
  'lines',
  'parameterDefault',
  'parameters',
  'parameterType',
  'removes',
  'replaced',
  'replacedOften',
  'resigned',
  'returns',
  'rewordsText',
  'value',
]);

/** How many of its files are looked at for what else a title could say. */
const mostChanges = 2;

/** What is told of a change and could stand in its title, beside what its author says or instead of it. */
export function complementsOf(outline: Outline): Told[] {
  const { authorTitle, titleFacts, background, changes, isSmall } = outline;
  const all = changes.slice(0, mostChanges).flatMap(({ told }) => told);
  const isAll = changes.length === 1 && all.length === 1;
  const whole = isAll ? all.filter(({ statement }) => showing.has(statement.say)) : [];
  const parts = isAll || isSmall ? all.flatMap((told) => namesSwappedIn(told, isAll)) : [];
  const entries = background.filter(({ statement }) => statement.say === 'changelog');
  if (authorTitle?.isWeak) {
    const telling = all.filter(({ statement }) => complementing.has(statement.say));
    return [...entries, ...whole, ...telling, ...parts];
  }
  const namesPlace = titleFacts === null || ['changed', 'tested', 'documented'].includes(titleFacts.action);
  if (authorTitle) return authorTitle.isGeneric ? [...whole, ...parts] : [];
  return namesPlace ? [...entries, ...whole, ...parts] : [];
}

/** Of a line that becomes another, only the names that tell them apart. */
function namesSwappedIn({ statement, ...rest }: Told, isAll: boolean): Told[] {
  if (statement.say !== 'replaced' || /…/.test(statement.from + statement.to)) return [];
  const found = firstSwapIn(statement.from, statement.to);
  const isPart = statement.isPart || !isAll || !found?.isOnly;
  return found ? [{ ...rest, statement: { ...statement, ...found.swap, symbol: null, isPart } }] : [];
}
