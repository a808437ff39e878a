import { type KindedFile, skippedFor } from './classify-file.ts';
import { commentSigns } from './comment-signs.ts';
import { compareFile, type Movable, movableOf, type News, newsIn } from './compare/compare-file.ts';
import { isLayout } from './compare/units.ts';
import type { AttentionPoint, Evidence, FileFacts, FileKind, FileOutline } from './facts.ts';
import { type FileDiff, type Hunk, linesOf, type WholeDiff } from './file-diff.ts';
import { readHunkLines } from './hunk-lines.ts';
import { type Substance, substanceOf } from './importance.ts';
import { nameRanges, outlineShown } from './name-ranges.ts';
import { type FileDependencies, readDependencies } from './read-dependencies.ts';
import { readSurfaces } from './read-surfaces.ts';
import { readTests } from './read-tests.ts';
import { hasChangedString, hideComments } from './symbols/hide-text.ts';
import { type FileSymbols, readSymbols } from './symbols/read-symbols.ts';
import { rulesFor } from './symbols/rules-for.ts';
import { isReachable } from './symbols/visibility.ts';
import { detachText, wordSet } from './text.ts';

export interface ReadFile {
  facts: FileFacts;
  symbols: FileSymbols;
  dependencies: FileDependencies;
  movable: Movable[];
  attention: AttentionPoint[];
  substance: Substance;
}

const nothing = () => ({ changes: [], doubtful: new Set<never>() });

export function readFile(
  kinded: KindedFile,
  whole: WholeDiff,
  words: string[],
  outlined: FileOutline | undefined,
): ReadFile {
  const { file, kind, language } = kinded;
  const facts = factsOfWhole(kinded);
  if (facts.skipped !== null) {
    return {
      facts,
      symbols: { changes: [], loose: [] },
      dependencies: nothing(),
      movable: [],
      attention: [],
      substance: { lines: Math.log2(1 + file.additions + file.deletions), spoken: 0 },
    };
  }
  const rules = rulesFor(language);
  const signs = commentSigns(language);
  const all = readHunkLines(file.hunks, signs);
  if (rules === null)
    for (const { old, new: now } of all) for (const side of [old, now]) hideComments(side, signs);
  const cut = isWritten(kind, language) ? 'text' : 'code';
  const comparedIn = all.map((hunk) => compareFile(file.path, [hunk], rules, cut, whole));
  const compared = comparedIn.flat();
  // What is laid out anew says the same as before.
  const hunks = all.filter(
    (hunk, at) =>
      (rules && hasChangedString(hunk, rules)) ||
      !comparedIn[at]?.every(({ change }) => isLayout(change, language)),
  );
  const isCode = kind === 'source' || kind === 'test';
  const shown = outlineShown(kinded);
  const names = outlined?.names ?? shown?.names;
  const fresh = file.status === 'added' ? null : (outlined?.fresh ?? []);
  const reach = { isReachable: isReachable(file.path, kind, language), names, fresh };
  const found = isCode ? readSymbols(file, { hunks, language, whole, ...reach }) : { changes: [], loose: [] };
  const symbols = found.changes;
  const news = newsIn(compared, whole);
  return {
    facts: {
      ...facts,
      symbols,
      changes: compared.map(({ change }) => change),
      ranges: nameRanges(file, all, symbols, (shown ?? outlined)?.ranges ?? []),
      tests: readTests(file, kind, whole),
      definitions: outlined?.definitions ?? [],
      surfaces: readSurfaces(file, kind, language, { whole, fresh }),
    },
    symbols: found,
    dependencies: kind === 'manifest' || kind === 'build' ? readDependencies(file, whole) : nothing(),
    movable: whole.mayHaveMoved ? compared.map(movableOf) : [],
    substance: substanceOf(file.path, kind, news, words),
    attention: attentionIn(file.path, kind, news),
  };
}

const written = wordSet('Markdown MDX reStructuredText AsciiDoc Text Org LaTeX RDoc');

const isWritten = (kind: FileKind, language: string | null): boolean =>
  written.has(language ?? '') || (kind === 'documentation' && language === null);

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
    definitions: [],
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

export function attentionIn(fileName: string, kind: FileKind, news: News[]): AttentionPoint[] {
  const own = marks.filter(({ kinds }) => kinds.includes(kind));
  return news.flatMap((unit) => own.flatMap((mark) => markedLine(fileName, mark, unit)));
}

interface LineMark {
  reason: AttentionPoint['reason'];
  kinds: FileKind[];
  pattern: RegExp;
}

const marks: LineMark[] = [
  {
    reason: 'testSkipped',
    kinds: ['test'],
    pattern:
      /^(?:x(?:it|describe|test)|(?:it|test|describe)\.(?:skip|todo))\(|^@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|^#\[ignore|\bt\.Skip(?:f|Now)?\(/,
  },
  {
    reason: 'permissionChanged',
    kinds: ['build', 'configuration'],
    pattern:
      /^((?:contents|packages|id-token|pull-requests|issues|actions|deployments|checks): *write)\b|^permissions: *(write-all)/,
  },
];

function markedLine(fileName: string, { reason, pattern }: LineMark, { come, gone }: News): AttentionPoint[] {
  const line = come.find(({ text }) => pattern.test(text));
  if (!line?.newLine || gone.some(({ text }) => pattern.test(text))) return [];
  const found = pattern.exec(line.text);
  const subject = found?.slice(1).find((group) => group !== undefined) ?? found?.[0] ?? line.text;
  const name = detachText(subject.replace(/[(\s]+$/, ''));
  const evidence = { fileName, startLine: line.newLine, endLine: line.newLine, side: 'new' } as const;
  return [{ reason, subjects: [name], evidence: [evidence] }];
}

const evidencePerPoint = 5;
const subjectsPerPoint = 8;

export function mergeAttention(points: AttentionPoint[]): AttentionPoint[] {
  const byReason = Map.groupBy(points, ({ reason }) => reason);
  return [...byReason.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    return {
      ...first,
      subjects: [...new Set(same.flatMap(({ subjects }) => subjects))].slice(0, subjectsPerPoint),
      evidence: same.flatMap(({ evidence }) => evidence).slice(0, evidencePerPoint),
    };
  });
}
