import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type FileDiff, linesOf } from '../../../reading/file-diff.ts';
import {
  labelMaterial,
  type Material,
  type MaterialSource,
  oneLine,
  printFile,
  printHead,
  printLine,
  readableFiles,
  sizeOf,
} from '../material.ts';
import { type PartPlan, packParts, type Sizes } from './pack-parts.ts';

/** What people say is the same for every part, and there are many. */
const mostBytesOfWords = 2_000;

/** What is told of the rest of the change: about 500 tokens. */
const mostBytesAround = 1_500;

/** What is told beside the lines themselves, findings included. */
const besideLines = 6_000;

const sizes: Sizes = {
  line: (line) => sizeOf([printLine(line)]),
  hunk: (hunk) => sizeOf([printHead(99, hunk, new Map())]) + sizeOf(linesOf(hunk).map(printLine)),
  file: (file) => sizeOf(printFile('f999', file, new Map()).lines),
};

/** The parts in which a diff is read that is too large for one question, the heart of the change first; and their plan. */
export function partsOf(
  source: MaterialSource,
  mostBytes: number,
  earlier: PartPlan,
): { parts: FileDiff[][]; plan: PartPlan } {
  const files = readableFiles(source);
  const order = new Map(files.map(({ path }, position) => [path, position]));
  const firstOf = (part: FileDiff[]) => Math.min(...part.map(({ path }) => order.get(path) ?? 0));
  const { parts, plan } = packParts(files, Math.max(1_000, mostBytes - besideLines), sizes, earlier);
  requireEveryLineOnce(files, parts);
  return { parts: parts.toSorted((one, other) => firstOf(one) - firstOf(other)), plan };
}

const changedLines = (files: FileDiff[]): number =>
  files.reduce(
    (sum, { hunks }) =>
      sum +
      hunks.reduce((count, hunk) => count + linesOf(hunk).filter(({ side }) => side !== 'context').length, 0),
    0,
  );

/** What is left out, or told twice, would be told wrongly. */
function requireEveryLineOnce(files: FileDiff[], parts: FileDiff[][]): void {
  const [wanted, packed] = [changedLines(files), changedLines(parts.flat())];
  if (wanted !== packed)
    throw new Error(`Of ${wanted} changed lines, ${packed} are in the parts to be read.`);
}

/** What all parts have in common. */
export function forParts(source: MaterialSource): MaterialSource {
  let left = mostBytesOfWords;
  // Commits and comments grow with every push, and would make every part another one.
  const sentences = source.sentences
    .filter(({ where }) => where === 'title' || where === 'description')
    .filter(({ text }) => {
      left -= sizeOf([text]);
      return left >= 0;
    });
  // What matters most in a change may be another file after a push; the part is the same.
  const files = source.facts.files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => ({ ...file, definitions: [] }));
  return { ...source, sentences, facts: { ...source.facts, files, changeType: null } };
}

/** What a model reads of a part: its lines, what was found in them, and the words of the whole. */
export function partMaterial(source: MaterialSource, files: FileDiff[]): Material {
  const paths = new Set(files.map(({ path }) => path));
  // What rules wrote may speak of files beside those it cites; after a push to another file, the part is the same.
  const findings = source.findings.filter(
    ({ evidence, facts }) =>
      facts.every(({ relation }) => relation !== 'found') &&
      evidence.length > 0 &&
      evidence.every(({ fileName }) => paths.has(fileName)),
  );
  const material = labelMaterial({ ...source, findings, diff: files }, Number.POSITIVE_INFINITY);
  if (!material) throw new Error('What has no limit did not fit.');
  return material;
}

/** What else a change is about: other files of the same folders, and then other folders, as far as there is room. */
export function lookAround(source: MaterialSource, files: FileDiff[]): string[] {
  const own = new Set(files.map(({ path }) => path));
  const folders = new Set([...own].map((path) => posix.dirname(path)));
  const others = source.facts.files.flatMap(({ path, skipped }) =>
    skipped === null && !own.has(path) ? [path] : [],
  );
  const beside = others.filter((path) => folders.has(posix.dirname(path)));
  const elsewhere = new Set(
    others.map((path) => posix.dirname(path)).filter((folder) => !folders.has(folder)),
  );
  const lines: string[] = [];
  let left = mostBytesAround;
  for (const name of [...beside, ...[...elsewhere].map((folder) => `${folder}/`)]) {
    const line = `around ${oneLine(name)}`;
    left -= sizeOf([line]);
    if (left < 0) break;
    lines.push(line);
  }
  return lines;
}

/** By what notes are kept: the same lines need not be read again, whatever has come beside them. */
export const partKey = ({ lines }: Material, reader: string): string =>
  createHash('sha256')
    .update(JSON.stringify([reader, lines]))
    .digest('hex');
