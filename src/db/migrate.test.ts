import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { writeAboutSamples } from '../../scripts/record-writer.ts';
import { schemaAsTypes } from '../../scripts/write-schema.ts';
import { how, newFolder, writeTo } from '../../test/backups.ts';
import { freshDatabase } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { checkBackup, loadBackup } from '../actions/backup/backup.ts';
import type { Statement } from '../contract/article-parts.ts';
import * as articleParts from '../contract/article-parts.ts';
import { ArticleContent } from '../contract/articles.ts';
import * as reviewParts from '../contract/reviews.ts';
import { hunkId, statementsOf } from '../domain/articles.ts';
import type { Touches } from '../domain/second-line.ts';
import { listArticles } from './article-lists.ts';
import type { PublishedContent } from './articles.ts';
import { findWrongFacets } from './counters.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { allTokensQuota, articlesQuotaOf, bytesQuotaOf, countQuota, returnToQuota } from './quotas.ts';
import { json, sql } from './sql.ts';

/** Long enough for every migration on a busy machine. */
const patienceMs = 120_000;

async function open({ DATABASE_URL = '' }: Record<string, string>): Promise<Database> {
  const database = await openPostgres(DATABASE_URL, { patienceMs });
  after(() => database.close());
  return database;
}

const current = await open(await freshDatabase());

const head = 'a'.repeat(40);

test('a database newer than the code is refused with its schema number', async () => {
  const settings = await freshDatabase();
  const database = await open(settings);
  await database.query(
    sql`INSERT INTO schema_migrations (number, name) VALUES (9999, 'from-the-future.sql')`,
  );
  await database.close();
  await assert.rejects(open(settings), /newer than this version of Pullquote: it has schema 9999/);
});

test('a database from before the first release is refused, and so is its backup', async () => {
  const settings = await freshDatabase({ isEmpty: true });
  const database = await openPostgres(settings.DATABASE_URL ?? '', { patienceMs, migrates: false });
  await database.runScript(`
    CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz(3) DEFAULT now());
    INSERT INTO schema_migrations (number, name) SELECT number, 'one before' FROM generate_series(1, 41) AS number`);
  const folder = newFolder();
  await writeTo(database, folder);
  await database.close();
  const refusal =
    /is from before the first release of Pullquote \(schema 41\).* set PULLQUOTE_DATA to a new folder/;
  await assert.rejects(open(settings), refusal);
  await assert.rejects(checkBackup(folder, how), refusal);
});

