import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type BackedUpTable, damaged } from './backup-format.ts';

/** How many characters of lines are handed on at once, unless one line is more. */
const charactersAtOnce = 2 * 1024 * 1024;

interface Written {
  bytes: number;
  sha256: string;
}

/** Writes lines to a new file, for the eyes of its owner only, and has the disk hold on to it. */
export async function writeLines(
  file: string,
  lines: AsyncIterable<string[]>,
  signal: AbortSignal,
): Promise<Written> {
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    async function* () {
      for await (const some of lines) yield `${some.join('\n')}\n`;
    },
    createGzip(),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }),
    { signal },
  );
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Hands the lines of a file on, some at a time, and throws where the file turns out, at its end at the latest, not to be the one
 * that was written.
 */
export async function readLines(
  path: string,
  { rows, sha256 }: Pick<BackedUpTable, 'rows' | 'sha256'>,
  take: (lines: string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256');
  let taken = 0;
  try {
    await pipeline(
      createReadStream(path),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createGunzip(),
      (chunks) => inLines(chunks),
      async (batches: AsyncIterable<string[]>) => {
        for await (const lines of batches) {
          taken += lines.length;
          await take(lines);
        }
      },
      { signal },
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') throw damaged(path, 'it is missing');
    if (code.startsWith('Z_')) throw damaged(path, 'it cannot be decompressed, as if it were cut off');
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw damaged(path, 'its SHA-256 is not the one that backup.json says');
  if (taken !== rows) throw damaged(path, `it has ${taken} rows instead of ${rows}`);
}

/** Only a line feed ends a line: other signs that could may stand inside of JSON. */
async function* inLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let begun = '';
  let lines: string[] = [];
  let characters = 0;
  for await (const chunk of chunks) {
    const [first = '', ...more] = decoder.decode(chunk, { stream: true }).split('\n');
    begun += first;
    for (const next of more) {
      lines.push(begun);
      characters += begun.length;
      begun = next;
    }
    if (characters < charactersAtOnce) continue;
    yield lines;
    lines = [];
    characters = 0;
  }
  if (begun !== '') lines.push(begun);
  if (lines.length > 0) yield lines;
}
