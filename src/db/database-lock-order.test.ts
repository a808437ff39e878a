import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { countLockWaits } from '../../test/operator-of.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { takeDeliveries } from '../actions/webhooks/take-deliveries.ts';
import type { WebhookEvent } from '../code-hosts/code-host.ts';
import { noteReleaseChanges } from './article-pages.ts';
import type { Database, Queries } from './database.ts';
import {
  claimRepositoryToPoll,
  deleteUnwatchedPolls,
  type HeldRepository,
  notePollSeen,
  planPolls,
  savePollPosition,
  saveWatch,
  type WantedWatch,
} from './following-polls.ts';
import { claimJobWork } from './job-queue.ts';
import { openPostgres } from './postgres.ts';
import { returnToQuota, takeFromWatchBudget } from './quotas.ts';
import { type Sql, sql } from './sql.ts';
import { replanPolls } from './webhooks.ts';

const { DATABASE_URL = '' } = await freshDatabase();
// A wait for a lock must not end before the test releases it.
const database = await openPostgres(DATABASE_URL, { patienceMs: 120_000 });
after(() => database.close());
const now = new Date('2026-03-01T22:00:00Z');
const clock = () => now;

await database.runScript(`
  INSERT INTO identities (host, host_user_id, username, display_name, email)
  VALUES ('git', 2, 'bea', 'Bea', ''), ('git', 5, 'eve', 'Eve', '');
  INSERT INTO users (identity_id, language, created_at, updated_at)
  SELECT id, 'en', '2026-03-01Z', '2026-03-01Z' FROM identities;
  INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
  VALUES ('git', 2, 'acme', 'two', true, '2026-03-01Z'), ('git', 5, 'acme', 'five', true, '2026-03-01Z');
  INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
  SELECT id, 1, 'A change', 'rin', 'merged', 'a', '2026-03-01Z', '2026-03-01Z' FROM repositories;`);

const untilWaiting = (sessionsThatWait: number): Promise<void> =>
  waitUntil(
    `${sessionsThatWait} wait for locks`,
    async () => (await countLockWaits(database)) === sessionsThatWait,
  );

/** Locks rows, starts all work, and releases the rows once every transaction waits for them. */
async function releaseTogether<Result>(locked: Sql[], work: (() => Promise<Result>)[]): Promise<Result[]> {
  const [under] = await database.transaction(async (tx) => {
    for (const rows of locked) await tx.query(sql`SELECT 1 FROM ${rows} FOR UPDATE`);
    const begun = Promise.all(work.map((one) => one()));
    begun.catch(() => {});
    await untilWaiting(work.length);
    return [begun];
  });
  return under ?? [];
}

/** One process that takes deliveries in batches, with the errors of its transactions. */
function processOf(transaction: Database['transaction'] = database.transaction) {
  const failures: unknown[] = [];
  const counting: Database = {
    ...database,
    transaction: (work) =>
      transaction(work).catch((error) => {
        failures.push(error);
        throw error;
      }),
  };
  const take = takeDeliveries({ database: counting, clock });
  const deliver = (news: WebhookEvent[]) =>
    Promise.all(news.map((one) => take({ host: 'git', deliveryId: randomUUID(), news: one })));
  return { deliver, failures };
}

test('deliveries about the same rows, in opposite orders in two processes, do not deadlock', async () => {
  const revoke = (hostRepoId: number): WebhookEvent => ({ revoked: { hostRepoIds: [hostRepoId] } });
  const leave = (hostUserId: number): WebhookEvent => ({ revoked: { hostUserId } });
  const tell = (hostRepoId: number, change: 'moved' | 'closed'): WebhookEvent => ({
    pullRequest: { hostRepoId, number: 1, change },
  });
  const cases: [Sql, WebhookEvent[], WebhookEvent[]][] = [
    [sql`repositories`, [revoke(5), revoke(2)], [revoke(2), revoke(5)]],
    [sql`users`, [leave(5), leave(2)], [leave(2), leave(5)]],
    [sql`pull_requests`, [tell(5, 'moved'), tell(2, 'closed')], [tell(2, 'moved'), tell(5, 'closed')]],
  ];
  for (const [table, ...news] of cases) {
    const processes = [processOf(), processOf()];
    const taken = await releaseTogether(
      [table],
      processes.map(
        ({ deliver }, index) =>
          () =>
            deliver(news[index] ?? []),
      ),
    );
    assert.deepEqual(taken.flat(), ['taken', 'taken', 'taken', 'taken']);
    assert.deepEqual(
      processes.flatMap(({ failures }) => failures),
      [],
    );
  }
});

