import type { StatedFact } from '../../draft.ts';
import { plainText } from '../../plain-text.ts';
import { type CitedFile, joinLines } from '../citation.ts';
import type { PlacedLine } from '../diff-lines.ts';
import { isWordCharacter } from '../find-name.ts';
import { foldsOf, foldWords, quotesFrom } from '../fold-words.ts';
import type { Scope } from '../scope.ts';
import { longestWord, type Sighting, textOf } from '../sightings.ts';
import { countIn, standsInText } from '../stands-in-text.ts';

type Fact<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

/** A changed block by its two sides. */
interface Block {
  path: string;
  removed: Sighting[];
  added: Sighting[];
}

const isIn = (text: string, wanted: string, path: string): boolean =>
  standsInText(wanted, text, path) ||
  (/\s/.test(wanted.trim()) && quotesFrom([foldWords(text)], wanted) && !/[_.$]/.test(wanted));

/** Where the removed lines say one thing, the added ones say the other, and not the reverse. */
export function becomesHolds({ from, to }: Fact<'becomes'>, scope: Scope): boolean {
  const turns = ({ path, removed, added }: Block) =>
    turnsInto(textOf(removed), textOf(added), { from, to, path });
  if (citedBlocks(scope).some(turns)) return true;
  const path = scope.files[0]?.path ?? '';
  // What left one place may have come in another that is cited too, and part of it may have stayed.
  const all = (side: 'removed' | 'added') => scope.files.map((file) => file.text(side)).join('\n');
  return (
    turnsInto(all('removed'), all('added'), { from, to, path }) ||
    scope.files.some((file) => turnsInHunks(file, scope, { from, to, path: file.path })) ||
    reachForBlock(scope, longestWord(to), turns)
  );
}

/** In one block, or over those that are cited, words went and others came; where one holds the other, it is the longer that tells. */
export function rewordedHolds({ from, to }: Fact<'reworded'>, scope: Scope): boolean {
  const turns = (removed: string, added: string): boolean => {
    const [before, after] = [foldsOf(removed), foldsOf(added)];
    if (!quotesFrom(before, from) || !quotesFrom(after, to)) return false;
    return !quotesFrom(before, to) || !quotesFrom(after, from);
  };
  // Where only marks differ, it is these that change.
  if (foldWords(from) === foldWords(to))
    return (
      from !== to &&
      (citedBlocks(scope).some(({ removed, added }) =>
        turnsPlainly(textOf(removed), textOf(added), { from, to }),
      ) ||
        becomesHolds({ relation: 'becomes', from, to }, scope))
    );
  return (
    citedBlocks(scope).some(({ removed, added }) => turns(textOf(removed), textOf(added))) ||
    scope.files.some((file) => turns(file.text('removed'), file.text('added')))
  );
}

/** Without markup, one side says the one thing and the other side the other, sign by sign. */
function turnsPlainly(before: string, after: string, { from, to }: { from: string; to: string }): boolean {
  const [old, now] = [plainText(before), plainText(after)];
  const says = (text: string, wanted: string): boolean =>
    wanted.split('…').every((piece) => text.includes(piece.trim()));
  return says(old, from) && says(now, to) && !says(old, to);
}

/** With the lines around that stayed: then neither side may hold what the other is said to. */
function turnsInHunks({ path, lines }: CitedFile, { ground }: Scope, turn: Turn): boolean {
  const hunks = new Set(lines.map(({ hunk }) => hunk));
  const shown = ground.lines.of(path).filter(({ hunk }) => hunks.has(hunk));
  const [before, after] = [joinLines(shown, 'old'), joinLines(shown, 'new')];
  const { from, to } = turn;
  // Of two that hold one another, the longer one tells.
  if (from.includes(to)) return isIn(before, from, path) && isIn(after, to, path) && !isIn(after, from, path);
  if (to.includes(from)) return isIn(before, from, path) && isIn(after, to, path) && !isIn(before, to, path);
  return (
    isIn(before, from, path) &&
    isIn(after, to, path) &&
    (!isIn(after, from, path) || countIn(after, from) < countIn(before, from)) &&
    (!isIn(before, to, path) || countIn(before, to) < countIn(after, to))
  );
}

interface Turn {
  from: string;
  to: string;
  path: string;
}

