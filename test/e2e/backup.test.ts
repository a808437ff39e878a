import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import postgres from 'postgres';
import { checkArticleCounts, checkFacets } from '../../src/actions/articles/check-article-counts.ts';
import { type BackupDescription, descriptionFile } from '../../src/actions/backup/backup-format.ts';
import { checkBackup, loadBackup } from '../../src/actions/backup/restore-backup.ts';
import { inNewFolder, writeBackup } from '../../src/actions/backup/write-backup.ts';
import { checkLikes } from '../../src/actions/likes/check-likes.ts';
import { describeTables, leftOut, readAppliedMigrations } from '../../src/db/backup/describe-tables.ts';
import { connectDatabase } from '../../src/db/connect.ts';
import type { Database } from '../../src/db/database.ts';
import { takeExclusiveLock } from '../../src/db/embedded/exclusive-lock.ts';
import { copyAsked, copyBegun, pauseForCopy } from '../../src/db/embedded/pause-for-copy.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase, onPostgres, type TestApp } from '../build-app.ts';
import { makeArticles, makeCrowd } from '../make-articles.ts';
import { makeClone } from '../make-clone.ts';
import { databaseOn } from '../postgres.ts';
import { launch, runToEnd } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');

const how = { progress: () => {}, signal: new AbortController().signal };
const surroundings = { version: 'of a test', clock: () => new Date(), ...how };

/** Of the database as it is; nothing is migrated. */
async function open({ PULLQUOTE_DATA = '', DATABASE_URL }: Record<string, string>): Promise<Database> {
  const config = { dataFolder: PULLQUOTE_DATA, databaseUrl: DATABASE_URL };
  const database = await connectDatabase(config, () => {}, undefined, { migrates: false });
  after(() => database.close());
  return database;
}

const run = (environment: Record<string, string>, ...parameters: string[]) =>
  runToEnd({ command: [process.execPath, 'bin/pullquote.cjs', ...parameters], environment });

const newFolder = (): string => join(temporaryFolder(), 'backup');

const write = (database: Database, folder: string): Promise<BackupDescription> =>
  inNewFolder(folder, (draft) => writeBackup(database, draft, surroundings));

const describe = (folder: string): BackupDescription =>
  JSON.parse(readFileSync(join(folder, descriptionFile), 'utf8'));

/** All rows of a backup, by table, in an order of their own. */
const rowsIn = (folder: string): Record<string, string[]> =>
  Object.fromEntries(
    describe(folder).tables.map(({ name, file }) => [
      name,
      gunzipSync(readFileSync(join(folder, file)))
        .toString()
        .split('\n')
        .sort(),
    ]),
  );