/** An article as the first release stored it, with excerpts and a kind for each row. */
const firstForm = {
  ...{ languageCode: 'en', aiGeneratedTitle: 'A title', standfirst: null, changeTypes: ['FIX'], quote: null },
  ...{ readingMinutes: 1, counts: { files: 1, additions: 1, deletions: 1, commits: 1, parts: [] } },
  ...{ backgroundAndPurpose: 'Because.', background: [{ ...told('a', 'Because.'), basis: 'words' }] },
  mainChanges: ['b', 'c'].map((digit) => ({
    ...{ fileName: 'src/a.ts', changeTypes: ['FIX'], statements: [told(digit, `It says ${digit}.`)] },
    ...{ description: `It says ${digit}.`, evidence: [] },
    excerpts: [
      {
        ...{ fileName: 'src/a.ts', heading: null },
        lines: [
          { kind: 'added', oldLine: null, newLine: 1, text: 'a' },
          { kind: 'gap', oldLine: null, newLine: null, text: '' },
        ],
      },
    ],
  })),
  notablePoints: [
    {
      ...{ categories: ['RISK'], label: 'breaking', statements: [told('d', 'It breaks.')] },
      ...{ point: 'It breaks.', evidence: [] },
    },
  ],
  also: [
    {
      ...{ kind: 'sameEdit', statement: told('e', 'The same.'), times: 2, files: ['b.ts'], filesTotal: 1 },
      ...{ additions: 1, deletions: 0 },
    },
  ],
  ...{ summaryGeneratedAt: '2026-03-09T00:00:00.000Z', headSha: head, baseSha: head },
  coverage: { filesRead: 1, filesTotal: 1, linesRead: 2, linesTotal: 2, skipped: [], skippedTotal: 0 },
  verification: { claims: 4, verified: 4, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
};

function told(digit: string, text: string) {
  return { id: digit.repeat(12), text, basis: 'diff', evidence: [] };
}

/** A database of the first release: one article by rules, one by a model and one without changes. */
async function atBaseline(): Promise<Database> {
  const { DATABASE_URL = '' } = await freshDatabase({ isEmpty: true });
  const database = await openPostgres(DATABASE_URL, { patienceMs, migrates: false });
  after(() => database.close());
  await database.transaction((tx) => migrate(tx, (number) => number <= 42));
  await database.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, '2026-03-09Z', '2026-03-09Z' FROM pull_requests;
    INSERT INTO offline_articles (pull_request_id, version, articles, diff_revision) SELECT id, 1, '{}', 1 FROM pull_requests`);
  const stored = [
    { ...firstForm, writer: { kind: 'offline' } },
    { ...firstForm, languageCode: 'fr', writer: { kind: 'ai', model: 'small' } },
    {
      ...firstForm,
      languageCode: 'ja',
      mainChanges: [],
      notablePoints: [],
      also: [],
      writer: { kind: 'ai' },
    },
  ];
  for (const [index, content] of stored.entries())
    await database.query(sql`
      INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body,
        head_sha, generated_at, offline_writer, lacks_excerpts, like_count)
      SELECT id, repository_id, ${content.languageCode}, 'A title', '{FIX}', 1, ${JSON.stringify(content)}::text::json,
        ${head}, updated_at, ${index === 0 ? 1 : null}::integer, ${index > 0}, 3 FROM articles`);
  return database;
}

const { mostFilesOfRow: _, ...schemas } = articleParts;
const ajv = new Ajv({
  strict: false,
  validateFormats: false,
  schemas: [...Object.values(schemas), ...Object.values(reviewParts)],
});
const isContent = ajv.compile(ArticleContent);

async function checkConverted(database: Database): Promise<void> {
  const rows = await database.query<
    Record<'likes' | 'revision', number> & { body: ArticleContent; writer: number | null; touches: Touches }
  >(sql`
    SELECT body, touches, like_count AS likes, revision, offline_writer AS writer FROM article_contents ORDER BY language_code`);
  assert.deepEqual(
    rows.map(({ writer }) => writer),
    [0, null, null],
    'an article without a model is due to be rewritten',
  );
  for (const { body, likes, revision } of rows) {
    assert.ok(isContent({ ...body, likeCount: 0, stale: false }), JSON.stringify(isContent.errors));
    assert.deepEqual([likes, revision], [3, 1]);
    assert.equal(body.background[0]?.text, 'Because.');
  }
  assert.deepEqual(
    rows.map(({ touches: { places, otherFile } }) => [places.length, otherFile]),
    [
      [2, 'b.ts'],
      [2, 'b.ts'],
      [0, null],
    ],
    'lists say what it touches',
  );
  const [first, , bare] = rows.map(({ body }) => body);
  assert.deepEqual(
    first?.mainChanges.map(({ description, hunk }) => [description, hunk]),
    [
      ['It says b.', null],
      ['It says c.', null],
    ],
  );
  assert.equal(first?.also[0]?.statement.text, 'The same.');
  assert.deepEqual([bare?.mainChanges, bare?.notablePoints, bare?.also], [[], [], []]);
  assert.equal((await database.query(sql`SELECT 1 FROM offline_articles`)).length, 0);
}

test('an upgrade that deadlocks with an older process is repeated', async () => {
  const settings = await freshDatabase({ isEmpty: true });
  const older = await openPostgres(settings.DATABASE_URL ?? '', { patienceMs, migrates: false });
  after(() => older.close());
  await older.transaction((tx) => migrate(tx, (number) => number <= 46));
  const untilWaitedFor = (table: string) =>
    waitUntil(`${table} is waited for`, () =>
      older.any(sql`
        SELECT 1 FROM pg_locks WHERE NOT granted AND relation = ${table}::regclass
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`),
    );
  const [upgraded] = await older.transaction(
    async (writing) => {
      // PostgreSQL ends the upgrade, and not this.
      await writing.query(sql`SET LOCAL deadlock_timeout = '1h'`);
      await writing.query(sql`LOCK TABLE added_repositories`);
      const [upgrading, read] = await older.transaction(async (reading) => {
        await reading.query(sql`LOCK TABLE planned_articles IN SHARE MODE`);
        const upgrading = open(settings);
        await untilWaitedFor('planned_articles');
        const read = writing.query(sql`SELECT FROM writing_jobs`);
        await untilWaitedFor('writing_jobs');
        return [upgrading, read];
      });
      await read;
      return [upgrading];
    },
    { hurry: false },
  );
  await upgraded;
});

test('articles of the first release are converted in place and keep sentences, likes and revisions', async () => {
  const database = await atBaseline();
  await database.transaction((tx) => migrate(tx));
  await checkConverted(database);
});

test('an upgrade reverses stored Gitea commits and leaves those of other hosts', async () => {
  const database = await openPostgres((await freshDatabase({ isEmpty: true })).DATABASE_URL ?? '', {
    patienceMs,
    migrates: false,
  });
  after(() => database.close());
  await database.transaction((tx) => migrate(tx, (number) => number <= 46));
  await database.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('gitea', 1, 'acme', 'rocket', false, '2026-03-01Z'), ('github', 1, 'acme', 'rocket', false, '2026-03-01Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO pull_request_contents (pull_request_id, labels, base_ref, head_ref, additions, deletions, files, unread, commits,
      comments, linked_issues)
    SELECT id, '[]', 'main', 'topic', 1, 1, '[]', '[]', '["c", "b", "a"]', '[]', '[]' FROM pull_requests`);
  await database.transaction((tx) => migrate(tx));
  const stored = await database.query<{ host: string; commits: string[] }>(sql`
    SELECT host, commits FROM pull_request_contents JOIN pull_requests ON pull_requests.id = pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id ORDER BY host`);
  assert.deepEqual(
    stored.map(({ host, commits }) => [host, commits]),
    [
      ['gitea', ['a', 'b', 'c']],
      ['github', ['c', 'b', 'a']],
    ],
  );
});

