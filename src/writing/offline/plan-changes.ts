import type { FileKind } from '../../domain/file-kinds.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { ArticleSource } from './article-source.ts';
import { lockedVersions } from './locked-versions.ts';
import { type PlannedChange, type Told, tell, type Unit } from './outline.ts';
import { dependenciesNamed, dependencyUnits, extentOf, pathsOf, placesOf, testTold } from './plan-company.ts';
import { binary, type Context, chooseTold, counts, nearnessOf, unitsOf } from './plan-file.ts';
import { type Sides, sidesOf } from './plan-lines.ts';
import { repeatedSwaps } from './repeated-swaps.ts';
import type { Statement } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-words.ts';

/** More than this nobody reads one by one; what is left is told together. */
const mostHeads = 6;
const mostDocuments = 2;
const mostManifests = 2;

/** How much is said of the first file, of the next ones, and of those after them. */
const sentencesAt = (position: number): number => (position === 0 ? 5 : position < 3 ? 3 : 2);

/** One or more files that are told of together, under the first of them. */
interface Entry {
  files: FileFacts[];
  units: Unit[];
  weight: number;
}

const unread = ['generated', 'vendored', 'binary'] as const;

/** What is told of each file, the heart of the change first; what was done many times is told once. */
export function planChanges(
  { facts: { files }, diff }: ArticleSource,
  title: TitleWords,
  isTold: (told: Told) => boolean,
): PlannedChange[] {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  let sides: Sides | undefined;
  const context: Context = {
    title,
    diffOf: (path) => diffs.get(path),
    sides: () => (sides ??= sidesOf(diff)),
    swapOf: repeatedSwaps(files),
  };
  const of = (...kinds: FileKind[]) => files.filter(({ kind }) => kinds.includes(kind));
  const code = entriesOf(of('source', 'configuration', 'build', 'manifest'), context);
  const isOnlyDocuments = files.every(({ kind }) => kind === 'documentation');
  const documents = entriesOf(of('documentation'), context)
    .map((entry) => ({
      ...entry,
      units: entry.units.filter(({ told: [first] }) => !(first && isTold(first))),
    }))
    .filter(({ units }) => units.length > 0 || isOnlyDocuments);
  const first = code.slice(0, room(code, mostHeads));
  // What a change depends on is told however small it is.
  const needs = code.filter((entry) => !first.includes(entry) && isAboutDependencies(entry));
  const heads = [...first, ...needs.slice(0, mostManifests)];
  const papers = documents.slice(0, room(documents, code.length > 0 ? mostDocuments : mostHeads));
  const rest = [...code.filter((entry) => !heads.includes(entry)), ...documents.slice(papers.length)].flatMap(
    (entry) => entry.files,
  );
  const told = [...heads, ...papers, ...testEntries(of('test'), context)]
    .sort((one, other) => other.weight - one.weight)
    .map(({ files: some, units }, position) => changeOf(some, chooseTold(units, sentencesAt(position))))
    .map((change) => (change.told.length > 0 ? change : { ...change, told: countsOf(change, files) }));
  return [
    ...told,
    ...(rest.length > 0
      ? [changeOf(rest, [tell({ say: 'smaller', ...extentOf(rest) }, placesOf(rest))])]
      : []),
    ...lockChanges(of('lock'), files, context),
    ...unread.flatMap((kind) => unreadChanges(of(kind), kind)),
  ];
}

const isAboutDependencies = ({ files }: Entry): boolean =>
  files.some(({ dependencies }) => dependencies.length > 0);

/** A single one that is left over is told like the others. */
const room = (entries: Entry[], most: number): number => (entries.length === most + 1 ? most + 1 : most);

/** Files in which the same was done belong together, under the most important one. */
function entriesOf(files: FileFacts[], context: Context): Entry[] {
  const groups = new Map<string, { files: FileFacts[]; units: Unit[] }>();
  for (const file of files) {
    const units = file.dependencies.length > 0 ? dependencyUnits(file) : unitsOf(file, context);
    const key = keyOf(file, units);
    const known = groups.get(key);
    if (known) known.files.push(file);
    else groups.set(key, { files: [file], units });
  }
  return [...groups.values()]
    .map(({ files: some, units }) => ({
      files: some,
      units: together(some, units),
      weight: weightOf(some, units, context.title),
    }))
    .sort((one, other) => other.weight - one.weight);
}

