import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { Type } from '../../contract/type.ts';
import { StartupProblem } from '../../domain/errors.ts';

/** A change of what files hold, and how, is a new number. */
export const formatVersion = 1;

export const descriptionFile = 'backup.json';

/** Names of tables become parts of file names. */
const name = Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}$' });
const count = Type.Integer({ minimum: 0 });

const backedUpTable = Type.Object({
  name,
  /** Lines of JSON, compressed by gzip. */
  file: Type.String({ pattern: '^[a-z][a-z0-9_]{0,62}\\.ndjson\\.gz$' }),
  rows: count,
  bytes: count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  columns: Type.Array(Type.String()),
});

export type BackedUpTable = Static<typeof backedUpTable>;

const backupDescription = Type.Object({
  format: Type.Literal(formatVersion),
  /** The version of Pullquote that made it. */
  version: Type.String(),
  madeAt: Type.String(),
  /** The last migration of its database, and all of them. */
  schema: count,
  migrations: Type.Array(count, { minItems: 1 }),
  tables: Type.Array(backedUpTable),
  /** Tables that are not in it, and why. */
  leftOut: Type.Array(Type.Object({ name, because: Type.String() })),
  sequences: Type.Array(
    Type.Object({ name, lastValue: Type.String({ pattern: '^\\d{1,19}$' }), isCalled: Type.Boolean() }),
  ),
});

export type BackupDescription = Static<typeof backupDescription>;

/** The text of a description, which is held against its schema before: one that could not be read again would be no backup. */
export function printDescription(description: BackupDescription): string {
  const [problem] = Value.Errors(backupDescription, description);
  if (problem)
    throw new Error(`The backup would not be readable: ${problem.instancePath} ${problem.message}.`);
  return `${JSON.stringify(description, null, 2)}\n`;
}

/** What a backup says of itself, or why it is none. */
export async function readDescription(folder: string): Promise<BackupDescription> {
  const file = join(folder, descriptionFile);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new StartupProblem(
      `${folder} holds no backup: ${file} cannot be read. Name the folder that pullquote backup has made.`,
      { cause: error },
    );
  });
  const description = parse(text);
  const format =
    typeof description === 'object' && description !== null && 'format' in description
      ? description.format
      : null;
  if (typeof format === 'number' && format > formatVersion)
    throw new StartupProblem(
      `The backup in ${folder} is of format ${format}, and this version of Pullquote knows ${formatVersion}. Restore it with the ` +
        'version that made it, or a newer one.',
    );
  if (!Value.Check(backupDescription, description)) throw damaged(file, 'it does not describe a backup');
  return description;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const damaged = (file: string, how: string): StartupProblem =>
  new StartupProblem(
    `${file} is damaged: ${how}. Nothing was restored. Copy the backup again from where it was made, or take another one.`,
  );