/** A database on the server that belongs to a user who may do nothing else. */
async function databaseOfOrdinaryUser(): Promise<Record<string, string>> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? '';
  const name = `kept_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = postgres(serverUrl, { max: 1 });
  await client.unsafe(`CREATE ROLE ${name} LOGIN NOSUPERUSER`);
  await client.unsafe(`CREATE DATABASE ${name} OWNER ${name}`);
  await client.end();
  const url = new URL(databaseOn(serverUrl, name));
  url.username = name;
  return { PULLQUOTE_DATA: join(temporaryFolder(), 'data'), DATABASE_URL: url.href };
}

/** Values that a backup could bend: JSON as it was written, signs that could end a line, bytes, large numbers, fractions of seconds. */
async function storeOddValues({ database }: TestApp, articleId: string): Promise<void> {
  const text = '{ "a": "\u2028one\\ntwo",\n  "n": 12345678901234567890.10 }';
  await database.query(sql`
    UPDATE article_contents SET quote = ${text}::text::json, title = ${'quoted "\\ \r\n\ttitle 🐌'} WHERE article_id = ${articleId}`);
  await database.query(sql`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('github', ${Number.MAX_SAFE_INTEGER}, 'odd', 'one', true, '2026-01-01T01:02:03.004Z')`);
  await database.query(sql`UPDATE ranking_windows SET counted_from = '-infinity' WHERE period = 'all'`);
  await database.runScript(`
    CREATE TABLE odd_values (id bigint PRIMARY KEY, moment timestamptz, bytes bytea, fraction double precision, amount numeric);
    INSERT INTO odd_values VALUES (9223372036854775807, '2026-01-01T01:02:03.000004Z', '\\x00ff0a5c', 0.1::float8 + 0.2::float8, 1.10),
      (-1, NULL, '', 'NaN', NULL);
    CREATE SEQUENCE "Odd_id_seq" OWNED BY odd_values.id;
    CREATE SEQUENCE odd_descending INCREMENT -1 OWNED BY odd_values.id;
    CREATE SEQUENCE odd_and_alone`);
}

/** Likes articles one after the other, and counts those that are acknowledged, until it is told to stop. */
function keepLiking(app: TestApp, tokens: string[], articles: string[]) {
  let isOver = false;
  const liked: string[] = [];
  const done = (async () => {
    for (const articleId of articles)
      for (const token of tokens) {
        if (isOver) return;
        const { status } = await app.call('POST', `/articles/${articleId}/language/en/like`, { token });
        assert.equal(status, 201);
        liked.push(articleId);
      }
  })();
  const stop = async () => {
    isOver = true;
    await done;
  };
  return { liked, stop };
}

test('a backup made while likes come in is restored into the other database as it was: values, ids, counts and numbers to come', async () => {
  const app = await buildTestApp({ environment: { GIT_REPOS: root } });
  const tokens = await makeCrowd(app, 'reader', 6);
  await app.call('POST', '/repos/acme/rocket/pulls/1/ingest', { token: tokens[0] });
  const [odd = '', ...articles] = await makeArticles(app, { fullName: 'acme/rocket', count: 60 });
  await storeOddValues(app, odd);
  const liking = keepLiking(app, tokens, articles);
  await waitUntil('some likes are given', () => liking.liked.length > 20);
  const before = liking.liked.length;
  const settings = {
    PULLQUOTE_DATA: app.config.dataFolder,
    ...(app.config.databaseUrl && { DATABASE_URL: app.config.databaseUrl }),
  };
  const first = newFolder();
  const backedUp = await run(settings, 'backup', first);
  await liking.stop();
  assert.equal(backedUp.code, 0, backedUp.stderr);
  assert.deepEqual(readdirSync(dirname(first)), ['backup']);
  const { tables, sequences } = describe(first);
  assert.deepEqual(
    sequences.map(({ name }) => name.replace(/_(?:id|number)_seq$/, '')),
    ['offline_writers', 'planned_articles'],
    'not those of other programs, which may be such that no backup can say them',
  );
  const likes = tables.find(({ name }) => name === 'article_likes')?.rows ?? 0;
  assert.ok(likes >= before && likes <= liking.liked.length, `${before} ≤ ${likes} ≤ ${liking.liked.length}`);

  const there = await app.database.query<{ name: string }>(sql`
    SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`);
  const accountedFor = [...tables.map(({ name }) => name), ...Object.keys(leftOut)];
  assert.deepEqual(accountedFor.sort(), there.map(({ name }) => name).sort());
  assert.ok(Object.values(leftOut).every((because) => because !== ''));
  await app.close();

  // A table of other programs is passed over; here it shows that values of every type are kept.
  assert.deepEqual(rowsIn(first).odd_values?.filter(Boolean), [
    '{"id":"-1","moment":null,"bytes":"\\\\x","fraction":"NaN","amount":null}',
    '{"id":"9223372036854775807","moment":"2026-01-01 01:02:03.000004+00","bytes":"\\\\x00ff0a5c","fraction":"0.30000000000000004","amount":"1.10"}',
  ]);

  let from = first;
  const targets: Record<string, string>[] = [{ PULLQUOTE_DATA: join(temporaryFolder(), 'data') }];
  if (onPostgres) targets.push(await databaseOfOrdinaryUser());
  for (const target of targets) {
    const restored = await run(target, 'restore', from);
    assert.equal(restored.code, 0, restored.stderr);
    const database = await open(target);
    const again = newFolder();
    const description = await write(database, again);
    const { odd_values: _, ...expected } = rowsIn(first);
    assert.deepEqual(rowsIn(again), expected);
    assert.deepEqual(description.sequences, describe(first).sequences);
    const { counters, totals } = await checkLikes(database, { repair: false });
    const counts = await checkArticleCounts(database, { repair: false });
    const facets = await checkFacets(database, { repair: false });
    assert.equal(counters.length + totals.length + counts.length + facets.length, 0);
    await database.close();
    from = again;
  }

  const target = targets.at(-1) ?? {};
  mkdirSync(target.PULLQUOTE_DATA ?? '', { recursive: true });
  copyFileSync(join(app.config.dataFolder, 'secret-keys'), join(target.PULLQUOTE_DATA ?? '', 'secret-keys'));
  const served = await buildTestApp({ database: target, environment: { GIT_REPOS: root } });
  const [token = ''] = tokens;
  const mine = await served.call('GET', '/users/me/liked-articles', { token });
  assert.equal(mine.status, 200);
  assert.ok(mine.body.data.pagination.totalItems >= before / tokens.length);
  const last = articles.at(-1);
  assert.equal((await served.call('POST', `/articles/${last}/language/en/like`, { token })).status, 201);
  const [numbers] = await served.database.query<{ next: number; last: number }>(sql`
    INSERT INTO offline_writers (version) VALUES ('of a test') RETURNING number AS next, (SELECT max(number) FROM offline_writers) AS last`);
  assert.ok(numbers && numbers.next > numbers.last);
  const { counters } = await checkLikes(served.database, { repair: false });
  assert.equal(counters.length, 0);
});

/** A small backup, of a user who likes an article, and the database that it is of. */
async function smallBackup(): Promise<string> {
  const database = await open(await freshDatabase());
  await database.runScript(`
    INSERT INTO identities (host, host_user_id, username, display_name, email) VALUES ('git', 1, 'ann', 'Ann', 'ann@example.org');
    INSERT INTO users (identity_id, language, created_at, updated_at) SELECT id, 'en', now(), now() FROM identities`);
  const folder = newFolder();
  await write(database, folder);
  await database.close();
  return folder;
}

/** A copy of a backup in which something is otherwise. */
function changed(folder: string, change: (copy: string, description: BackupDescription) => void): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  const description = describe(copy);
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

  const empty = await open(await freshDatabase({ isEmpty: true }));
  // Users without the identities that they refer to: found by the database, when half of it is loaded.
  const broken = changed(good, (copy, { tables }) => {
    writeFileSync(join(copy, 'none.ndjson.gz'), gzipSync(''));
    const sha256 = createHash('sha256').update(gzipSync('')).digest('hex');
    for (const table of tables)
      if (table.name === 'identities') Object.assign(table, { rows: 0, file: 'none.ndjson.gz', sha256 });
  });
  await assert.rejects(loadBackup(empty, broken, await checkBackup(broken, how), how), { code: '23503' });
  // Making all tables takes a while on the embedded database, and is the same.
  if (onPostgres) {
    const lacking = changed(good, (_, description) => {
      description.tables = description.tables.filter(({ name }) => name !== 'sessions');
    });
    await assert.rejects(
      loadBackup(empty, lacking, await checkBackup(lacking, how), how),
      /lacks the table sessions/,
    );
    const stopping = { ...how, signal: AbortSignal.abort() };
    await assert.rejects(loadBackup(empty, good, describe(good), stopping), { name: 'AbortError' });
  }
  assert.equal((await describeTables(empty)).length, 0, 'nothing is left of what failed');
  await loadBackup(empty, good, await checkBackup(good, how), how);
  await assert.rejects(
    loadBackup(empty, good, describe(good), how),
    /has tables already.*Make a new one: an empty database/,
  );
  assert.equal(
    (await empty.query(sql`SELECT 1 FROM users JOIN identities ON identities.id = identity_id`)).length,
    1,
  );
});

test('a backup of an older schema is loaded as it was and then brought up to date, rows included', {
  skip: !onPostgres,
}, async () => {
  const older = await open(await freshDatabase({ isEmpty: true }));
  await older.transaction((tx) => migrate(tx, (number) => number <= 28), { hurry: false });
  await older.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at) VALUES ('git', 1, 'acme', 'rocket', false, now());
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', repeat('a', 40), now(), now() FROM repositories;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at) SELECT id, repository_id, now(), now() FROM pull_requests;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, quote, reading_minutes, body, head_sha, generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', '{}', 1, '{}', repeat('a', 40), now() FROM articles`);
  const folder = newFolder();
  assert.equal((await write(older, folder)).schema, 28);
  assert.equal((await readAppliedMigrations(older)).at(-1), 28, 'the database itself is left as it was');
  await older.close();
  const newer = await open(await freshDatabase({ isEmpty: true }));
  await loadBackup(newer, folder, await checkBackup(folder, how), how);
  const facets = await newer.query(
    sql`SELECT 1 FROM article_facets WHERE change_type = 'FIX' AND author = 'git:rin' AND language_code = 'en'`,
  );
  assert.equal(facets.length, 1);
  assert.equal((await checkFacets(newer, { repair: false })).length, 0);
  await migrate(newer);
});

