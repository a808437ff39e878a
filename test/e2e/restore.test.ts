import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkFacets } from '../../src/actions/articles/check-article-counts.ts';
import { type BackupDescription, descriptionFile } from '../../src/actions/backup/backup-format.ts';
import { checkBackup, loadBackup } from '../../src/actions/backup/restore-backup.ts';
import { describeTables, readAppliedMigrations } from '../../src/db/backup/describe-tables.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { StartupProblem } from '../../src/domain/errors.ts';
import { describeBackup, how, newFolder, openDatabase, writeTo } from '../backups.ts';
import { freshDatabase } from '../build-app.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A small backup, of a user who likes an article, and the database that it is of. */
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

/** A copy of a backup in which something is otherwise. */
function changed(folder: string, change: (copy: string, description: BackupDescription) => void): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const description = describeBackup(copy);
  change(copy, description);
  writeFileSync(join(copy, descriptionFile), JSON.stringify(description));
  return copy;
}

test('what is not a whole backup of this version or an older one restores nothing, and says what to do', async () => {
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
      /is of format 2, and this version of Pullquote knows 1/,
      changed(good, (_, description) => Object.assign(description, { format: 2 })),
    ],
    [
      /backup\.json is damaged: it does not describe a backup/,
      changed(good, (_, description) => Object.assign(description, { tables: [{ name: '../x' }] })),
    ],
    [/holds no backup/, temporaryFolder()],
  ];
  for (const [problem, folder] of bad) await assert.rejects(checkBackup(folder, how), problem);

  const empty = await openDatabase(await freshDatabase({ isEmpty: true }));
  // What only the database finds, when half of it is loaded; the first is users without the identities that they refer to.
  const withIdentities = (text: string) =>
    changed(good, (copy, { tables }) => {
      const bytes = gzipSync(text);
      writeFileSync(join(copy, 'identities.ndjson.gz'), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      for (const table of tables)
        if (table.name === 'identities') Object.assign(table, { rows: text === '' ? 0 : 1, sha256 });
    });
  const broken: [RegExp, string][] = [
    [/users\.ndjson\.gz is damaged: the database refuses what it holds \(.*foreign key/, withIdentities('')],
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
    /has tables already.*Make a new one: an empty database/,
  );
  assert.equal(
    (await empty.query(sql`SELECT 1 FROM users JOIN identities ON identities.id = identity_id`)).length,
    1,
  );
});

test('a backup of an older schema is loaded as it was and then brought up to date, rows included', async () => {
  const older = await openDatabase(await freshDatabase({ isEmpty: true }));
  await older.transaction((tx) => migrate(tx, (number) => number <= 28), { hurry: false });
  await older.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at) VALUES ('git', 1, 'acme', 'rocket', false, now());
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', repeat('a', 40), now(), now() FROM repositories;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at) SELECT id, repository_id, now(), now() FROM pull_requests;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body, head_sha, generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', '{}', 1, '{}', repeat('a', 40), now() FROM articles`);
  const folder = newFolder();
  assert.equal((await writeTo(older, folder)).schema, 28);
  assert.equal((await readAppliedMigrations(older)).at(-1), 28, 'the database itself is left as it was');
  await older.close();
  const newer = await openDatabase(await freshDatabase({ isEmpty: true }));
  await loadBackup(newer, folder, await checkBackup(folder, how), how);
  const facets = await newer.query(
    sql`SELECT 1 FROM article_facets WHERE change_type = 'FIX' AND author = 'git:rin' AND language_code = 'en'`,
  );
  assert.equal(facets.length, 1);
  assert.equal((await checkFacets(newer, { repair: false })).length, 0);
  await migrate(newer);
});
