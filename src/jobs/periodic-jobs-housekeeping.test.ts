import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildTestApp, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Database, Queries } from '../db/database.ts';
import { saveOfflineArticles, savePartNotes, savePartPlan } from '../db/drafts.ts';
import { measureStorage } from '../db/figures.ts';
import { Sql, sql } from '../db/sql.ts';
import { startHousekeeping } from './periodic-jobs.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'feat: begin (#1)');
/** More pull requests than one statement of housekeeping removes. */
const many = 7;
for (let number = 2; number <= many; number += 1) {
  writeFileSync(join(clone, 'readme.txt'), `This is rocket number ${number}.\n`);
  git(clone, 'commit', '--quiet', '--all', '--message', `feat: tell of ${number} (#${number})`);
}

const environment = { GIT_REPOS: root };
const pull = (number: number) => `/repos/acme/rocket/pulls/${number}`;

async function start(more: Record<string, string> = {}) {
  const app = await buildTestApp({ environment: { ...environment, ...more } });
  const token = await app.signUp('ann');
  const fetch = async (number: number) => {
    const { status, text } = await app.call('POST', `${pull(number)}/ingest`, { token: app.tokenFor('ann') });
    assert.ok(status === 200 || status === 201, text);
    return status;
  };
  const isThere = async (number: number) => {
    const [row] = await app.database.query(sql`SELECT 1 FROM pull_requests WHERE number = ${number}`);
    return row !== undefined;
  };
  return { app, token, fetch, isThere };
}

async function countRows({ database }: TestApp, table: string): Promise<number> {
  const [row] = await database.query<{ rows: number }>(
    new Sql([`SELECT count(*) AS rows FROM ${table}`], []),
  );
  return row?.rows ?? 0;
}

test('a pull request without an article is deleted with its data a week after its last use, and can be fetched again', async () => {
  const { app, token, fetch } = await start();
  for (let number = 1; number <= many; number += 1) await fetch(number);
  const written = await app.call('POST', `${pull(2)}/article`, { token, body: { language: 'en' } });
  assert.equal(written.status, 201, written.text);
  const [row] = await app.database.query<{ id: string }>(sql`SELECT id FROM pull_requests WHERE number = 1`);
  const first = { pullRequestId: row?.id ?? '', revision: 1 };
  const said = JSON.stringify({ said: 'nothing' });
  await saveOfflineArticles(app.database, [{ ...first, version: 1, written: said }]);
  await app.database.query(sql`
    INSERT INTO ai_drafts (pull_request_id, diff_revision, language_code, draft)
    VALUES (${first.pullRequestId}, 1, 'en', '{}')`);
  await savePartNotes(app.database, { ...first, part: 'a hash', notes: [{}], now: app.now() });
  await savePartPlan(app.database, { ...first, plan: [['a.ts']] });
  const notesOf = async () => {
    const { kinds } = await measureStorage(app.database, app.now());
    const { rows, due } = kinds.find(({ kind }) => kind === 'notes of models') ?? {};
    return { rows, due: due?.rows };
  };
  assert.deepEqual(await notesOf(), { rows: 1, due: 0 });
  await app.database.query(sql`
    INSERT INTO told_merges (repository_id, pr_number, merged_at, is_bot, is_draft)
    SELECT repositories.id, number, ${app.now()}::timestamptz - number * interval '300 days', false, false
    FROM repositories CROSS JOIN generate_series(1, 2) AS number LIMIT 2`);
  const { kinds } = await measureStorage(app.database, app.now());
  const merges = kinds.find(({ kind }) => kind === 'merges for digests');
  assert.deepEqual([merges?.rows, merges?.due?.rows], [2, 1]);

  app.advance(6 * day);
  await app.housekeeping.run();
  assert.equal(await countRows(app, 'pull_requests'), many, 'a week has not passed');
  app.advance(2 * day);
  assert.deepEqual(await notesOf(), { rows: 1, due: 1 });
  await app.housekeeping.run();
  const tables = [
    'pull_requests',
    'pull_request_contents',
    'articles',
    'ai_drafts',
    'ai_notes',
    'ai_part_plans',
  ];
  assert.deepEqual(await Promise.all(tables.map((table) => countRows(app, table))), [1, 1, 1, 0, 0, 0]);
  assert.equal(await countRows(app, 'offline_articles'), 1, 'that of the article');
  app.advance(2 * 60 * minute);
  await app.housekeeping.run();
  const parts = await app.database.query(sql`SELECT DISTINCT pull_request_id FROM pull_request_diffs`);
  assert.equal(parts.length, 1);
  assert.equal(app.housekeeping.isHealthy(), true);

  for (const path of [pull(1), `${pull(1)}/diff`, `${pull(1)}/files`]) {
    const { status, body } = await app.call('GET', path);
    assert.deepEqual([status, body.error.code], [404, 'PULL_REQUEST_NOT_FOUND']);
    assert.match(body.error.message, /POST \/repos\/acme\/rocket\/pulls\/1\/ingest/);
  }
  assert.equal(await fetch(1), 201);
  assert.equal((await app.call('GET', `${pull(1)}/diff`)).status, 200);
  assert.equal((await app.call('GET', `${pull(2)}/diff`)).status, 200);
});

test('reading a pull request, its files or its diff, or fetching it again, keeps it for another week', async () => {
  const { app, fetch, isThere } = await start();
  const uses = [
    () => app.call('GET', pull(1)),
    () => app.call('GET', `${pull(2)}/files`),
    () => app.call('GET', `${pull(3)}/diff`),
    () => fetch(4),
  ];
  for (let number = 1; number <= 5; number += 1) await fetch(number);
  for (let round = 0; round < 3; round += 1) {
    app.advance(5 * day);
    for (const use of uses) await use();
    await app.housekeeping.run();
  }
  const left = await Promise.all([1, 2, 3, 4, 5].map(isThere));
  assert.deepEqual(left, [true, true, true, true, false]);
});

test('a pull request stays while it has a queued job, and goes when its finished job is deleted', async () => {
  const { app, token, fetch, isThere } = await start({ WRITERS: '0' });
  await fetch(1);
  const asked = await app.call('POST', `${pull(1)}/article`, {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  assert.equal(asked.status, 202, asked.text);
  const job = `/jobs/${asked.body.data.id}`;
  app.advance(8 * day);
  await app.housekeeping.run();
  assert.equal(await isThere(1), true);
  const again = app.tokenFor('ann');
  assert.equal((await app.call('DELETE', job, { token: again })).status, 200);
  await app.housekeeping.run();
  assert.equal((await app.call('GET', job, { token: again })).body.data.state, 'cancelled');
  app.advance(2 * day);
  await app.housekeeping.run();
  assert.equal(await isThere(1), false);
  assert.equal(await countRows(app, 'jobs'), 0);
});

/** Runs a callback once, before the next transaction. */
function beforeTransaction(database: Database, happens: () => Promise<unknown>): void {
  const { transaction } = database;
  database.transaction = async (work) => {
    database.transaction = transaction;
    await happens();
    return transaction(work);
  };
}

for (const version of [null, 'unchanged']) {
  test(`fetching a pull request while housekeeping deletes it stores it completely, ${version ? 'even if the host reports it unchanged' : 'when it is read again'}`, async () => {
    const { app, fetch } = await start();
    const [host = assert.fail('there is no host')] = app.codeHosts;
    const { findPullRequest } = host;
    host.findPullRequest = async (...asked) => {
      const found = await findPullRequest(...asked);
      if (!found?.pullRequest || version === null) return found;
      const { read } = found.pullRequest;
      const readAs = async () => ({ ...(await read()), version });
      return { ...found, pullRequest: { ...found.pullRequest, version, read: readAs } };
    };
    await fetch(1);
    app.advance(8 * day);
    beforeTransaction(app.database, () => app.housekeeping.run());
    assert.equal(await fetch(1), 201);
    assert.equal((await app.call('GET', `${pull(1)}/diff`)).status, 200);
  });
}

/** A database that records its statements. */
function listenIn(database: Database, heard: Sql[]): Database {
  const queries = (inner: Queries): Queries => ({
    ...inner,
    query: (statement) => {
      heard.push(statement);
      return inner.query(statement);
    },
  });
  return {
    ...database,
    ...queries(database),
    transaction: (work) => database.transaction((tx) => work(queries(tx))),
  };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

const withPlansBelow = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withPlansBelow)];

/** Whether a plan scans a whole table, with or without an index. */
const looksAtAll = (plan: Plan): boolean =>
  plan['Node Type'] === 'Seq Scan' || (/Index.* Scan$/.test(plan['Node Type']) && !plan['Index Cond']);

test('every delete of housekeeping uses an index, and so does every foreign key that cascades from it', async () => {
  const { app, fetch } = await start();
  await fetch(1);
  app.advance(8 * day);
  const heard: Sql[] = [];
  const log = pino({ level: 'silent' });
  const database = listenIn(app.database, heard);
  const housekeeping = startHousekeeping({ database, clock: app.now, log });
  await housekeeping.run();
  await housekeeping.stop();
  const byText = new Map(heard.map((statement) => [statement.render().text, statement]));
  const removing = [...byText].filter(([text]) => /\bDELETE FROM\b|\bFOR UPDATE\b/.test(text));
  assert.equal(removing.length, 16, 'all of them were heard');
  const indexes = await app.database.query<{ index: string; table: string }>(
    sql`SELECT indexname AS index, tablename AS table FROM pg_indexes WHERE schemaname = 'public'`,
  );
  const tables = new Map(indexes.map(({ index, table }) => [index, table]));
  await app.database.transaction(async (tx) => {
    for (const way of ['seqscan', 'hashjoin', 'mergejoin'])
      await tx.query(new Sql([`SET LOCAL enable_${way} = off`], []));
    for (const [text, statement] of removing) {
      const [explained] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        sql`EXPLAIN (FORMAT JSON) ${statement}`,
      );
      const plans = explained?.['QUERY PLAN'].flatMap(({ Plan: plan }) => withPlansBelow(plan)) ?? [];
      const table = /\bDELETE FROM (\w+)|\bFOR UPDATE OF (\w+)/.exec(text)?.slice(1).find(Boolean);
      const own = plans.filter(
        (plan) => tables.get(plan['Index Name'] ?? '') === table || plan['Relation Name'] === table,
      );
      assert.ok(
        own.some((plan) => plan['Index Cond']),
        text,
      );
      for (const plan of own) assert.ok(!looksAtAll(plan), `${text}\n${JSON.stringify(plan)}`);
    }
  });
  const unserved = await app.database.query(sql`
    SELECT conrelid::regclass::text AS "table", conname FROM pg_constraint AS keys
    WHERE contype = 'f' AND confrelid IN (
        'pull_requests'::regclass, 'jobs'::regclass, 'sessions'::regclass)
      AND NOT EXISTS (
        SELECT FROM pg_index WHERE indrelid = keys.conrelid AND indkey[0] = keys.conkey[1] AND indpred IS NULL)`);
  assert.deepEqual([...unserved], []);
});
