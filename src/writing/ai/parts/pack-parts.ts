import { posix } from 'node:path';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../../reading/file-diff.ts';

/** How many bytes a line, and the lines above a hunk and a file, take where a model reads them. */
export interface Sizes {
  line: (line: DiffLine) => number;
  hunk: (hunk: FileDiff['hunks'][number]) => number;
  file: (file: FileDiff) => number;
}

/** What is read for the first time leaves room to grow in: what a push adds to a part must not put others out of it. */
const shareAtFirst = 0.9;

/** Which files are read together: the paths of each part. */
export type PartPlan = string[][];

/**
 * Packs files into parts of at most so many bytes: those together that an earlier plan had together, others beside their kin.
 * What is too large for a part by itself is split at hunks, and hunks at blocks. Every line is in exactly one part.
 */
export function packParts(
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

/** Files in their order, in as few parts as that goes. */
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

/** A test belongs to what it tests, wherever either stands: folders that only say what kind of file it is do not count. */
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
 * Cuts a hunk that is too large into several that have its lines between them, each of at most so many bytes unless a single
 * block is larger: what was removed stays with what replaces it as long as that goes.
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
  return pieces.map((lines) => {
    const oldLines = lines.filter(({ side }) => side !== 'added').length;
    const newLines = lines.filter(({ side }) => side !== 'removed').length;
    const text = lines.map(({ side, text: line }) => `${signs[side]}${line}`).join('\n');
    const piece = { oldStart, oldLines, newStart, newLines, heading: hunk.heading, text: () => text };
    oldStart += oldLines;
    newStart += newLines;
    return piece;
  });
}

/** Lines that stay, each by itself, and runs of changed lines; a run that is too large is cut wherever it is full. */
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
