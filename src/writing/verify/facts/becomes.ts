import type { FactOf } from '../../draft.ts';
import { joinLines } from '../citation.ts';
import { blocksOf, type PlacedLine } from '../diff-lines.ts';
import { isWordCharacter } from '../find-name.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, otherSide } from '../sightings.ts';
import { countIn, standsInText } from '../stands-in-text.ts';

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

/** A name stands on the line of its value, or so many lines above: heads run on, and some manifests part the two. */
const reach = 8;

/** A value that is laid out over several lines. */
const linesOfValue = 5;

/** Whether a value beside some names went, and another one came beside them, and not the reverse. */
function becomesBeside(names: string[], { from, to }: Turn, scope: Scope): boolean {
  return scope.files.some(({ path, lines: cited }) => {
    const find = (value: string, side: ChangedSide) => findBeside(names, value, { side, path, scope });
    const [gone, came] = [find(from, 'removed'), find(to, 'added')];
    if (!gone || !came || (find(to, 'removed') && find(from, 'added'))) return false;
    return cited.includes(came) || scope.reach(path, came);
  });
}

interface Where {
  side: ChangedSide;
  path: string;
  scope: Scope;
}

/** The line of one side on which a value begins that has all the names beside it. */
function findBeside(
  names: string[],
  value: string,
  { side, path, scope: { ground } }: Where,
): PlacedLine | undefined {
  const lines = ground.lines.of(path).filter((line) => line.side !== otherSide(side));
  const textOf = (some: PlacedLine[]): string => some.map(({ text }) => text).join('\n');
  return lines.find((line, index) => {
    if (line.side !== side) return false;
    const run = lines.slice(index, index + linesOfValue).filter(({ block }) => block === line.block);
    if (!statesValue(textOf(run), value)) return false;
    const around = lines.slice(Math.max(0, index - reach), index + 2);
    const heading = ground.lines.file(path)?.hunks[line.hunk]?.heading ?? '';
    const shown = `${heading}\n${textOf(around.filter(({ hunk }) => hunk === line.hunk))}`;
    return names.every((name) => isNamed(name, shown));
  });
}

const bound = /^[\^~<>=!]*\s*v?\d[\w.*+-]*$/;

/** Of several bounds of a version each may stand in quotation marks of its own. */
function statesValue(text: string, value: string): boolean {
  const bounds = value.split(/,\s*/);
  return standsInText(value, text) || bounds.every((one) => bound.test(one) && standsInText(one, text));
}

/** A package may be named by its group and its own name, which stand apart, or have its major version in its name. */
function isNamed(name: string, text: string): boolean {
  const stem = name.replace(/[./]v\d+$/, '');
  return name.split(':').every((part) => standsInText(part, text)) || (stem !== name && text.includes(stem));
}
