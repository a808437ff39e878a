import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../../test/build-app.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { savePaidReply } from '../../db/drafts.ts';
import { claimJobs, finishJob, saveJobProgress } from '../../db/job-queue.ts';
import { sql } from '../../db/sql.ts';

const root = temporaryFolder();
for (const name of ['fenced', 'deadly', 'damaged', 'puzzling'])
  makeClone(root, `acme/${name}`, `feat: tell of ${name} (#1)`);
const metricsToken = 'token-for-metrics';
const app = await buildTestApp({
  environment: { GIT_REPOS: root, WRITERS: '1', METRICS_TOKEN: metricsToken },
});
const idle = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '0' } });

async function ask(on: TestApp, token: string, repo: string): Promise<string> {
  const { body } = await on.call('POST', `/repos/acme/${repo}/pulls/1/article`, {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  return body.data.id;
}

test('a job that another worker took over ignores the earlier worker, and its failures are counted since the last new paid answer', async () => {
  const token = await idle.signUp('ann');
  const id = await ask(idle, token, 'fenced');
  const now = new Date();
  const progress = { step: 'writing', done: 1, total: 2 } as const;
  const claim = async () => (await claimJobs(idle.database, 'writing', now))[0];
  const first = (await claim()) ?? assert.fail('the job cannot be claimed');
  assert.equal(first.id, id);
  assert.equal(await claim(), undefined, 'its worker lives');
  const takeOver = async () => {
    await idle.database.query(sql`UPDATE jobs SET heartbeat_at = heartbeat_at - interval '21 seconds'`);
    return (await claim()) ?? assert.fail('the job cannot be taken over');
  };
  assert.deepEqual([(await takeOver()).failures, (await takeOver()).failures], [1, 2]);
  const paid = { jobId: id, question: 'what is new', reply: { text: 'this' } };
  await savePaidReply(idle.database, paid);
  assert.equal((await takeOver()).failures, 0, 'a worker that got further has not failed');
  await savePaidReply(idle.database, paid);
  const second = await takeOver();
  assert.equal(second.failures, 1, 'what was there already gets none further');
  assert.equal(await saveJobProgress(idle.database, first, progress), false);
  assert.equal(await finishJob(idle.database, first, progress, now), false);
  assert.equal(await saveJobProgress(idle.database, second, progress), true);
  assert.equal(await finishJob(idle.database, second, progress, now), true);
  assert.equal(await finishJob(idle.database, second, progress, now), false, 'once');
  assert.equal(await claim(), undefined, 'what is done is not begun again');
});

test('an article or question whose diff changed before its job starts fails with UNAVAILABLE and logs no error; the article can be requested again', async () => {
  const clone = makeClone(root, 'acme/moving', 'feat: tell of this (#1)');
  const database = await freshDatabase();
  const before = await buildTestApp({ database, environment: { GIT_REPOS: root, WRITERS: '0' } });
  const token = await before.signUp('ann');
  const path = '/repos/acme/moving/pulls/1';
  const article = await ask(before, token, 'moving');
  const asking = { token, body: { question: 'What is this?', language: 'en' } };
  const headers = { prefer: 'respond-async' };
  const question = (await before.call('POST', `${path}/questions`, { ...asking, headers })).body.data.id;
  writeFileSync(join(clone, 'readme.txt'), 'Something else is said.\n');
  git(clone, 'commit', '--quiet', '--all', '--amend', '--no-edit');
  before.advance(6 * 60_000);
  await before.call('POST', `${path}/ingest`, { token });
  await before.close();
  const after = await buildTestApp({ database, environment: { GIT_REPOS: root, WRITERS: '1' } });
  for (const id of [article, question]) {
    const jobOf = async () => (await after.call('GET', `/jobs/${id}`, { token })).body.data;
    await waitUntil('the job is over', async () => !['queued', 'running'].includes((await jobOf()).state));
    const { state, error } = await jobOf();
    assert.deepEqual([state, error.code], ['failed', 'UNAVAILABLE']);
    assert.match(error.message, id === article ? /Request it again/ : /Ask it again/);
  }
  assert.deepEqual(
    after.logLines().filter(({ level }) => Number(level) >= 50),
    [],
  );
  const again = await after.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  assert.deepEqual([again.status, again.body.data.contents.en.stale], [201, false]);
});

test('a question that cannot be answered is reported as a question in its message, the log and the metrics', async () => {
  const token = await app.signUp('bob');
  const path = '/repos/acme/puzzling/pulls/1';
  await app.call('POST', `${path}/ingest`, { token });
  const before = app.logLines().length;
  await app.database.query(sql`UPDATE pull_request_diffs SET compressed = '\\x00'`);
  const reply = await app.call('POST', `${path}/questions`, {
    token,
    body: { question: 'What is this?', language: 'en' },
  });
  assert.equal(reply.status, 500);
  assert.match(reply.body.error.message, /^The question could not be answered after several attempts/);
  const logged = app
    .logLines()
    .slice(before)
    .map(({ msg }) => msg);
  assert.equal(logged.filter((msg) => msg === 'answering a question failed').length, 3);
  assert.ok(!logged.includes('writing an article failed'));
  const { text } = await app.call('GET', '/metrics', { token: metricsToken });
  const failed = (of: string) =>
    new RegExp(`^pullquote_${of}_total\\{.*outcome="failed".*\\} 1$`, 'm').test(text);
  assert.deepEqual([failed('answers'), failed('articles')], [true, false], text);
});

test('an article that cannot be written fails after three attempts with a remedy, and can be requested again', async () => {
  const token = await app.signUp('ann');
  const path = '/repos/acme/damaged/pulls/1';
  await app.call('POST', `${path}/ingest`, { token });
  await app.database.query(sql`UPDATE pull_request_diffs SET compressed = '\\x00'`);
  const refused = await app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  assert.equal(refused.status, 500);
  assert.equal(refused.body.error.code, 'INTERNAL');
  assert.match(refused.body.error.message, /Request it again/);
  const [job] = await app.database.query<{ id: string; attempt: number; state: string }>(
    sql`SELECT id, attempt, state FROM jobs ORDER BY created_at DESC LIMIT 1`,
  );
  assert.equal(job?.attempt, 3);
  const shown = (await app.call('GET', `/jobs/${job?.id}`, { token })).body.data;
  assert.equal(shown.state, 'failed');
  assert.equal(shown.error.code, 'INTERNAL');
  assert.notEqual(await ask(app, token, 'damaged'), job?.id);
});

test('a job that already killed its worker three times fails without a fourth attempt', async () => {
  const token = await app.signUp('bea');
  await app.call('POST', '/repos/acme/deadly/pulls/1/ingest', { token });
  // A new job starts with three attempts, as three dead workers would leave it.
  await app.database.query(sql`ALTER TABLE jobs ALTER COLUMN attempt SET DEFAULT 3`);
  const failed = await app.call('POST', '/repos/acme/deadly/pulls/1/article', {
    token,
    body: { language: 'en' },
  });
  await app.database.query(sql`ALTER TABLE jobs ALTER COLUMN attempt SET DEFAULT 0`);
  assert.equal(failed.status, 500, failed.text);
  assert.match(failed.body.error.message, /after several attempts/);
});