test('an upgrade marks articles of the newest offline writer as version 1 and older ones as 0', async () => {
  const database = await atBaseline();
  await database.runScript(`
    INSERT INTO offline_writers (version) VALUES ('an older source'), ('the source before')`);
  await database.transaction((tx) => migrate(tx, (number) => number <= 46));
  const hunk = { fileName: 'a.ts', heading: null, lines: [] };
  const change = { description: 'a.ts', statements: [], evidence: [], heading: null, hunk };
  for (const [language, writer] of [
    ['en', 2],
    ['ja', 1],
  ])
    await database.query(sql`
      UPDATE article_contents SET offline_writer = ${writer}::integer,
        body = (body::jsonb || ${JSON.stringify({ mainChanges: [change] })}::text::jsonb)::json
      WHERE language_code = ${language}`);
  await database.transaction((tx) => migrate(tx));
  const rows = await database.query<{ code: string; writer: number | null; revision: number }>(sql`
    SELECT language_code AS code, offline_writer AS writer, revision FROM article_contents ORDER BY 1`);
  assert.deepEqual(
    rows.map(({ code, writer, revision }) => [code, writer, revision]),
    [
      ['en', 1, 1],
      ['fr', null, 1],
      ['ja', 0, 1],
    ],
  );
});

test('counts of the day are kept by an upgrade and by restoring an older backup', async () => {
  const open = async () => {
    const { DATABASE_URL = '' } = await freshDatabase({ isEmpty: true });
    const database = await openPostgres(DATABASE_URL, { patienceMs, migrates: false });
    after(() => database.close());
    return database;
  };
  const [database, restored] = [await open(), await open()];
  await database.transaction((tx) => migrate(tx, (number) => number <= 53));
  const job = `INSERT INTO jobs (work, subject, state, queued_at, created_at, quota_host, quota_user_id, quota_day, budget_day, budget_scope)`;
  await database.runScript(`
    INSERT INTO ai_quotas VALUES ('git', 7, '2026-03-01', 3);
    INSERT INTO watching_budgets VALUES ('2026-03-01', 'all', 2), ('2026-03-01', 'rocket', 2);
    INSERT INTO ai_tokens VALUES ('2026-03-01', 5000000000);
    INSERT INTO ingest_quotas VALUES ('git', 7, '2026-03-01', 4096);
    INSERT INTO confirmation_mails VALUES ('2026-03-01', 'by git 7', 1);
    ${job} VALUES ('article', 'of a user', 'queued', now(), now(), 'git', 7, '2026-03-01', NULL, NULL),
      ('article', 'of followers', 'queued', now(), now(), NULL, NULL, NULL, '2026-03-01', 'rocket')`);
  const folder = newFolder();
  await writeTo(database, folder);
  await database.transaction((tx) => migrate(tx));
  await loadBackup(restored, folder, await checkBackup(folder, how), how);
  const now = new Date('2026-03-01T22:00:00Z');
  for (const upgraded of [database, restored]) {
    const left = async () => [
      await countQuota(upgraded, articlesQuotaOf({ host: 'git', hostUserId: 7 }), now),
      await countQuota(upgraded, { kind: 'articles of followers', subject: 'all' }, now),
      await countQuota(upgraded, { kind: 'articles of followers', subject: 'rocket' }, now),
      await countQuota(upgraded, allTokensQuota, now),
      await countQuota(upgraded, bytesQuotaOf({ host: 'git', hostUserId: 7 }), now),
      await countQuota(upgraded, { kind: 'mails', subject: 'by git 7' }, now),
    ];
    assert.deepEqual(await left(), [3, 2, 2, 5_000_000_000, 4096, 1]);
    for (const id of await upgraded.values<string>(sql`SELECT id FROM jobs`))
      await upgraded.transaction((tx) => returnToQuota(tx, id));
    assert.deepEqual(await left(), [2, 1, 1, 5_000_000_000, 4096, 1], 'jobs give back what they took');
  }
});

