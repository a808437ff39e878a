import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import type { Database } from './database.ts';
import {
  deleteOldPartNotes,
  deletePaidReplies,
  findAiDraft,
  findPaidReply,
  findPartNotes,
  findPartPlan,
  saveAiDraft,
  savePaidReply,
  savePartNotes,
  savePartPlan,
} from './drafts.ts';
import { claimJobWork } from './job-queue.ts';
import { openPostgres } from './postgres.ts';
import {
  allTokensQuota,
  countQuota,
  deleteOldQuotaCounts,
  giveBackQuota,
  returnToQuota,
  takeFromQuota,
  takeQuota,
} from './quotas.ts';
import { sql } from './sql.ts';

const settings = await freshDatabase();
const open = async (): Promise<Database> => {
  const database = await openPostgres(settings.DATABASE_URL ?? '');
  after(() => database.close());
  return database;
};
const first = await open();
/** Two connection pools, as two processes have. */
const databases = [first, await open()];
const now = new Date('2026-03-01T22:00:00Z');
const tomorrow = new Date('2026-03-02T00:00:01Z');

await first.runScript(`
  INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
  VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01Z');
  INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
  SELECT id, 1, 'A change', 'rin', 'merged', 'a', '2026-03-01Z', '2026-03-01Z' FROM repositories;`);

let jobs = 0;
async function makeJob(): Promise<string> {
  jobs += 1;
  const headSha = String(jobs);
  const pullRequestId = (await first.value<string>(sql`SELECT id FROM pull_requests`)) ?? '';
  const work = { pullRequestId, baseSha: '', headSha, languageCode: 'en', writer: 'ai' };
  return (await claimJobWork(first, work, now)) ?? '';
}

const take = (database: Database, jobId: string, { hostUserId = 7, articlesPerDay = 1, moment = now } = {}) =>
  database.transaction((tx) =>
    takeFromQuota(tx, { host: 'git', hostUserId }, { jobId, articlesPerDay, now: moment }),
  );

test('a quota of one admits one of 100 concurrent requests, and a returned quota can be taken once', async () => {
  const ids = await Promise.all(Array.from({ length: 100 }, makeJob));
  const taken = await Promise.all(ids.map((id, index) => take(databases[index % 2] ?? first, id)));
  assert.equal(taken.filter(Boolean).length, 1);
  const winner = ids[taken.indexOf(true)] ?? '';
  // A quota that two processes return at the same time is returned once.
  await Promise.all(databases.map((database) => database.transaction((tx) => returnToQuota(tx, winner))));
  await first.transaction((tx) => returnToQuota(tx, ids.find((id) => id !== winner) ?? ''));
  const again = await Promise.all(ids.map((id, index) => take(databases[index % 2] ?? first, id)));
  assert.equal(again.filter(Boolean).length, 1);
});

test('quotas are per user, start again each day, and can be zero', async () => {
  assert.equal(await take(first, await makeJob(), { hostUserId: 8 }), true);
  assert.equal(await take(first, await makeJob(), { hostUserId: 8 }), false);
  assert.equal(await take(first, await makeJob(), { hostUserId: 8, moment: tomorrow }), true);
  assert.equal(await take(first, await makeJob(), { hostUserId: 9, articlesPerDay: 0 }), false);
});

test('concurrent token reservations never exceed the daily limit, and can use all of it', async () => {
  const tokensPerDay = 10_000;
  let most = 0;
  const write = async (database: Database): Promise<number> => {
    const isReserved = await takeQuota(database, allTokensQuota, {
      amount: 900,
      most: tokensPerDay,
      now,
    });
    most = Math.max(most, await countQuota(database, allTokensQuota, now));
    if (!isReserved) return 0;
    await giveBackQuota(database, allTokensQuota, { day: '2026-03-01', amount: 600 });
    return 300;
  };
  const used = await Promise.all(
    Array.from({ length: 50 }, (_, index) => write(databases[index % 2] ?? first)),
  );
  assert.ok(most <= tokensPerDay, String(most));
  assert.equal(
    await countQuota(first, allTokensQuota, now),
    used.reduce((sum, tokens) => sum + tokens, 0),
  );
  const rest = tokensPerDay - (await countQuota(first, allTokensQuota, now));
  const reserve = (amount: number, on = now) =>
    takeQuota(first, allTokensQuota, { amount, most: tokensPerDay, now: on });
  assert.equal(await reserve(rest + 1), false);
  assert.equal(await reserve(rest), true);
  assert.equal(await reserve(1, tomorrow), true);
  assert.equal(await reserve(tokensPerDay + 1, new Date(0)), false);
});

