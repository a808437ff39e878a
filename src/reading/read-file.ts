import { detachText, wordSet } from '../domain/text.ts';
import { type KindedFile, skippedFor } from './classify-file.ts';
import { commentSigns } from './comment-signs.ts';
import { compareFile, type Movable, movableOf, type News, newsIn } from './compare/compare-file.ts';
import { isLayout } from './compare/units.ts';
import type { AttentionPoint, Evidence, FileFacts, FileKind, FileOutline, SurfaceChange } from './facts.ts';
import { type FileDiff, type Hunk, linesOf, type WholeDiff } from './file-diff.ts';
import { pathParts } from './file-places.ts';
import { isFreshOption } from './fresh-names.ts';
import { readHunkLines, type SideLine, sidesOf } from './hunk-lines.ts';
import { type Substance, substanceOf } from './importance.ts';
import { nameRanges, outlineShown } from './name-ranges.ts';
import { type FileDependencies, readDependencies } from './read-dependencies.ts';
import { readTests } from './read-tests.ts';
import { hasChangedString, hideComments } from './symbols/hide-text.ts';
import { type FileSymbols, readSymbols } from './symbols/read-symbols.ts';
import { rulesFor } from './symbols/rules-for.ts';
import { isReachable } from './symbols/visibility.ts';

export interface ReadFile {
  facts: FileFacts;
  symbols: FileSymbols;
  dependencies: FileDependencies;
  movable: Movable[];
  attention: AttentionPoint[];
  substance: Substance;
}

const noChanges = () => ({ changes: [], doubtful: new Set<never>() });

export function readChangedFile(
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
      dependencies: noChanges(),
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
  // Reformatted code is not new.
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
    dependencies: kind === 'manifest' || kind === 'build' ? readDependencies(file, whole) : noChanges(),
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
    place: firstChangedPlace(file),
  };
}

const isExecutable = (mode: string): boolean => mode.endsWith('755');

function becameExecutable({ oldMode, newMode }: FileDiff): boolean | null {
  if (oldMode === null || newMode === null || isExecutable(oldMode) === isExecutable(newMode)) return null;
  return isExecutable(newMode);
}

