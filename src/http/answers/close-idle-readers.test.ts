import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { waitUntil } from '../../../test/wait-until.ts';
import { closeIdleReaders } from './close-idle-readers.ts';

const bytes = 64 * 1024 * 1024;
const pieces = function* () {
  for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024);
};
const answers: Record<string, (response: ServerResponse) => void> = {
  '/stream': (response) => void Readable.from(pieces()).pipe(response),
  '/one-write': (response) => void response.end(Buffer.alloc(bytes)),
  '/last': (response) => void response.setHeader('connection', 'close').end(Buffer.alloc(bytes)),
  '/small': (response) => void response.end('small'),
};
const server = createServer(({ url = '' }, response) => answers[url]?.(response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
closeIdleReaders(server, 30_000);
after(() => server.close());

// Seconds pass when a test lets them.
mock.timers.enable({ apis: ['setInterval'] });

/** Asks for an answer and takes nothing of it; both ends of the connection. */
async function ask(path: string): Promise<{ ours: Socket; theirs: Socket }> {
  const accepted = once(server, 'connection');
  const ours = connect(port, '127.0.0.1').on('error', () => {});
  const [theirs] = (await accepted) as [Socket];
  ours.pause().write(`GET ${path} HTTP/1.1\r\nHost: any\r\n\r\n`);
  return { ours, theirs };
}

const taken = (theirs: Socket): string =>
  `${theirs.bytesWritten - theirs.writableLength} ${Reflect.get(theirs, '_handle').writeQueueSize}`;

async function leave(ours: Socket, theirs: Socket): Promise<void> {
  const ended = new Promise((resolve) => theirs.once('close', resolve));
  ours.destroy();
  await ended;
}

/** Lets a second pass, and what the kernel and the process have to tell each other meanwhile. */
async function second(): Promise<void> {
  mock.timers.tick(1_000);
  await setImmediate();
}

for (const path of ['/stream', '/one-write', '/last']) {
  test(`a reader who takes nothing of ${path} is let go within 30 seconds of what was taken last`, async () => {
    const { ours, theirs } = await ask(path);
    await waitUntil('more is sent than the kernel takes', () => theirs.writableNeedDrain);
    const ended = once(theirs, 'close');
    let before = '';
    let seconds = 0;
    while (!theirs.destroyed) {
      const now = taken(theirs);
      seconds = now === before ? seconds + 1 : 0;
      before = now;
      assert.ok(seconds < 30, 'it is still there');
      await second();
    }
    assert.ok(seconds > 28, `it was sent away after ${seconds} seconds`);
    await ended;
    // The kernel holds nothing for it either: what was not taken is gone, and the reader hears of it.
    const [error] = await once(ours.resume(), 'error');
    assert.equal(error.code, 'ECONNRESET');
  });
}

for (const path of ['/stream', '/one-write']) {
  test(`a reader who takes something of ${path} now and then is waited for`, async () => {
    const { ours, theirs } = await ask(path);
    await waitUntil('more is sent than the kernel takes', () => theirs.writableNeedDrain);
    for (let time = 0; time < 5; time += 1) {
      for (let passed = 0; passed < 20; passed += 1) await second();
      const before = taken(theirs);
      ours.resume();
      await waitUntil('something is taken', () => taken(theirs) !== before);
      ours.pause();
    }
    assert.equal(theirs.destroyed, false);
    await leave(ours, theirs);
  });
}

test('a connection on which nothing waits is left to others, however long it is silent', async () => {
  const { ours, theirs } = await ask('/small');
  await once(ours.resume(), 'data');
  for (let passed = 0; passed < 100; passed += 1) await second();
  assert.equal(theirs.destroyed, false);
  await leave(ours, theirs);
});
