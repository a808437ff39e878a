import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import postgres from 'postgres';
import { inNewFolder } from '../../src/actions/backup/backup.ts';
import { checkLikes } from '../../src/actions/likes/likes.ts';
import { tablesLeftOut } from '../../src/db/backup.ts';
import { checkArticleCounts, checkFacets } from '../../src/db/counters.ts';
import { sql } from '../../src/db/sql.ts';
import { describeBackup, newFolder, openDatabase, rowsIn, writeTo } from '../backups.ts';
import { buildTestApp, freshDatabase, type TestApp } from '../build-app.ts';
import { makeArticles, makeCrowd } from '../make-articles.ts';
import { makeClone } from '../make-clone.ts';
import { countLockWaits } from '../operator-of.ts';
import { databaseOn } from '../postgres.ts';
import { launch, program, runHere } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket');

/** A database on the server, owned by a user without other rights. */
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

/** Values that a backup could change: JSON as written, line separators, bytes, large numbers, fractions of seconds. */
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

/** Likes articles one after the other and records acknowledged likes, until stopped. */
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

test('a backup made during likes restores all rows, sequences and counts, locally and as an ordinary database user', async () => {
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
  const backedUp = await runHere(settings, 'backup', first);
  await liking.stop();
  assert.equal(backedUp.code, 0, backedUp.stderr);
  assert.deepEqual(readdirSync(dirname(first)), ['backup']);
  const { tables, sequences } = describeBackup(first);
  assert.deepEqual(
    sequences.map(({ name }) => name.replace(/_(?:id|number)_seq$/, '')),
    ['article_search_places'],
    'not those of other programs, which may be such that no backup can say them',
  );
  const likes = tables.find(({ name }) => name === 'article_likes')?.rows ?? 0;
  assert.ok(likes >= before && likes <= liking.liked.length, `${before} ≤ ${likes} ≤ ${liking.liked.length}`);

  const there = await app.database.query<{ name: string }>(sql`
    SELECT table_name::text AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`);
  const accountedFor = [...tables.map(({ name }) => name), ...Object.keys(tablesLeftOut)];
  assert.deepEqual(accountedFor.sort(), there.map(({ name }) => name).sort());
  assert.ok(Object.values(tablesLeftOut).every((because) => because !== ''));
  await app.close();

  // Tables of other programs are not restored; this one shows that values of every type are kept.
  assert.deepEqual(rowsIn(first).odd_values?.filter(Boolean), [
    '{"id":"-1","moment":null,"bytes":"\\\\x","fraction":"NaN","amount":null}',
    '{"id":"9223372036854775807","moment":"2026-01-01 01:02:03.000004+00","bytes":"\\\\x00ff0a5c","fraction":"0.30000000000000004","amount":"1.10"}',
  ]);

  let from = first;
  const local = { PULLQUOTE_DATA: join(temporaryFolder(), 'data') };
  const target = await databaseOfOrdinaryUser();
  for (const settings of [local, target]) {
    const restored = await runHere(settings, 'restore', from);
    assert.equal(restored.code, 0, restored.stderr);
    const database = await openDatabase(settings);
    const again = newFolder();
    const description = await writeTo(database, again);
    const { odd_values: _, ...expected } = rowsIn(first);
    assert.deepEqual(rowsIn(again), expected);
    assert.deepEqual(description.sequences, describeBackup(first).sequences);
    const { counters, totals } = await checkLikes(database, { repair: false });
    const counts = await checkArticleCounts(database, { repair: false });
    const facets = await checkFacets(database, { repair: false });
    assert.equal(counters.length + totals.length + counts.length + facets.length, 0);
    await database.close();
    from = again;
  }

  // Both restored databases have the same rows and sequences, so serving one of them is enough.
  mkdirSync(target.PULLQUOTE_DATA ?? '', { recursive: true });
  copyFileSync(join(app.config.dataFolder, 'secret-keys'), join(target.PULLQUOTE_DATA ?? '', 'secret-keys'));
  const served = await buildTestApp({ database: target, environment: { GIT_REPOS: root } });
  const [token = ''] = tokens;
  const mine = await served.call('GET', '/users/me/liked-articles', { token });
  assert.equal(mine.status, 200);
  assert.ok(mine.body.data.pagination.totalItems >= before / tokens.length);
  const last = articles.at(-1);
  assert.equal((await served.call('POST', `/articles/${last}/language/en/like`, { token })).status, 201);
  const [places] = await served.database.query<{ next: number; last: number }>(sql`
    SELECT nextval('article_search_places') AS next, max(place) AS last FROM article_search`);
  assert.ok(places && places.next > places.last);
  const { counters } = await checkLikes(served.database, { repair: false });
  assert.equal(counters.length, 0);
});

test('a backup that cannot be made leaves no folder and says what to do', async () => {
  const there = temporaryFolder();
  const nothing = async () => assert.fail('it is refused before');
  await assert.rejects(inNewFolder(there, nothing), /already exists\. Choose a new folder/);
  await assert.rejects(
    inNewFolder('/proc/backup', nothing),
    /Cannot create the folder \/proc\/backup \(E\w+\)\. Choose one in a folder/,
  );
  const full = join(there, 'full');
  const fill = async (draft: string) => {
    writeFileSync(join(draft, 'some'), 'rows');
    writeFileSync('/dev/full', 'more than there is room for');
  };
  await assert.rejects(
    inNewFolder(full, fill),
    /The disk of \S+full is full\. The incomplete backup was removed/,
  );
  const PULLQUOTE_DATA = join(temporaryFolder(), 'data');
  const nowhere: [Record<string, string>, RegExp][] = [
    [{ PULLQUOTE_DATA }, /^There is no database in /],
    [
      { PULLQUOTE_DATA, DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      /^Cannot use the database none at 127\.0\.0\.1:1: /,
    ],
  ];
  for (const [settings, problem] of nowhere) {
    const { code, stderr } = await runHere(settings, 'backup', full);
    assert.equal(code, 1);
    assert.match(stderr, problem);
  }
  assert.deepEqual(readdirSync(there), []);
});

test('an interrupted `pullquote backup` leaves no file', async () => {
  const settings = await freshDatabase();
  const database = await openDatabase(settings);
  const folder = newFolder();
  const { child, written } = launch({
    command: [process.execPath, program, 'backup', folder],
    environment: settings,
  });
  const ended = once(child, 'close');
  await database.transaction(async (tx) => {
    await tx.query(sql`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`);
    await waitUntil('the backup waits for this table', async () => {
      assert.equal(child.exitCode, null, written.stderr);
      return (await countLockWaits(database)) > 0;
    });
    child.kill('SIGINT');
  });
  assert.deepEqual(await ended, [130, null], written.stderr);
  assert.deepEqual(readdirSync(dirname(folder)), []);
});
