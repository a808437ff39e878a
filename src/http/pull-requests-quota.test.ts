import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type Reply, type TestApp } from '../../test/build-app.ts';
import { gitInTurn, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const mebibyte = 1024 * 1024;
const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');

/** Each takes a little more than 300 KiB, because it is incompressible. */
const numbers = Array.from({ length: 12 }, (_, index) => index + 1);
for (const number of numbers) {
  const noise = randomBytes(300 * 1024)
    .toString('base64')
    .replace(/.{76}/g, '$&\n');
  writeFileSync(join(clone, `${number}.txt`), `${noise}\n`);
}
gitInTurn(
  clone,
  numbers.flatMap((number) => [
    ['add', `${number}.txt`],
    ['commit', '--quiet', '--message', `feat: load (#${number})`],
  ]),
);
/** The number that is stored before a mebibyte is exceeded, including the last. */
const fitting = 4;

const environment = { GIT_REPOS: root, INGEST_MIB_PER_DAY: '1' };
const database = await freshDatabase();
const app = await buildTestApp({ environment, database, frozen: true });
/** Another process on the same database. */
const other = await buildTestApp({ environment, database, frozen: true });

/** Noon, so that daily counts stay within one day. */
const noon = new Date(app.now());
noon.setUTCHours(12);
for (const one of [app, other]) one.advance(noon.getTime() - one.now().getTime());

const ingest = (on: TestApp, number: number, by: string): Promise<Reply> =>
  on.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token: on.tokenFor(by) });
const write = (number: number, by: string): Promise<Reply> =>
  app.call('POST', `/repos/acme/rocket/pulls/${number}/article`, {
    token: app.tokenFor(by),
    body: { language: 'en' },
  });

/** Bytes of all stored diffs. */
async function storedBytes(): Promise<number> {
  const [row] = await app.database.query<{ bytes: number }>(
    sql`SELECT coalesce(sum(octet_length(compressed)), 0)::bigint AS bytes FROM pull_request_diffs`,
  );
  return row?.bytes ?? 0;
}

function assertUsedUp({ status, headers, body }: Reply): void {
  assert.deepEqual([status, body.error.code], [429, 'QUOTA_EXHAUSTED']);
  assert.match(
    body.error.message,
    /^You have reached today's limit of 1 MiB of fetched pull requests\. .* Ask again after \S+Z\.$/,
  );
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 24 * 60 * 60, String(seconds));
}

test('simultaneous fetches on two processes exceed the daily quota by at most the last pull request', async () => {
  await app.signUp('ann');
  const replies = await Promise.all(
    numbers.slice(0, 8).map((number) => ingest(number % 2 ? app : other, number, 'ann')),
  );
  const stored = replies.filter(({ status }) => status === 201);
  assert.equal(stored.length, fitting, replies.map(({ text }) => text.slice(0, 200)).join('\n'));
  for (const reply of replies) if (reply.status !== 201) assertUsedUp(reply);
  const bytes = await storedBytes();
  assert.ok(bytes > mebibyte && bytes < 1.5 * mebibyte, String(bytes));
});

test('a user over the quota can read, refresh and write about stored pull requests, and store no others', async () => {
  const rows = await app.database.query<{ number: number }>(sql`SELECT number FROM pull_requests`);
  const there = new Set(rows.map(({ number }) => number));
  const [stored = 0] = there;
  const absent = numbers.find((number) => !there.has(number)) ?? 0;
  assert.equal((await ingest(app, stored, 'ann')).status, 200);
  const before = await storedBytes();
  assertUsedUp(await ingest(other, absent, 'ann'));
  assertUsedUp(await write(absent, 'ann'));
  assert.equal(await storedBytes(), before);
  assert.equal((await write(stored, 'ann')).status, 201);
  assert.equal((await app.call('GET', `/repos/acme/rocket/pulls/${stored}/diff`)).status, 200);
});

