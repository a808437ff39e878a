import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createEmulator } from 'emulate';
import { buildTestApp, onPostgres } from '../../../test/build-app.ts';

const token = 'ghp_octocat';

/** Somebody else's stand-in of GitHub, at the addresses of an Enterprise Server. */
async function emulateGitHub() {
  const free = createServer();
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
  const { port } = free.address() as AddressInfo;
  await new Promise((resolve) => free.close(resolve));
  const emulator = await createEmulator({
    service: 'github',
    port,
    seed: {
      tokens: { [token]: { login: 'octocat', scopes: ['repo', 'user'] } },
      github: {
        users: [{ login: 'octocat', name: 'The Octocat' }],
        repos: [{ owner: 'octocat', name: 'hello', auto_init: true }],
      },
    },
  });
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const answer = await fetch(`${emulator.url}${url.replace(/^\/api\/v3/, '')}`, {
      method,
      headers: { authorization: headers.authorization ?? '', accept: headers.accept ?? '' },
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    server.closeAllConnections();
    server.close();
    await emulator.close();
  });
  return { emulator, url: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test('signing up, a favorite and a list go against a GitHub that somebody else emulates', {
  skip: onPostgres && 'shown on the embedded database',
}, async () => {
  const { emulator, url } = await emulateGitHub();
  const write = async (path: string, method: string, body: object) => {
    const answer = await fetch(`${emulator.url}/repos/octocat/hello${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 201, await answer.clone().text());
  };
  const main = await fetch(`${emulator.url}/repos/octocat/hello/git/ref/heads/main`);
  const { object } = (await main.json()) as { object: { sha: string } };
  await write('/git/refs', 'POST', { ref: 'refs/heads/topic', sha: object.sha });
  await write('/contents/a.txt', 'PUT', { message: 'add', content: btoa('hello\n'), branch: 'topic' });
  await write('/pulls', 'POST', { title: 'feat: say hello', head: 'topic', base: 'main' });

  const app = await buildTestApp({ environment: { CODE_HOST: 'github', GITHUB_URL: url } });
  const user = await app.call('POST', '/auth/signup', { token });
  assert.equal(user.status, 201, user.text);
  assert.deepEqual([user.body.hostUsername, user.body.hostDisplayName], ['octocat', 'The Octocat']);
  const body = { owner: 'octocat', repo: 'hello' };
  for (const status of [201, 200])
    assert.equal((await app.call('POST', '/users/me', { token, body })).status, status);
  const { data } = (await app.call('GET', '/repos/octocat/hello/pulls', { token })).body;
  const told = data.items.map(({ prNumber, title, state }: Record<string, unknown>) => [
    prNumber,
    title,
    state,
  ]);
  assert.deepEqual(told, [[1, 'feat: say hello', 'open']]);
});
