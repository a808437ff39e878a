import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundJson } from './host-transport.ts';

async function read(texts: string[], bounds: { bytes: number; values: number }) {
  const { stream, isExceeded } = boundJson(bounds);
  const body = ReadableStream.from(texts.map((text) => new TextEncoder().encode(text)));
  const whole = await new Response(body.pipeThrough(stream)).text().catch(() => null);
  return { whole, isExceeded: isExceeded() };
}

test('`boundJson` passes JSON up to its limits of bytes and values in any chunks, and counts no values inside strings', async () => {
  const bounds = { bytes: 1_000, values: 10 };
  const json = JSON.stringify({ text: '",[{'.repeat(50), list: [1, 2, 3] });
  assert.deepEqual(await read([...json], bounds), { whole: json, isExceeded: false });
  const many = `[${'{},'.repeat(20)}{}]`;
  assert.deepEqual(await read([many], bounds), { whole: null, isExceeded: true });
  const long = JSON.stringify('x'.repeat(1_000));
  assert.deepEqual(await read([long.slice(0, 500), long.slice(500)], bounds), {
    whole: null,
    isExceeded: true,
  });
});
