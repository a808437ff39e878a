import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone, settings } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';
import { lastPeriod } from '../domain/digests.ts';

const root = temporaryFolder();
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' },
  frozen: true,
});
const week = lastPeriod('weekly', app.now());

for (const name of ['rocket', 'quiet', 'secret']) makeClone(root, `acme/${name}`, 'Begin');

/** Merges pull requests at a time, each as a commit. */
function merge(name: string, numbers: number[], at: Date, author = 'Rin Example'): void {
  const env = { ...settings.env, GIT_COMMITTER_DATE: at.toISOString() };
  const by = ['--author', `${author} <a@example.org>`];
  for (const number of numbers)
    execFileSync(
      'git',
      ['-C', join(root, `acme/${name}`), 'commit', '-q', '--allow-empty', ...by, '-m', `Change (#${number})`],
      { ...settings, env },
    );
}

const inWeek = new Date(week.from.getTime() + 60_000);
const read = async (query: string, name?: string) =>
  (await app.call('GET', `/digest?${query}`, { token: name && app.tokenFor(name) })).body.data;

test('the digest of a clone counts every merge of its week, fetched or not, and says that all are known', async () => {
  merge('rocket', [1, 2, 3], inWeek);
  merge('rocket', [4, 5], inWeek, 'renovate[bot]');
  merge('rocket', [6], week.to);
  await app.signUp('ann');
  const token = app.tokenFor('ann');
  await app.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  const favorite = { token, body: { owner: 'acme', repo: 'rocket' } };
  assert.equal((await app.call('POST', '/users/me', favorite)).status, 201);
  const written = { token, body: { language: 'en' } };
  assert.equal((await app.call('POST', '/repos/acme/rocket/pulls/2/article', written)).status, 201);
  const digest = await read('period=weekly', 'ann');
  assert.deepEqual([digest.mergedKnown, digest.merged, digest.written], ['all', 5, 1]);
  assert.deepEqual(digest.rest, [
    { reason: 'notWritten', count: 2 },
    { reason: 'bot', count: 2 },
  ]);
  const page = (await app.call('GET', '/my/digest?owner=acme&repo=rocket', { token })).text;
  assert.match(page, /5 merged/);
  assert.doesNotMatch(page, /may be missing|known/);
  merge('rocket', [7], inWeek);
  assert.equal((await read('owner=acme&repo=rocket')).merged, 6, 'of a new commit too');
});

test('a merge that an operator removed is not counted, and one whose clone moved away from it is not either', async () => {
  await app.database.query(sql`
    INSERT INTO removals (host, host_repo_id, owner, name, number, removed_at)
    SELECT host, host_repo_id, owner, name, 5, now() FROM repositories WHERE name = 'rocket'`);
  assert.equal((await read('owner=acme&repo=rocket')).merged, 5);
  git(join(root, 'acme/rocket'), 'reset', '--quiet', '--hard', 'HEAD~1');
  assert.equal((await read('owner=acme&repo=rocket')).merged, 4);
});

test('feeds and the way back to the last merge count merges of a clone that were never fetched', async () => {
  const before = new Date(week.from.getTime() - 60_000);
  merge('quiet', [1], before);
  const feed = await app.call('GET', `/feeds/r/acme/quiet/digest.json?until=${week.to.toISOString()}`);
  assert.equal(feed.status, 404, 'nobody has opened it yet');
  await app.call('POST', '/users/me', { token: app.tokenFor('ann'), body: { owner: 'acme', repo: 'quiet' } });
  const found = await app.call('GET', `/feeds/r/acme/quiet/digest.json?until=${week.to.toISOString()}`);
  assert.deepEqual(
    JSON.parse(found.text).items.map((item: { date_published: string }) => item.date_published),
    [week.from.toISOString()],
  );
  const page = (await app.call('GET', '/my/digest?owner=acme&repo=quiet', { token: app.tokenFor('ann') }))
    .text;
  assert.match(page, /No merges this week[\s\S]*Go to the last merge before/);
});

test('merges of a private clone are counted only for users who may see it', async () => {
  merge('secret', [1, 2], inWeek);
  await app.signUp('bob');
  for (const name of ['ann', 'bob'])
    await app.call('POST', '/users/me', {
      token: app.tokenFor(name),
      body: { owner: 'acme', repo: 'secret' },
    });
  assert.equal((await read('owner=acme&repo=secret', 'ann')).merged, 2);
  assert.equal(
    (await app.call('GET', '/digest?owner=acme&repo=secret', { token: app.tokenFor('bob') })).status,
    404,
  );
  assert.deepEqual((await read('period=weekly', 'bob')).repositories, []);
});

test('a clone that cannot be read any more has only the merges that were noted', async () => {
  rmSync(join(root, 'acme/rocket/.git/objects'), { recursive: true });
  const [rocket] = (await read('period=weekly', 'ann')).repositories.filter(
    ({ repo }: { repo: string }) => repo === 'rocket',
  );
  assert.deepEqual([rocket?.isComplete, rocket?.merged], [false, 1]);
});
