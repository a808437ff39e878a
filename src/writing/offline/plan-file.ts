import type { FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { quotesIn, type Told, tell, type Unit } from './outline.ts';
import { editUnits } from './plan-edits.ts';
import { headingUnits } from './plan-headings.ts';
import { type Sides, shownLines } from './plan-lines.ts';
import { symbolUnits } from './plan-symbols.ts';
import type { SwapOf } from './repeated-swaps.ts';
import { settingsIn } from './settings.ts';
import { namesPerList, type Statement } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-words.ts';

/** What the files of a change are told by. */
export interface Context {
  title: TitleWords;
  diffOf: (path: string) => FileDiff | undefined;
  /** What the lines of the whole change say, for whoever needs to know. */
  sides: () => Sides;
  /** What is done in many lines. */
  swapOf: SwapOf;
}

/** What the title speaks of is the heart, whatever it is. */
const weightOfNearness = 7;

/** What weighs less than this is told only for want of anything else. */
const leastTelling = 8;

/** Everything worth saying of one file, the most important first; at least its counts. */
export function unitsOf(file: FileFacts, { title, diffOf, sides, swapOf }: Context): Unit[] {
  const read = [
    ...wholeFile(file),
    ...surfaceUnits(file, diffOf(file.path)),
    ...symbolUnits(file),
    ...headingUnits(file, diffOf(file.path), sides),
    ...editUnits(file, diffOf(file.path), swapOf),
  ];
  // Where all that is known are line breaks and imports, the lines themselves say more.
  const isThin = file.kind === 'documentation' || read.every(({ weight }) => weight < leastTelling);
  const quotes = new Set(read.flatMap(({ told }) => told.flatMap(quotesIn)));
  const shown = isThin ? shownLines(file, diffOf(file.path), sides()) : [];
  const fresh = shown.filter(({ told }) => !told.flatMap(quotesIn).some((quote) => quotes.has(quote)));
  const units = [...read, ...fresh].map((unit) => ({
    ...unit,
    weight: unit.weight + weightOfNearness * nearnessOf(unit, title),
  }));
  if (units.length === 0) return [{ told: [counts(file)], weight: 0, about: null }];
  return units.sort((one, other) => other.weight - one.weight);
}

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
  const news = units.filter(({ told }) => told[0]?.statement.say !== 'reformatted');
  for (const unit of news.length > 0 ? news : units.slice(0, 1)) {
    const isVoice = unit.told[0]?.statement.say === 'remarks' || unit.told[0]?.statement.say === 'rewords';
    // A row of quotations is not read.
    if (isVoice && ++voices > 1 && units.length > 2) continue;
    if (chosen.length > 0 && sentences + unit.told.length > most) break;
    chosen.push(unit);
    sentences += unit.told.length;
  }
  const groups = Map.groupBy(chosen, (unit) => unit.about ?? unit);
  return [...groups.values()].flat().flatMap(({ told }) => told);
}

function wholeFile(file: FileFacts): Unit[] {
  const statement = wholeFileStatement(file);
  if (!statement) return [];
  return [{ told: [tell(statement, file.place ? [file.place] : [])], weight: 100, about: null }];
}

function wholeFileStatement(file: FileFacts): Statement | null {
  const { path, status, kind, additions, deletions, previousPath } = file;
  if (file.isSubmodule) return { say: 'submodule', path };
  if (kind === 'binary') return binary(file);
  if (status === 'added') {
    // What it defines says that it is new.
    const isDefining = file.symbols.some(({ change }) => change === 'added');
    return isDefining ? null : { say: 'newFile', path, kind, lines: additions };
  }
  if (status === 'removed') {
    const names = file.symbols
      .filter(({ isPublic, change }) => isPublic && change === 'removed')
      .map((symbol) => ({ kind: symbol.kind, name: symbol.name }));
    return { say: 'removedFile', path, lines: deletions, names: names.slice(0, namesPerList) };
  }
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
  const told = settingsIn(file, diff).filter(({ change }) => change !== 'changed');
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

/** What is said of a file where nothing else can be. */
export function counts({ path, symbols, additions, deletions, place }: FileFacts): Told {
  const names = [
    ...new Set(symbols.filter(({ change }) => change === 'bodyChanged').map(({ name }) => name)),
  ].slice(0, 3);
  return tell({ say: 'counts', names, paths: [path], additions, deletions }, place ? [place] : []);
}
