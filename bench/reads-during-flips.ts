import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys, prepareDataFolder } from '../src/data-folder.ts';
import { openPostgres } from '../src/db/postgres.ts';
import { listRepositoriesOfHost, saveRepository } from '../src/db/repositories.ts';
import { startPostgres } from '../test/postgres.ts';
import { waitUntil } from '../test/wait-until.ts';
import { runServer, service } from './run-server.ts';

// A repository turns private and public again, many times, in a transaction of a process of its own, while two services on
// one PostgreSQL are read without a pause, by an anonymous reader and by one with a credential. Counts the answers
// that showed the repository although it had turned private: those that were begun before the commit was acknowledged and
// came later, and those that were begun after it; and how late, against the time that a read takes anyway.
// Usage: node bench/reads-during-flips.ts [--flips 300] [--readers 4]

const { values } = parseArgs({
  options: { flips: { type: 'string', default: '300' }, readers: { type: 'string', default: '4' } },
});
const flips = Number(values.flips);

interface Read {
  path: string;
  start: number;
  end: number;
  shows: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const server = await startPostgres();
const environment = { PULLQUOTE_DATA: folder, DATABASE_URL: server.url };
const config = parseConfig(environment);
prepareDataFolder(config.dataFolder);
const token = mintLocalToken(loadSecretKeys(config), {
  name: 'bench',
  singleUse: false,
  expiresAt: new Date(Date.now() + 3_600_000),
});
const services = [await runServer(service, { environment }), await runServer(service, { environment })];
const database = await openPostgres(server.url);

async function write(path: string, body: object = {}): Promise<string> {
  const reply = await fetch(`${services[0]?.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${path}: ${text}`);
  return text;
}

const pull = '/repos/harborline/parcel/pulls/13';
await write('/auth/signup');
const { id, title } = JSON.parse(await write(`${pull}/article`, { language: 'en' })).data;
await write(`/articles/${id}/language/en/like`);
const paths = [
  `/articles/${id}`,
  `${pull}/article`,
  '/articles',
  '/ranking/articles/likes',
  pull,
  `${pull}/diff`,
];

const reads: Read[] = [];
let isOver = false;

/** Asks for one thing after the other, and notes which answers show the repository. */
async function keepReading(url: string, first: number, headers: Record<string, string>): Promise<void> {
  for (let turn = first; !isOver; turn += 1) {
    const path = paths[turn % paths.length] ?? '';
    const start = performance.now();
    const reply = await fetch(`${url}${path}`, { headers });
    const text = await reply.text();
    const shows = path.endsWith('/diff') ? reply.ok : text.includes(title) || text.includes(id);
    reads.push({ path, start, end: performance.now(), shows });
  }
}

const [repository] = await listRepositoriesOfHost(database, 'git');
if (!repository) throw new Error('There is no repository.');
// Later than whatever the host itself is asked meanwhile, which knows nothing of these flips.
let askedAt = Date.now() + 3_600_000;
const turn = (isPrivate: boolean) =>
  database.transaction((tx) => {
    askedAt += 1;
    return saveRepository(tx, { ...repository, isPrivate }, new Date(askedAt));
  });

const readers = services.flatMap(({ url }) =>
  Array.from({ length: Number(values.readers) }, (_, index) =>
    keepReading(url, index, index % 2 === 0 ? {} : { authorization: `Bearer ${token}` }),
  ),
);
const overtaken: { path: string; late: number }[] = [];
const afterwards: { path: string; late: number }[] = [];
const usual: number[] = [];
let answers = 0;
/** Until every reader has, on average, read all there is once, and whatever was under way has ended. */
const untilRead = (what: string, isSo: (read: Read) => boolean) =>
  waitUntil(what, () => reads.filter(isSo).length >= paths.length * readers.length);

for (let flip = 0; flip < flips; flip += 1) {
  reads.length = 0;
  await untilRead('it shows again', ({ shows }) => shows);
  usual.push(...reads.map(({ start, end }) => end - start));
  reads.length = 0;
  await turn(true);
  const committed = performance.now();
  await untilRead('all have read', ({ start }) => start > committed);
  for (const { path, start, end, shows } of reads) {
    if (end < committed) continue;
    answers += 1;
    if (!shows) continue;
    if (start < committed) overtaken.push({ path, late: end - committed });
    else afterwards.push({ path, late: start - committed });
  }
  await turn(false);
}
isOver = true;
await Promise.all(readers);
for (const { stop } of services) await stop();
await database.close();
await server.stop();
rmSync(folder, { recursive: true, force: true });

const at = (numbers: number[], part: number) =>
  Number((numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * part)] ?? 0).toFixed(2));
const row = (numbers: number[]) => ({
  count: numbers.length,
  'p50, ms': at(numbers, 0.5),
  'p99, ms': at(numbers, 0.99),
  'largest, ms': at(numbers, 0.9999),
});
console.log(
  `${flips} flips, two services, ${readers.length} readers; ${answers} answers came after a commit`,
);
console.table({
  'shown, begun before the commit: came so long after it': row(overtaken.map(({ late }) => late)),
  'shown, begun after the commit: begun so long after it': row(afterwards.map(({ late }) => late)),
  'a read while it is public takes': row(usual),
});
for (const path of paths) {
  const count = (list: { path: string }[]) => list.filter((one) => one.path === path).length;
  console.log(`${path.replace(id, '{id}')}: ${count(overtaken)} begun before, ${count(afterwards)} after`);
}
