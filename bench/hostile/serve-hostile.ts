import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { makeBenchFolder } from '../local-server.ts';
import { runServer, service } from '../run-server.ts';
import type { Health } from './ask-health.ts';
import { makeHostileClone } from './make-hostile-clone.ts';
import type { HostileText } from './texts.ts';

export const mostAtPermille999 = 100;
export const mostMs = 250;

/** The concurrent requests, as many as a small team makes. */
const askers = 4;

const largest = 80_000;

interface Served {
  articles: Record<string, number>;
  'times asked': number;
  'not well': number;
  'p99.9 ms': number;
  'longest ms': number;
}

/** Lets a service fetch and write about hostile pull requests, and reports its health checks meanwhile. */
export async function serveHostile(texts: HostileText[]): Promise<Served> {
  const folder = makeBenchFolder();
  const count = makeHostileClone(join(folder, 'repos'), 'some/where', texts, largest);
  const environment = {
    PULLQUOTE_DATA: join(folder, 'data'),
    GIT_REPOS: join(folder, 'repos'),
  };
  const config = parseConfig(environment);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'bench', singleUse: false, expiresAt });
  const server = await runServer(service, { environment });
  try {
    await post(`${server.url}/auth/signup`, token);
    const health = new Worker(new URL('./ask-health.ts', import.meta.url), {
      workerData: `${server.url}/healthz`,
    });
    const articles = await writeAll(server.url, token, count);
    const told = once(health, 'message');
    health.postMessage('stop');
    const [{ milliseconds, unwell }] = (await told) as [Health];
    milliseconds.sort((one, other) => one - other);
    const at = (share: number) =>
      Math.round(milliseconds[Math.floor(milliseconds.length * share)] ?? Number.NaN);
    return {
      articles,
      'times asked': milliseconds.length,
      'not well': unwell,
      'p99.9 ms': at(0.999),
      'longest ms': Math.round(milliseconds.at(-1) ?? Number.NaN),
    };
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeAll(url: string, token: string, count: number): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  let next = 1;
  const work = async () => {
    for (let number = next++; number <= count; number = next++) {
      const status = await post(`${url}/repos/some/where/pulls/${number}/article`, token);
      outcomes[status] = (outcomes[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: askers }, work));
  return outcomes;
}

async function post(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(url, { method: 'POST', headers });
  await reply.arrayBuffer();
  return reply.status;
}