test('fetching for an article counts against the quota, and unchanged or already stored pull requests do not', async () => {
  await app.signUp('bob');
  const used = async () => {
    const [row] = await app.database.query<{ bytes: number }>(sql`
      SELECT sum(count)::bigint AS bytes FROM daily_counts JOIN identities ON subject = concat_ws(' ', host, host_user_id)
      WHERE kind = 'stored bytes' AND username = 'bob'`);
    return row?.bytes ?? 0;
  };
  assert.equal((await write(9, 'bob')).status, 201);
  const once = await used();
  assert.ok(once > 300 * 1024 && once < 400 * 1024, String(once));
  app.advance(10 * 60_000);
  assert.equal((await ingest(app, 9, 'bob')).status, 200);
  assert.equal((await write(9, 'bob')).status, 200);
  const [row] = await app.database.query<{ number: number }>(
    sql`SELECT number FROM pull_requests WHERE number <> 9 LIMIT 1`,
  );
  assert.equal((await ingest(app, row?.number ?? 0, 'bob')).status, 200);
  assert.equal(await used(), once);

  const [host = assert.fail('there is no host')] = app.codeHosts;
  const { findPullRequest } = host;
  host.findPullRequest = async (...asked) => {
    const found = await findPullRequest(...asked);
    const told = found?.pullRequest;
    const read = async () => ({
      ...(await (told ?? assert.fail('it is gone')).read()),
      body: 'why \0'.repeat(10_000),
    });
    return found && told ? { ...found, pullRequest: { ...told, read } } : found;
  };
  for (let round = 0; round < 2; round += 1) {
    assert.equal((await ingest(app, 9, 'bob')).status, 200);
    const words = (await used()) - once;
    assert.ok(words > 40_000 && words < 120_000, `${words} for words that are said once`);
  }
  host.findPullRequest = findPullRequest;
});

test('a new account keeps the used quota, and a new day resets it', async () => {
  assert.equal((await app.call('DELETE', '/users/me', { token: app.tokenFor('ann') })).status, 200);
  await app.signUp('ann');
  assertUsedUp(await ingest(app, 12, 'ann'));
  app.advance(24 * 60 * 60_000);
  assert.equal((await ingest(app, 12, 'ann')).status, 201);
  await app.housekeeping.run();
  const left = await app.database.query(sql`SELECT 1 FROM daily_counts WHERE kind = 'stored bytes'`);
  assert.ok(left.length > 1, 'what was begun before midnight counts on its day');
  app.advance(24 * 60 * 60_000);
  await app.housekeeping.run();
  const later = await app.database.query(sql`SELECT 1 FROM daily_counts WHERE kind = 'stored bytes'`);
  assert.equal(later.length, 1, 'earlier days are forgotten');
});

test('an import over the quota keeps the articles within it and logs no error', async () => {
  const fresh = await buildTestApp({ environment });
  const token = await fresh.signUp('ann');
  const { body } = await fresh.call('POST', '/repos/acme/rocket/import', {
    token,
    body: { numbers: numbers.slice(0, 8), language: 'en' },
  });
  const jobOf = async () => (await fresh.call('GET', `/jobs/${body.data.id}`, { token })).body.data;
  await waitUntil('the import is over', async () => (await jobOf()).state === 'failed');
  const { written, error } = await jobOf();
  assert.deepEqual([written.length, error.code], [fitting, 'QUOTA_EXHAUSTED']);
  // Articles that are requested one by one have a job each.
  assert.equal((await fresh.database.query(sql`SELECT 1 FROM jobs WHERE work = 'article'`)).length, 0);
  assert.deepEqual(
    fresh.logLines().filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test('with INGEST_MIB_PER_DAY=0 every pull request is stored', async () => {
  const free = await buildTestApp({ environment: { ...environment, INGEST_MIB_PER_DAY: '0' } });
  await free.signUp('ann');
  for (const number of numbers.slice(0, fitting + 1))
    assert.equal((await ingest(free, number, 'ann')).status, 201);
});
