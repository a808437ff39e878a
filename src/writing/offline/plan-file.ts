import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { placeOf, type Sides } from './compare-lines.ts';
import { isOnlyImports, isOnlyLayout } from './only-layout.ts';
import type { OriginOf } from './origins.ts';
import { quotesIn, type Told, tell, type Unit } from './outline.ts';
import { documented, editUnits } from './plan-edits.ts';
import { headingUnits } from './plan-headings.ts';
import { shownLines } from './plan-lines.ts';
import { symbolUnits, withoutMembers } from './plan-symbols.ts';
import { testUnits } from './plan-tests.ts';
import { isDocumentPath, isOnlyWords } from './prose-lines.ts';
import { withoutIdleRemarks } from './remarks.ts';
import type { Swap, SwapOf } from './repeated-swaps.ts';
import { settingsIn, withoutMovedParts } from './settings.ts';
import type { IsElsewhere } from './standing-names.ts';
import { namesPerList, type Statement } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-nearness.ts';

/** What the files of a change are told by. */
export interface Context {
  title: TitleWords;
  diffOf: (path: string) => FileDiff | undefined;
  /** Whether something is swapped in a file that is not among these. */
  isSwappedBeside: (swap: Swap, paths: string[]) => boolean;
  /** What the lines of the whole change say, for whoever needs to know. */
  sides: () => Sides;
  /** What is done in many lines. */
  swapOf: SwapOf;
  originOf: OriginOf;
  isElsewhere: IsElsewhere;
}

/** What the title speaks of is the heart, whatever it is. */
const weightOfNearness = 7;

/** What weighs less than this is told only for want of anything else. */
const leastTelling = 8;

/** Everything worth saying of one file, what happened to it as a whole first; at least its counts. */
export function unitsOf(file: FileFacts, context: Context): Unit[] {
  const { title, diffOf, sides } = context;
  const diff = diffOf(file.path);
  const link = diff ? linkOf(file, diff) : null;
  if (link) return [{ told: [link], weight: ofWholeFile, about: null }];
  const whole = wholeFile(file, context);
  if (diff && file.status === 'modified' && isOnlyLayout(diff)) return [...whole, ...layout(file)];
  if (diff && file.status === 'modified' && isOnlyImports(diff)) return [...whole, ...imports(file)];
  const read = withoutIdleRemarks(readUnits(file, diff, context), diff, sides);
  // Where hardly anything is known but what somebody says in a comment, the lines themselves say more.
  const isThin =
    file.kind === 'documentation' || read.every((unit) => unit.weight < leastTelling || isRemark(unit));
  const lines = isThin ? shownLines(file, diff, sides(), title) : [];
  // What comments say is told once.
  const shown = read.some(isRemark) ? lines.filter((unit) => !isRemark(unit)) : lines;
  const units = withoutRepeats(withoutIdleRemarks([...read, ...shown], diff, sides))
    .map((unit) => ({ ...unit, weight: unit.weight + weightOfNearness * nearnessOf(unit, title) }))
    .sort((one, other) => other.weight - one.weight);
  const all = [...whole, ...units];
  return all.length > 0 ? all : [{ told: [leastOf(file, diff)], weight: 0, about: null }];
}

function readUnits(
  file: FileFacts,
  diff: FileDiff | undefined,
  { sides, swapOf, isElsewhere }: Context,
): Unit[] {
  // What a removed file held went with it; of that, what others could use is told.
  if (file.status === 'removed') return goneWith(file, isElsewhere);
  const tests = testUnits(file);
  // A test beside the code is told as what it is.
  const names = new Set(file.tests.map(({ name }) => name));
  // In a file of tests, what else is declared and done serves them.
  if (tests.length > 0 && file.kind === 'test') return tests;
  return [
    ...tests,
    ...surfaceUnits(file, diff),
    ...symbolUnits(
      { ...file, symbols: file.symbols.filter(({ name }) => !names.has(name)) },
      diff,
      isElsewhere,
    ),
    ...headingUnits(file, diff, sides),
    ...editUnits(file, diff, swapOf, sides),
  ];
}

