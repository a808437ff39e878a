import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Chance } from '../test/chance.ts';
import { deliveryOf, webhookSecret } from '../test/github/deliver.ts';
import { type GitHubStandIn, standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account, merged, repository, type StandInRepository } from '../test/github/state.ts';
import { startPostgres } from '../test/postgres.ts';
import { countRevisions } from './live/count-revisions.ts';
import { fastClock } from './live/fast-clock.ts';
import { KilledServices } from './live/killed-services.ts';

// What becomes of what is merged in a repository that is watched, while a service is killed with -9 every ten seconds and started
// again: two services that share a PostgreSQL, and one with the PostgreSQL that it starts. Heard by webhooks, each delivered twice and out of order, and what
// no service took delivered again; and by polling alone, GitHub being away for ten minutes in the middle. The clock of the
// services goes faster, so that minutes pass in seconds. Ends with 1 where an article is missing or was written twice.
// Usage: node bench/live.ts [--merges 500] [--services 1|2] [--by webhooks|polling] [--speed 10]

const { values } = parseArgs({
  options: {
    merges: { type: 'string', default: '500' },
    services: { type: 'string' },
    by: { type: 'string' },
    speed: { type: 'string', default: '10' },
  },
});
const merges = Number(values.merges);
const speed = Number(values.speed);
const killEveryMs = 10_000;
const mergeEveryMs = 500;
const awayMs = 10 * 60_000;
/** Deliveries are late by up to this, each by itself, so that they overtake each other. */
const mostLateMs = 5_000;
/** What is not written when nothing was for this long is lost: what the dead held is held for five minutes of their clock. */
const mostIdleMs = 5 * 60_000;
const token = 'ghp_tokenOfann';

type By = 'webhooks' | 'polling';

interface Scene {
  github: GitHubStandIn;
  rocket: StandInRepository;
  services: KilledServices;
  now: () => Date;
}

/** Asks any service that answers, until one does. */
async function call(services: KilledServices, method: string, path: string, body?: object) {
  for (;;) {
    const [url = 'http://127.0.0.1:1'] = services.urls();
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null);
    const text = await response?.text().catch(() => null);
    if (response?.ok && text) return JSON.parse(text);
    await pause(200);
  }
}

async function follow(services: KilledServices): Promise<void> {
  await call(services, 'POST', '/auth/signup', { language: 'en' });
  const { data } = await call(services, 'POST', '/users/me', { owner: 'acme', repo: 'rocket' });
  const watch = `/users/me/favorite-repositories/${data.id}/watch`;
  await call(services, 'PUT', watch, { language: 'en' });
  const hasBegun = async () =>
    (await call(services, 'GET', '/users/me/watches')).data.items[0]?.lastSeenAt !== null;
  while (!(await hasBegun())) await pause(200);
}

/** Delivers until a service takes it: as GitHub does for those who have it deliver again what failed. */
async function deliver(scene: Scene, number: number, deliveryId: string, chance: Chance): Promise<void> {
  const payload = {
    action: 'closed',
    number,
    pull_request: { merged: true },
    repository: { id: scene.rocket.id },
  };
  const { headers, body } = deliveryOf({ event: 'pull_request', payload, deliveryId });
  for (let times = 1; ; times += 1) {
    // Later each time: all that no service took would otherwise come together as soon as one has started.
    await pause(chance.from(0, mostLateMs * Math.min(times, 6)));
    const url = chance.pick(scene.services.urls());
    if (url === undefined) continue;
    const posted = { method: 'POST', headers, body };
    const response = await fetch(new URL('/webhooks/github', url), posted).catch(() => null);
    if (response?.ok) return;
  }
}

async function mergeAll(scene: Scene, by: By): Promise<void> {
  const { github, rocket, now } = scene;
  const chance = new Chance(34);
  const delivered: Promise<void>[] = [];
  let taken = 0;
  let back: Promise<void> | undefined;
  for (let number = 1; number <= merges; number += 1) {
    await pause(mergeEveryMs);
    rocket.pulls.push(merged(number, now()));
    if (by === 'webhooks') {
      const id = crypto.randomUUID();
      for (let time = 0; time < 2; time += 1)
        delivered.push(
          deliver(scene, number, id, chance).then(() => {
            taken += 1;
          }),
        );
      if (number % 50 === 0) process.stderr.write(`${number} merged, ${taken} deliveries taken\n`);
    } else if (number === Math.ceil(merges / 2)) {
      const end = github.script(/./, (response) => void response.writeHead(502).end());
      back = pause(awayMs / speed).then(end);
    }
  }
  await Promise.all([...delivered, back]);
}

const countWritten = async (services: KilledServices): Promise<number> =>
  (await call(services, 'GET', '/articles?owner=acme&repo=rocket&limit=1')).data.pagination.totalItems;

async function play(count: number, by: By) {
  const epoch = Date.now();
  const now = fastClock(epoch, speed);
  const github = await startGitHub(() => now().getTime());
  github.state.accounts.push(account(1, 'ann', token));
  const rocket = repository(71, 'acme/rocket');
  github.state.repositories.push(rocket);
  const dataFolder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  const postgres = count > 1 ? await startPostgres() : null;
  const environment = {
    PULLQUOTE_DATA: dataFolder,
    ...(postgres && { DATABASE_URL: postgres.url }),
    CODE_HOST: 'github',
    GITHUB_URL: github.url,
    GITHUB_TOKEN: token,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    WATCH_MINUTES: '1',
    LOG_LEVEL: 'fatal',
    ...(by === 'webhooks' && { GITHUB_WEBHOOK_SECRETS: webhookSecret }),
  };
  const services = new KilledServices(environment, { epoch, speed });
  try {
    await services.start(count);
    await follow(services);
    process.stderr.write(`services: ${count}, by ${by}: it is watched, and merging begins\n`);
    services.beginKilling(killEveryMs);
    await mergeAll({ github, rocket, services, now }, by);
    process.stderr.write(`all are merged, ${await countWritten(services)} of them written\n`);
    const mergedAt = performance.now();
    let written = 0;
    for (let since = mergedAt; performance.now() - since < mostIdleMs && written < merges; ) {
      await pause(2_000);
      const before = written;
      written = await countWritten(services);
      if (written > before) since = performance.now();
      process.stderr.write(`${written} of ${merges} written, ${services.kills} killed\n`);
    }
    const seconds = Math.round((performance.now() - mergedAt) / 1000);
    // What is written twice may come only now.
    await services.endKilling();
    await pause(awayMs / speed / 4);
    await services.stop();
    const counted = await countRevisions(environment);
    const twice = counted.filter(({ times }) => times > 1).length;
    const { kills, failedStarts } = services;
    const missing = merges - counted.length;
    return {
      services: count,
      by,
      merged: merges,
      written: counted.length,
      twice,
      missing,
      kills,
      'failed starts': failedStarts,
      'seconds after': seconds,
    };
  } finally {
    await services.stop();
    await postgres?.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

const rows = [];
for (const count of [2, 1].filter((one) => Number(values.services ?? one) === one))
  for (const by of (['webhooks', 'polling'] as const).filter((one) => (values.by ?? one) === one)) {
    const row = await play(count, by);
    process.stderr.write(`${JSON.stringify(row)}\n`);
    rows.push(row);
  }
console.table(rows);
process.exitCode = rows.some(({ twice, missing }) => twice > 0 || missing > 0) ? 1 : 0;
