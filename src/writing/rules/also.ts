import { changelogName } from '../../reading/changelog-name.ts';
import type { DependencyChange, Evidence, FileFacts } from '../../reading/facts.ts';
import type { ArticleSource } from '../article-source.ts';
import { code, type HunkPhrases, type Names } from './english-hunks.ts';
import { type ChosenHunks, evidenceOf, named, type Told, toldOfEdit, toldOfMove } from './hunks.ts';
import { isCode, type Piece } from './pieces.ts';

/** One row of what is left, before it has a language. */
export interface ToldRow {
  told: Told;
  times: number | null;
  files: string[];
  additions: number;
  deletions: number;
}

/** What other parts of the article tell already. */
export interface AlreadyTold {
  /** Files whose lines the lead quotes. */
  files: ReadonlySet<string>;
  dependencies: boolean;
  /** Names that the article lists as new tests. */
  tests: readonly string[];
}

const mostNames = 8;
const mostEdits = 3;
const mostDependencies = 8;

/** What no hunk shows, by what was done and not by file. */
export function alsoOf({ facts }: ArticleSource, chosen: ChosenHunks, already: AlreadyTold): ToldRow[] {
  const { left, rest } = chosen;
  const untold = left.filter(({ file }) => !already.files.has(file.path) && file.status !== 'removed');
  const code = untold.filter((piece) => piece.lines.some(isCode) && !isOfDependencies(piece));
  const own = code.filter(({ isTest, file }) => !isTest && file.kind !== 'documentation');
  const isTold = ({ heading }: Piece): boolean =>
    heading !== null && already.tests.some((name) => heading.endsWith(name));
  return [
    ...rowOfPieces(
      own.filter(({ symbol, file }) => symbol !== null || file.status === 'added'),
      'added',
    ),
    ...rowOfPieces(
      own.filter((piece) => !isNew(piece) && !isRemoval(piece)),
      'changed',
    ),
    ...removedRow(
      own.filter((piece) => !isNew(piece) && isRemoval(piece)),
      facts.files,
    ),
    ...rest.edits.slice(0, mostEdits).map((edit) => rowOfEdit(edit)),
    ...rowOfMoves(chosen),
    ...rowOfPieces(
      code.filter((piece) => piece.isTest && !isNew(piece) && !isTold(piece)),
      'changedTests',
    ),
    ...rowOfPieces(code.filter(isDocument), 'sections'),
    ...quietRow(facts.files, chosen),
    ...(already.dependencies ? [] : dependencyRow(facts.files)),
    ...executableRows(facts.files),
    ...unreadRow(facts.files),
  ];
}

const isNew = ({ symbol, file }: Piece): boolean => symbol !== null || file.status === 'added';
const isRemoval = ({ lines }: Piece): boolean => lines.filter(isCode).every(({ side }) => side === 'removed');
const isDocument = ({ file, isTest }: Piece): boolean =>
  !isTest && file.kind === 'documentation' && !changelogName.test(file.path);
const isOfDependencies = ({ file, lines }: Piece): boolean =>
  file.dependencies.length > 0 &&
  lines.filter(isCode).every(({ text }) => file.dependencies.some(({ name }) => text.includes(name)));

type NamesPhrase = {
  [Key in keyof HunkPhrases]: HunkPhrases[Key] extends (names: Names) => string ? Key : never;
}[keyof HunkPhrases];

const count = (pieces: Piece[], side: 'added' | 'removed'): number =>
  pieces.reduce((sum, { lines }) => sum + lines.filter((line) => line.side === side).length, 0);

const sizeOf = (pieces: Piece[]): string => ` (+${count(pieces, 'added')} −${count(pieces, 'removed')})`;

