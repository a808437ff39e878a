import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
const lines = (bytes: Buffer) => `${bytes.toString('base64').replaceAll(/(.{80})/g, '$1\n')}\n`;
writeFileSync(join(clone, 'a-small.txt'), 'small\n');
writeFileSync(join(clone, 'b-large.txt'), lines(randomBytes(6_000_000)));
writeFileSync(join(clone, 'c-empty-words.txt'), 'the same again\n'.repeat(450_000));
git(clone, 'add', '.');
git(clone, 'commit', '--quiet', '--message', 'feat: add much (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root }, patience: { idleReaderMs: 600 } });
const token = await app.signUp('ann');
const path = '/repos/acme/rocket/pulls/1';
assert.equal((await app.call('POST', `${path}/ingest`, { token })).status, 201);

/** Connects; returns both ends of the connection. */
async function open(): Promise<{ ours: Socket; theirs: Socket }> {
  const accepted = once(app.server.server, 'connection');
  const { port, hostname } = new URL(app.url);
  const ours = connect(Number(port), hostname);
  ours.on('error', () => {});
  const [theirs] = (await accepted) as [Socket];
  return { ours, theirs };
}

test('a diff is exactly what git prints, as a whole and by file, even for large files', async () => {
  const whole = git(clone, 'diff', '-M', '-U3', 'HEAD^', 'HEAD');
  assert.ok((await app.call('GET', `${path}/diff`)).text === whole);
  let together = '';
  for (const file of ['a-small.txt', 'b-large.txt', 'c-empty-words.txt'])
    together += (await app.call('GET', `${path}/diff?file=${file}`)).text;
  assert.ok(together === whole);
});

const diff = (query: string, headers = '') =>
  `GET ${path}/diff${query} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
const requests = {
  'a diff': diff(''),
  'a large file': diff('?file=b-large.txt'),
  'a file that repeats itself': diff('?file=c-empty-words.txt'),
  'a large file in gzip': diff('?file=b-large.txt', 'Accept-Encoding: gzip\r\n'),
  'many answers at once': 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(200),
};

test('a client that reads no byte of a response is disconnected, with less than 512 KiB of a diff buffered for it', async () => {
  for (const [what, request] of Object.entries(requests)) {
    const { ours, theirs } = await open();
    ours.pause();
    ours.write(request);
    let most = 0;
    await waitUntil('the connection is closed', () => {
      most = Math.max(most, theirs.writableLength);
      return theirs.closed;
    });
    if (what !== 'many answers at once') assert.ok(most < 512 * 1024, `${most} bytes of ${what} waited`);
    ours.destroy();
  }
  assert.equal((await app.call('GET', path)).status, 200);
  assert.deepEqual(
    app.logLines().filter(({ level }) => Number(level) >= 50),
    [],
  );
});

test('a request that is incomplete after the timeout is closed with a JSON error, and a silent connection is closed', async () => {
  // Shortened for the test.
  app.server.server.headersTimeout = 1;
  const half = await open();
  const silent = await open();
  const said: Buffer[] = [];
  half.ours.on('data', (chunk) => said.push(chunk));
  half.ours.write('GET /meta HTTP/1.1\r\nHost: localhost\r\n');
  for (const { theirs } of [half, silent]) if (!theirs.closed) await once(theirs, 'close');
  if (!half.ours.closed) await once(half.ours, 'close');
  const [head = '', body = ''] = Buffer.concat(said).toString().split('\r\n\r\n');
  assert.match(head, /^HTTP\/1\.1 400 /);
  assert.equal(JSON.parse(body).error.code, 'INVALID_REQUEST');
});
