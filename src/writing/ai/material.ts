import { visibleText } from '../../reading/description/sentences.ts';
import type { Definition, Evidence, Facts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import type { SpokenWords, StatedFact } from '../draft.ts';
import { maskKeys } from '../key-shapes.ts';
import { headHunks } from './head-hunks.ts';

/** Something that a program found in the diff: what is true whatever the author says. */
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

/** What a model gets to read, and what each of its labels stands for. */
export interface Material {
  lines: string[];
  findings: Map<string, Finding>;
  files: Map<string, FileDiff>;
  /** Of files, by their paths. */
  labels: Map<string, string>;
  words: Map<string, SpokenWords>;
  /** What stands above hunks, behind their numbers. */
  heads: Map<Hunk, string>;
  /** What did not change and is shown, by the paths of files. */
  definitions: Map<string, Definition[]>;
  /** Files of which a line was too long to be sent whole. */
  cutFiles: string[];
}

/** A longer line was not written by hand. */
const longestLine = 2_000;

/** What did not change explains the rest, and must not crowd it out: a tenth of the question, instructions included. */
const shareOfDefinitions = 1 / 10;
const bytesOfInstructions = 9_000;

/** What people say is held against the diff, and must not crowd it out. */
const shareOfWords = 1 / 3;

/** The files of a diff that there is something to read in, the heart of the change first. */
export function readableFiles({ facts, diff }: Pick<MaterialSource, 'facts' | 'diff'>): FileDiff[] {
  const positions = new Map(
    facts.files.flatMap(({ path, skipped }, position) => (skipped === null ? [[path, position]] : [])),
  );
  return diff
    .filter(({ path, hunks }) => positions.has(path) && hunks.length > 0)
    .sort((one, other) => (positions.get(one.path) ?? 0) - (positions.get(other.path) ?? 0));
}

/** Labels what there is to read within so many bytes; null where the diff does not fit. */
export function labelMaterial(source: MaterialSource, mostBytes: number): Material | null {
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
    // What a table of words says of a change is no finding.
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
  let left = Math.min((size + bytesOfInstructions) * shareOfDefinitions, mostBytes - size);
  for (const [path, own] of printed) {
    const shown = (read.get(path)?.definitions ?? []).filter((one) => {
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
  return { lines, findings, files, labels, words, heads, definitions, cutFiles };
}

export const sizeOf = (lines: string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** Untrusted text on a line of ours: nothing in it can begin a line, hide, or be a key. */
export const oneLine = (text: string): string => maskKeys(visibleText(text).replace(/(?<!\s)\s*\n\s*/g, ' '));

export function printSpoken(label: string, { where, speaker, text }: SpokenWords): string {
  return `${label} ${where}, ${oneLine(speaker)}: ${oneLine(text)}`;
}

function printFinding(label: string, { text, evidence }: Finding, labels: Map<string, string>): string {
  const places = referencesTo(evidence, labels);
  return `${label} ${oneLine(text)}${places.length > 0 ? ` (${places.slice(0, 4).join(', ')})` : ''}`;
}

/** Lines as a writer would cite them; those of files without a label cannot be. */
export const referencesTo = (evidence: Evidence[], labels: Map<string, string>): string[] =>
  evidence.flatMap(({ fileName, startLine, endLine, side }) => {
    const label = labels.get(fileName);
    const sign = side === 'new' ? '+' : '-';
    return label ? [`${label}${sign}${startLine}${endLine > startLine ? `-${endLine}` : ''}`] : [];
  });

/** The line above the lines of a file: what it is called, and what became of it. */
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

/** The line above a hunk, here and wherever hunks are shown again. */
export const printHead = (index: number, hunk: Hunk, heads: Map<Hunk, string>): string =>
  `@${index + 1} ${oneLine(heads.get(hunk) ?? hunk.heading)}`.trimEnd();

/** A definition that did not change, headed like a hunk and with its lines numbered like those that stay. */
export const printDefinition = ({ name, startLine, lines }: Definition): string[] => [
  `@ ${oneLine(name)} (unchanged)`,
  ...lines.map((text, at) => printLine({ side: 'context', text, oldLine: null, newLine: startLine + at })),
];

/** A line as the model sees it, here and wherever lines are shown again. */
export function printLine({ side, text, oldLine, newLine }: DiffLine): string {
  const shown = text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
  const number =
    side === 'added' ? `${newLine}+` : side === 'removed' ? `${oldLine}-` : `${newLine ?? oldLine} `;
  return `${number}${maskKeys(visibleText(shown).replaceAll('\n', ' '))}`;
}
