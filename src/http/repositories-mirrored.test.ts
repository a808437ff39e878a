import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { globSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { standInCertificate } from '../../test/github/stand-in.ts';
import { startHttpsGit } from '../../test/https-git-server.ts';
import { git, gitInTurn, makeClone } from '../../test/make-clone.ts';
import { makeHistory } from '../../test/make-history.ts';
import { processesIn } from '../../test/processes-gone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { PullquoteClient } from '../client/pullquote-client.ts';

const remote = temporaryFolder();
const rocket = makeHistory(remote, 'acme/rocket', 2);
git(rocket, 'branch', 'topic');
const large = makeClone(remote, 'acme/large');
writeFileSync(join(large, 'large'), randomBytes(3 * 1024 * 1024));
gitInTurn(large, [
  ['add', '.'],
  ['commit', '--quiet', '--message', 'Add'],
]);
const server = await startHttpsGit(remote);
const app = await buildTestApp({
  environment: {
    GIT_CLONE: 'true',
    GIT_CLONE_HOSTS: `${server.host},nowhere.invalid`,
    GIT_CLONE_MIB: '2',
    OPERATORS: 'olga',
    NODE_EXTRA_CA_CERTS: standInCertificate,
  },
});
const olga = app.tokenFor('olga');
await app.call('POST', '/auth/signup', { token: olga, body: { language: 'en' } });
const call = (method: string, path: string, body?: object) => app.call(method, path, { token: olga, body });
const add = (location: string) => call('POST', '/added-repositories', { location });
const listed = async () => (await call('GET', '/added-repositories')).body.data.items;
const pulls = () => call('GET', '/repos/acme/rocket/pulls?state=closed');
const jobOf = async (id: string) => (await call('GET', `/jobs/${id}`)).body.data;
async function untilOver(id: string) {
  await waitUntil('the job is over', async () => !['queued', 'running'].includes((await jobOf(id)).state));
  return jobOf(id);
}
const mirrors = () => join(app.config.dataFolder, 'mirrors');
const finished = () => readdirSync(mirrors()).filter((name) => name.endsWith('.git'));
const unfinished = () => globSync('unfinished/*/*/mirror.git', { cwd: mirrors() });
const address = (name: string) => `https://${server.host}/acme/${name}`;

/** Failures of mirroring: the remote's response and the code of the failed job. */
const failures: Record<string, { name: string; answer: typeof server.answer; code: string }> = {
  'a repository that is too large': { name: 'large', answer: null, code: 'PAYLOAD_TOO_LARGE' },
  'a redirect to elsewhere': {
    name: 'rocket',
    answer: (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
    code: 'INVALID_REQUEST',
  },
  'a repository that needs a password': {
    name: 'rocket',
    answer: (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(),
    code: 'REPOSITORY_NOT_FOUND',
  },
};

test('a failed mirror leaves no files and gives its job the reason', async () => {
  for (const [what, { name, answer, code }] of Object.entries(failures)) {
    server.answer = answer;
    const { body } = await add(address(name));
    const job = await untilOver(body.data.id);
    assert.deepEqual([job.state, job.error.code], ['failed', code], what);
    assert.deepEqual([finished(), unfinished(), (await listed()).length], [[], [], 0], what);
  }
  server.answer = null;
});

test('a mirror of a server that cannot be reached fails with the reason and a remedy', async () => {
  const { body } = await add('https://nowhere.invalid/acme/rocket');
  const { message } = (await untilOver(body.data.id)).error;
  assert.match(
    message,
    /^The repository could not be copied \(.+\)\. Check the URL, and that this server can reach it\.$/,
  );
});

test('a cancelled mirror leaves no files or processes, and simultaneous requests then make one mirror', async () => {
  let isAsked = false;
  server.answer = (request, _, pass) => {
    if (request.method === 'GET') pass();
    else isAsked = true;
  };
  const { body } = await add(address('rocket'));
  await waitUntil('git asks for objects', () => isAsked);
  assert.equal(unfinished().length > 0, true);
  if (process.platform === 'linux') assert.ok(processesIn(mirrors()).length > 1, 'a fetch has several');
  const cancelled = await call('DELETE', `/jobs/${body.data.id}`);
  assert.equal(cancelled.body.data.state, 'cancelled');
  await waitUntil('nothing is left', () => unfinished().length === 0);
  await waitUntil('no process is left', () => processesIn(mirrors()).length === 0);
  assert.deepEqual(await listed(), []);
  server.answer = null;
  const client = new PullquoteClient({ url: app.url, token: olga });
  const [made, ...replies] = await Promise.all([
    client.addRepository({ location: address('rocket') }),
    add(address('rocket')),
    add(`${address('rocket')}.git`),
  ]);
  assert.deepEqual([made.owner, made.repo], ['acme', 'rocket']);
  const [{ id }] = await listed();
  assert.deepEqual(
    replies.map((reply) => [reply.status < 300, reply.body.data.id]),
    [
      [true, id],
      [true, id],
    ],
  );
  assert.deepEqual([finished(), unfinished()], [[`${id}.git`], []]);
  const job = await jobOf(id);
  assert.deepEqual([job.state, job.progress.done], ['done', job.progress.total]);
  assert.equal((await pulls()).body.data.items.length, 3);
});

const refs = (id: string) =>
  git(join(mirrors(), `${id}.git`), 'for-each-ref', '--format=%(refname)')
    .trim()
    .split('\n');
const refresh = (id: string) =>
  app.call('POST', '/add/refresh', {
    token: olga,
    raw: `id=${id}`,
    headers: { origin: app.url, 'content-type': 'application/x-www-form-urlencoded' },
  });

test('a failed refresh keeps the mirror, shows its reason and is logged once', async () => {
  const [{ id, refreshedAt }] = await listed();
  git(rocket, 'branch', '--delete', 'topic');
  git(rocket, 'branch', 'topic/one');
  const before = refs(id);
  server.answer = (request, response, pass) =>
    request.method === 'GET' ? pass() : void response.writeHead(500).end();
  for (let round = 0; round < 2; round += 1) {
    const { length } = server.calls;
    assert.equal((await refresh(id)).status, 303);
    await waitUntil('it has failed', async () => {
      const [{ isRefreshing, refreshError }] = await listed();
      return server.calls.length > length && !isRefreshing && refreshError !== null;
    });
  }
  assert.deepEqual(refs(id), before);
  const [mirror] = await listed();
  assert.equal(mirror.refreshedAt, refreshedAt);
  assert.match(mirror.refreshError, /could not be fetched/);
  const lines = app.logLines().filter(({ msg }) => /could not be refreshed/.test(String(msg)));
  assert.equal(lines.length, 1);
  const { text } = await app.call('GET', '/add', { token: olga });
  assert.match(text, /Last refreshed[\s\S]*The last refresh failed[\s\S]*could not be fetched/);
});

test('a mirror is refreshed after ten minutes: branches follow the remote, and followers get a new merge', async () => {
  const [{ id }] = await listed();
  const favorite = (await call('POST', '/users/me', { owner: 'acme', repo: 'rocket' })).body.data.id;
  await call('PUT', `/users/me/favorite-repositories/${favorite}/watch`, { language: 'en' });
  await app.watching.run();
  server.answer = null;
  // A lock left by a killed git.
  writeFileSync(join(mirrors(), `${id}.git`, 'packed-refs.lock'), '');
  git(rocket, 'branch', '--move', 'main', 'trunk');
  git(rocket, 'reset', '--quiet', '--hard', 'refs/pull/3/head');
  app.advance(10 * 60_000);
  await waitUntil('it is refreshed', async () => (await listed())[0].refreshError === null);
  assert.deepEqual(
    refs(id).filter((ref) => ref.startsWith('refs/heads')),
    ['refs/heads/topic/one', 'refs/heads/trunk'],
  );
  app.advance(10 * 60_000);
  await app.watching.run();
  await waitUntil(
    'there is an article',
    async () => (await app.call('GET', '/repos/acme/rocket/pulls/3/article')).status === 200,
  );
});

test('removing a mirror deletes its folder', async () => {
  const [{ id }] = await listed();
  assert.equal((await call('DELETE', `/added-repositories/${id}`)).status, 200);
  assert.equal((await pulls()).status, 404);
  assert.deepEqual(finished(), []);
});
