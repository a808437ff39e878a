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

/** Pieces as fast as they are read, or slowly: many slow ones fit into the kernel's buffers. */
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
// No other timeout closes idle connections.
server.keepAliveTimeout = 0;
closeIdleReaders(server, patienceMs);
after(() => server.close());

const accepted = new Map<number | undefined, Socket>();
server.on('connection', (socket) => accepted.set(socket.remotePort, socket));

/** Sends a request and reads no byte of the response; returns both ends of the connection. */
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

describe('`closeIdleReaders`', { concurrency: true }, () => {
  for (const path of ['/stream', '/one-write', '/last', '/slow-stream']) {
    test(`a client that reads no byte of ${path} is disconnected with a reset`, async () => {
      const { ours, theirs } = await ask(path);
      let sent = 0;
      await waitUntil('the connection is closed', () => {
        sent = theirs.bytesWritten;
        return theirs.destroyed;
      });
      // The kernel buffers some bytes, which makes the client look as if it were reading.
      if (path === '/slow-stream' && process.platform === 'linux')
        assert.ok(sent < 3 * 1024 * 1024, `${sent} bytes were sent for it`);
      const [error] = await once(ours.resume(), 'error');
      assert.equal(error.code, 'ECONNRESET');
    });
  }

  for (const path of ['/stream', '/one-write', '/slow-stream']) {
    test(`a client that reads ${path} slowly stays connected`, async () => {
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

  test('an idle connection without a pending response stays open', async () => {
    const { ours, theirs } = await ask('/small');
    await once(ours.resume(), 'data');
    // By then, a client with a pending response was disconnected.
    await closed((await ask('/stream')).theirs);
    assert.equal(theirs.destroyed, false);
    ours.destroy();
  });
});
