import type { FactOf } from '../../draft.ts';
import type { Ground } from '../ground.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, fileLines, longestWord, type Sighting } from '../sightings.ts';
import { isDeclaredAs } from './comes-and-goes.ts';

type Move = FactOf<'moved'>;

/** A declaration left one file and came in another, and one of the two is cited. */
export function movedHolds(move: Move, scope: Scope): boolean {
  const { fromFile, toFile } = move;
  const left = declarationsIn(move, fromFile, 'removed', scope.ground);
  const came = declarationsIn(move, toFile, 'added', scope.ground);
  const [first] = came;
  if (!first || left.length === 0 || !isNearest(move, scope.ground)) return false;
  const cited = new Set(scope.files.flatMap(({ lines }) => lines));
  return [...left, ...came].some(({ line }) => cited.has(line)) || scope.reach(first.path, first.line);
}

const declarationsIn = ({ thing, name }: Move, path: string, side: ChangedSide, ground: Ground): Sighting[] =>
  fileLines(ground, path, side).filter(({ line }) => isDeclaredAs(thing, line.text, name));

/** Lines that belong to a declaration, as far as they matter here. */
const linesOfBody = 8;

/** The lines of each declaration of the name, without blanks and signs that stand alone. */
function bodiesIn(move: Move, path: string, side: ChangedSide, ground: Ground): Set<string>[] {
  const lines = fileLines(ground, path, side).map(({ line }) => line);
  return declarationsIn(move, path, side, ground).map(({ line }) => {
    const at = lines.indexOf(line);
    const body = lines.slice(at, at + linesOfBody).map(({ text }) => text.replace(/\s+/g, ''));
    return new Set(body.filter((text) => text.length > 2));
  });
}

/**
 * Several files may have something of one name. What moved has lines of its body in common with where it went, and more
 * of them than any other of that name has.
 */
function isNearest(move: Move, ground: Ground): boolean {
  const { name, fromFile, toFile } = move;
  const others = ground.filesHolding(longestWord(name));
  const count = (side: ChangedSide) => others.flatMap((path) => bodiesIn(move, path, side, ground)).length;
  // A line alone may be written the same in many places.
  const least = count('removed') === 1 && count('added') === 1 ? 1 : 2;
  const shared = (from: string, to: string): number => {
    const arrived = bodiesIn(move, to, 'added', ground);
    const counts = bodiesIn(move, from, 'removed', ground).flatMap((left) =>
      arrived.map((body) => {
        const same = [...body].filter((line) => left.has(line)).length;
        return same >= Math.min(least, left.size, body.size) ? same : 0;
      }),
    );
    return Math.max(0, ...counts);
  };
  const own = shared(fromFile, toFile);
  return (
    own > 0 &&
    others.every(
      (path) =>
        (path === fromFile || shared(path, toFile) < own) &&
        (path === toFile || shared(fromFile, path) < own),
    )
  );
}