test('where no backup can be made nothing is left, and a sentence says what to do', async () => {
  const there = temporaryFolder();
  const nothing = async () => assert.fail('it is refused before');
  await assert.rejects(inNewFolder(there, nothing), /is there already\. Name a folder that is not/);
  await assert.rejects(
    inNewFolder('/proc/backup', nothing),
    /No folder can be made at \/proc\/backup \(E\w+\)\. Name one whose parent/,
  );
  const full = join(there, 'full');
  const fill = async (draft: string) => {
    writeFileSync(join(draft, 'some'), 'rows');
    writeFileSync('/dev/full', 'more than there is room for');
  };
  await assert.rejects(
    inNewFolder(full, fill),
    /no room left on the disk of \S+full\. Nothing was left there/,
  );
  const nowhere = {
    PULLQUOTE_DATA: join(there, 'data'),
    ...(onPostgres && { DATABASE_URL: 'postgres://127.0.0.1:1/none' }),
  };
  const { code, stderr } = await run(nowhere, 'backup', full);
  assert.equal(code, 1);
  assert.match(
    stderr,
    onPostgres ? /^Cannot use the database none at 127\.0\.0\.1:1: / : /^There is no database in /,
  );
  assert.deepEqual(readdirSync(there), []);
});

test('ctrl-C leaves nothing, and a database is held up by no backup that was killed', {
  skip: onPostgres,
}, async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'database'));
  const release = takeExclusiveLock(join(dataFolder, 'database.lock'));
  const folder = newFolder();
  // The database never stands still: no thread looks after it.
  const { child, written } = launch({
    command: [process.execPath, 'bin/pullquote.cjs', 'backup', folder],
    environment: { PULLQUOTE_DATA: dataFolder },
  });
  await waitUntil('a copy is asked for', () => existsSync(copyAsked(dataFolder)));
  const ended = once(child, 'close');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [130, null], written.stderr);
  assert.deepEqual(readdirSync(dirname(folder)), []);
  assert.ok(!existsSync(copyAsked(dataFolder)));
  release();

  // One that was killed while it asked, long ago or just now.
  for (const age of [60, 0]) {
    writeFileSync(copyAsked(dataFolder), 'gone');
    const asked = Date.now() / 1000 - age;
    utimesSync(copyAsked(dataFolder), asked, asked);
    const begun = performance.now();
    pauseForCopy(dataFolder, 50);
    assert.equal(performance.now() - begun >= 50, age === 0);
    assert.ok(!existsSync(copyAsked(dataFolder)) && !existsSync(copyBegun(dataFolder)));
  }
});