/** What the title speaks of comes first, whatever kind of file it is in. */
function weightOf([first]: FileFacts[], units: Unit[], title: TitleWords): number {
  if (!first) return 0;
  const isCode = first.kind !== 'documentation' && first.kind !== 'test';
  // Tests and documents say once more what the title says; only their names tell whether they are what it is about.
  const nearness = Math.max(
    nearnessTo(title, [first.path]),
    ...(isCode ? units.map((unit) => nearnessOf(unit, title)) : []),
  );
  return first.importance * (1 + nearness / 2);
}

function keyOf({ path }: FileFacts, units: Unit[]): string {
  const statements = units.flatMap(({ told }) => told.map(({ statement }) => statement));
  const [only] = statements;
  const status = statements.length === 1 && only ? wholeFileStatus(only) : null;
  if (status) return status;
  // What says only how many lines changed says nothing that two files could have in common.
  const isOwn = statements.every(({ say }) => say === 'counts' || say === 'reformatted');
  return isOwn
    ? path
    : JSON.stringify(statements, (key, value) =>
        key === 'path' || key === 'evidence' || key === 'count' ? undefined : value,
      );
}

type WholeStatus = Extract<Statement, { say: 'manyFiles' }>['status'];

/** What happened to a file as a whole, where that is all there is to say. */
function wholeFileStatus(statement: Statement): WholeStatus | null {
  if (statement.say === 'newFile') return 'added';
  if (statement.say === 'removedFile') return statement.names.length === 0 ? 'removed' : null;
  if (statement.say === 'movedFile') return statement.isEdited ? null : 'moved';
  return statement.say === 'binaryFile' ? 'binary' : null;
}

/** What is told of several files at once: what came, went or moved as a whole, or what was done in all of them. */
function together(files: FileFacts[], units: Unit[]): Unit[] {
  const [, ...others] = files;
  if (others.length === 0) return units;
  const statements = units.flatMap(({ told }) => told.map(({ statement }) => statement));
  const [only] = statements;
  const status = statements.length === 1 && only ? wholeFileStatus(only) : null;
  if (status) {
    const { paths, additions, deletions } = extentOf(files);
    const statement: Statement = { say: 'manyFiles', status, paths, lines: additions + deletions };
    return [{ told: [tell(statement, placesOf(files))], weight: 100, about: null }];
  }
  const also = tell({ say: 'alsoIn', paths: pathsOf(others) }, placesOf(others));
  const [first, ...rest] = units;
  return first ? [{ ...first, told: [...first.told, also] }, ...rest] : [];
}

function testEntries(files: FileFacts[], context: Context): Entry[] {
  if (files.length === 0) return [];
  const told = testTold(files, context);
  const home = told[0]?.evidence[0]?.fileName;
  const holder = files.find(({ path }) => path === home);
  const ordered = holder ? [holder, ...files.filter((file) => file !== holder)] : files;
  const units = [{ told, weight: 0, about: null }];
  return [{ files: ordered, units, weight: weightOf(ordered, units, context.title) }];
}

/** A lock file follows its manifest; by itself it is worth a sentence. */
function lockChanges(locks: FileFacts[], all: FileFacts[], { diffOf }: Context): PlannedChange[] {
  const hasManifest = all.some(({ kind, dependencies }) => kind === 'manifest' || dependencies.length > 0);
  if (locks.length === 0 || hasManifest) return [];
  const versions = locks.flatMap(({ path }) => lockedVersions(diffOf(path))).slice(0, dependenciesNamed);
  const told =
    versions.length > 0
      ? tell(
          { say: 'dependencies', change: 'changed', changes: versions },
          versions.map(({ evidence }) => evidence),
        )
      : tell({ say: 'lockOnly', ...extentOf(locks) }, placesOf(locks));
  return [changeOf(locks, [told])];
}

function unreadChanges(files: FileFacts[], kind: (typeof unread)[number]): PlannedChange[] {
  const [first] = files;
  if (!first) return [];
  const statement: Statement =
    kind === 'binary' && files.length === 1
      ? binary(first)
      : first.isSubmodule && files.length === 1
        ? { say: 'submodule', path: first.path }
        : { say: 'unread', kind, isNew: files.every(({ status }) => status === 'added'), ...extentOf(files) };
  return [changeOf(files, [tell(statement, placesOf(files))])];
}

/** What can be said of a file whose only news stands above. */
function countsOf({ fileName }: PlannedChange, files: FileFacts[]): Told[] {
  const file = files.find(({ path }) => path === fileName);
  return file ? [counts(file)] : [];
}

function changeOf(files: FileFacts[], told: Told[]): PlannedChange {
  const [first] = files;
  if (!first) throw new Error('Something is told of at least one file.');
  const changeTypes = [...new Set(files.map(({ changeType }) => changeType))];
  return { fileName: first.path, changeTypes, told };
}
