import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { adviceOnLocalModel, findLocalModel } from './open-writing.ts';

async function serving(body: string, afterMs = 0) {
  const server = createServer((_, reply) => void setTimeout(() => reply.end(body), afterMs));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

test('a model server on this machine is named with the lines to set', async (t) => {
  const { port, close } = await serving('{"data":[{"id":"nomic-embed-text"},{"id":"qwen3:8b"}]}');
  t.after(close);
  const found = await findLocalModel({}, [
    { server: 'LM Studio', port: 1 },
    { server: 'Ollama', port },
  ]);
  assert.equal(
    found && adviceOnLocalModel(found),
    `Ollama is running on this machine. To use it, set AI_MODEL=compatible/qwen3:8b and AI_BASE_URL=http://127.0.0.1:${port}/v1.`,
  );
});

test('whatever else answers there, or too late, is no model server', async (t) => {
  for (const [body, afterMs] of [
    ['<html>', 0],
    ['{"data":[{"id":"a\\nb"},{"id":5},null]}', 0],
    ['{"success":false}', 0],
    ['{"data":[{"id":"late"}]}', 2_000],
  ] as const) {
    const { port, close } = await serving(body, afterMs);
    t.after(close);
    const start = performance.now();
    assert.equal(await findLocalModel({}, [{ server: 'Ollama', port }]), null, body);
    assert.ok(performance.now() - start < 1_500);
  }
});
