import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** Allocates until V8 has much memory for new objects, becomes idle, and ends once most of that is given back. */
const script = `
  import { returnMemoryWhenIdle } from '${new URL('idle-memory.ts', import.meta.url)}';
  const held = () => process.memoryUsage().heapTotal;
  let kept = [];
  while (held() < 100_000_000) kept = Array.from({ length: 100_000 }, (_, number) => ({ number, kept: [number] }));
  kept = [];
  returnMemoryWhenIdle(50);
  const look = setInterval(() => {
    if (held() < 30_000_000) process.exit(0);
  }, 20);`;

test('an idle process gives back memory that V8 took under load', () => {
  const child = ['--input-type=module', '--eval', script];
  assert.doesNotThrow(() => execFileSync(process.execPath, child, { timeout: 60_000 }));
});
