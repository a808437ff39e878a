import { exportsGone } from './attention/exports-gone.ts';
import { attentionInUnits } from './attention/in-units.ts';
import { isShipped } from './attention/is-shipped.ts';
import type { KindedFile } from './classify-file.ts';
import { commentSigns } from './comment-signs.ts';
import { compareFile, newsIn } from './compare/compare-file.ts';
import { type Movable, movableOf } from './compare/find-moves.ts';
import { explainSymbols } from './explain-symbols.ts';
import type { AttentionPoint, Evidence, FileFacts, FileKind, NamedRange, SymbolChange } from './facts.ts';
import { type FileDiff, type Hunk, linesOf } from './file-diff.ts';
import { readHunkLines } from './hunk-lines.ts';
import { type Substance, substanceOf } from './importance.ts';
import { isOnlyLayout } from './layout.ts';
import { nameRanges } from './name-ranges.ts';
import { type FileDependencies, readDependencies } from './read-dependencies.ts';
import { readSurfaces } from './read-surfaces.ts';
import { type FileTests, readTests } from './read-tests.ts';
import type { Grammars } from './symbols/grammar.ts';
import { hideComments, hideLists } from './symbols/hide-text.ts';
import { type FileSymbols, readSymbols } from './symbols/read-symbols.ts';
import { rulesFor } from './symbols/rules-for.ts';
import type { WholeDiff } from './whole-diff.ts';
import { wordSet } from './word-set.ts';

/** What is inside these was written by a program, or by somebody else. */
const unreadKinds: Partial<Record<FileKind, string>> = {
  lock: 'lock file',
  generated: 'generated file',
  vendored: 'vendored file',
  binary: 'binary file',
};

/** A file this large was not written in one go by a person, and reading on would not tell more. */
const largestFile = 2 * 1024 * 1024;

/** What one file shows by itself, before it is compared with the others. */
export interface ReadFile {
  facts: FileFacts;
  symbols: FileSymbols;
  tests: FileTests;
  dependencies: FileDependencies;
  /** What may have left another place or come to one. */
  movable: Movable[];
  attention: AttentionPoint[];
  substance: Substance;
}

const nothing = () => ({ changes: [], doubtful: new Set<never>() });

/** Why a file is not read, or null when it is. */
export function skippedFor({ file, kind }: KindedFile): string | null {
  return unreadKinds[kind] ?? (file.bytes.length > largestFile ? 'too large to read' : null);
}

export function readFile(
  kinded: KindedFile,
  grammars: Grammars,
  whole: WholeDiff,
  words: string[],
  outlined: NamedRange[],
): ReadFile {
  const { file, kind, language } = kinded;
  const facts = factsOfWhole(kinded);
  if (facts.skipped !== null) {
    return {
      facts,
      symbols: { changes: [], loose: [] },
      tests: nothing(),
      dependencies: nothing(),
      movable: [],
      attention: [],
      substance: { lines: Math.log2(1 + file.additions + file.deletions), spoken: 0 },
    };
  }
  const rules = rulesFor(file.path, language);
  const signs = commentSigns(language);
  const all = readHunkLines(file.hunks, signs);
  if (rules === null)
    for (const { old, new: now } of all) for (const side of [old, now]) hideComments(side, signs);
  const laidOut = all.filter((hunk) => isOnlyLayout(hunk, language, rules));
  // What is laid out anew says the same as before.
  const hunks = laidOut.length === 0 ? all : all.filter((hunk) => !laidOut.includes(hunk));
  const isCode = kind === 'source' || kind === 'test';
  const found = isCode ? readSymbols(file, { hunks, language, grammars, whole }) : { changes: [], loose: [] };
  if (rules) hideLists(hunks, rules);
  const symbols = found.changes;
  explainSymbols(hunks, symbols);
  const compared = compareFile(file.path, all, rules, isWritten(kind, language) ? 'text' : 'code');
  const news = newsIn(compared, whole);
  return {
    facts: {
      ...facts,
      symbols,
      changes: compared.map(({ change }) => change),
      ranges: nameRanges(kinded, { hunks: all, symbols, shown: rangesOf(symbols), outlined, grammars }),
      surfaces: readSurfaces(file, kind, language, whole),
    },
    symbols: found,
    tests: readTests(file, kind, whole),
    dependencies: kind === 'manifest' || kind === 'build' ? readDependencies(file, whole) : nothing(),
    movable: whole.mayHaveMoved ? compared.map(movableOf) : [],
    substance: substanceOf(file.path, kind, news, words),
    attention: [
      ...attentionInUnits(file.path, kind, news),
      ...(isShipped(facts) ? exportsGone(file.path, all) : []),
    ],
  };
}

const written = wordSet('Markdown MDX reStructuredText AsciiDoc Text Org LaTeX RDoc');

/** Whether a file is prose, whose lines end where there is no room left. */
const isWritten = (kind: FileKind, language: string | null): boolean =>
  written.has(language ?? '') || (kind === 'documentation' && language === null);

/** What is known of where lines lie from the hunks alone. */
const rangesOf = (symbols: SymbolChange[]): NamedRange[] =>
  symbols
    // The lines of something that was wrapped begin with those of the wrapper.
    .filter(({ kind, change }) => kind !== 'constant' && change !== 'wrapped')
    .map(({ kind, name, container, evidence: { side, startLine, endLine } }) => ({
      name: container === null ? name : `${container}.${name}`,
      isFunction: kind === 'function' || kind === 'method' || kind === 'constructor',
      side,
      startLine,
      endLine,
    }));

function factsOfWhole(kinded: KindedFile): FileFacts {
  const { file, kind, language } = kinded;
  const { path, previousPath, status, additions, deletions } = file;
  return {
    path,
    previousPath,
    status,
    kind,
    language,
    additions,
    deletions,
    skipped: skippedFor(kinded),
    changeType: null,
    importance: 0,
    symbols: [],
    dependencies: [],
    surfaces: [],
    tests: [],
    changes: [],
    ranges: [],
    isSubmodule: file.isSubmodule,
    becameExecutable: becameExecutable(file),
    place: placeOf(file),
  };
}

const isExecutable = (mode: string): boolean => mode.endsWith('755');

function becameExecutable({ oldMode, newMode }: FileDiff): boolean | null {
  if (oldMode === null || newMode === null || isExecutable(oldMode) === isExecutable(newMode)) return null;
  return isExecutable(newMode);
}

function placeOf({ path, hunks }: FileDiff): Evidence | null {
  const [first, ...rest] = hunks;
  if (!first) return null;
  const size = ({ oldLines, newLines }: Hunk) => oldLines + newLines;
  const largest = rest.reduce((best, hunk) => (size(hunk) > size(best) ? hunk : best), first);
  const { oldStart, oldLines, newStart, newLines } = largest;
  // Where lines only went, the new side shows nothing that changed.
  return linesOf(largest).some(({ side }) => side === 'added')
    ? { fileName: path, startLine: newStart, endLine: newStart + newLines - 1, side: 'new' }
    : { fileName: path, startLine: oldStart, endLine: oldStart + oldLines - 1, side: 'old' };
}
