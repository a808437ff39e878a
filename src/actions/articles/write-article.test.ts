import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../../test/build-app.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { savePaidAnswer } from '../../db/drafts.ts';
import { sql } from '../../db/sql.ts';
import { claimJob, finishJob, saveProgress } from '../../db/writing-jobs.ts';

const root = temporaryFolder();
for (const name of ['fenced', 'deadly', 'damaged'])
  makeClone(root, `acme/${name}`, `feat: tell of ${name} (#1)`);
const app = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '1' } });
const idle = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '0' } });

async function ask(on: TestApp, token: string, repo: string): Promise<string> {
  const { body } = await on.call('POST', `/repos/acme/${repo}/pulls/1/article`, {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  return body.data.id;
}

test('of workers that hold the same job, only the one that started last changes anything, and deaths count since the last paid answer', async () => {
  const token = await idle.signUp('ann');
  const id = await ask(idle, token, 'fenced');
  const now = new Date();
  const progress = { step: 'writing', done: 1, total: 2 } as const;
  const first = (await claimJob(idle.database, now)) ?? assert.fail('the job cannot be claimed');
  assert.equal(first.id, id);
  assert.equal(await claimJob(idle.database, now), null, 'its worker lives');
  const takeOver = async () => {
    await idle.database.query(
      sql`UPDATE writing_jobs SET heartbeat_at = heartbeat_at - interval '21 seconds'`,
    );
    return (await claimJob(idle.database, now)) ?? assert.fail('the job cannot be taken over');
  };
  assert.deepEqual([(await takeOver()).failures, (await takeOver()).failures], [1, 2]);
  const paid = { jobId: id, question: 'what is new', answer: { text: 'this' } };
  await savePaidAnswer(idle.database, paid);
  assert.equal((await takeOver()).failures, 0, 'a worker that got further has not failed');
  await savePaidAnswer(idle.database, paid);
  const second = await takeOver();
  assert.equal(second.failures, 1, 'what was there already gets none further');
  assert.equal(await saveProgress(idle.database, first, progress, now), false);
  assert.equal(await finishJob(idle.database, first, progress, now), false);
  assert.equal(await saveProgress(idle.database, second, progress, now), true);
  assert.equal(await finishJob(idle.database, second, progress, now), true);
  assert.equal(await finishJob(idle.database, second, progress, now), false, 'once');
  assert.equal(await claimJob(idle.database, now), null, 'what is done is not begun again');
});

test('what cannot be written fails after three attempts, with what to do, and can be asked for again', async () => {
  const token = await app.signUp('ann');
  const path = '/repos/acme/damaged/pulls/1';
  await app.call('POST', `${path}/ingest`, { token });
  await app.database.query(sql`UPDATE pull_request_diffs SET compressed = '\\x00'`);
  const refused = await app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  assert.equal(refused.status, 500);
  assert.equal(refused.body.error.code, 'INTERNAL');
  assert.match(refused.body.error.message, /Request it again/);
  const [job] = await app.database.query<{ id: string; attempt: number; state: string }>(
    sql`SELECT id, attempt, state FROM writing_jobs ORDER BY created_at DESC LIMIT 1`,
  );
  assert.equal(job?.attempt, 3);
  const shown = (await app.call('GET', `/jobs/${job?.id}`, { token })).body.data;
  assert.equal(shown.state, 'failed');
  assert.equal(shown.error.code, 'INTERNAL');
  assert.notEqual(await ask(app, token, 'damaged'), job?.id);
});

test('work that has killed its worker three times is not tried a fourth time', async () => {
  const token = await app.signUp('bea');
  await app.call('POST', '/repos/acme/deadly/pulls/1/ingest', { token });
  // As three workers have left it that died: no notification is sent, and the message comes back by itself.
  await app.database.query(sql`ALTER TABLE writing_jobs ALTER COLUMN attempt SET DEFAULT 3`);
  const failed = await app.call('POST', '/repos/acme/deadly/pulls/1/article', {
    token,
    body: { language: 'en' },
  });
  await app.database.query(sql`ALTER TABLE writing_jobs ALTER COLUMN attempt SET DEFAULT 0`);
  assert.equal(failed.status, 500, failed.text);
  assert.match(failed.body.error.message, /after several attempts/);
});
