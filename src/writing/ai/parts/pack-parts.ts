import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../../reading/file-diff.ts';
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

interface Sizes {
  line: (line: DiffLine) => number;
  hunk: (hunk: FileDiff['hunks'][number]) => number;
  file: (file: FileDiff) => number;
}

/** A new part is not filled completely, so that a later push can add to it without moving other files out. */
const shareAtFirst = 0.9;

export type PartPlan = string[][];

/**
 * Packs files into parts of limited size. Files that an earlier plan had together stay together, and others join
 * related files. A file too large for a part is split at hunks, and a hunk at blocks. Every line is in exactly one
 * part.
 */
function packParts(
  files: FileDiff[],
  mostBytes: number,
  sizes: Sizes,
  earlier: PartPlan,
): { parts: FileDiff[][]; plan: PartPlan } {
  const large = files.filter((file) => sizes.file(file) > mostBytes);
  const left = new Map(files.filter((file) => !large.includes(file)).map((file) => [file.path, file]));
  const take = (file: FileDiff) => left.delete(file.path);
  const kept = earlier.flatMap((paths) => {
    const [part] = fill(
      paths.flatMap((path) => left.get(path) ?? []),
      mostBytes,
      sizes,
    );
    part?.forEach(take);
    return part ? [part] : [];
  });
  const whole = [...kept, ...fill([...left.values()].sort(byKinship), shareAtFirst * mostBytes, sizes)];
  return {
    parts: [...whole, ...large.flatMap((file) => splitFile(file, mostBytes, sizes).map((piece) => [piece]))],
    plan: whole.map((part) => part.map(({ path }) => path)),
  };
}

function fill(files: FileDiff[], mostBytes: number, sizes: Sizes): FileDiff[][] {
  const parts: FileDiff[][] = [];
  let room = 0;
  for (const file of files) {
    const bytes = sizes.file(file);
    if (bytes > room) {
      parts.push([]);
      room = mostBytes;
    }
    parts.at(-1)?.push(file);
    room -= bytes;
  }
  return parts;
}

const byKinship = (one: FileDiff, other: FileDiff): number => {
  const [first, second] = [kinOf(one.path), kinOf(other.path)];
  if (first !== second) return first < second ? -1 : 1;
  return one.path < other.path ? -1 : 1;
};

/** A test is related to the file that it tests: folders that only name the kind of file are ignored. */
function kinOf(path: string): string {
  const { dir, name } = posix.parse(path.toLowerCase());
  const folders = dir
    .split('/')
    .filter((folder) => !/^(?:src|lib|tests?|__tests__|spec|specs)$/.test(folder));
  return [...folders, name.replace(/^test_|[._-](?:test|tests|spec)$/, '')].join('/');
}

function splitFile(file: FileDiff, mostBytes: number, sizes: Sizes): FileDiff[] {
  const above = sizes.file({ ...file, hunks: [] });
  const room = Math.max(1, mostBytes - above);
  const hunks = file.hunks.flatMap((hunk) => {
    if (sizes.hunk(hunk) <= room) return [hunk];
    const head = sizes.hunk({ ...hunk, text: () => '' });
    return splitHunk(hunk, Math.max(1, room - head), sizes.line);
  });
  const pieces: FileDiff[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const hunk of hunks) {
    const bytes = sizes.hunk(hunk);
    const last = pieces.at(-1);
    if (!last || size + bytes > room) {
      pieces.push({ ...file, hunks: [hunk] });
      size = bytes;
    } else {
      last.hunks.push(hunk);
      size += bytes;
    }
  }
  return pieces;
}

const signs = { added: '+', removed: '-', context: ' ' };

/**
 * Splits a hunk into several of limited size, unless a single block is larger. Removed lines stay with their
 * replacements if possible. Pieces without a changed line are left out.
 */
export function splitHunk(hunk: Hunk, mostBytes: number, sizeOf: (line: DiffLine) => number): Hunk[] {
  const pieces: DiffLine[][] = [];
  let size = 0;
  for (const block of blocksOf(linesOf(hunk), mostBytes, sizeOf)) {
    const bytes = block.reduce((sum, line) => sum + sizeOf(line), 0);
    if (pieces.length === 0 || size + bytes > mostBytes) {
      pieces.push([]);
      size = 0;
    }
    pieces.at(-1)?.push(...block);
    size += bytes;
  }
  let { oldStart, newStart } = hunk;
  return pieces.flatMap((lines) => {
    const oldLines = lines.filter(({ side }) => side !== 'added').length;
    const newLines = lines.filter(({ side }) => side !== 'removed').length;
    const text = lines.map(({ side, text: line }) => `${signs[side]}${line}`).join('\n');
    const piece = { oldStart, oldLines, newStart, newLines, heading: hunk.heading, text: () => text };
    oldStart += oldLines;
    newStart += newLines;
    return lines.every(({ side }) => side === 'context') ? [] : [piece];
  });
}

/** Blocks of a hunk: single unchanged lines, and runs of changed lines, which are cut if they are too large. */
function blocksOf(
  lines: readonly DiffLine[],
  mostBytes: number,
  sizeOf: (line: DiffLine) => number,
): DiffLine[][] {
  const blocks: DiffLine[][] = [];
  let size = 0;
  let above: DiffLine['side'] = 'context';
  for (const line of lines) {
    const bytes = sizeOf(line);
    const begins =
      line.side === 'context' || above === 'context' || (line.side === 'removed' && above === 'added');
    if (begins || size + bytes > mostBytes) {
      blocks.push([]);
      size = 0;
    }
    blocks.at(-1)?.push(line);
    size += bytes;
    above = line.side;
  }
  return blocks;
}

/** Texts of people are the same for each of many parts, so they get little space. */
const mostBytesOfWords = 2_000;

/** About 500 tokens for the rest of the change. */
const mostBytesAround = 1_500;

const besideLines = 6_000;

const sizes: Sizes = {
  line: (line) => sizeOf([printLine(line)]),
  hunk: (hunk) => sizeOf([printHead(99, hunk, new Map())]) + sizeOf(linesOf(hunk).map(printLine)),
  file: (file) => sizeOf(printFile('f999', file, new Map()).lines),
};

/** The parts in which a diff too large for one question is read, most important first, and their plan. */
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

function requireEveryLineOnce(files: FileDiff[], parts: FileDiff[][]): void {
  const [wanted, packed] = [changedLines(files), changedLines(parts.flat())];
  if (wanted !== packed)
    throw new Error(`Of ${wanted} changed lines, ${packed} are in the parts to be read.`);
}

export function forParts(source: MaterialSource): MaterialSource {
  let left = mostBytesOfWords;
  // Commits and comments are left out, because they grow with every push and would change every part.
  const sentences = source.sentences
    .filter(({ where }) => where === 'title' || where === 'description')
    .filter(({ text }) => {
      left -= sizeOf([text]);
      return left >= 0;
    });
  // Importance may change with a push, so files are ordered by path and parts stay the same.
  const files = source.facts.files
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((file) => ({ ...file, definitions: [] }));
  return { ...source, sentences, facts: { ...source.facts, files, changeType: null } };
}

export function partMaterial(source: MaterialSource, files: FileDiff[]): Material {
  const paths = new Set(files.map(({ path }) => path));
  // Findings about other files are left out, because they would change the part with a push to those files.
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

/** The rest of the change for context: other files of the same folders, then other folders, as far as they fit. */
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

/** The key under which notes are stored: a part with the same lines is not read again. */
export const partKey = ({ lines }: Material, reader: string): string =>
  createHash('sha256')
    .update(JSON.stringify([reader, lines]))
    .digest('hex');
