import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { Type } from '../../contract/type.ts';
import { StartupProblem } from '../../domain/errors.ts';

/** Raised with every change of the format of the files. */
export const formatVersion = 1;

export const descriptionFile = 'backup.json';

const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' });
const count = Type.Integer({ minimum: 0 });

const backedUpTable = Type.Object({
  name,
  file: Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}\\.ndjson\\.gz$' }),
  rows: count,
  bytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  columns: Type.Array(Type.String()),
});

export type BackedUpTable = Static<typeof backedUpTable>;

const backupDescription = Type.Object({
  format: Type.Literal(formatVersion),
  version: Type.String(),
  madeAt: Type.String(),
  schema: count,
  migrations: Type.Array(count, { minItems: 1 }),
  tables: Type.Array(backedUpTable),
  leftOut: Type.Array(Type.Object({ name, because: Type.String() })),
  sequences: Type.Array(
    Type.Object({ name, lastValue: Type.String({ pattern: '^\\d{1,19}$' }), isCalled: Type.Boolean() }),
  ),
});

export type BackupDescription = Static<typeof backupDescription>;

/** The description as text, after a check against its schema, because an unreadable backup is useless. */
export function printDescription(description: BackupDescription): string {
  const [problem] = Value.Errors(backupDescription, description);
  if (problem)
    throw new Error(`The backup would not be readable: ${problem.instancePath} ${problem.message}.`);
  return `${JSON.stringify(description, null, 2)}\n`;
}

export async function readDescription(folder: string): Promise<BackupDescription> {
  const file = join(folder, descriptionFile);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartupProblem(
      `${folder} contains no backup: cannot read ${file}. Pass a folder created by pullquote backup.`,
      { cause: error },
    );
  });
  const description = parseBackupJson(text);
  const format =
    typeof description === 'object' && description !== null && 'format' in description
      ? description.format
      : null;
  if (typeof format === 'number' && format > formatVersion)
    throw new StartupProblem(
      `The backup in ${folder} has format ${format}, and this version of Pullquote supports ${formatVersion}. Restore it with the ` +
        'version that created it, or a newer one.',
    );
  if (!Value.Check(backupDescription, description)) throw damaged(file, 'it does not describe a backup');
  return description;
}

function parseBackupJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const damaged = (file: string, how: string): StartupProblem =>
  new StartupProblem(
    `${file} is damaged: ${how}. Nothing was restored. Copy the backup again from its source, or use another one.`,
  );

/** Lines are passed on in batches of this many characters, unless one line is longer. */
const charactersAtOnce = 2 * 1024 * 1024;

interface Written {
  bytes: number;
  sha256: string;
}

/** Writes lines to a new file that only its owner can read, and syncs it to disk. */
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

/** Yields the lines of a file in batches. Throws, at its end at the latest, if the file is damaged. */
export async function readBackupLines(
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
    if (code.startsWith('Z_')) throw damaged(path, 'it cannot be decompressed; it may be incomplete');
    throw error;
  }
  if (hash.digest('hex') !== sha256) throw damaged(path, 'its SHA-256 does not match backup.json');
  if (taken !== rows) throw damaged(path, `it has ${taken} rows instead of ${rows}`);
}

/** Only a line feed ends a line: JSON may contain other line separators. */
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
