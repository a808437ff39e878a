import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkBackup, loadBackup } from '../../src/actions/backup/backup.ts';
import { type BackupDescription, descriptionFile } from '../../src/actions/backup/backup-format.ts';
import { describeTables } from '../../src/db/backup.ts';
import { sql } from '../../src/db/sql.ts';
import { StartupProblem } from '../../src/domain/errors.ts';
import { describeBackup, how, newFolder, openDatabase, writeTo } from '../backups.ts';
import { freshDatabase } from '../build-app.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A backup of a database with one user. */
async function smallBackup(): Promise<string> {
  const database = await openDatabase(await freshDatabase());
  await database.runScript(`
    INSERT INTO identities (host, host_user_id, username, display_name, email) VALUES ('git', 1, 'ann', 'Ann', 'ann@example.org');
    INSERT INTO users (identity_id, language, created_at, updated_at) SELECT id, 'en', now(), now() FROM identities`);
  const folder = newFolder();
  await writeTo(database, folder);
  await database.close();
  return folder;
}

/** A changed copy of a backup. */
function changed(folder: string, change: (copy: string, description: BackupDescription) => void): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const description = describeBackup(copy);
  change(copy, description);
  writeFileSync(join(copy, descriptionFile), JSON.stringify(description));
  return copy;
}

test('a damaged, incomplete or newer backup restores no table and says what is wrong; a database with tables is refused', async () => {
  const good = await smallBackup();
  const users = 'users.ndjson.gz';
  const bad: [RegExp, string][] = [
    [/users\.ndjson\.gz is damaged: it is missing/, changed(good, (copy) => rmSync(join(copy, users)))],
    [
      /users\.ndjson\.gz is damaged: it cannot be decompressed/,
      changed(good, (copy) => truncateSync(join(copy, users), 60)),
    ],
    [
      /users\.ndjson\.gz is damaged: its SHA-256/,
      changed(good, (copy) => writeFileSync(join(copy, users), gzipSync('{}\n'))),
    ],
    [
      /identities\.ndjson\.gz is damaged: it has 1 rows instead of 2/,
      changed(good, (_, { tables }) => {
        for (const table of tables) if (table.name === 'identities') table.rows = 2;
      }),
    ],
    [
      /newer than this version of Pullquote: it has schema 9999.*Restore it with that version/,
      changed(good, (_, description) => {
        description.schema = 9999;
        description.migrations.push(9999);
      }),
    ],
    [
      /has format 2, and this version of Pullquote supports 1/,
      changed(good, (_, description) => Object.assign(description, { format: 2 })),
    ],
    [
      /backup\.json is damaged: it does not describe a backup/,
      changed(good, (_, description) => Object.assign(description, { tables: [{ name: '../x' }] })),
    ],
    [/contains no backup/, temporaryFolder()],
  ];
  for (const [problem, folder] of bad) await assert.rejects(checkBackup(folder, how), problem);

  const empty = await openDatabase(await freshDatabase({ isEmpty: true }));
  // Damage that only the database finds, halfway through; the first lacks the identities that users refer to.
  const withIdentities = (text: string) =>
    changed(good, (copy, { tables }) => {
      const bytes = gzipSync(text);
      writeFileSync(join(copy, 'identities.ndjson.gz'), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      for (const table of tables)
        if (table.name === 'identities') Object.assign(table, { rows: text === '' ? 0 : 1, sha256 });
    });
  const broken: [RegExp, string][] = [
    [/users\.ndjson\.gz is damaged: the database rejects its contents \(.*foreign key/, withIdentities('')],
    [/identities\.ndjson\.gz is damaged: .*null value in column/, withIdentities('{}\n')],
    [/identities\.ndjson\.gz is damaged: .*invalid input syntax/, withIdentities('{"id":\n')],
    [/identities\.ndjson\.gz is damaged: .*invalid input syntax/, withIdentities('{"id":"x"}\n')],
    [
      /backup\.json is damaged: .*out of range/,
      changed(good, (_, { sequences }) => {
        for (const sequence of sequences) sequence.lastValue = '9'.repeat(19);
      }),
    ],
  ];
  for (const [problem, folder] of broken)
    await assert.rejects(loadBackup(empty, folder, await checkBackup(folder, how), how), (error) => {
      assert.ok(error instanceof StartupProblem);
      assert.match(error.message, problem);
      return true;
    });
  const lacking = changed(good, (_, description) => {
    description.tables = description.tables.filter(({ name }) => name !== 'sessions');
  });
  await assert.rejects(
    loadBackup(empty, lacking, await checkBackup(lacking, how), how),
    /lacks the table sessions/,
  );
  const stopping = { ...how, signal: AbortSignal.abort() };
  await assert.rejects(loadBackup(empty, good, describeBackup(good), stopping), { name: 'AbortError' });
  assert.equal((await describeTables(empty)).length, 0, 'nothing is left of what failed');
  await loadBackup(empty, good, await checkBackup(good, how), how);
  await assert.rejects(
    loadBackup(empty, good, describeBackup(good), how),
    /already contains tables.*Set PULLQUOTE_DATA to a new folder, or DATABASE_URL to an empty database/,
  );
  assert.equal(
    (await empty.query(sql`SELECT 1 FROM users JOIN identities ON identities.id = identity_id`)).length,
    1,
  );
});