function firstChangedPlace({ path, hunks }: FileDiff): Evidence | null {
  const [first, ...rest] = hunks;
  if (!first) return null;
  const size = ({ oldLines, newLines }: Hunk) => oldLines + newLines;
  const largest = rest.reduce((best, hunk) => (size(hunk) > size(best) ? hunk : best), first);
  const { oldStart, oldLines, newStart, newLines } = largest;
  // If a hunk only removes lines, they are the evidence.
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

interface Mention {
  name: string;
  text: string;
  line: SideLine;
}

// Programs in these folders only demonstrate or measure the real one.
const asideDirectories = wordSet(`
  examples example samples demo demos benchmarks benchmark bench benches playground playgrounds
`);
// Rust has unit tests beside the code.
const rustTest = /#\[(?:\w+::)*test\b|#\[cfg\(test\)\]|\bmod tests?\b|\bTestClient\b|\bassert(?:_eq|_ne)?!/;

export function readSurfaces(
  file: FileDiff,
  kind: FileKind,
  language: string | null,
  { whole, fresh }: { whole: WholeDiff; fresh: readonly string[] | null },
): SurfaceChange[] {
  const read = readers.get(language ?? '');
  const { directories } = pathParts(file.path);
  if (!read || kind !== 'source' || directories.some((directory) => asideDirectories.has(directory)))
    return [];
  const { line: comment } = commentSigns(language);
  const mentionsIn = (lines: SideLine[]): Mention[] =>
    lines.flatMap((line, index): Mention[] => {
      const name = comment.test(line.text) ? undefined : read(line.text, lines[index - 1]?.text ?? '');
      // White space and visibility do not matter to the declaration of an option.
      const text = line.text.replace(/^\s*pub(?:\([a-z]+\))? /, '').replaceAll(/\s/g, '');
      return name ? [{ name, text, line }] : [];
    });
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const text = `${hunk.heading}\n${hunk.text()}`;
    if (!/ption|add_argument|[fF]lag|#\[|\.long\(/.test(text)) continue;
    if (language === 'Rust' && rustTest.test(text)) continue;
    const sides = sidesOf(hunk);
    old.push(...mentionsIn(sides.old));
    current.push(...mentionsIn(sides.new));
  }
  return pairSurfaces(file.path, old, current, whole).map((one) => ({
    ...one,
    isNew: one.change === 'added' && (fresh === null || isFreshOption(one.name, fresh)),
  }));
}

function pairSurfaces(
  fileName: string,
  old: Mention[],
  current: Mention[],
  whole: WholeDiff,
): Omit<SurfaceChange, 'isNew'>[] {
  const byName = Map.groupBy([...old, ...current], ({ name }) => name);
  const changes = Array.from(byName.values(), (mentions): Omit<SurfaceChange, 'isNew'>[] => {
    if (mentions.some(({ line }) => !line.isChanged)) return [];
    const removed = mentions.find((mention) => old.includes(mention));
    const added = mentions.find((mention) => current.includes(mention));
    const mention = added ?? removed;
    if (!mention || removed?.text === added?.text || whole.isOnBothSides(mention.line.text)) return [];
    const change = removed && added ? 'changed' : added ? 'added' : 'removed';
    const { number } = mention.line;
    const evidence = { fileName, startLine: number, endLine: number, side: added ? 'new' : 'old' } as const;
    return [{ kind: 'commandLineOption', name: detachText(mention.name), change, evidence }];
  });
  return changes.flat().sort((one, other) => one.evidence.startLine - other.evidence.startLine);
}

type Reader = (text: string, before: string) => string | undefined;

const commander =
  /(?:\.(?:option|requiredOption)\(|\bnew Option\()\s{0,2}['"`](?:-\w,? ?)?(--[A-Za-z][\w-]{0,60})/;
const readScript: Reader = (text) => commander.exec(text)?.[1];

const pythonCall = /(?:\badd_argument|@(?:click\.)?option|\btyper\.Option)\((.*)$/;
const pythonFlag = /["'](--[A-Za-z][\w-]{0,60})(?:\/--[\w-]{1,60})?["']/;

function readPython(text: string, before: string): string | undefined {
  // Formatters put the arguments of long calls on separate lines.
  const isBelow = pythonCall.exec(before)?.[1]?.trim() === '' && /^\s*["']-/.test(text);
  return pythonFlag.exec(pythonCall.exec(text)?.[1] ?? (isBelow ? text : ''))?.[1];
}

const cobra = /\b(?:PersistentFlags|LocalFlags|Flags)\(\)\.\w{3,20}\([^"]{0,80}"([A-Za-z][\w.-]{0,60})"/;
const standardFlag =
  /\bflag\.(?:String|Bool|Int|Int64|Uint|Duration|Float64|Var|StringVar|BoolVar|IntVar|DurationVar)\([^"]{0,60}"([A-Za-z][\w.-]{0,60})"/;
// Looking up, marking or hiding a flag does not declare it.
const cobraLookup = /Flags\(\)\.(?:Mark|Get|Lookup|Set|Changed|Args?|Parse|Add|Visit|Has)/;

function readGo(text: string): string | undefined {
  const declared = cobraLookup.test(text) ? undefined : cobra.exec(text)?.[1];
  const plain = standardFlag.exec(text)?.[1];
  return declared ? `--${declared}` : plain && `-${plain}`;
}

const clapAttribute = /^\s*#\[(?:arg|clap)\((.*)$/;
const clapLong =
  /\.long\("([A-Za-z][\w-]{0,60})"\)|^\s*#\[(?:arg|clap)\(.*\blong\s?=\s?"([A-Za-z][\w-]{0,60})"/;
const rustField = /^\s*(?:pub(?:\([a-z]+\))? )?(?:r#)?([a-z]\w{0,60}):\s/;

function readRust(text: string, before: string): string | undefined {
  const [, built, named] = clapLong.exec(text) ?? [];
  if (built ?? named) return `--${built ?? named}`;
  const isLong = /\blong\b(?!\s?=)/.test(clapAttribute.exec(before)?.[1] ?? '');
  const field = isLong ? rustField.exec(text)?.[1] : undefined;
  return field && `--${field.replaceAll('_', '-')}`;
}

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['JavaScript', readScript],
  ['TypeScript', readScript],
  ['Python', readPython],
  ['Go', readGo],
  ['Rust', readRust],
]);