function idsOnPages(content: PublishedContent): string[] {
  const { standfirst: _, ...others } = statementsOf(content);
  const hunks = content.mainChanges.flatMap(({ hunk }) => (hunk ? [hunkId(hunk)] : []));
  const ids = Object.values(others).flatMap((statements) =>
    statements.map(({ id }) => id.replace(/-.*/, '')),
  );
  return [...new Set([...ids, ...hunks])].sort();
}

test('`sentence_ids` returns the ids of the sentences and hunks that pages show, before and after an upgrade', async () => {
  const database = await atBaseline();
  await database.transaction((tx) => migrate(tx, (number) => number <= 54));
  const stored = await database.query<{ body: PublishedContent }>(sql`SELECT body FROM article_contents`);
  const bodies = stored.map(({ body }) => body);
  for await (const written of writeAboutSamples()) bodies.push(...written.map(({ article }) => article));
  const standfirst: Statement = { id: 'f'.repeat(12), text: 'It waits.', basis: 'diff', evidence: [] };
  bodies.push(...bodies.map((body) => ({ ...body, standfirst })));
  const idsInDatabase = async () =>
    Array.from(
      await database.query<{ ids: string[] }>(sql`
        SELECT sentence_ids(body) AS ids FROM jsonb_array_elements(${json(bodies)}) WITH ORDINALITY AS stored (body, place)
        ORDER BY place`),
      ({ ids }) => ids,
    );
  const before = await idsInDatabase();
  assert.deepEqual(before, bodies.map(idsOnPages));
  await database.transaction((tx) => migrate(tx));
  assert.deepEqual(await idsInDatabase(), before);
});

test('a backup of the first release is restored and upgraded', async () => {
  const before = await atBaseline();
  const folder = newFolder();
  await writeTo(before, folder);
  const { DATABASE_URL = '' } = await freshDatabase({ isEmpty: true });
  const restored = await openPostgres(DATABASE_URL, { patienceMs, migrates: false });
  after(() => restored.close());
  await loadBackup(restored, folder, await checkBackup(folder, how), how);
  await checkConverted(restored);
});

test('query rows have the types of the schema, with integers up to the largest safe one', async () => {
  const moment = new Date('2026-03-01T09:30:00.123Z');
  const largest = Number.MAX_SAFE_INTEGER;
  const rows = await current.query(sql`
    SELECT ${largest}::bigint AS big, 7 AS small, count(*) AS counted, ${moment}::timestamptz(3) AS moment,
      ${null}::text AS nothing, ${true}::boolean AS flag, ${'naïve \u{1f40c} "quoted"'}::text AS words,
      ${['a', 'b,"c']}::text[] AS list
    FROM (VALUES (1), (2)) AS two`);
  assert.deepEqual(
    [{ ...(rows[0] as object) }],
    [
      {
        big: largest,
        small: 7,
        counted: 2,
        moment,
        nothing: null,
        flag: true,
        words: 'naïve \u{1f40c} "quoted"',
        list: ['a', 'b,"c'],
      },
    ],
  );
});

