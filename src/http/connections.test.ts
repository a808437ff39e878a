import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../test/wait-until.ts';
import { closeIdleReaders } from './connections.ts';

const patienceMs = 900;
const bytes = 64 * 1024 * 1024;
const pieceBytes = 16 * 1024;

/** As fast as they are taken, or one in a while: many of those fit into the buffers of the kernel. */
async function* pieces(pauseMs: number) {
  for (let sent = 0; sent < bytes; sent += pieceBytes) {
    yield Buffer.alloc(pieceBytes);
    if (pauseMs > 0) await pause(pauseMs);
  }
}

const answers: Record<string, (response: ServerResponse) => void> = {
  '/stream': (response) => void Readable.from(pieces(0)).pipe(response),
  '/slow-stream': (response) => void Readable.from(pieces(50)).pipe(response),
  '/one-write': (response) => void response.end(Buffer.alloc(bytes)),
  '/last': (response) => void response.setHeader('connection', 'close').end(Buffer.alloc(bytes)),
  '/small': (response) => void response.end('small'),
};
const server = createServer(({ url = '' }, response) => answers[url]?.(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
// Idle connections are let go by nothing else.
server.keepAliveTimeout = 0;
closeIdleReaders(server, patienceMs);
after(() => server.close());

const accepted = new Map<number | undefined, Socket>();
server.on('connection', (socket) => accepted.set(socket.remotePort, socket));

/** Asks for an answer and takes nothing of it; both ends of the connection. */
async function ask(path: string): Promise<{ ours: Socket; theirs: Socket }> {
  const ours = connect(port, '127.0.0.1').on('error', () => {});
  await once(ours, 'connect');
  ours.pause().write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await waitUntil('the connection is accepted', () => accepted.has(ours.localPort));
  return { ours, theirs: accepted.get(ours.localPort) ?? assert.fail() };
}

/** Reads on until so many bytes more have arrived. */
async function take(ours: Socket, wanted: number): Promise<void> {
  const end = ours.bytesRead + wanted;
  ours.resume();
  await waitUntil('enough is read', () => ours.bytesRead >= end || ours.destroyed);
  ours.pause();
}

const closed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

describe('readers', { concurrency: true }, () => {
  for (const path of ['/stream', '/one-write', '/last', '/slow-stream']) {
    test(`who take nothing of ${path} are let go, and nothing is kept for them`, async () => {
      const { ours, theirs } = await ask(path);
      let sent = 0;
      await waitUntil('the connection is closed', () => {
        sent = theirs.bytesWritten;
        return theirs.destroyed;
      });
      // The kernel would go on to accept it for some time, and the reader would seem to take it.
      if (path === '/slow-stream' && process.platform === 'linux')
        assert.ok(sent < 3 * 1024 * 1024, `${sent} bytes were sent for it`);
      const [error] = await once(ours.resume(), 'error');
      assert.equal(error.code, 'ECONNRESET');
    });
  }

  for (const path of ['/stream', '/one-write', '/slow-stream']) {
    test(`who take something of ${path} now and then are waited for`, async () => {
      const { ours, theirs } = await ask(path);
      const end = performance.now() + 3 * patienceMs;
      while (performance.now() < end) {
        await take(ours, 256 * 1024);
        await pause(patienceMs / 5);
      }
      assert.equal(theirs.destroyed, false);
      const ended = closed(theirs);
      ours.destroy();
      await ended;
    });
  }

  test('for whom nothing waits are left alone, however long they are silent', async () => {
    const { ours, theirs } = await ask('/small');
    await once(ours.resume(), 'data');
    // By then, one for whom something waits was let go.
    await closed((await ask('/stream')).theirs);
    assert.equal(theirs.destroyed, false);
    ours.destroy();
  });
});