test('deliveries whose joint transaction deadlocks are each taken in a transaction of their own', async () => {
  let times = 0;
  const { deliver, failures } = processOf(async (work) => {
    times += 1;
    if (times === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    return database.transaction(work);
  });
  const revoked = [2, 5, 7].map((hostRepoId) => ({ revoked: { hostRepoIds: [hostRepoId] } }));
  assert.deepEqual(await deliver(revoked), ['taken', 'taken', 'nothing']);
  assert.equal(failures.length, 1);
});

async function firstOf<Row>(rows: Sql): Promise<Row> {
  const [row] = await database.query<Row>(rows);
  return row ?? assert.fail('there is none');
}

async function wantedWatch(): Promise<WantedWatch> {
  const { userId, ...repository } = await firstOf<{
    userId: string;
    id: string;
    owner: string;
    name: string;
  }>(sql`
    SELECT users.id AS "userId", repositories.id, owner, name FROM users, repositories WHERE name = 'two' LIMIT 1`);
  const { id: favoriteId } = await firstOf<{ id: string }>(sql`
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    VALUES (${userId}, ${repository.id}, ${now}) RETURNING id`);
  return { favoriteId, userId, repository, language: 'en', labels: [], includeBots: false, now };
}

test('`forgetUnwatched` keeps a repository that a user starts to follow at the same time, and following and polling do not deadlock', async () => {
  const wanted = await wantedWatch();
  const { id } = wanted.repository;
  const save = (change: Partial<WantedWatch> = {}) =>
    database.transaction((tx) => saveWatch(tx, { ...wanted, ...change }, 5));
  const forget = () => database.transaction((tx) => deleteUnwatchedPolls(tx, id));
  await database.query(sql`INSERT INTO watched_repositories (repository_id, due_at) VALUES (${id}, ${now})`);
  let forgotten: Promise<boolean> | null = null;
  await database.transaction(async (tx) => {
    assert.equal(await saveWatch(tx, wanted, 5), 'new');
    forgotten = forget();
    await untilWaiting(1);
  });
  assert.equal(await forgotten, false);
  const until = new Date(now.getTime() + 60_000);
  const held = await claimRepositoryToPoll(database, { now, until, latest: { due: until, held: until } });
  assert.equal(held?.id, id);

  const hear = (by: HeldRepository) =>
    database.transaction(async (tx) => {
      assert.ok(await savePollPosition(tx, by, { cursor: 'far', askedBy: null }));
      await notePollSeen(tx, {
        repositoryId: id,
        favoriteIds: [wanted.favoriteId],
        askedBy: null,
        lists: { now, confirmedWithinMs: 86_400_000 },
      });
      return 'heard';
    });
  const done = await releaseTogether<string | null>(
    [sql`watched_repositories`, sql`watches`],
    [() => hear(held), () => save({ language: 'ja' })],
  );
  assert.deepEqual(done, ['heard', 'changed']);

  await database.query(sql`DELETE FROM watched_repositories`);
  assert.equal(await save({ language: 'ja' }), 'same');
  await firstOf(sql`SELECT 1 FROM watched_repositories`);
});

test('`planWatched` and `planAgain` for the same pull requests do not deadlock, and the jobs keep the order of merging', async () => {
  const { id: repositoryId } = await firstOf<{ id: string }>(
    sql`SELECT id FROM repositories WHERE name = 'two'`,
  );
  const language = 'ja';
  await makeArticles({ database }, { fullName: 'acme/two', count: 3, languages: [language] });
  const wanted = [4, 3, 2].map((number) => ({ number, language }));
  const hear = () => database.transaction((tx) => planPolls(tx, { repositoryId, wanted, now }));
  const told = [2, 3, 4].map((number) => ({ repositoryId, number }));
  const again = () => database.transaction((tx) => replanPolls(tx, told, now));
  const begun = await database.transaction(async (tx) => {
    await planPolls(tx, { repositoryId, wanted: [{ number: 3, language }], now });
    await tx.query(sql`DELETE FROM jobs WHERE pr_number = 3`);
    const both = [hear()];
    await untilWaiting(1);
    const all = Promise.allSettled([...both, again()]);
    await untilWaiting(2);
    return { all };
  });
  const ended = await begun.all;
  assert.deepEqual(
    ended.map(({ status }) => status),
    ['fulfilled', 'fulfilled'],
  );
  const planned = await database.query<{ number: number }>(
    sql`SELECT pr_number AS number FROM jobs ORDER BY turn`,
  );
  assert.deepEqual(
    planned.map(({ number }) => number),
    [4, 3, 2],
  );
});

test('returning the quota of a job while another job takes from it does not deadlock, and counts once', async () => {
  const makeJob = async (head: string): Promise<string> => {
    const { id: pullRequestId } = await firstOf<{ id: string }>(sql`SELECT id FROM pull_requests LIMIT 1`);
    const work = { pullRequestId, baseSha: '', headSha: head, languageCode: 'en', writer: 'ai' };
    return (await claimJobWork(database, work, now)) ?? assert.fail('there is one');
  };
  const take = (tx: Queries, jobId: string) =>
    takeFromWatchBudget(tx, { jobId, repositoryId: 'two', articlesPerDay: 50, now });
  const [over, next] = [await makeJob('over'), await makeJob('next')];
  assert.equal(await database.transaction((tx) => take(tx, over)), true);
  const giveBack = () => database.transaction((tx) => returnToQuota(tx, over));
  let given: Promise<void> | null = null;
  const taken = await database.transaction((tx) => {
    const query = async <Row>(statement: Sql): Promise<Row[]> => {
      const rows = await tx.query<Row>(statement);
      given ??= giveBack();
      await untilWaiting(1);
      return rows;
    };
    return take({ ...tx, query }, next);
  });
  assert.equal(taken, true);
  await given;
  await giveBack();
  const left = await database.query<{ scope: string; articles: number }>(
    sql`SELECT subject AS scope, count AS articles FROM daily_counts ORDER BY subject`,
  );
  assert.deepEqual(
    left.map(({ scope, articles }) => `${scope} ${articles}`),
    ['all 1', 'two 1'],
  );
});

test('concurrent `noteReleaseChanges` calls do not deadlock, even when one of them drops a change', async () => {
  const noted = { host: 'git', hostRepoId: 2, from: 'v1', to: 'v2', commits: 9, isWhole: true };
  await noteReleaseChanges(database, { ...noted, numbers: [3, 5] });
  const [both] = await database.transaction(async (tx) => {
    await tx.query(sql`SELECT 1 FROM release_changes WHERE number = 5 FOR UPDATE`);
    const dropping = noteReleaseChanges(database, { ...noted, numbers: [5] });
    await untilWaiting(1);
    const other = noteReleaseChanges(database, { ...noted, numbers: [3, 5], to: 'v3' });
    await untilWaiting(2);
    return [Promise.all([dropping, other])];
  });
  await both;
});
