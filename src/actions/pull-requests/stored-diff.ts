import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createZstdDecompress, zstdDecompress } from 'node:zlib';
import type { Database } from '../../db/database.ts';
import { type DiffRevision, findDiffPart, findPartSlice, type PartSlice } from '../../db/diffs.ts';
import { findFilePosition, type StoredFiles } from '../../db/pull-requests.ts';
import { Semaphore } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { parseDiff } from '../../reading/parse-diff.ts';

/**
 * The compressed parts of the diff that the pull request had when it was found. If that diff is deleted while a slow
 * reader is reading, the reader gets a failure, never a part of another diff.
 */
export async function* readStoredParts(
  database: Database,
  { id, diffRevision, filesInDiff }: Pick<StoredFiles, 'id' | 'diffRevision' | 'filesInDiff'>,
): AsyncGenerator<Uint8Array, void> {
  for (let file = 0; file < filesInDiff; ) {
    const part = await findDiffPart(database, { pullRequestId: id, revision: diffRevision, file });
    if (part?.firstFile !== file) throw diffReplaced();
    yield part.compressed;
    file = part.lastFile + 1;
  }
}

function diffReplaced(): Failure {
  return new Failure('UNAVAILABLE', 'The diff was replaced while it was being read. Try again.');
}

const decompress = promisify(zstdDecompress);

/** Hundreds of clients that begin to read at once take turns, with pauses for other requests. */
const turns = new Semaphore();
const oneAtATime = [{ of: 'all', most: 1 }];
const always = new AbortController().signal;
const pauseMs = 12;

/** Each stream buffers this much for a client that does not read. */
const highWaterMark = 16 * 1024;
const unpacking = { highWaterMark, chunkSize: highWaterMark };

async function takeSlice(...of: Parameters<typeof findPartSlice>): Promise<PartSlice | null> {
  const leave = await turns.acquire(oneAtATime, always);
  try {
    return await findPartSlice(...of);
  } finally {
    if (turns.isAwaited) setTimeout(leave, pauseMs);
    else leave();
  }
}

/**
 * Streams a stored diff. A client that stops reading holds a few hundred kilobytes, whatever the size. If the diff is
 * deleted meanwhile, the client gets a failure, never a part of another diff.
 */
export function streamStoredDiff(database: Database, stored: StoredFiles): Readable {
  return asStream(readDiffParts(database, stored));
}

const asStream = (bytes: AsyncIterable<Uint8Array>): Readable =>
  Readable.from(bytes, { objectMode: false, highWaterMark });

async function* readDiffParts(
  database: Database,
  { id, diffRevision: revision, filesInDiff }: StoredFiles,
): AsyncGenerator<Buffer, void> {
  for (let file = 0; file < filesInDiff; ) {
    const diff = { pullRequestId: id, revision };
    const first = await takeSlice(database, { ...diff, file, from: 0 });
    if (first?.firstFile !== file) throw diffReplaced();
    yield* unpack(slicesOf(database, diff, first));
    file = first.lastFile + 1;
  }
}

/** One file of a stored diff; null if the pull request does not change it or it was too large to keep. */
export async function streamStoredFile(
  database: Database,
  { id: pullRequestId, diffRevision: revision, files, changedFiles }: StoredFiles,
  fileName: string,
): Promise<Buffer | Readable | null> {
  const known = files.findIndex((file) => file.fileName === fileName);
  const isTold = known >= 0 || files.length === changedFiles;
  const file = isTold ? known : await findFilePosition(database, { pullRequestId, fileName });
  if (file === null || file < 0) return null;
  const diff = { pullRequestId, revision };
  const first = await takeSlice(database, { ...diff, file, from: 0 });
  if (!first) return null;
  const slices = slicesOf(database, diff, first);
  // A large file has a part of its own; parts of several files are small.
  if (first.firstFile === first.lastFile) return asStream(unpack(slices));
  const part = await decompress(Buffer.concat(await Array.fromAsync(slices)));
  return parseDiff(part).find(({ path }) => path === fileName)?.bytes ?? null;
}

async function* slicesOf(
  database: Database,
  diff: DiffRevision,
  first: PartSlice,
): AsyncGenerator<Uint8Array, void> {
  yield first.slice;
  for (let from = first.slice.length; from < first.bytes; ) {
    const next = await takeSlice(database, { ...diff, file: first.firstFile, from });
    if (next?.firstFile !== first.firstFile) throw diffReplaced();
    yield next.slice;
    from += next.slice.length;
  }
}

async function* unpack(slices: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  // `pipeline` throws errors of the streams to the reader.
  yield* pipeline(asStream(slices), createZstdDecompress(unpacking), () => {});
}