test('unused tokens are returned to the day of their reservation, and counts of past days are deleted', async () => {
  assert.ok(await takeQuota(first, allTokensQuota, { amount: 500, most: 100_000, now }));
  const before = await countQuota(first, allTokensQuota, now);
  await giveBackQuota(first, allTokensQuota, { day: '2026-03-01', amount: 400 });
  assert.equal(await countQuota(first, allTokensQuota, now), before - 400);
  await deleteOldQuotaCounts(first, tomorrow);
  assert.equal(await countQuota(first, allTokensQuota, now), before - 400);
  await deleteOldQuotaCounts(first, new Date('2026-03-05T00:00:00Z'));
  assert.equal(await countQuota(first, allTokensQuota, now), 0);
});

test('a paid model reply is kept until its job is over, and a draft for the diff that it was written for', async () => {
  const jobId = await makeJob();
  const paid = { jobId, question: 'article' };
  assert.equal(await findPaidReply(first, paid), null);
  await savePaidReply(first, { ...paid, reply: { text: 'naïve \u{1f40c}' } });
  await savePaidReply(first, { ...paid, reply: { text: 'paid twice' } });
  assert.deepEqual(await findPaidReply(first, paid), { text: 'naïve \u{1f40c}' });
  await deletePaidReplies(first, jobId);
  await first.query(sql`UPDATE jobs SET state = 'cancelled', finished_at = ${now} WHERE id = ${jobId}`);
  await savePaidReply(first, { ...paid, reply: {} });
  assert.equal(await findPaidReply(first, paid), null);

  const [row] = await first.query<{ id: string }>(sql`SELECT id FROM pull_requests`);
  const read = { pullRequestId: row?.id ?? '', revision: 3 };
  await saveAiDraft(first, { ...read, revision: 2, languageCode: 'en', draft: { title: 'Older' } });
  await saveAiDraft(first, { ...read, languageCode: 'fr', draft: { title: 'Né' } });
  assert.deepEqual({ ...(await findAiDraft(first, read)) }, { languageCode: 'fr', draft: { title: 'Né' } });
  assert.equal(await findAiDraft(first, { ...read, revision: 2 }), null);
});

test('notes and their plan are replaced when saved again, and notes not read since are deleted', async () => {
  const [row] = await first.query<{ id: string }>(sql`SELECT id FROM pull_requests`);
  const pullRequestId = row?.id ?? '';
  for (const plan of [[['a.ts']], [['a.ts', 'b.ts'], ['naïve.ts']]]) {
    await savePartPlan(first, { pullRequestId, plan });
    assert.deepEqual(await findPartPlan(first, pullRequestId), plan);
  }
  const find = (part: string, at = now) => findPartNotes(first, { pullRequestId, part, now: at });
  for (const notes of [[{ weight: 1 }], [{ weight: 5 }, { weight: 2 }]]) {
    await savePartNotes(first, { pullRequestId, part: 'read', notes, now });
    assert.deepEqual(await find('read'), notes);
  }
  await savePartNotes(first, { pullRequestId, part: 'left', notes: [], now });
  assert.deepEqual([await find('left'), await find('other')], [[], null]);
  await find('read', tomorrow);
  await deleteOldPartNotes(first, { pullRequestId, before: tomorrow });
  assert.deepEqual([(await find('read')) !== null, await find('left')], [true, null]);
});
