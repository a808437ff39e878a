import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { program, projectFolder, runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

test('`pullquote mcp` takes its server from the environment and ignores a .env file in its working folder', async () => {
  const clone = temporaryFolder();
  writeFileSync(
    join(clone, '.env'),
    'PUBLIC_URL=https://evil.example\nHTTPS_PROXY=http://evil.example\nMAX_DIFF_MIB=nonsense\n',
  );
  const { code, stderr } = await runToEnd({
    command: [process.execPath, program, 'mcp'],
    environment: { PULLQUOTE_TOKEN: 'pq_a-token-of-a-user', PORT: '8123' },
    cwd: clone,
  });
  assert.deepEqual([code, stderr], [0, 'Connected to http://127.0.0.1:8123.\n']);
});

test('`pullquote mcp` answers every request sent before standard input ends, and then exits', async () => {
  const service = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [] } }));
  }).listen(0, '127.0.0.1');
  after(() => service.close());
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const running = promisify(execFile)(
    process.execPath,
    ['--liftoff-only', program, 'mcp', '--server', `http://127.0.0.1:${port}`],
    { cwd: projectFolder, env: { PATH: process.env.PATH } },
  );
  const ask = (id: number): string => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' })}\n`;
  running.child.stdin?.end(ask(7) + ask(8));
  const { stdout } = await running;
  const answers = stdout.trimEnd().split('\n');
  assert.deepEqual(
    answers.map((line) => JSON.parse(line)).toSorted((one, other) => one.id - other.id),
    [7, 8].map((id) => ({ jsonrpc: '2.0', id, result: { tools: [] } })),
  );
});

test('`pullquote mcp` without a token gives an agent a tool error that asks for one, not a protocol error', async () => {
  const service = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: 'Send a token.' } }));
  }).listen(0, '127.0.0.1');
  after(() => service.close());
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  const running = promisify(execFile)(
    process.execPath,
    ['--liftoff-only', program, 'mcp', '--server', `http://127.0.0.1:${port}`],
    { cwd: projectFolder, env: { PATH: process.env.PATH } },
  );
  const params = { name: 'list_my_feed', arguments: {} };
  running.child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })}\n`);
  const text = 'Send a token. Set PULLQUOTE_TOKEN for pullquote mcp.';
  assert.deepEqual(JSON.parse((await running).stdout), {
    jsonrpc: '2.0',
    id: 7,
    result: { content: [{ type: 'text', text }], isError: true },
  });
});