const isRemark = ({ told }: Unit): boolean =>
  told.every(({ statement: { say } }) => say === 'remarks' || say === 'rewords' || say === 'rewordsText');

const layout = (file: FileFacts): Unit[] => [
  {
    told: [tell({ say: 'reformatted', paths: [file.path] }, file.place ? [file.place] : [])],
    weight: 3,
    about: null,
  },
];

const imports = ({ path, place }: FileFacts): Unit[] => [
  { told: [tell({ say: 'importsOnly', paths: [path] }, place ? [place] : [])], weight: 2, about: null },
];

/** The declarations that others could use and that went with their file. */
function goneWith({ kind, symbols }: FileFacts, isElsewhere: IsElsewhere): Unit[] {
  const gone = withoutMembers(
    symbols.filter((symbol) => symbol.isPublic && symbol.change === 'removed' && !isElsewhere(symbol)),
  );
  if (gone.length === 0 || kind === 'test') return [];
  const unique = [...new Map(gone.map((symbol) => [`${symbol.kind} ${symbol.name}`, symbol])).values()];
  const names = unique.map((symbol) => ({ kind: symbol.kind, name: symbol.name }));
  const places = unique
    .slice(0, namesPerList)
    .map(({ evidence }) => ({ ...evidence, endLine: evidence.startLine }));
  return [
    {
      told: [tell({ say: 'removes', names, withFile: true, isPart: false }, places)],
      weight: 40,
      about: null,
    },
  ];
}

/** What was read off a line needs not be shown once more; nor is one quotation repeated. */
function withoutRepeats(units: Unit[]): Unit[] {
  const quotes = new Set<string>();
  const lines = new Set<string>();
  return [...units]
    .sort((one, other) => other.weight - one.weight)
    .filter(({ told }) => {
      const own = told.flatMap(quotesIn);
      const cited = told.flatMap(({ evidence }) => evidence.map(headOf));
      const isShown = told.every(({ statement }) => showing.has(statement.say));
      if (own.some((quote) => quotes.has(quote))) return false;
      if (isShown && cited.length > 0 && cited.every((one) => lines.has(one))) return false;
      for (const quote of own) quotes.add(quote);
      for (const one of cited) lines.add(one);
      return true;
    });
}

const headOf = ({ side, startLine }: Evidence): string => `${side} ${startLine}`;

/** Statements that show lines, and do not say what they do. */
const showing = new Set<Statement['say']>([
  'lines',
  'replaced',
  'addsText',
  'dropsText',
  'rewordsText',
  'remarks',
]);

export function nearnessOf({ told }: Unit, title: TitleWords): number {
  return nearnessTo(
    title,
    told.flatMap(({ statement }) => stringsIn(statement)),
  );
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, part]) =>
        key === 'say' || key === 'kind' || key === 'evidence' ? [] : stringsIn(part),
      )
    : [];
}

/** The best of what there is, up to so many sentences; what is about one function stands together. */
export function chooseTold(units: Unit[], most: number): Told[] {
  const chosen: Unit[] = [];
  let sentences = 0;
  let voices = 0;
  for (const unit of units) {
    const say = unit.told[0]?.statement.say;
    // A row of quotations is not read.
    if ((say === 'remarks' || say === 'rewords') && ++voices > 1 && units.length > 2) continue;
    if (chosen.length > 0 && sentences + unit.told.length > most) break;
    chosen.push(unit);
    // What happened to the file as a whole comes on top.
    sentences += unit.weight >= ofWholeFile ? 0 : unit.told.length;
  }
  const groups = Map.groupBy(chosen, (unit) => unit.about ?? unit);
  return [...groups.values()].flat().flatMap(({ told }) => told);
}

/** No other statement weighs as much. */
const ofWholeFile = 1000;

