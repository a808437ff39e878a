import type { FileKind } from '../../domain/file-kinds.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { ArticleSource } from '../article-source.ts';
import { type Sides, sidesOf } from './compare-lines.ts';
import { isWords, keyOf, together } from './group-files.ts';
import { asPart } from './left-out.ts';
import { findOrigins } from './origins.ts';
import { type PlannedChange, quotesIn, type Told, tell, type Unit } from './outline.ts';
import { dependencyUnits, extentOf, placesOf } from './plan-company.ts';
import {
  type Context,
  chooseTold,
  counts,
  leastOf,
  nearnessOf,
  unitsOf,
  wholeFileStatement,
} from './plan-file.ts';
import { shownLines } from './plan-lines.ts';
import {
  changeOf,
  importChanges,
  isMoved,
  lockChanges,
  restChanges,
  unread,
  unreadChanges,
} from './plan-rest.ts';
import { wholeBlocks } from './plan-whole-blocks.ts';
import { readsAsDocument } from './prose-lines.ts';
import { countSwaps, repeatedSwaps } from './repeated-swaps.ts';
import { findStandingNames } from './standing-names.ts';
import { namesPerList } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-nearness.ts';

/** More than this nobody reads one by one; what is left is told together. */
const mostHeads = 6;
const mostDocuments = 2;
const mostManifests = 2;
const mostTests = 3;

/** How much is said of the first file, of the next ones, and of those after them. */
const sentencesAt = (position: number): number => (position === 0 ? 5 : position < 3 ? 3 : 2);

/** One or more files that are told of together, under the first of them. */
interface Entry {
  files: FileFacts[];
  units: Unit[];
  weight: number;
}

/** What is told of each file, the heart of the change first; what was done many times is told once. */
export function planChanges(
  { facts: { files }, diff }: ArticleSource,
  title: TitleWords,
  isTold: (told: Told) => boolean,
): PlannedChange[] {
  const context = contextOf(files, diff, title);
  const of = (...kinds: FileKind[]) => files.filter(({ kind }) => kinds.includes(kind));
  const untold = (entry: Entry): Entry => ({
    ...entry,
    units: entry.units.filter(({ told: [first] }) => !(first && isTold(first))),
  });
  const code = entriesOf(of('source', 'configuration', 'build', 'manifest'), context).map(untold);
  const documents = entriesOf(of('documentation'), context).map(untold);
  const tests = entriesOf(of('test'), context);
  const heads = [
    ...headsOf(code, mostHeads, mostManifests),
    ...headsOf(documents, code.length > 0 ? mostDocuments : mostHeads),
    ...headsOf(tests, code.length > 0 ? mostTests : mostHeads),
  ];
  const left = [...code, ...documents, ...tests].filter(({ units }) => units.length > 0);
  const chosen = heads.length > 0 ? heads : atLeast(left, context).slice(0, mostHeads);
  const told = chosen
    .sort((one, other) => other.weight - one.weight)
    .map(({ files: some, units }, position) =>
      changeOf(some, asPart(diffOfFirst(some, context), chooseTold(units, sentencesAt(position)))),
    )
    .map((change) => withFallback(change, files, context))
    .map((change) =>
      change.told.length > 0 || !change.fallback ? change : { ...change, told: [change.fallback] },
    );
  const known = new Set(chosen.flatMap((entry) => entry.files));
  const others = [...code, ...documents, ...tests].filter(({ files: [first] }) => first && !known.has(first));
  const locks = of('lock');
  const imports = others.filter(({ units }) => units.some((unit) => unit.told.some(isAboutImports)));
  const rest = others.filter((entry) => !imports.includes(entry)).flatMap((entry) => entry.files);
  return [
    ...told,
    ...restChanges([...rest, ...locks.filter(isMoved)], context),
    ...importChanges(imports.flatMap((entry) => entry.files)),
    ...lockChanges(
      locks.filter((file) => !isMoved(file)),
      files,
      context,
    ),
    ...unread.flatMap((kind) => unreadChanges(of(kind), kind, context)),
  ];
}

/** Where nothing else can be said of a change, the lines of short places are shown, and otherwise counted. */
function atLeast(entries: Entry[], context: Context): Entry[] {
  const { diffOf, sides, title } = context;
  const shown = entries.map((entry) => {
    const [file, ...others] = entry.files;
    const isCounted = entry.units.every((unit) => unit.told.every((told) => !isNews(told)));
    if (!file || others.length > 0 || !isCounted || readsAsDocument(file)) return entry;
    const diff = diffOf(file.path);
    const parts = file.kind === 'test' ? shownLines(file, diff, sides(), title, true) : [];
    const units = parts.length > 0 ? parts : wholeBlocks(diff, sides());
    return units.length > 0 ? { ...entry, units } : entry;
  });
  const groups = Map.groupBy(shown, ({ files: [first], units }) =>
    first ? keyOf(first, units, context) : '',
  );
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length === 1) return same;
    const files = same.flatMap((entry) => entry.files);
    return [{ ...first, files, units: together(files, first.units, context) }];
  });
}

const diffOfFirst = ([file]: FileFacts[], { diffOf }: Context): FileDiff | undefined =>
  file && diffOf(file.path);