/** Pieces by what they are in, with how much of it changed. */
function rowOfPieces(
  pieces: Piece[],
  phrase: Extract<NamesPhrase, 'added' | 'changed' | 'changedTests' | 'sections'>,
): ToldRow[] {
  if (pieces.length === 0) return [];
  const byName = Map.groupBy(pieces, nameOf);
  const names = [...byName].map(([name, own]) => `${code(name)}${sizeOf(own)}`);
  return [
    {
      told: {
        say: (phrases) => phrases[phrase](named(names, mostNames)),
        evidence: pieces.slice(0, 20).map(evidenceOf),
      },
      times: null,
      files: filesOf(pieces),
      additions: count(pieces, 'added'),
      deletions: count(pieces, 'removed'),
    },
  ];
}

/** A section of a manifest or of a configuration says nothing without its file. */
const nameOf = ({ heading, file: { kind, path } }: Piece): string =>
  kind === 'source' || kind === 'test' || kind === 'documentation' ? (heading ?? path) : path;

const filesOf = (pieces: Piece[]): string[] => [...new Set(pieces.map(({ file }) => file.path))];

/** Functions that went, and whole files. */
function removedRow(pieces: Piece[], files: FileFacts[]): ToldRow[] {
  const gone = files.filter(({ status, skipped }) => status === 'removed' && skipped === null);
  if (pieces.length + gone.length === 0) return [];
  const byName = Map.groupBy(pieces, nameOf);
  const names = [
    ...gone.map(({ path, deletions }) => `${code(path)} (−${deletions})`),
    ...[...byName].map(([name, own]) => `${code(name)} (−${count(own, 'removed')})`),
  ];
  return [
    {
      told: {
        say: (phrases) => phrases.removed(named(names, mostNames)),
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

const rowOfEdit = (edit: ChosenHunks['rest']['edits'][number]): ToldRow => {
  const sides = [...edit.lines].map((key) => key.split('\0')[1]);
  return {
    told: toldOfEdit(edit),
    times: edit.times,
    files: edit.files,
    additions: sides.filter((side) => side === 'new').length,
    deletions: sides.filter((side) => side === 'old').length,
  };
};

const rowOfMoves = ({ rest: { moves } }: ChosenHunks): ToldRow[] =>
  moves.slice(0, mostEdits).map((move) => ({
    told: toldOfMove(move),
    times: null,
    files: [move.to],
    additions: 0,
    deletions: 0,
  }));

/** Files of which every changed line is a comment, an import or layout, in one row. */
function quietRow(files: FileFacts[], { left, changes }: ChosenHunks): ToldRow[] {
  const shown = new Set(changes.flatMap(({ file, hunk }) => (hunk ? [file] : [])));
  const byFile = Map.groupBy(left, ({ file }) => file);
  const isQuiet = (file: FileFacts): boolean =>
    file.skipped === null &&
    file.status === 'modified' &&
    file.changes.length > 0 &&
    file.kind !== 'documentation' &&
    !shown.has(file) &&
    !(byFile.get(file) ?? []).some(({ lines }) => lines.some(isCode)) &&
    file.changes.every(({ kind, of }) => kind === 'rewrapped' || of === 'comment' || of === 'import');
  return rowOfFiles(files.filter(isQuiet), (phrases) => phrases.nothingButLayout());
}

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

function dependencyRow(files: FileFacts[]): ToldRow[] {
  const found = new Map<string, DependencyChange>();
  for (const { dependencies } of files)
    for (const one of dependencies) found.set([one.name, one.change, one.from, one.to].join('\0'), one);
  const all = [...found.values()];
  if (all.length === 0) return [];
  const [shown, more] = [all.slice(0, mostDependencies), Math.max(0, all.length - mostDependencies)];
  const own = files.filter(({ dependencies }) => dependencies.length > 0);
  const [row] = rowOfFiles(own, (phrases) => phrases.dependencies(shown, more));
  const evidence: Evidence[] = shown.map((one) => one.evidence);
  return row ? [{ ...row, told: { ...row.told, evidence } }] : [];
}

const executableRows = (files: FileFacts[]): ToldRow[] =>
  [true, false].flatMap((now) =>
    rowOfFiles(
      files.filter(({ becameExecutable }) => becameExecutable === now),
      (phrases) => phrases.executable(now),
    ),
  );

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