function wholeFile(file: FileFacts, { originOf, diffOf }: Context): Unit[] {
  const other = originOf(file);
  const statement = wholeFileStatement(file, other);
  if (!statement) return [];
  const places = [file.place, other === null ? null : firstChange(diffOf(other))];
  const told = tell(
    statement,
    places.filter((place) => place !== null),
  );
  return [{ told: [told], weight: ofWholeFile, about: null }];
}

export function firstChange(diff: FileDiff | undefined): Evidence | null {
  const line = diff?.hunks.flatMap((hunk) => linesOf(hunk)).find(({ side }) => side !== 'context');
  return diff && line ? placeOf(diff.path, line) : null;
}

/** How git says that something is a link: what stands in it is where it leads. */
const linkMode = '120000';

function linkOf({ path, status }: FileFacts, diff: FileDiff): Told | null {
  const target = diff.hunks.flatMap((hunk) => linesOf(hunk)).findLast(({ side }) => side === 'added');
  if (diff.newMode !== linkMode || !target || (status !== 'typeChanged' && status !== 'added')) return null;
  return tell({ say: 'linked', path, target: target.text, isNew: status === 'added' }, [
    placeOf(path, target),
  ]);
}

/** What happened to a file as a whole, or null where it was only edited. */
export function wholeFileStatement(file: FileFacts, other: string | null = null): Statement | null {
  const { path, status, kind, additions, deletions, previousPath } = file;
  if (file.isSubmodule) return { say: 'submodule', path };
  if (kind === 'binary') return binary(file);
  if (status === 'added') return { say: 'newFile', path, lines: additions, other };
  if (status === 'removed') return { say: 'removedFile', path, lines: deletions, other };
  if (status === 'renamed' && previousPath)
    return { say: 'movedFile', path, from: previousPath, isEdited: additions + deletions > 0 };
  if (status === 'copied' && previousPath) return { say: 'copiedFile', path, from: previousPath };
  return file.becameExecutable === null
    ? null
    : { say: 'modeChanged', path, isExecutable: file.becameExecutable };
}

export const binary = ({ path, status }: FileFacts): Statement => ({
  say: 'binaryFile',
  path,
  status: status === 'added' || status === 'removed' ? status : 'modified',
});

/** Settings, routes and options are what people outside the code meet first. */
function surfaceUnits(file: FileFacts, diff: FileDiff | undefined): Unit[] {
  const told = withoutMovedParts(settingsIn(file, diff)).filter(({ change }) => change !== 'changed');
  const groups = Map.groupBy(told, (surface) => `${surface.kind} ${surface.change}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const unique = [...new Map(same.map((surface) => [surface.name, surface])).values()];
    const statement: Statement = {
      say: 'setting',
      kind: first.kind,
      change: first.change,
      names: unique.map(({ name }) => name),
    };
    const evidence = unique.slice(0, namesPerList).map((surface) => surface.evidence);
    return [{ told: [tell(statement, evidence)], weight: 52, about: null }];
  });
}

/** That only words change says more than how many lines do. */
export function leastOf(file: FileFacts, diff: FileDiff | undefined): Told {
  const { path, kind, status, language, additions, deletions, place } = file;
  // What a comment looks like is known of languages that are read.
  const isCode = (kind === 'source' || kind === 'test') && language !== null && !isDocumentPath(path);
  const isWords =
    diff && isCode && status === 'modified' && isOnlyWords(diff, documented.has(language ?? ''));
  return isWords
    ? tell({ say: 'wordsOnly', paths: [path], additions, deletions }, place ? [place] : [])
    : counts(file);
}

/** What is said of a file where nothing else can be: what happened to it as a whole, or how many lines changed. */
export function counts(file: FileFacts): Told {
  const { path, symbols, additions, deletions, place } = file;
  const whole = wholeFileStatement(file);
  if (whole) return tell(whole, place ? [place] : []);
  const names = [
    ...new Set(symbols.filter(({ change }) => change === 'bodyChanged').map(({ name }) => name)),
  ].slice(0, 3);
  return tell({ say: 'counts', names, paths: [path], additions, deletions }, place ? [place] : []);
}
