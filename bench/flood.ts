import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys, prepareDataFolder } from '../src/data-folder.ts';
import { gitInTurn } from '../test/make-clone.ts';
import { startPostgres } from '../test/postgres.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { runServer, service } from './run-server.ts';

// A flood of anonymous requests on every public route that runs git or a worker thread, with the usual rate limit: how long a user
// waits meanwhile for a list, an ingest and an article of a repository that is not flooded, against before and after it in the same run.
// Usage: node bench/flood.ts [--requests 1000] [--seconds 60] [--addresses 20] [--pulls 3000]

/** What the flood asks for, in a thread of its own. */
interface Flood {
  /** By route, where it is and what is asked there in turn. */
  routes: Record<string, string[]>;
  requests: number;
  seconds: number;
  addresses: number;
}

/** By route, how often each status was answered. */
type Answered = Record<string, Record<string, number>>;

const clones = 6;
const tags = 60;

async function flood({ routes, requests, seconds, addresses }: Flood): Promise<Answered> {
  const agent = new Agent({ keepAlive: true });
  const answered: Answered = {};
  const under: Promise<void>[] = [];
  const ask = async (route: string, url: string, count: number) => {
    const address = `198.51.100.${1 + (count % addresses)}`;
    // With an origin, an answer is not one of those that are kept in memory.
    const headers = { 'x-forwarded-for': address, origin: 'http://flood.example', accept: '*/*' };
    const status = await new Promise<string>((resolve) => {
      get(url, { agent, headers }, (reply) => {
        reply.resume().on('close', () => resolve(String(reply.statusCode)));
      }).on('error', () => resolve('none'));
    });
    const statuses = answered[route] ?? {};
    answered[route] = statuses;
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const start = performance.now();
  for (let count = 0; count < requests; count += 1) {
    for (const [place, [route, urls]] of Object.entries(routes).entries())
      under.push(ask(route, urls[count % urls.length] ?? '', count + place));
    await pause(Math.max(0, start + ((count + 1) * seconds * 1000) / requests - performance.now()));
  }
  await Promise.all(under);
  agent.destroy();
  return answered;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string', default: '1000' },
      seconds: { type: 'string', default: '60' },
      addresses: { type: 'string', default: '20' },
      pulls: { type: 'string', default: '3000' },
    },
  });
  const pulls = Number(values.pulls);
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  const root = join(folder, 'repos');
  const names = ['quiet', ...Array.from({ length: clones }, (_, index) => `flooded-${index}`)];
  for (const name of names) {
    makePullRequests(root, `acme/${name}`, pulls);
    const at = (tag: number) => `main~${Math.floor(((tags - tag) * pulls) / (tags + 1))}`;
    const commands = Array.from({ length: tags }, (_, tag) => ['tag', `v${tag}`, at(tag)]);
    gitInTurn(join(root, 'acme', name), commands);
  }
  const postgres = await startPostgres();
  const environment = {
    PULLQUOTE_DATA: join(folder, 'data'),
    GIT_REPOS: root,
    DATABASE_URL: postgres.url,
    RATE_LIMIT: '600',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'fatal',
  };
  const config = parseConfig(environment);
  prepareDataFolder(config.dataFolder);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'user', singleUse: false, expiresAt });
  const server = await runServer(service, { environment });
  const call = async (method: string, path: string, accept = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const began = performance.now();
    const reply = await fetch(new URL(path, server.url), { method, headers });
    const text = await reply.text();
    return { ms: performance.now() - began, status: reply.status, text };
  };
  try {
    await call('POST', '/auth/signup');
    const pictures: string[] = [];
    for (const name of names)
      for (let number = 1; number <= 5; number += 1) {
        const asked = await call('POST', `/repos/acme/${name}/pulls/${number}/article`);
        if (asked.status !== 201) throw new Error(asked.text);
        const { id, contents } = JSON.parse(asked.text).data;
        if (name !== 'quiet') pictures.push(`/cards/${id}/${Object.keys(contents)[0]}/any.png`);
      }

    let next = 100;
    const took: Record<string, Record<string, number[]>> = {};
    const failed: string[] = [];
    const use = async (when: string, isOver: () => boolean) => {
      const by = took[when] ?? { list: [], ingest: [], article: [] };
      took[when] = by;
      while (!isOver()) {
        next += 1;
        const asked = {
          list: await call('GET', `/repos/acme/quiet/pulls?limit=30&offset=${(next * 30) % (pulls - 30)}`),
          ingest: await call('POST', `/repos/acme/quiet/pulls/${next}/ingest`),
          article: await call('GET', `/r/acme/quiet/${1 + (next % 5)}`, 'text/html'),
        };
        for (const [what, { ms, status, text }] of Object.entries(asked)) {
          by[what]?.push(ms);
          if (status >= 300) failed.push(`${when}, ${what}: ${status} ${text.slice(0, 200)}`);
        }
        await pause(100);
      }
    };
    const seconds = Number(values.seconds);
    const after = (ms: number) => {
      const end = performance.now() + ms;
      return () => performance.now() > end;
    };
    await use('warming up', after(5_000));
    await use('quiet', after((seconds * 1000) / 2));

    const flooded = names.slice(1);
    const anywhere = (path: (name: string, index: number) => string, count = 997) =>
      Array.from({ length: count }, (_, index) => server.url + path(flooded[index % clones] ?? '', index));
    const range = (index: number) => `from=v${index % 29}&to=v${30 + (index % 30)}`;
    const lines = (index: number) =>
      `file=src/item-${1 + (index % 5)}.ts&direction=below&side=new&line=${1 + (index % 3)}`;
    const routes = {
      '/repos/…/release': anywhere((name, index) => `/repos/acme/${name}/release?${range(index)}`),
      '/r/…/release': anywhere((name, index) => `/r/acme/${name}/release?${range(index + 7)}`),
      '/r/…/release without a range': anywhere((name) => `/r/acme/${name}/release`),
      '/r/…/NUMBER': anywhere((name, index) => `/r/acme/${name}/${1 + (index % 5)}`),
      '/r/…/NUMBER/lines': anywhere(
        (name, index) => `/r/acme/${name}/${1 + (index % 5)}/lines?${lines(index)}`,
      ),
      '/cards': pictures.map((path) => server.url + path),
      '/': anywhere(() => '/'),
      '/repositories': anywhere(() => '/repositories'),
      '/meta': anywhere(() => '/meta'),
    };
    const [requests, addresses] = [Number(values.requests), Number(values.addresses)];
    const thread = new Worker(import.meta.filename, {
      workerData: { routes, requests, seconds, addresses } satisfies Flood,
    });
    let answered: Answered | null = null;
    const ended = once(thread, 'message').then(([all]: Answered[]) => {
      answered = all ?? {};
    });
    await use('flooded', after(seconds * 1000));
    await ended;
    // Before and after, because a machine is not the same for minutes.
    await use('quiet', after((seconds * 1000) / 2));

    const at = (ms: number[] = [], part: number) =>
      ms.toSorted((one, other) => one - other)[Math.min(ms.length - 1, Math.floor(ms.length * part))] ??
      Number.NaN;
    console.log(
      `${requests} requests on each of ${Object.keys(routes).length} routes in ${seconds} s from ${addresses} addresses`,
    );
    console.table(answered);
    console.table(
      Object.fromEntries(
        ['list', 'ingest', 'article'].map((what) => {
          const [quiet, beside] = [took.quiet?.[what], took.flooded?.[what]];
          return [
            what,
            {
              times: beside?.length,
              'quiet median ms': Math.round(at(quiet, 0.5)),
              'flooded median ms': Math.round(at(beside, 0.5)),
              ratio: (at(beside, 0.5) / at(quiet, 0.5)).toFixed(2),
              'quiet worst ms': Math.round(at(quiet, 1)),
              'flooded worst ms': Math.round(at(beside, 1)),
              'ratio of worst': (at(beside, 1) / at(quiet, 1)).toFixed(2),
            },
          ];
        }),
      ),
    );
    console.log('Medians may take 3 times as long at most.');
    for (const problem of failed.slice(0, 5)) console.log(problem);
    console.log(`${failed.length} of the user's requests failed; none may.`);
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMainThread) await main();
else parentPort?.postMessage(await flood(workerData));
