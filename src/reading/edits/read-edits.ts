import { detachText } from '../detach-text.ts';
import type { Edit, Evidence, SymbolChange } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { rulesFor } from '../symbols/rules-for.ts';
import { documentLanguages } from '../well-known-files.ts';
import { type ChangedRun, evidenceOf } from './changed-runs.ts';
import { calls, conditions, errors, fewerLines, newLines, replacedLines } from './code-readers.ts';
import { comments } from './comment-readers.ts';
import type { EditedFile, EditReader, FoundEdit } from './edit-reader.ts';
import { addedText, changelogEntries, changelogName, headings, replacedText } from './prose-readers.ts';

// Nobody reads more of them, and a file with more was changed by a program.
const mostEdits = 60;

/** A change this small is told best by showing it. */
const fewLines = 8;

/** What was done inside a file, as far as single lines show it. */
export function readEdits(edited: EditedFile): Edit[] {
  const { runs, laidOut, symbols } = edited;
  const readers = readersFor(edited);
  // Two that changed places may be laid out differently, which is not what happened to either.
  const hasMoved = symbols.some(({ change }) => change === 'moved');
  const isOnlyLayout = laidOut.length === edited.file.hunks.length;
  const edits = hasMoved || !isOnlyLayout ? [] : laidOut.map((hunk) => layoutOf(hunk, edited));
  for (const run of runs) {
    if (edits.length >= mostEdits || readers.length === 0) break;
    edits.push(...editsIn(run, readers, edited));
  }
  return edits.slice(0, mostEdits);
}

function readersFor({ file, kind, language, runs }: EditedFile): EditReader[] {
  if (
    kind === 'documentation' &&
    (rulesFor(file.path, language) === null || documentLanguages.has(language ?? ''))
  ) {
    const told = [headings, replacedText, addedText];
    return changelogName.test(file.path) ? [changelogEntries, ...told] : told;
  }
  const size = file.additions + file.deletions;
  if (kind === 'test') return size <= fewLines ? [replacedLines, comments, fewerLines] : [];
  if (file.status === 'added' || file.status === 'removed')
    return kind === 'source' ? [comments, errors] : [comments];
  if (kind !== 'source') {
    const isShort = runs.reduce((sum, { come }) => sum + come.length, 0) <= fewLines;
    return isShort
      ? [replacedLines, comments, size <= fewLines ? fewerLines : newLines]
      : [replacedLines, comments];
  }
  const common = [conditions, replacedLines, comments, errors];
  return [...common, size <= fewLines / 2 ? fewerLines : calls];
}

function editsIn(run: ChangedRun, readers: EditReader[], edited: EditedFile): Edit[] {
  const edits: Edit[] = [];
  // A line that is shown as it was and as it is needs nothing more said about it.
  const shown = new Set<HunkLine>();
  for (const reader of readers) {
    for (const found of reader(run, edited)) {
      const { kind, before, lines } = found;
      if (lines.every((line) => shown.has(line))) continue;
      if (kind !== 'callAdded' && kind !== 'callRemoved') for (const line of lines) shown.add(line);
      if (before !== undefined) for (const line of run.removed) shown.add(line);
      edits.push(editOf(found, run, edited));
    }
  }
  return edits;
}

function editOf(found: FoundEdit, run: ChangedRun, { file, symbols }: EditedFile): Edit {
  const { kind, text, before, effect = [], isAroundOld = false, lines } = found;
  const evidence = evidenceOf(file.path, lines);
  // A comment belongs to the line below it.
  const at = kind === 'comment' || kind === 'reworded' ? evidence.endLine + 1 : evidence.startLine;
  return {
    kind,
    text: detachText(text),
    before: before === undefined ? null : detachText(before),
    symbol: symbolAround(evidence.side, at, run, symbols),
    effect: effect.map(detachText),
    isAroundOld,
    count: 1,
    places: [],
    evidence,
  };
}

function layoutOf(hunk: HunkLines, edited: EditedFile): Edit {
  const changed = hunk.new.filter(({ isChanged }) => isChanged);
  const lines = changed.length > 0 ? changed : hunk.old.filter(({ isChanged }) => isChanged);
  const run = { removed: [], added: [], gone: [], come: [], newStart: hunk.hunk.newStart, hunk };
  return editOf({ kind: 'reformatted', text: '', lines }, run, edited);
}

/** In longer runs the two sides have little to do with each other. */
const linesOfOneMind = 12;

/** The function in whose lines something stands; a class or a module says nothing of where in it. */
function symbolAround(
  side: Evidence['side'],
  at: number,
  run: ChangedRun,
  symbols: SymbolChange[],
): string | null {
  const isShort = run.added.length + run.removed.length <= linesOfOneMind;
  const here = symbols.filter(({ evidence }) => evidence.side === side && holds(evidence, at, at));
  // Lines of the other side stand where the run stands.
  const end = run.newStart + run.added.length;
  const there = symbols.filter(
    ({ evidence }) => evidence.side !== side && holds(evidence, run.newStart - 1, end),
  );
  const [best] = (here.length > 0 ? here : isShort ? there : []).toSorted(
    (one, other) => linesIn(one) - linesIn(other),
  );
  return best && isFunction(best) ? best.name : null;
}

const holds = ({ startLine, endLine }: Evidence, from: number, to: number): boolean =>
  to >= startLine && from <= endLine;

const isFunction = ({ kind }: SymbolChange): boolean =>
  kind === 'function' || kind === 'method' || kind === 'constructor';

const linesIn = ({ evidence }: SymbolChange): number => evidence.endLine - evidence.startLine;
