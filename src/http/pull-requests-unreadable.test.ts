import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { onlyInFull, rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const large = makeClone(root, 'acme/large');
makeLargePullRequest(large, 2, 800, 40);
const small = makeClone(root, 'acme/small');
const others = Array.from({ length: 2 }, (_, index) => index + 2);
for (const number of others)
  git(small, 'commit', '--quiet', '--allow-empty', '--message', `feat: tell of ${number} (#${number})`);

const ask = (app: TestApp, token: string, path: string, wish: object = {}, later = false) =>
  app.call('POST', `/repos/acme/${path}/article`, {
    token,
    body: { language: 'en', ...wish },
    ...(later && { headers: { prefer: 'respond-async' } }),
  });

async function countJobs({ database }: TestApp): Promise<number> {
  const [row] = await database.query<{ jobs: number }>(sql`SELECT count(*) AS jobs FROM jobs`);
  return row?.jobs ?? 0;
}

const limits = [
  {
    name: 'long',
    environment: { WRITING_SECONDS: '2' },
    sentence: 'This pull request takes too long to read.',
  },
  {
    name: 'much memory',
    environment: { WRITING_MIB: '128' },
    sentence: 'This pull request takes too much memory to read.',
  },
];

// Thread limits have their own tests; this one is about the job.
for (const { name, environment, sentence } of rowsToRun(limits, () => 'limit of a thread')) {
  test(`a pull request that takes too ${name} is UNREADABLE for all requests, delays no other, and is retried with other limits`, async () => {
    const database = await freshDatabase();
    const settings = { GIT_REPOS: root, WRITERS: '2' };
    const app = await buildTestApp({ database, environment: { ...settings, ...environment } });
    const token = await app.signUp('ann');
    const job = await ask(app, token, 'large/pulls/2', {}, true);
    assert.equal(job.status, 202, job.text);
    for (const number of others) {
      const written = await ask(app, token, `small/pulls/${number}`);
      assert.equal(written.status, 201, written.text);
    }

    // A request that joins during the read gets the same error.
    const told = await ask(app, token, 'large/pulls/2');
    assert.deepEqual(
      [told.status, told.body.error.code, told.body.error.message],
      [422, 'UNREADABLE', sentence],
    );
    const shown = await app.call('GET', `/jobs/${job.body.data.id}`, { token });
    assert.equal(shown.body.data.state, 'failed');
    assert.equal(shown.body.data.error.message, sentence);
    const [row] = await app.database.query<{ attempt: number }>(
      sql`SELECT attempt FROM jobs WHERE id = ${job.body.data.id}`,
    );
    assert.equal(row?.attempt, 1);

    const before = await countJobs(app);
    for (const wish of [{}, { language: 'ja' }, { regenerate: true }]) {
      const again = await ask(app, token, 'large/pulls/2', wish);
      assert.deepEqual([again.status, again.body.error.message], [422, sentence]);
    }
    assert.equal(await countJobs(app), before);
    assert.equal((await app.call('GET', '/repos/acme/large/pulls/2')).status, 200);
    await app.close();

    const other = await buildTestApp({ database, environment: settings });
    const tried = await ask(other, token, 'large/pulls/2', {}, true);
    assert.equal(tried.status, 202, tried.text);
    assert.equal((await other.call('DELETE', `/jobs/${tried.body.data.id}`, { token })).status, 200);
    await other.close();
  });
}

/** The largest pull request number that is read from a commit subject. */
const largest = 999_999_999_999_999;

test(
  'a diff that is too large to fetch is UNREADABLE, and not fetched again until the limits change',
  onlyInFull,
  async () => {
    const heavy = makeClone(root, 'acme/heavy');
    writeFileSync(join(heavy, 'one.txt'), `${'x'.repeat(99)}\n`.repeat(1_250_000));
    git(heavy, 'add', '.');
    git(heavy, 'commit', '--quiet', '--message', `feat: weigh (#${largest})`);
    const database = await freshDatabase();
    const app = await buildTestApp({ database, environment: { GIT_REPOS: root, WRITING_MIB: '192' } });
    const token = await app.signUp('ann');
    const notedAt = async () => {
      const [row] = await app.database.query<{ notedAt: Date }>(
        sql`SELECT noted_at AS "notedAt" FROM unreadable_diffs`,
      );
      return row?.notedAt.toISOString();
    };
    const ingest = (on: TestApp, name: string) => on.call('POST', `/repos/acme/${name}/ingest`, { token });
    const refused = await ingest(app, `heavy/pulls/${largest}`);
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'UNREADABLE'], refused.text);
    const first = await notedAt();
    assert.ok(first);
    assert.equal((await ingest(app, `heavy/pulls/${largest}`)).status, 422);
    assert.equal((await ask(app, token, `heavy/pulls/${largest}`)).status, 422);
    assert.equal(await notedAt(), first);
    assert.equal((await app.call('GET', `/repos/acme/heavy/pulls/${largest}`)).status, 404);
    assert.equal((await ingest(app, 'small/pulls/2')).status, 201);
    await app.close();
    const other = await buildTestApp({ database, environment: { GIT_REPOS: root } });
    assert.equal((await ingest(other, `heavy/pulls/${largest}`)).status, 201);
  },
);
