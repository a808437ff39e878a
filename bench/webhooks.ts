import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { Chance } from '../test/chance.ts';
import { deliveryOf, webhookSecret } from '../test/github/deliver.ts';
import { standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account, pull, repository } from '../test/github/state.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { runServer, service } from './run-server.ts';
import type { Reading } from './time-reads.ts';

// A storm of deliveries of GitHub, shuffled and every third of them sent twice: about a repository that is watched, whose pull
// requests are merged and pushed to meanwhile, and about others that are not known. How long an ordinary read takes beside it,
// against without it, how long GitHub waits for its answers, and whether an article is missing in the end.
// Usage: node bench/webhooks.ts [--deliveries 10000] [--seconds 60] [--merged 50]

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    merged: { type: 'string', default: '50' },
  },
});
const deliveries = Number(values.deliveries);
const seconds = Number(values.seconds);
const mergedCount = Number(values.merged);
const chance = new Chance(34);

const github = await startGitHub();
const token = 'ghp_tokenOfann';
github.state.accounts.push(account(1, 'ann', token));
const rocket = repository(71, 'acme/rocket', {
  pulls: Array.from({ length: mergedCount + 1 }, (_, index) => pull(index + 1, `change-${index + 1}`)),
});
github.state.repositories.push(rocket);
const running = await runServer(service, {
  environment: {
    PULLQUOTE_DATA: temporaryFolder(),
    CODE_HOST: 'github',
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    GITHUB_WEBHOOK_SECRETS: webhookSecret,
    WRITERS: '1',
  },
});

const call = async (method: string, path: string, body?: object) => {
  const response = await fetch(new URL(path, running.url), {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as { data: { id: string; pagination: { totalItems: number } } };
};
await call('POST', '/auth/signup', { language: 'en' });
await call('POST', '/auth/host-token', { accessToken: token });
await call('POST', '/repos/acme/rocket/pulls/1/article', { language: 'en' });
const favorite = await call('POST', '/users/me', { owner: 'acme', repo: 'rocket' });
await call('PUT', `/users/me/favorite-repositories/${favorite.data.id}/watch`, { language: 'en' });

/** Milliseconds that each read took: of an article, which is kept in memory, and of a pull request, which is looked up. */
async function read(rounds: number): Promise<number[][]> {
  const paths = ['/repos/acme/rocket/pulls/1/article', '/repos/acme/rocket/pulls/1'];
  const workerData: Reading = { addresses: paths.map((path) => running.url + path), rounds };
  const reading = new Worker(join(import.meta.dirname, 'time-reads.ts'), { workerData });
  const [took]: number[][][] = await once(reading, 'message');
  return took ?? [];
}

interface Event {
  at: number;
  action: string;
  number: number;
  id: number;
}

/** What is sent and when, as a part of the whole time; merges first become true on GitHub. */
function plan(): Event[] {
  const events: Event[] = [];
  for (let number = 2; number <= mergedCount + 1; number += 1)
    events.push({ at: chance.from(0, 900) / 1000, action: 'closed', number, id: rocket.id });
  while (events.length < (deliveries * 3) / 4) {
    const isKnown = chance.from(0, 2) > 0;
    const action = chance.one(['synchronize', 'edited', 'labeled', 'opened']);
    const number = chance.from(2, mergedCount + 1);
    events.push({ at: chance.from(0, 1000) / 1000, action, number, id: isKnown ? rocket.id : 99 });
  }
  return events.sort((one, other) => one.at - other.at);
}

const statuses: Record<number, number> = {};
const answered: number[] = [];

async function send({ action, number, id }: Event, deliveryId: string): Promise<void> {
  const merging = rocket.pulls.find((one) => one.number === number);
  if (action === 'closed' && merging && merging.mergedAt === null) {
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    Object.assign(merging, { state: 'closed', mergedAt: now, updatedAt: now });
  }
  const payload = { action, number, pull_request: { merged: true }, repository: { id } };
  const { headers, body } = deliveryOf({ event: 'pull_request', payload, deliveryId });
  const start = performance.now();
  const response = await fetch(new URL('/webhooks/github', running.url), { method: 'POST', headers, body });
  await response.text();
  answered.push(performance.now() - start);
  statuses[response.status] = (statuses[response.status] ?? 0) + 1;
}

async function storm(): Promise<void> {
  const start = performance.now();
  const sent: Promise<void>[] = [];
  for (const event of plan()) {
    const early = event.at * seconds * 1000 - (performance.now() - start);
    if (early > 1) await pause(early);
    const id = crypto.randomUUID();
    sent.push(send(event, id));
    if (sent.length % 3 === 1) sent.push(send(event, id));
  }
  await Promise.all(sent);
}

const joined = (rounds: number[][][], which: number) => rounds.flatMap((one) => one[which] ?? []);
const at = (took: number[], part: number) =>
  took.toSorted((one, other) => one - other)[Math.floor(took.length * part)] ?? 0;

await read(500);
const alone = [await read(2_000), await read(2_000)];
const beside: number[][][] = [];
let isOver = false;
const storming = storm().finally(() => {
  isOver = true;
});
while (!isOver) beside.push(await read(500));
await storming;

const written = async () =>
  (await call('GET', '/articles?owner=acme&repo=rocket&limit=1')).data.pagination.totalItems;
const end = performance.now() + 120_000;
while ((await written()) < mergedCount + 1 && performance.now() < end) await pause(500);
const articles = await written();
await running.stop();

const row = (rounds: number[][][]) => ({
  'article p50': at(joined(rounds, 0), 0.5),
  'article p99': at(joined(rounds, 0), 0.99),
  'pull request p50': at(joined(rounds, 1), 0.5),
  'pull request p99': at(joined(rounds, 1), 0.99),
});
const rows = { alone: row(alone), 'beside the storm': row(beside) };
console.log(`${answered.length} deliveries in ${seconds} s, answered ${JSON.stringify(statuses)}`);
console.table(
  Object.entries(rows).map(([when, took]) => ({
    when,
    ...Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, `${ms.toFixed(1)} ms`])),
  })),
);
const times = (of: 'article p99' | 'pull request p99') =>
  (rows['beside the storm'][of] / rows.alone[of]).toFixed(2);
console.log(
  `p99 of an article ${times('article p99')} times as long, of a pull request ${times('pull request p99')}; GitHub waits ` +
    `${at(answered, 0.5).toFixed(1)} ms, ${at(answered, 0.99).toFixed(1)} ms at p99, ${Math.max(...answered).toFixed(0)} ms at most, 10,000 are allowed`,
);
console.log(`${articles} articles of ${mergedCount + 1}`);
