import { changelogName } from '../../reading/changelog-name.ts';
import type { DependencyChange, Evidence, FileFacts } from '../../reading/facts.ts';
import type { SameEdit } from '../../reading/same-edits.ts';
import type { ArticleSource } from '../article-source.ts';
import { type ChosenHunks, evidenceOf, isOfDependencies, shownIn } from './hunks.ts';
import { toldOfMove } from './moves.ts';
import { code, type Names } from './phrases.ts';
import { fullName, isCode, type Piece } from './pieces.ts';
import { named, type Told, toldOfEdit } from './told.ts';

/** One row of what is left, before it has a language. */
export interface ToldRow {
  told: Told;
  times: number | null;
  files: string[];
  additions: number;
  deletions: number;
}

/** What other parts of the article tell already. */
interface AlreadyTold {
  /** Files whose lines the lead quotes. */
  files: ReadonlySet<string>;
  dependencies: boolean;
}

const mostNames = 8;
const mostTests = 5;
const mostEdits = 3;
const mostDependencies = 8;

/** What no hunk shows, by what was done and not by file. */
export function alsoOf({ facts }: ArticleSource, chosen: ChosenHunks, already: AlreadyTold): ToldRow[] {
  const { left, rest, changes } = chosen;
  const tooLong = chosen.tooLong.filter(({ status }) => status !== 'removed');
  const shown = new Set(changes.flatMap(({ file, hunk }) => (hunk ? [file] : [])));
  const untold = left.filter(
    (piece) =>
      !already.files.has(piece.file.path) &&
      piece.file.status !== 'removed' &&
      piece.lines.some(isCode) &&
      !isOfDependencies(piece.file, piece.lines),
  );
  const own = untold.filter(({ isTest, file }) => !isTest && file.kind !== 'documentation');
  // What is left of a new file without a name says nothing beside its functions.
  const isNamed = ({ file }: Piece): boolean =>
    shown.has(file) || own.some((other) => other.file === file && other.heading !== null);
  const added = own.filter((piece) => isNew(piece) && (piece.heading !== null || !isNamed(piece)));
  const tested = ({ heading, file }: Piece): boolean =>
    file.tests.some(
      ({ change, name }) =>
        (change === 'added' || change === 'removed') && (heading === null || heading.endsWith(name)),
    );
  const kinds = new Map(facts.files.map(({ path, kind }) => [path, kind]));
  const hasCode = facts.files.some(({ kind }) => kind === 'source');
  const isOfCode = ({ files }: SameEdit): boolean =>
    !hasCode || files.some((path) => kinds.get(path) !== 'test');
  return [
    ...rowOfPieces(
      [...added, ...untold.filter((piece) => piece.isTest && isNew(piece) && isHelper(piece))],
      'alsoAdded',
    ),
    ...rowOfPieces(
      own.filter((piece) => !isNew(piece) && !isRemoved(piece)),
      'alsoChanged',
    ),
    ...removedRow(
      own.filter((piece) => !isNew(piece) && isRemoved(piece)),
      facts.files,
    ),
    ...rest.edits.filter(isOfCode).slice(0, mostEdits).map(rowOfEdit),
    ...rowsOfMoves(facts.files, chosen),
    ...rowOfPieces(
      untold.filter((piece) => piece.isTest && !isNew(piece) && !tested(piece)),
      'changedTests',
    ),
    ...rowOfPieces(untold.filter(isDocument), 'documentation'),
    ...rowOfFiles(tooLong, (phrases) => phrases.tooLong(pathsOf(tooLong))),
    ...quietRow(chosen),
    ...(already.dependencies ? [] : dependencyRow(facts.files, chosen)),
    ...executableRows(facts.files),
    ...unreadRow(facts.files),
  ];
}

const isNew = ({ symbol, file }: Piece): boolean => symbol !== null || file.status === 'added';
/** Whether a file of tests has no test that is listed. */
const isHelper = ({ file }: Piece): boolean => file.tests.length === 0;
/** Whether a function or type went as a whole. */
const isRemoved = ({ heading, file }: Piece): boolean =>
  file.symbols.some((symbol) => symbol.change === 'removed' && fullName(symbol) === heading);
const isDocument = ({ file, isTest }: Piece): boolean =>
  !isTest && file.kind === 'documentation' && !changelogName.test(file.path);
const count = (pieces: Piece[], side: 'added' | 'removed'): number =>
  pieces.reduce((sum, { lines }) => sum + lines.filter((line) => line.side === side).length, 0);

/** A section of a manifest or of a configuration says nothing without its file. */
const nameOf = ({ heading, file: { kind, path } }: Piece): string =>
  kind === 'source' || kind === 'test' || kind === 'documentation' ? (heading ?? path) : path;

/** What pieces are in. */
const namesOf = (pieces: Piece[]): string[] => [...new Set(pieces.map((piece) => code(nameOf(piece))))];

function rowOfPieces(
  pieces: Piece[],
  phrase: 'alsoAdded' | 'alsoChanged' | 'changedTests' | 'documentation',
): ToldRow[] {
  if (pieces.length === 0) return [];
  const names = namesOf(pieces);
  return [
    {
      told: {
        say: (phrases) => phrases[phrase](named(names, phrase === 'changedTests' ? mostTests : mostNames)),
        evidence: pieces.slice(0, 20).map(evidenceOf),
      },
      times: null,
      files: filesOf(pieces),
      additions: count(pieces, 'added'),
      deletions: count(pieces, 'removed'),
    },
  ];
}

