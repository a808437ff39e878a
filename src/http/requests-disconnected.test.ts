import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'feat: begin (#1)');
writeFileSync(
  join(clone, 'noise.txt'),
  `${randomBytes(1_500_000)
    .toString('base64')
    .replaceAll(/(.{80})/g, '$1\n')}\n`,
);
git(clone, 'add', '.');
git(clone, 'commit', '--quiet', '--message', 'feat: add noise (#2)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '0' } });
const token = await app.signUp('ann');

/** Sends a request, waits for the first bytes if a response is expected, and disconnects. */
async function hangUp(request: string, answers: boolean): Promise<void> {
  const { hostname, port } = new URL(app.url);
  const accepted = once(app.server.server, 'connection');
  const socket = connect(Number(port), hostname);
  const [theirs] = (await accepted) as [Socket];
  const ended = new Promise((resolve) => theirs.once('close', resolve));
  const asked = once(app.server.server, 'request');
  socket.write(`${request}\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  await asked;
  if (answers) await once(socket, 'data');
  socket.resetAndDestroy();
  await ended;
}

test('clients that disconnect during any request cause no error in the log', async () => {
  for (const number of [1, 2]) await app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });
  const { body } = await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
    token,
    body: { language: 'en' },
    headers: { prefer: 'respond-async' },
  });
  const requests: [string, boolean][] = [
    ['GET /repos/acme/rocket/pulls/2/diff HTTP/1.1', true],
    ['GET /repos/acme/rocket/pulls/2/diff HTTP/1.1', false],
    [`GET /jobs/${body.data.id}/events HTTP/1.1`, true],
    [`GET /jobs/${body.data.id}/events HTTP/1.1`, false],
    ['POST /repos/acme/rocket/pulls/1/article HTTP/1.1\r\nContent-Length: 0', false],
    ['POST /auth/signup HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 10', false],
    ['GET /articles HTTP/1.1', false],
    ['GET /repos/acme/rocket/pulls HTTP/1.1', false],
  ];
  for (const [request, answers] of requests)
    for (let time = 0; time < 3; time += 1) await hangUp(request, answers);
  await app.close();
  const errors = app.logLines().filter(({ level }) => Number(level) >= 50);
  assert.deepEqual(errors, []);
});

test('during a drain, open connections get one more response, and silent ones do not delay the stop', async () => {
  const stopping = await buildTestApp({ environment: { GIT_REPOS: root, WRITERS: '0' } });
  const { hostname, port } = new URL(stopping.url);
  const open = async (): Promise<Socket> => {
    const accepted = once(stopping.server.server, 'connection');
    const socket = connect(Number(port), hostname);
    await accepted;
    return socket;
  };
  const [asking, silent] = [await open(), await open()];
  const closed = once(silent, 'close');
  const drained = stopping.server.drain(0);
  await waitUntil('new ones are refused', () => !stopping.server.server.listening);
  asking.write('GET /meta HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(await text(asking), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  await drained;
  await stopping.close();
  await closed;
});
