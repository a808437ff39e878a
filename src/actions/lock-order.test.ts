import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { freshDatabase, onPostgres } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { HostNews } from '../code-hosts/code-host.ts';
import { connectDatabase } from '../db/connect.ts';
import type { Database } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';
import { takeDeliveries } from './webhooks/take-deliveries.ts';

const { PULLQUOTE_DATA = '', DATABASE_URL } = await freshDatabase();
const database = await connectDatabase({ dataFolder: PULLQUOTE_DATA, databaseUrl: DATABASE_URL }, () => {});
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

const sessions = { skip: !onPostgres && 'one session' };

/** Has some work wait for rows that are locked, all of it at once, and then go on. */
async function releaseTogether<Result>(locked: Sql[], work: (() => Promise<Result>)[]): Promise<Result[]> {
  const waiting = sql`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const [under] = await database.transaction(async (tx) => {
    for (const rows of locked) await tx.query(sql`SELECT 1 FROM ${rows} FOR UPDATE`);
    const begun = Promise.all(work.map((one) => one()));
    begun.catch(() => {});
    await waitUntil('all wait', async () => (await database.query(waiting)).length === work.length);
    return [begun];
  });
  return under ?? [];
}

/** What a process does with deliveries that come together, and what became of its transactions. */
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
  const deliver = (news: HostNews[]) =>
    Promise.all(news.map((one) => take({ host: 'git', deliveryId: randomUUID(), news: one })));
  return { deliver, failures };
}

test(
  'deliveries about the same, in either order on two processes, do not wait for each other',
  sessions,
  async () => {
    const revoke = (hostRepoId: number): HostNews => ({ revoked: { hostRepoIds: [hostRepoId] } });
    const leave = (hostUserId: number): HostNews => ({ revoked: { hostUserId } });
    const tell = (hostRepoId: number, change: 'moved' | 'closed'): HostNews => ({
      pullRequest: { hostRepoId, number: 1, change },
    });
    const cases: [Sql, HostNews[], HostNews[]][] = [
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
  },
);

test('of deliveries that fail together, each that can be taken alone is taken', async () => {
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
