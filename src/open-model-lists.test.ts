import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { adviceOnLocalModel, findLocalModels } from './open-model-lists.ts';

async function serving(body: string) {
  const server = createServer((_, reply) => void reply.end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => server.close() };
}

test('a model server on this machine is named with the lines to set', async (t) => {
  const { port, close } = await serving('{"data":[{"id":"nomic-embed-text"},{"id":"qwen3:8b"}]}');
  t.after(close);
  const [found] = await findLocalModels({}, [
    { server: 'LM Studio', port: 1 },
    { server: 'Ollama', port },
  ]);
  assert.equal(
    found && adviceOnLocalModel(found),
    `Ollama is running on this machine. To use it, set AI_MODEL=compatible/qwen3:8b and AI_BASE_URL=http://127.0.0.1:${port}/v1.`,
  );
});

test('a local server whose response lists no valid model name is not taken for a model server', async (t) => {
  const bodies = ['<html>', '{"data":[{"id":"a\\nb"},{"id":5},null]}', '{"success":false}'];
  for (const body of bodies) {
    const { port, close } = await serving(body);
    t.after(close);
    assert.deepEqual(await findLocalModels({}, [{ server: 'Ollama', port }]), [], body);
  }
});