function turnsInto(before: string, after: string, { from, to, path }: Turn): boolean {
  // Where only blanks or marks differ, each stands as it is written.
  if (standsWhole(before, from) && standsWhole(after, to) && !before.includes(to) && !after.includes(from))
    return true;
  if (!isIn(before, from, path) || !isIn(after, to, path)) return false;
  if (!isIn(before, to, path) || !isIn(after, from, path)) return true;
  return countIn(before, from) - countIn(after, from) > 0 || countIn(after, to) - countIn(before, to) > 0;
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

const citedBlocks = (scope: Scope): Block[] =>
  scope.files.flatMap(({ path, lines }) => blocksOf(path, lines));

function blocksOf(path: string, lines: PlacedLine[]): Block[] {
  const blocks = new Map<number, Block>();
  for (const line of lines) {
    if (line.block === null || line.side === 'context') continue;
    const block = blocks.get(line.block) ?? { path, removed: [], added: [] };
    blocks.set(line.block, block);
    block[line.side].push({ path, line });
  }
  return [...blocks.values()];
}

function reachForBlock(scope: Scope, word: string, holds: (block: Block) => boolean): boolean {
  return scope.files.some(({ path }) => {
    const block = blocksOf(path, scope.ground.lines.of(path)).find(holds);
    const found = block?.added.find(({ line }) => line.text.includes(word)) ?? block?.added[0];
    return found !== undefined && scope.reach(path, found.line);
  });
}

/** A name with one value before and another after: a default, a constant, a setting. */
export function defaultHolds({ of, from, to }: Fact<'default'>, scope: Scope): boolean {
  const holds = ({ path, removed, added }: Block) =>
    goesWith(removed, of, from, path) &&
    goesWith(added, of, to, path) &&
    !(goesWith(removed, of, to, path) && goesWith(added, of, from, path));
  return citedBlocks(scope).some(holds) || reachForBlock(scope, longestWord(to), holds);
}

/** On one line, or on neighbouring ones where the name is only on the first. */
const goesWith = (lines: Sighting[], name: string, value: string, path: string): boolean =>
  lines.some(({ line }) => isIn(line.text, name, path) && isIn(line.text, value, path)) ||
  (isIn(textOf(lines), name, path) && isIn(textOf(lines), value, path));

/** Where a version stands, its name does too, a few lines above at most: some manifests part them. */
const versionReach = 6;

export function versionHolds({ of, from, to }: Fact<'version'>, scope: Scope): boolean {
  if (from === null && to === null) return false;
  const holds = (path: string) =>
    (from === null || isVersionOf(scope, path, 'removed', of, from)) &&
    (to === null || isVersionOf(scope, path, 'added', of, to));
  return scope.files.some(({ path }) => holds(path));
}

function isVersionOf(
  scope: Scope,
  path: string,
  side: 'added' | 'removed',
  of: string,
  version: string,
): boolean {
  const number = side === 'added' ? 'newLine' : 'oldLine';
  const lines = scope.ground.lines.of(path).filter((line) => line[number] !== null);
  return lines.some((line, index) => {
    if (line.side !== side || !statesVersion(line.text, version)) return false;
    const around = lines.slice(Math.max(0, index - versionReach), index + 2);
    const heading = scope.ground.lines.file(path)?.hunks[line.hunk]?.heading ?? '';
    const shown = [...around.filter(({ hunk }) => hunk === line.hunk).map(({ text }) => text), heading];
    // A package may be named by its group and its own name, which stand apart.
    const names = of.split(':');
    const isNamed =
      shown.some((text) => namesSubject(of, text)) ||
      (names.length > 1 && names.every((name) => shown.some((text) => standsInText(name, text))));
    if (!isNamed) return false;
    const isSeen = scope.files.some((file) => file.path === path && file.lines.includes(line));
    return isSeen || scope.reach(path, line);
  });
}

/** Of several bounds each may stand in quotation marks of its own. */
const statesVersion = (text: string, version: string): boolean =>
  version.split(/,\s*/).every((bound) => standsInText(bound, text));

/** Subjects such as Go or Python are spelt as people do, and a module may have its major version in its name. */
function namesSubject(of: string, text: string): boolean {
  if (standsInText(of, text)) return true;
  const stem = of.replace(/[./]v\d+$/, '');
  if (stem !== of && text.includes(stem)) return true;
  return text.toLowerCase().includes(of.toLowerCase().replace(/[\s.]/g, ''));
}

/** Code without what is only its layout. */
const bare = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}>]|$)/g, '')
    .replace(/[()]/g, '')
    .replace(/,$/, '');

/** Whether lines of a file change, and say the same before and after. */
export function isReformatted(path: string, { ground }: Scope): boolean {
  const lines = ground.lines.of(path);
  const without = (side: 'added' | 'removed'): string =>
    bare(lines.flatMap((line) => (line.side === side ? [] : line.text)).join('\n'));
  return lines.some(({ side }) => side !== 'context') && without('added') === without('removed');
}

/** The same but for blanks and line breaks; a comma or parenthesis that only the layout asks for is none. */
export function reformattedHolds(scope: Scope): boolean {
  const blocks = citedBlocks(scope);
  return (
    blocks.length > 0 &&
    (blocks.every(({ removed, added }) => bare(textOf(removed)) === bare(textOf(added))) ||
      scope.files.every((file) => bare(file.text('old')) === bare(file.text('new'))))
  );
}
