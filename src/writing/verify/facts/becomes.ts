import type { FactOf } from '../../draft.ts';
import { plainText } from '../../plain-text.ts';
import { joinLines } from '../citation.ts';
import { blocksOf, type PlacedLine } from '../diff-lines.ts';
import { isWordCharacter } from '../find-name.ts';
import { foldsOf, foldWords, quotesFrom } from '../fold-words.ts';
import type { Scope } from '../scope.ts';
import { countIn, standsInText } from '../stands-in-text.ts';
import { becomesBeside } from './beside.ts';

interface Turn {
  from: string;
  to: string;
}

/** What some lines say before the change and after it. */
interface Sides {
  path: string;
  before: string;
  after: string;
}

/** Where the removed lines say one thing, the added ones say the other, and not the reverse. */
export function becomesHolds({ of, ...turn }: FactOf<'becomes'>, scope: Scope): boolean {
  if (of.length > 0) return becomesBeside(of, turn, scope);
  return (
    citedSides(scope).some((sides) => turnsInto(sides, turn)) ||
    hunksOf(scope).some((sides) => turnsInHunk(sides, turn))
  );
}

/** What each cited block says; and all of them, because what left one place may have come in another. */
const citedSides = ({ files }: Scope): Sides[] => [
  ...files.flatMap(({ path, lines }) => blocksOf(lines).map((block) => sidesOf(path, block))),
  {
    path: files[0]?.path ?? '',
    before: files.map((file) => file.text('removed')).join('\n'),
    after: files.map((file) => file.text('added')).join('\n'),
  },
];

const sidesOf = (path: string, lines: PlacedLine[]): Sides => ({
  path,
  before: joinLines(lines, 'removed'),
  after: joinLines(lines, 'added'),
});

/** The hunks that are cited, with the lines that stayed. */
const hunksOf = ({ files }: Scope): Sides[] =>
  files.map(({ path, around }) => ({
    path,
    before: joinLines(around, 'old'),
    after: joinLines(around, 'new'),
  }));

function turnsInto({ path, before, after }: Sides, { from, to }: Turn): boolean {
  // Where only blanks or marks differ, each stands as it is written.
  if (standsWhole(before, from) && standsWhole(after, to) && !before.includes(to) && !after.includes(from))
    return true;
  if (!standsInText(from, before, path) || !standsInText(to, after, path)) return false;
  if (!standsInText(to, before, path) || !standsInText(from, after, path)) return true;
  return countIn(before, from) > countIn(after, from) || countIn(after, to) > countIn(before, to);
}

/** As it is written, and not as a part of a longer name. */
function standsWhole(text: string, piece: string): boolean {
  const isInName = (one: string, other: string) => isWordCharacter(one) && isWordCharacter(other);
  for (let at = text.indexOf(piece); at >= 0 && piece !== ''; at = text.indexOf(piece, at + 1)) {
    const end = at + piece.length;
    if (!isInName(text.charAt(at - 1), piece.charAt(0)) && !isInName(piece.at(-1) ?? '', text.charAt(end)))
      return true;
  }
  return false;
}

/** Among lines that stayed, neither side may hold what the other is said to; of two that hold one another, the longer tells. */
function turnsInHunk({ path, before, after }: Sides, { from, to }: Turn): boolean {
  if (!standsInText(from, before, path) || !standsInText(to, after, path)) return false;
  const isGone = !standsInText(from, after, path);
  const isNew = !standsInText(to, before, path);
  if (from.includes(to)) return isGone;
  if (to.includes(from)) return isNew;
  return (
    (isGone || countIn(after, from) < countIn(before, from)) &&
    (isNew || countIn(before, to) < countIn(after, to))
  );
}

/** Words went and others came; where one holds the other, it is the longer that tells, and where only marks differ, these. */
export function rewordedHolds({ from, to }: FactOf<'reworded'>, scope: Scope): boolean {
  const isSameButForMarks = foldWords(from) === foldWords(to);
  if (isSameButForMarks && becomesHolds({ relation: 'becomes', of: [], from, to }, scope)) return true;
  return citedSides(scope).some(({ before, after }) => {
    if (isSameButForMarks) return turnsPlainly(plainText(before), plainText(after), { from, to });
    const [old, now] = [foldsOf(before), foldsOf(after)];
    return quotesFrom(old, from) && quotesFrom(now, to) && !(quotesFrom(old, to) && quotesFrom(now, from));
  });
}

/** One side says the one thing and the other side the other, sign by sign. */
function turnsPlainly(old: string, now: string, { from, to }: Turn): boolean {
  const says = (text: string, wanted: string): boolean =>
    wanted.split('…').every((piece) => text.includes(piece.trim()));
  return says(old, from) && says(now, to) && !says(old, to);
}
