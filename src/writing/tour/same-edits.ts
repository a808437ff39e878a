import { likeness } from '../../reading/compare/likeness.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { isBalanced } from '../plain-text.ts';
import type { DiffLines } from '../verify/diff-lines.ts';
import { countIn } from '../verify/stands-in-text.ts';
import { mostUnits, type Piece, type PieceUnit } from './pieces.ts';
import { type WordEdit, wholeEdits } from './whole-edits.ts';

/** The same few words replaced by the same others, in several places. */
export interface SameEdit {
  from: string;
  to: string;
  /** How often; null where the lines do not say it exactly. */
  times: number | null;
  units: Set<PieceUnit>;
  places: Evidence[];
}

/** Fewer times are shown where they stand. */
const fewest = 3;
/** Of two statements that have less in common, one is not the other with a word exchanged. */
const leastAlike = 0.6;
const longestEdit = 80;

/** Edits that were made at least three times, the most frequent first. */
export function sameEditsOf(pieces: Piece[], lines: DiffLines): SameEdit[] {
  const edits = new Map<string, SameEdit>();
  const hasCode = pieces.some(({ isTest, file }) => !isTest && file.kind === 'source');
  const read = pieces.filter(({ isTest, file }) => file.kind !== 'manifest' && !(hasCode && isTest));
  for (const { units, file } of read) {
    for (const unit of units.filter((one) => !isOfDependency(one, file))) {
      const found = editsIn(unit);
      for (const edit of found.filter(isTold)) {
        const key = `${edit.from}\0${edit.to}`;
        const known = edits.get(key) ?? { ...edit, times: 0, units: new Set(), places: [] };
        known.times = (known.times ?? 0) + 1;
        // A statement that has another edit as well is not told by this one.
        if (found.every(({ from, to }) => from === edit.from && to === edit.to)) known.units.add(unit);
        known.places.push(...[unit.change.new, unit.change.old].filter((place) => place !== null));
        edits.set(key, known);
      }
    }
  }
  for (const [text, units] of additionsIn(read)) {
    const places = units.flatMap(({ change }) => change.new ?? []);
    edits.set(`\0${text}`, { from: '', to: text, times: units.length, units: new Set(units), places });
  }
  const isWhole = read.every(({ file }) => file.changes.length <= mostUnits);
  return [...edits.values()]
    .filter(({ times, units }) => (times ?? 0) >= fewest && units.size >= 2)
    .sort((one, other) => (other.times ?? 0) - (one.times ?? 0))
    .map((edit) => ({ ...edit, times: exactTimes(edit, lines, isWhole) }));
}

/** What became of a package is told by its name and versions. */
const isOfDependency = ({ before, after }: PieceUnit, { dependencies }: FileFacts): boolean =>
  dependencies.some(({ name }) => before?.includes(name) === true && after?.includes(name) === true);

/** How often an edit was made: as often as one text went and the other came, where these agree. */
function exactTimes(
  { from, to, times, places }: SameEdit,
  lines: DiffLines,
  isWhole: boolean,
): number | null {
  // Signs alone, and additions, are counted by statement: a file of which not every statement was read has more.
  if (!/[\p{L}\p{N}]/u.test(from)) return isWhole ? times : null;
  const paths = [...new Set(places.map(({ fileName }) => fileName))];
  const balance = (text: string): number =>
    paths
      .flatMap((path) => lines.of(path))
      .reduce(
        (sum, line) =>
          sum + (line.side === 'added' ? 1 : line.side === 'removed' ? -1 : 0) * countIn(line.text, text),
        0,
      );
  const [came, went] = [balance(to), -balance(from)];
  return came === went && came >= (times ?? 0) ? came : null;
}

/** Statements that were added, word for word, to several files; what every file has anyway says nothing. */
function additionsIn(pieces: Piece[]): Map<string, PieceUnit[]> {
  const added = new Map<string, { units: PieceUnit[]; files: Set<unknown> }>();
  for (const { units, file } of pieces) {
    for (const unit of units) {
      const { change, after, deed } = unit;
      if (change.kind !== 'added' || change.of !== 'code' || after === null) continue;
      if (deed === 'closing' || deed === 'import' || deed === 'comment') continue;
      if (
        !/^[\p{L}<"'@#/$_-].*\p{L}{3}/u.test(after) ||
        after.length < shortestAddition ||
        after.length > longestEdit ||
        file.status === 'added'
      )
        continue;
      const known = added.get(after) ?? { units: [], files: new Set() };
      known.units.push(unit);
      known.files.add(file);
      added.set(after, known);
    }
  }
  const often = [...added].filter(([, { files }]) => files.size >= fewest);
  return new Map(often.map(([text, { units }]) => [text, units]));
}

const shortestAddition = 12;

const editsIn = ({ change, before, after }: PieceUnit): WordEdit[] =>
  change.kind === 'replaced' && before !== null && after !== null ? wholeEdits(before, after) : [];

const isTold = ({ from, to }: WordEdit): boolean =>
  from !== '' &&
  to !== '' &&
  from.length <= longestEdit &&
  to.length <= longestEdit &&
  /\p{L}{3}|\d\.\d/u.test(from + to) &&
  [from, to].every((text) => isBalanced(text) && text.split('{').length === text.split('}').length);

/** The words that tell two texts apart, where they stand in one place; null where they do not. */
export function narrowEdit(unit: PieceUnit): WordEdit | null {
  const [only, ...more] = editsIn(unit);
  const isAlike = likeness(unit.before ?? '', unit.after ?? '') >= leastAlike;
  return only && more.length === 0 && isAlike && isTold(only) ? only : null;
}
