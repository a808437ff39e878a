import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createEmulator } from 'emulate';
import { buildTestApp } from '../../../test/build-app.ts';
import { freePort } from '../../../test/postgres.ts';

const token = 'ghp_octocat';
const publicUrl = 'https://pullquote.example.org';

/** A third-party GitHub emulator, at the addresses of an Enterprise Server. */
async function emulateGitHub() {
  const emulator = await createEmulator({
    service: 'github',
    port: await freePort(),
    seed: {
      tokens: { [token]: { login: 'octocat', scopes: ['repo', 'user'] } },
      github: {
        users: [{ login: 'octocat', name: 'The Octocat' }],
        repos: [{ owner: 'octocat', name: 'hello', auto_init: true }],
        oauth_apps: [
          {
            client_id: 'Iv1.ours',
            client_secret: 'secret',
            name: 'Pullquote',
            redirect_uris: [`${publicUrl}/auth/callback`],
          },
        ],
      },
    },
  });
  const issued = new Set<string>();
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request));
    // Browser sign-in needs this endpoint, and the emulator lacks it.
    if (/\/applications\/Iv1\.ours\/token$/.test(url)) {
      const isKnown = issued.has(JSON.parse(body.toString()).access_token);
      return void response.writeHead(isKnown ? 200 : 404).end('{"expires_at":null}');
    }
    const { authorization = '', accept = '', 'content-type': type = '' } = headers;
    const answer = await fetch(`${emulator.url}${url.replace(/^\/api\/v3/, '')}`, {
      method,
      redirect: 'manual',
      headers: { authorization, accept, 'content-type': type },
      ...(body.length > 0 && { body }),
    });
    const text = await answer.text();
    for (const [given] of text.matchAll(/gho_[\w-]+/g)) issued.add(given);
    const location = answer.headers.get('location');
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(location !== null && { location }),
    });
    response.end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(async () => {
    server.closeAllConnections();
    server.close();
    await emulator.close();
  });
  return { emulator, url: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test('sign-up, following, a list and, with a stand-in for the token check, the redirects of sign-in work against an independent GitHub emulator', async () => {
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

  const app = await buildTestApp({
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: url,
      PUBLIC_URL: publicUrl,
      GITHUB_CLIENT_ID: 'Iv1.ours',
      GITHUB_CLIENT_SECRET: 'secret',
    },
  });
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

  const login = await app.call('GET', '/auth/login?returnTo=/r/octocat/hello/1');
  const location = new URL(login.headers.get('location') ?? '');
  const agreed = await fetch(`${url}/login/oauth/callback`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...Object.fromEntries(location.searchParams), login: 'octocat' }),
  });
  const back = new URL(agreed.headers.get('location') ?? '');
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const signedIn = await app.call('GET', back.pathname + back.search, { headers: { cookie } });
  assert.deepEqual(
    [signedIn.status, signedIn.headers.get('location')],
    [302, '/r/octocat/hello/1'],
    signedIn.text,
  );
  const again = await app.call('GET', back.pathname + back.search, { headers: { cookie } });
  assert.equal(again.status, 400);
});
