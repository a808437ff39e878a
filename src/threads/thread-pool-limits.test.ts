import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { watchLimits } from './thread-pool.ts';

const mib = 1024 * 1024;

/** Runs a program in a thread until it passes a limit; returns the message of the failure. */
async function passedBy(program: string, limits = { workMs: 60_000, memoryBytes: 200 * mib }) {
  const worker = new Worker(program, { eval: true });
  const message = await new Promise<string>((resolve, reject) => {
    worker.on('error', reject).on('exit', () => reject(new Error('the thread ended by itself')));
    const watch = watchLimits(worker, limits, (failure) => {
      watch.stop();
      assert.equal(watch.isSmall(), /long/.test(failure.message));
      assert.equal(failure.code, 'UNREADABLE');
      resolve(failure.message);
    });
  });
  await worker.terminate();
  return message;
}

const tooLarge = 'This pull request takes too much memory to read.';

// Each program grows in small steps and then loops forever without yielding its thread.
const programs = {
  'JavaScript objects': 'const kept = []; for (;;) if (kept.length < 2e7) kept.push({ a: kept.length });',
  strings: "const kept = []; for (;;) if (kept.length < 4e6) kept.push(('x' + kept.length).repeat(200) + 1);",
  Buffers: 'const kept = []; for (;;) if (kept.length < 300) kept.push(Buffer.alloc(1e6, 1));',
  WebAssembly:
    'const memory = new WebAssembly.Memory({ initial: 1 }); for (;;) if (memory.buffer.byteLength < 3e8) memory.grow(16);',
};

for (const [kind, program] of Object.entries(programs)) {
  test(`memory used by ${kind} counts towards the limit of a thread`, async () => {
    assert.equal(await passedBy(program), tooLarge);
  });
}

test('a regular expression that never ends is stopped by the time limit of its thread', async () => {
  const endless = "/^(\\w+\\s?)*$/.test('aaaaaaaaaaaaaaaaaaaa '.repeat(9) + '!')";
  assert.equal(
    await passedBy(endless, { workMs: 300, memoryBytes: 200 * mib }),
    'This pull request takes too long to read.',
  );
});

test('waiting does not count towards the time limit of a thread', async () => {
  const waits = "setTimeout(() => require('node:worker_threads').parentPort.postMessage('over'), 400)";
  const worker = new Worker(waits, { eval: true });
  const passed: unknown[] = [];
  const watch = watchLimits(worker, { workMs: 100, memoryBytes: 200 * mib }, (failure) =>
    passed.push(failure),
  );
  await once(worker, 'message');
  watch.stop();
  await worker.terminate();
  assert.deepEqual(passed, []);
});
