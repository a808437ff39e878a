import type { StatedFact } from '../../draft.ts';
import type { Ground } from '../ground.ts';
import type { Scope } from '../scope.ts';
import { type ChangedSide, citedLines, fileLines, longestWord, type Sighting, textOf } from '../sightings.ts';
import { isCodeFile } from '../stands-in-text.ts';
import { formOf, isDeclaredAs, standsAs } from './stands.ts';

type Move = Extract<StatedFact, { relation: 'moved' }>;

/** It left one file, or one place, and came in another, and one of the two is cited. */
export function movedHolds(move: Move, scope: Scope): boolean {
  const { thing, fromFile, toFile } = move;
  if (thing === 'dependency') return isSoleMove(move, scope.ground);
  const left = sightingsOf(move, fromFile, 'removed', scope.ground);
  const came = sightingsOf(move, toFile, 'added', scope.ground);
  const [first] = [...came, ...left];
  if (!first || left.length === 0 || came.length === 0) return false;
  if (formOf[thing] === 'declaration' && !isNearestMove(move, scope.ground)) return false;
  const cited = new Set(
    [...citedLines(scope, 'added'), ...citedLines(scope, 'removed')].map(({ line }) => line),
  );
  return [...left, ...came].some(({ line }) => cited.has(line)) || scope.reach(first.path, first.line);
}

const sightingsOf = ({ thing, name }: Move, path: string, side: ChangedSide, ground: Ground): Sighting[] =>
  fileLines(ground, path, side).filter(({ line }) =>
    formOf[thing] === 'declaration'
      ? isDeclaredAs(thing, line.text, name)
      : standsAs(formOf[thing], line.text, name, path),
  );

/** Files in which packages are named, although they are written in a language of programs. */
const manifestInCode =
  /(?:^|\/)(?:setup\.py|conanfile\.py|noxfile\.py|mix\.exs|Package\.swift|[\w.-]*\.gradle\.kts|build\.zig)$/;

const lockFile = /(?:^|\/)(?:[\w.-]*lock(?:file)?(?:\.\w+)?|go\.sum|npm-shrinkwrap\.json)$/i;

const namesPackages = (path: string): boolean =>
  (!isCodeFile(path) || manifestInCode.test(path)) &&
  !lockFile.test(path) &&
  !/\.(?:md|rst|txt|adoc)$/i.test(path);

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** A package went from one manifest to another: beside it, or where no third one loses or gets the package as well. */
function isSoleMove({ name, fromFile, toFile }: Move, ground: Ground): boolean {
  if (!namesPackages(fromFile) || !namesPackages(toFile)) return false;
  const stands = (path: string, side: ChangedSide) =>
    standsAs('parts', textOf(fileLines(ground, path, side)), name, path);
  if (!stands(fromFile, 'removed') || !stands(toFile, 'added')) return false;
  const isBeside = folderOf(fromFile) === folderOf(toFile);
  return [...ground.lines.files]
    .map(({ path }) => path)
    .filter((path) => path !== fromFile && path !== toFile && namesPackages(path))
    .filter((path) => !isBeside || folderOf(path) === folderOf(fromFile))
    .every((path) => stands(path, 'removed') === stands(path, 'added'));
}

/** Lines that belong to a declaration, as far as they matter here. */
const linesOfBody = 8;

/**
 * Several files may have something of one name. What moved has lines of its body in common with where it went, and more
 * of them than any other of that name has.
 */
function isNearestMove({ thing, name, fromFile, toFile }: Move, ground: Ground): boolean {
  const bodiesIn = (path: string, side: 'added' | 'removed'): Set<string>[] => {
    const lines = fileLines(ground, path, side).map(({ line }) => line.text);
    return lines.flatMap((text, at) => (isDeclaredAs(thing, text, name) ? [bodyFrom(lines, at)] : []));
  };
  const others = [...ground.filesHolding(longestWord(name))];
  const isSole = (['removed', 'added'] as const).every(
    (side) => others.reduce((sum, path) => sum + bodiesIn(path, side).length, 0) === 1,
  );
  // A line alone may be written the same in many places.
  const least = isSole ? 1 : 2;
  const shared = (from: string, to: string): number => {
    const arrived = bodiesIn(to, 'added');
    const counts = bodiesIn(from, 'removed').flatMap((left) =>
      arrived.map((body) => {
        const same = [...body].filter((line) => left.has(line)).length;
        return same >= Math.min(least, left.size, body.size) ? same : 0;
      }),
    );
    return Math.max(0, ...counts);
  };
  const own = shared(fromFile, toFile);
  if (own === 0) return false;
  return others.every(
    (path) =>
      (path === fromFile || shared(path, toFile) < own) && (path === toFile || shared(fromFile, path) < own),
  );
}

const bodyFrom = (lines: string[], at: number): Set<string> =>
  new Set(
    lines
      .slice(at, at + linesOfBody)
      .map((line) => line.replace(/\s+/g, ''))
      .filter((line) => line.length > 2),
  );