const filesOf = (pieces: Piece[]): string[] => [...new Set(pieces.map(({ file }) => file.path))];

/** Whole files that went, and functions. */
function removedRow(pieces: Piece[], files: FileFacts[]): ToldRow[] {
  const gone = files.filter(({ status, skipped }) => status === 'removed' && skipped === null);
  if (pieces.length + gone.length === 0) return [];
  const names = [...gone.map(({ path }) => code(path)), ...namesOf(pieces)];
  return [
    {
      told: {
        say: (phrases) => phrases.alsoRemoved(named(names, mostNames)),
        evidence: [...gone.flatMap(({ place }) => place ?? []), ...pieces.map(evidenceOf)].slice(0, 20),
      },
      times: null,
      files: [...gone.map(({ path }) => path), ...filesOf(pieces)],
      additions: count(pieces, 'added'),
      deletions: count(pieces, 'removed') + sum(gone, ({ deletions }) => deletions),
    },
  ];
}

const sum = (files: FileFacts[], of: (file: FileFacts) => number): number =>
  files.reduce((total, file) => total + of(file), 0);

const rowOfEdit = (edit: SameEdit): ToldRow => {
  const sides = [...edit.lines].map((key) => key.split('\0')[1]);
  return {
    told: toldOfEdit(edit),
    times: edit.times,
    files: edit.files,
    additions: sides.filter((side) => side === 'new').length,
    deletions: sides.filter((side) => side === 'old').length,
  };
};

/** More files that moved are one row. */
const mostMoves = 3;

function rowsOfMoves(files: FileFacts[], { rest: { moves } }: ChosenHunks): ToldRow[] {
  const whole = moves.filter(({ isFile }) => isFile);
  const single = whole.length > mostMoves ? moves.filter(({ isFile }) => !isFile) : moves;
  const rows = single.slice(0, mostMoves + 3).map((move) => ({
    told: toldOfMove(move),
    times: null,
    files: [...new Set([move.to, ...(move.isFile ? [] : [move.from])])],
    additions: 0,
    deletions: 0,
  }));
  const paths = new Set(whole.length > mostMoves ? whole.map(({ to }) => to) : []);
  const joined = rowOfFiles(
    files.filter(({ path }) => paths.has(path)),
    (phrases) => phrases.filesMoved(paths.size),
  );
  return [...rows, ...joined];
}

function quietRow({ quiet, changes }: ChosenHunks): ToldRow[] {
  const shown = new Set(changes.map(({ file }) => file.path));
  const files = quiet.filter(({ path }) => !shown.has(path));
  return rowOfFiles(files, (phrases) => phrases.nothingButLayout(pathsOf(files)));
}

const pathsOf = (files: FileFacts[]): Names =>
  named(
    files.map(({ path }) => code(path)),
    mostNames,
  );

function rowOfFiles(files: FileFacts[], say: Told['say']): ToldRow[] {
  if (files.length === 0) return [];
  return [
    {
      told: { say, evidence: files.slice(0, 10).flatMap(({ place }) => place ?? []) },
      times: null,
      files: files.map(({ path }) => path),
      additions: sum(files, ({ additions }) => additions),
      deletions: sum(files, ({ deletions }) => deletions),
    },
  ];
}

function dependencyRow(files: FileFacts[], { changes }: ChosenHunks): ToldRow[] {
  const isShown = shownIn(changes.flatMap(({ hunk }) => hunk ?? []));
  const found = new Map<string, DependencyChange>();
  for (const { dependencies } of files)
    for (const one of dependencies)
      if (one.change !== 'moved' && !isShown(one.evidence))
        found.set([one.name, one.change, one.from, one.to].join('\0'), one);
  const all = [...found.values()];
  if (all.length === 0) return [];
  const own = files.filter(({ dependencies }) => dependencies.length > 0);
  const [row] = rowOfFiles(own, (phrases) => phrases.dependencies(all, mostDependencies));
  const evidence: Evidence[] = all.slice(0, mostDependencies).map((one) => one.evidence);
  return row ? [{ ...row, told: { ...row.told, evidence } }] : [];
}

const executableRows = (files: FileFacts[]): ToldRow[] =>
  [true, false].flatMap((now) => {
    const own = files.filter(({ becameExecutable }) => becameExecutable === now);
    return rowOfFiles(own, (phrases) => phrases.executable(pathsOf(own), now));
  });

function unreadRow(files: FileFacts[]): ToldRow[] {
  const unread = files.filter(({ skipped, status, additions, deletions }) => {
    const isMovedOnly = status === 'renamed' && additions + deletions === 0;
    return skipped !== null && !isMovedOnly;
  });
  const of = (kind: FileFacts['kind']): number =>
    unread.filter((file) => file.kind === kind && !file.isSubmodule).length;
  const counts = {
    locks: of('lock'),
    generated: of('generated'),
    vendored: of('vendored'),
    binary: of('binary'),
    submodules: unread.filter(({ isSubmodule }) => isSubmodule).length,
  };
  const tooLarge = unread.length - Object.values(counts).reduce((total, one) => total + one, 0);
  return rowOfFiles(unread, (phrases) => phrases.unread({ ...counts, tooLarge }));
}
