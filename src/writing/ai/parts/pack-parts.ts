import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { DiffLine, FileDiff } from '../../../reading/file-diff.ts';
import { splitHunk } from './split-hunk.ts';

/** How many bytes a line, and the lines above a hunk and a file, take where a model reads them. */
export interface Sizes {
  line: (line: DiffLine) => number;
  hunk: (hunk: FileDiff['hunks'][number]) => number;
  file: (file: FileDiff) => number;
}

/** A part is closed from here on where a file says so, so that one that grows does not move all that come behind it. */
const closedFrom = 0.7;

/**
 * Packs files into parts of at most so many bytes: kin beside each other, whole where that goes, else split at hunks, and
 * hunks at blocks. Every hunk's lines are in exactly one part.
 */
export function packParts(files: FileDiff[], mostBytes: number, sizes: Sizes): FileDiff[][] {
  const parts: FileDiff[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const piece of files.toSorted(byKinship).flatMap((file) => splitFile(file, mostBytes, sizes))) {
    const bytes = sizes.file(piece);
    const last = parts.at(-1);
    if (!last || size + bytes > mostBytes) {
      parts.push([piece]);
      size = bytes;
    } else {
      last.push(piece);
      size += bytes;
    }
    if (size >= closedFrom * mostBytes && closes(piece.path)) size = Number.POSITIVE_INFINITY;
  }
  return parts;
}

/** One file in two does. */
const closes = (path: string): boolean => (createHash('sha256').update(path).digest()[0] ?? 0) % 2 === 0;

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
  if (sizes.file(file) <= mostBytes) return [file];
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
