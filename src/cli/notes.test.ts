import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { makeReleases } from '../../test/make-releases.ts';
import { runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
makeReleases(root, 'acme/secret');
const database = await freshDatabase();

const run = (...parameters: string[]) =>
  runToEnd({
    command: [process.execPath, 'bin/pullquote.cjs', 'notes', ...parameters],
    environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', PORT: '1', ...database },
  });

test('pullquote notes prints those of any clone, and says what is wrong on standard error', async () => {
  const notes = await run('acme/secret', 'v1...v2', '--language', 'ja');
  assert.equal(notes.code, 0, notes.stderr);
  assert.match(
    notes.stdout,
    /^# v2\n\nacme\/secret · v1 以降\n\n## 互換性のない変更\n\n- fix!: another thrust \(#6\)\n/,
  );
  const swapped = await run('acme/secret', 'v2...v1');
  assert.deepEqual([swapped.code, swapped.stdout], [1, '']);
  assert.match(swapped.stderr, /v2 comes after v1 .*: pullquote notes acme\/secret v1\.\.\.v2/);
  const unknown = await run('acme/secret', 'v1..v7');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /no tag, branch or commit v7\. There is /);
});

const written = {
  articleId: '0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11',
  languageCode: 'en',
  aiGeneratedTitle: 'Thrust is another',
  repositoryFullName: 'acme/rocket',
  owner: 'acme',
  repo: 'rocket',
  prNumber: 6,
  host: 'git',
  authorLogin: 'rin',
  changeTypes: ['FIX'],
  quote: null,
  readingMinutes: 1,
  standfirst: null,
  state: 'merged',
  mergedAt: '2026-02-27T16:04:00.000Z',
  isBreaking: true,
  likeCount: 0,
  summaryGeneratedAt: '2026-03-01T09:30:00.000Z',
};

const release = {
  host: 'git',
  owner: 'acme',
  repo: 'rocket',
  from: 'v1',
  to: 'v2',
  fromSha: 'a'.repeat(40),
  toSha: 'b'.repeat(40),
  committedAt: '2026-03-01T09:30:00.000Z',
  commits: { total: 1, read: 1, behind: 0, shallow: false },
  groups: [{ breaking: true, changeType: null, items: [written] }],
  breaks: [{ prNumber: 6, sentence: 'Thrust is lost.' }],
  reverted: [],
  backported: [],
  withoutPullRequest: { total: 1, items: [{ sha: 'c'.repeat(10), subject: 'Tidy up' }] },
  unwritten: [],
  unwritable: [],
};

test('beside a service of another version, pullquote notes says so', async () => {
  const { breaks: _, ...older } = release;
  const health = {
    ok: true,
    version: '0.0.9',
    uptimeSeconds: 1,
    checks: { database: 'ok', jobs: 'ok' },
  };
  let told: object = release;
  const server = createServer((request, response) => {
    const data = request.url === '/healthz' ? health : told;
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  }).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = () =>
    runToEnd({
      command: [process.execPath, 'bin/pullquote.cjs', 'notes', 'acme/rocket', 'v1...v2'],
      environment: { GIT_REPOS: root, PORT: String(port), PULLQUOTE_DATA: temporaryFolder() },
    });
  const same = await ask();
  assert.equal(same.code, 0, same.stderr);
  assert.match(same.stdout, /Thrust is another \(#6\) {2}\n {2}Thrust is lost\./);
  told = older;
  const other = await ask();
  assert.deepEqual([other.code, other.stdout], [1, '']);
  assert.match(other.stderr, /^The service at \S+ is another version \(0\.0\.9\) than this command .*Start /);
});
