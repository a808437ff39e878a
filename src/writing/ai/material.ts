import { maskKeys } from '../../domain/secrets.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import type { Definition, Evidence, Facts, FileFacts, LookedLines, NamedRange } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { SpokenWords, StatedFact } from '../draft.ts';
import { type Mark, marksIn } from './unchanged-lines.ts';

/**
 * The heading of each hunk: the function around it, by git or by our own reading, and which of its lines are only moved
 * or reformatted.
 */
function headHunks({ hunks }: FileDiff, facts: FileFacts): Map<Hunk, string> {
  const markOf = markHunks(facts);
  return new Map(
    hunks.map((hunk) => {
      const mark = markOf(hunk);
      const heading = headingOf(hunk, facts.ranges);
      return [hunk, `${heading}${mark === null ? '' : ` (${mark})`}`.trim()];
    }),
  );
}

/**
 * The function around the first change of a hunk, if it begins above the hunk; otherwise its beginning is visible
 * anyway. Git names the last function above, which may have ended there.
 */
function headingOf(hunk: Hunk, ranges: NamedRange[]): string {
  const { oldStart, newStart, heading } = hunk;
  const stayed = linesOf(hunk).findIndex(({ side }) => side !== 'context');
  const around = (of: NamedRange[], side: 'old' | 'new', start: number): NamedRange | null => {
    const line = start + Math.max(0, stayed);
    return innermostRange(of, { side, startLine: line, endLine: line });
  };
  const inner = around(ranges, 'new', newStart) ?? around(ranges, 'old', oldStart);
  if (inner === null) return heading;
  const above = (start: number) => ranges.filter((range) => range.startLine < start);
  const own =
    (around(above(newStart), 'new', newStart) ?? around(above(oldStart), 'old', oldStart))?.name ?? '';
  const last = own.split(/[.#:]/).at(-1) ?? '';
  return last !== '' && heading.includes(last) ? heading : own;
}

interface MarkedLine {
  side: Evidence['side'];
  number: number;
  mark: Mark | null;
}

const mostPlaces = 6;

/**
 * Marks the lines of a hunk that were only moved or reformatted: `moved` if all were, or `moved +12-18, -30` if other
 * lines are new.
 */
function markHunks(file: FileFacts): (hunk: Hunk) => string | null {
  const marks = marksIn(file);
  return (hunk) => {
    const all = linesOf(hunk).flatMap(({ side: kind, text, oldLine, newLine }) => {
      const [side, number] = kind === 'added' ? (['new', newLine] as const) : (['old', oldLine] as const);
      if (kind === 'context' || number === null) return [];
      return [{ side, number, text, mark: marks[side].get(number) ?? null }];
    });
    // Lines of only punctuation belong to their neighbours.
    const wordy = all.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
    const lines: MarkedLine[] = wordy.length > 0 ? wordy : all;
    const isSame = signsOn('old', all) === signsOn('new', all);
    if (wordy.length === 0 && isSame) return 'white space';
    const marked = (['moved', 'white space'] as const).flatMap((mark) => {
      const own = lines.filter((line) => line.mark === mark);
      // A line that was only indented may be in another block now, so it is not marked.
      if (own.length === 0 || (mark === 'white space' && own.length === lines.length && !isSame)) return [];
      return own.length === lines.length ? [mark] : [`${mark} ${placesOf(own)}`];
    });
    return marked.length > 0 ? marked.join('; ') : null;
  };
}

const signsOn = (side: Evidence['side'], lines: (MarkedLine & { text: string })[]): string =>
  lines.map((line) => (line.side === side ? line.text.replace(/\s+/g, '') : '')).join('');

function placesOf(lines: MarkedLine[]): string {
  const places: { side: Evidence['side']; from: number; to: number }[] = [];
  for (const { side, number } of lines) {
    const last = places.findLast((place) => place.side === side);
    if (last && last.to + 1 === number) last.to = number;
    else places.push({ side, from: number, to: number });
  }
  const printed = places.map(
    ({ side, from, to }) => `${side === 'new' ? '+' : '-'}${from}${to > from ? `-${to}` : ''}`,
  );
  return [...printed.slice(0, mostPlaces), ...(printed.length > mostPlaces ? ['…'] : [])].join(', ');
}

/** A fact that the program found in the diff, whatever the author says. */
export interface Finding {
  text: string;
  evidence: Evidence[];
  facts: StatedFact[];
}

export interface MaterialSource {
  findings: Finding[];
  facts: Facts;
  diff: FileDiff[];
  sentences: SpokenWords[];
}

export interface Material {
  lines: string[];
  findings: Map<string, Finding>;
  files: Map<string, FileDiff>;
  labels: Map<string, string>;
  words: Map<string, SpokenWords>;
  heads: Map<Hunk, string>;
  definitions: Map<string, Definition[]>;
  /** Unchanged lines that a writer asked to see. */
  looked: LookedLines[];
  /** How often names are used in the repository, and how many of these places were looked up. */
  usages: ReadonlyMap<string, string>;
  cutFiles: string[];
}

/** The part of a line that the prompt shows; longer lines were not written by hand. */
const longestLine = 2_000;

export interface ShownDefinitions {
  /** The share of the whole question, including its instructions. */
  share: number;
  choose: (definitions: Definition[]) => Definition[];
}

/** Unchanged definitions explain the change, and must not crowd it out. */
const forArticles: ShownDefinitions = {
  share: 1 / 10,
  choose: (definitions) => definitions.filter(({ isRest }) => !isRest),
};
export const bytesOfInstructions = 9_000;

/** Texts of people are compared with the diff, and must not crowd it out. */
const shareOfWords = 1 / 3;

export function readableFiles({ facts, diff }: Pick<MaterialSource, 'facts' | 'diff'>): FileDiff[] {
  const positions = new Map(
    facts.files.flatMap(({ path, skipped }, position) => (skipped === null ? [[path, position]] : [])),
  );
  return diff
    .filter(({ path, hunks }) => positions.has(path) && hunks.length > 0)
    .sort((one, other) => (positions.get(one.path) ?? 0) - (positions.get(other.path) ?? 0));
}

/**
 * Prints the diff, findings and quotations of a prompt, with labels to cite, within a number of bytes; null if the diff
 * does not fit.
 */
export function labelMaterial(
  source: MaterialSource,
  mostBytes: number,
  { share, choose } = forArticles,
): Material | null {
  const read = new Map(source.facts.files.map((file) => [file.path, file]));
  const readable = readableFiles(source);
  const files = new Map(readable.map((file, index) => [`f${index + 1}`, file]));
  const labels = new Map(readable.map(({ path }, index) => [path, `f${index + 1}`]));
  const findings = new Map(source.findings.map((finding, index) => [`k${index + 1}`, finding]));
  const heads = new Map(
    readable.flatMap((file) => {
      const facts = read.get(file.path);
      return facts ? [...headHunks(file, facts)] : [];
    }),
  );
  const cutFiles: string[] = [];
  const { changeType } = source.facts;
  const lines = [
    ...[...findings].map(([label, finding]) => printFinding(label, finding, labels)),
    // A type guessed from words is not a finding, so it is marked as a guess.
    ...(changeType === null ? [] : [`guess probably ${changeType}`]),
  ];
  let size = sizeOf(lines);
  const printed = new Map<string, string[]>();
  for (const [label, file] of files) {
    const { lines: own, isCut } = printFile(label, file, heads);
    if (isCut) cutFiles.push(file.path);
    size += sizeOf(own);
    if (size > mostBytes) return null;
    printed.set(file.path, own);
  }
  const definitions = new Map<string, Definition[]>();
  let left = Math.min((size + bytesOfInstructions) * share, mostBytes - size);
  for (const [path, own] of printed) {
    const shown = choose(read.get(path)?.definitions ?? []).filter((one) => {
      const bytes = sizeOf(printDefinition(one));
      if (bytes > left) return false;
      left -= bytes;
      size += bytes;
      return true;
    });
    if (shown.length > 0) definitions.set(path, shown);
    for (const line of own) lines.push(line);
    for (const line of shown.flatMap(printDefinition)) lines.push(line);
  }
  const words = new Map<string, SpokenWords>();
  const roomForWords = Math.min(mostBytes * shareOfWords, mostBytes - size);
  let said = 0;
  for (const spoken of source.sentences) {
    const label = `w${words.size + 1}`;
    const line = printSpoken(label, spoken);
    said += sizeOf([line]);
    if (said > roomForWords) break;
    words.set(label, spoken);
    lines.push(line);
  }
  return {
    lines,
    findings,
    files,
    labels,
    words,
    heads,
    definitions,
    looked: [],
    usages: new Map(),
    cutFiles,
  };
}

/** Adds lines that were looked up: those of a changed file by its label, and those of others by `u1`, `u2` … */
export function withLooked(material: Material, looked: LookedLines[]): Material {
  if (looked.length === 0) return material;
  const labels = new Map(material.labels);
  for (const { fileName } of looked)
    if (!labels.has(fileName)) labels.set(fileName, `u${labels.size - material.labels.size + 1}`);
  return { ...material, labels, looked, lines: [...material.lines, ...printLooked(looked, labels)] };
}

export function printLooked(looked: LookedLines[], labels: ReadonlyMap<string, string>): string[] {
  const bySide = Map.groupBy(looked, ({ fileName, side }) => `${side} ${fileName}`);
  return [...bySide.values()].flatMap((runs) => {
    const { fileName = '', side } = runs[0] ?? {};
    const before = side === 'old' ? ', before' : '';
    return [
      `${labels.get(fileName)} ${oneLine(fileName)} (unchanged${before})`,
      ...runs.flatMap(({ startLine, lines, name }, at) => [
        ...(name !== '' && name !== runs[at - 1]?.name ? [`@ ${oneLine(name)}`] : at > 0 ? ['…'] : []),
        ...lines.map((text, index) =>
          printLine({ side: 'context', text, oldLine: null, newLine: startLine + index }),
        ),
      ]),
    ];
  });
}

export const sizeOf = (lines: string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** Prints untrusted text on one line, so that it cannot imitate one of our labels, hide characters or reveal a key. */
export const oneLine = (text: string): string => maskKeys(visibleText(text).replace(/(?<!\s)\s*\n\s*/g, ' '));

export function printSpoken(label: string, { where, speaker, text, said }: SpokenWords): string {
  const role = said?.isByAuthor ? 'author' : said?.state === 'approved' ? 'approved' : null;
  const place = said?.line ? ` on ${oneLine(said.line)}` : '';
  return `${label} ${where}${place}, ${oneLine(speaker)}${role ? ` (${role})` : ''}: ${oneLine(text)}`;
}

/** The lines that a comment is about, as they were when it was written. */
export const printCommented = (label: string, { said }: SpokenWords): string[] =>
  (said?.hunk ?? []).map((line) => `on ${label} ${oneLine(line)}`);

function printFinding(label: string, { text, evidence }: Finding, labels: Map<string, string>): string {
  const places = referencesTo(evidence, labels);
  return `${label} ${oneLine(text)}${places.length > 0 ? ` (${places.slice(0, 4).join(', ')})` : ''}`;
}

/** Labels of lines, as a model would cite them. Lines of files without a label cannot be cited. */
export const referencesTo = (evidence: Evidence[], labels: Map<string, string>): string[] =>
  evidence.flatMap(({ fileName, startLine, endLine, side }) => {
    const label = labels.get(fileName);
    const sign = side === 'new' ? '+' : '-';
    return label ? [`${label}${sign}${startLine}${endLine > startLine ? `-${endLine}` : ''}`] : [];
  });

export function printPath(label: string, { path, previousPath, status }: FileDiff): string {
  const was = previousPath === null ? '' : `, was ${oneLine(previousPath)}`;
  return `${label} ${oneLine(path)}${status === 'modified' ? '' : `, ${status}`}${was}`;
}

export function printFile(
  label: string,
  file: FileDiff,
  heads: Map<Hunk, string>,
): { lines: string[]; isCut: boolean } {
  const lines = [printPath(label, file)];
  let isCut = false;
  for (const [index, hunk] of file.hunks.entries()) {
    lines.push(printHead(index, hunk, heads));
    for (const line of linesOf(hunk)) {
      isCut ||= line.text.length > longestLine;
      lines.push(printLine(line));
    }
  }
  return { lines, isCut };
}

/** The line above a hunk, wherever hunks are printed. */
export const printHead = (index: number, hunk: Hunk, heads: Map<Hunk, string>): string =>
  `@${index + 1} ${oneLine(heads.get(hunk) ?? hunk.heading)}`.trimEnd();

export const printDefinition = ({ name, startLine, lines }: Definition): string[] => [
  `@ ${oneLine(name)} (unchanged)`,
  ...lines.map((text, at) => printLine({ side: 'context', text, oldLine: null, newLine: startLine + at })),
];

/** A line of the diff as the model sees it, wherever lines are printed. */
export function printLine({ side, text, oldLine, newLine }: DiffLine): string {
  const shown = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
  const number =
    side === 'added' ? `${newLine}+` : side === 'removed' ? `${oldLine}-` : `${newLine ?? oldLine} `;
  return `${number}${maskKeys(visibleText(shown).replaceAll('\n', ' '))}`;
}