test('schema.ts has the columns that the migrations create', async () => {
  const written = readFileSync(new URL('schema.ts', import.meta.url), 'utf8');
  assert.equal(written, await schemaAsTypes(current), 'Run "npm run schema".');
});

test('`queryBytes` returns JSON as its stored bytes and other types as usual', async () => {
  const text = '{"b":1,  "a":"naïve \u{1f40c}"}';
  const [row] = await current.queryBytes<Record<string, unknown>>(sql`
    SELECT ${text}::text::json AS body, ${null}::text::json AS nothing, ${3}::bigint AS big, true AS flag,
      '2026-03-01T09:30:00.123Z'::timestamptz(3) AS moment, ${'naïve'}::text AS words, ${['a', 'b,"c']}::text[] AS list`);
  const { body, ...others } = row ?? {};
  assert.equal(Buffer.from(body as Uint8Array).toString(), text);
  const moment = new Date('2026-03-01T09:30:00.123Z');
  const list = ['a', 'b,"c'];
  assert.deepEqual(others, { nothing: null, big: 3, flag: true, moment, words: 'naïve', list });
});

test('every column for a number of a host is a bigint', async () => {
  const ours = ['schema_migrations'];
  const columns = await current.query<{ name: string; type: string }>(sql`
    SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> ALL (${ours}::text[])
      AND column_name ~ '(^|_)number$|^host_(.*_)?id$'
    ORDER BY 1`);
  assert.deepEqual(
    columns.map(({ name }) => name),
    [
      'article_rankings.pull_request_number',
      'identities.host_user_id',
      'jobs.pr_number',
      'pull_requests.number',
      'release_changes.number',
      'removals.host_repo_id',
      'removals.number',
      'repositories.host_repo_id',
      'told_merges.pr_number',
      'unreadable_diffs.number',
      'webhook_deliveries.host_repo_id',
      'webhook_deliveries.pr_number',
    ],
  );
  for (const { name, type } of columns) assert.equal(type, 'bigint', name);
});

test('a transaction that throws is rolled back', async () => {
  const work = current.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO refused_tokens (token_hash, expires_at) VALUES ('x', now())`);
    throw new Error('changed my mind');
  });
  await assert.rejects(work, /changed my mind/);
  assert.equal((await current.query(sql`SELECT 1 FROM refused_tokens`)).length, 0);
});

test('processes that start at the same time apply each migration once', async () => {
  const settings = await freshDatabase({ isEmpty: true });
  const databases = await Promise.all(Array.from({ length: 5 }, () => open(settings)));
  const rows = await databases[0]?.query<{ times: number }>(
    sql`SELECT count(*) AS times FROM schema_migrations GROUP BY number`,
  );
  assert.ok(rows && rows.length > 0);
  for (const { times } of rows) assert.equal(times, 1);
  await Promise.all(databases.map((database) => database.close()));
});

test('an unreachable database is reported without its password', async () => {
  const unreachable = { DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/nowhere' };
  await assert.rejects(open(unreachable), (error: Error) => {
    assert.match(error.message, /nowhere at 127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.equal(error.message.includes('hush'), false);
    return true;
  });
});

test('a pull request moves up in every list when it is merged', async () => {
  const database = await open(await freshDatabase());
  await database.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT repository_id, 900, 'Older', 'rin', 'open', '${head}', '2020-01-01Z', '2026-03-01Z' FROM pull_requests;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, '2026-03-09Z', '2026-03-09Z' FROM pull_requests;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{}', '${head}', updated_at FROM articles;`);
  const lists = {
    userId: null,
    now: new Date('2026-03-01T10:00:00Z'),
    purpose: 'list',
    confirmedWithinMs: 86_400_000,
  } as const;
  const numbers = async (narrowed: object) =>
    (await listArticles(database, { viewer: lists, limit: 9, offset: 0, host: 'git', ...narrowed })).rows.map(
      ({ number }) => number,
    );
  const everywhere = async (expected: number[]) => {
    for (const narrowed of [
      {},
      { onceIn: ['en'] },
      { author: 'rin' },
      { changeType: 'FIX' },
      { owner: 'acme' },
    ])
      assert.deepEqual(await numbers(narrowed), expected, JSON.stringify(narrowed));
    assert.equal((await findWrongFacets(database)).length, 0);
  };
  await everywhere([1, 900]);
  await database.query(sql`UPDATE pull_requests SET merged_at = '2026-04-01Z' WHERE number = 900`);
  await everywhere([900, 1]);
});
