import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { startPostgres } from '../test/postgres.ts';
import { runServer, service } from './run-server.ts';

// How long a like that one process has acknowledged takes to show in what another one answers to anonymous readers, on one
// PostgreSQL; against the time that a read takes anyway. What the first process answers must be right at once.
// Usage: node bench/like-lag.ts [--likes 500]

const { values } = parseArgs({ options: { likes: { type: 'string', default: '500' } } });
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const database = await startPostgres();
const environment = { PULLQUOTE_DATA: folder, DATABASE_URL: database.url };
const servers = [await runServer(service, { environment }), await runServer(service, { environment })];
const [near = '', far = ''] = servers.map(({ url }) => url);
const token = mintLocalToken(loadSecretKeys(parseConfig(environment)), {
  name: 'bench',
  singleUse: false,
  expiresAt: new Date(Date.now() + 3_600_000),
});

async function call(url: string, method = 'GET', body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(
    url,
    method === 'GET' ? {} : { method, headers, body: JSON.stringify(body ?? {}) },
  );
  return JSON.parse(await response.text()).data;
}

await call(`${near}/auth/signup`, 'POST');
const { id } = await call(`${near}/repos/harborline/parcel/pulls/13/article`, 'POST', { language: 'en' });
const countAt = async (url: string): Promise<number> => (await call(`${url}/articles/${id}`)).totalLikeCount;

const lags: number[] = [];
const reads: number[] = [];
let staleNear = 0;
for (let turn = 0; turn < Number(values.likes); turn++) {
  const wanted = turn % 2 === 0 ? 1 : 0;
  await Promise.all([countAt(near), countAt(far)]);
  await call(`${near}/articles/${id}/language/en/like`, wanted === 1 ? 'POST' : 'DELETE');
  const acknowledged = performance.now();
  while ((await countAt(far)) !== wanted);
  lags.push(performance.now() - acknowledged);
  if ((await countAt(near)) !== wanted) staleNear += 1;
  const start = performance.now();
  await countAt(far);
  reads.push(performance.now() - start);
}
for (const server of servers) await server.stop();
await database.stop();
rmSync(folder, { recursive: true, force: true });

const at = (numbers: number[], part: number) =>
  Number((numbers.sort((one, other) => one - other)[Math.floor(numbers.length * part)] ?? 0).toFixed(2));
console.log(
  `${values.likes} likes and unlikes; the process that took them answered wrongly right after: ${staleNear}`,
);
console.table({
  'until the other process shows it, ms': {
    p50: at(lags, 0.5),
    p99: at(lags, 0.99),
    largest: at(lags, 0.9999),
  },
  'a read, ms': { p50: at(reads, 0.5), p99: at(reads, 0.99), largest: at(reads, 0.9999) },
});