/** In so many files, others are looked for in which the same is done. */
const mostSearched = 200;

function contextOf(files: FileFacts[], diff: FileDiff[], title: TitleWords): Context {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  let sides: Sides | undefined;
  return {
    title,
    diffOf: (path) => diffs.get(path),
    isSwappedBeside: (swap, paths) =>
      diff
        .slice(0, mostSearched)
        .some((file) => !paths.includes(file.path) && (countSwaps(swap, file) ?? 0) > 0),
    sides: () => (sides ??= sidesOf(diff)),
    swapOf: repeatedSwaps(files),
    isElsewhere: findStandingNames(files, diff),
    originOf: findOrigins(diff),
  };
}

/** Those that are told by themselves. What a change depends on is told however small it is. */
function headsOf(entries: Entry[], most: number, mostBeside = 0): Entry[] {
  const telling = entries.filter(({ units }) => units.some(({ told }) => told.some(isNews)));
  const first = telling.slice(0, room(telling, most));
  const needs = telling.filter((entry) => !first.includes(entry) && isAboutDependencies(entry));
  return [...first, ...needs.slice(0, mostBeside)];
}

const counted = (file: FileFacts, { diffOf }: Context): Unit => ({
  told: [leastOf(file, diffOf(file.path))],
  weight: 0,
  about: null,
});

/** How many lines changed, or that only imports did, is told of the files that are left. */
const isNews = ({ statement: { say } }: Told): boolean => say !== 'counts' && say !== 'importsOnly';

const isAboutImports = ({ statement: { say } }: Told): boolean => say === 'importsOnly';

const isAboutDependencies = ({ files }: Entry): boolean =>
  files.some(({ dependencies }) => dependencies.length > 0);

/** A single one that is left over is told like the others. */
const room = (entries: Entry[], most: number): number => (entries.length === most + 1 ? most + 1 : most);

/** Files in which the same was done belong together, under the most important one. */
function entriesOf(files: FileFacts[], context: Context): Entry[] {
  const groups = new Map<string, { files: FileFacts[]; units: Unit[] }>();
  /** What comments say, which nobody reads twice. */
  const quoted = new Set<string>();
  const removed = files.filter(({ status }) => status === 'removed');
  const isManyGone = removed.length >= leastGone;
  for (const file of isManyGone ? files.filter((file) => !removed.includes(file)) : files) {
    const units = unitsAbout(file, context);
    const key = keyOf(file, units, context);
    const known = groups.get(key);
    if (known) {
      known.files.push(file);
      continue;
    }
    const words = isWords(units) ? JSON.stringify(units.map(({ told }) => told.flatMap(quotesIn))) : '';
    const isRepeated = words !== '' && quoted.has(words);
    quoted.add(words);
    groups.set(key, { files: [file], units: isRepeated ? [counted(file, context)] : units });
  }
  const entries = [...groups.values()].map(({ files: some, units }) => ({
    files: some,
    units: together(some, units, context),
    weight: weightOf(some, units, context.title),
  }));
  return [...entries, ...(isManyGone ? [goneTogether(removed, context)] : [])].sort(
    (one, other) => other.weight - one.weight,
  );
}

/** So many files that went are told together, with what others could use of them. */
const leastGone = 3;

function goneTogether(files: FileFacts[], context: Context): Entry {
  const { paths, deletions } = extentOf(files);
  const whole = tell(
    { say: 'manyFiles', status: 'removed', paths, lines: deletions, other: null },
    placesOf(files),
  );
  const gone = files
    .flatMap((file) => unitsOf(file, context).flatMap(({ told }) => told))
    .flatMap(({ statement, evidence }) => (statement.say === 'removes' ? [{ ...statement, evidence }] : []));
  const names = gone.flatMap((one) => one.names);
  const places = gone.flatMap(({ evidence }) => evidence).slice(0, namesPerList);
  const told =
    names.length > 0
      ? [whole, tell({ say: 'removes', names, withFile: true, isPart: false }, places)]
      : [whole];
  const units = [{ told, weight: 100, about: null }];
  return { files, units, weight: weightOf(files, units, context.title) };
}

/** A manifest is told by what it depends on, where that is what changes. */
function unitsAbout(file: FileFacts, context: Context): Unit[] {
  const isWhole = file.status === 'added' || file.status === 'removed';
  const units = file.dependencies.length > 0 && !isWhole ? dependencyUnits(file) : [];
  return units.length > 0 ? units : unitsOf(file, context);
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

/** That a file came or went is always told; of packages, what their lines show; of all others, at least how many changed. */
function withFallback(change: PlannedChange, files: FileFacts[], context: Context): PlannedChange {
  const file = files.find(({ path }) => path === change.fileName);
  if (!file) return change;
  if (wholeFileStatement(file) !== null) return { ...change, fallback: counts(file) };
  const isAboutPackages =
    change.told.length > 0 && change.told.every(({ statement }) => statement.say === 'dependencies');
  const [shown] = isAboutPackages
    ? shownLines(file, context.diffOf(file.path), context.sides(), context.title)
    : [];
  return {
    ...change,
    fallback: shown?.told[0] ?? leastOf({ ...file, symbols: [] }, context.diffOf(file.path)),
  };
}
