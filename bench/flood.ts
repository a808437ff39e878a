import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account } from '../test/github/state.ts';
import { makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { makeWorstRelease, worstName, worstOwner, worstRepository } from '../test/make-worst-input.ts';
import { startPostgres } from '../test/postgres.ts';
import { makePullRequests } from './make-pull-requests.ts';
import { median } from './reading-in-turns.ts';
import { runServer, service } from './run-server.ts';

// Floods every public route in turn, from one address and within the usual rate limit, with the worst input that can be
// stored; then sends questions of one user that nobody waits for. Measures how long another user waits for a list, an
// article and /healthz, against quiet times of the same run.
// Usage: node bench/flood.ts [--requests 1000] [--seconds 60] [--questions 590] [--files 1000] [--route PART]

interface Ask {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Requests sent by a separate thread: a burst, and the rest as the rate limit allows. */
interface Flood {
  url: string;
  asks: Ask[];
  seconds: number;
}

const burst = 600;
const pulls = 3_000;

async function flood({ url, asks, seconds }: Flood): Promise<Record<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: burst });
  const statuses: Record<string, number> = {};
  const ask = async ({ method, path, headers, body }: Ask) => {
    const status = await new Promise<string>((resolve) => {
      const sent = request(new URL(path, url), { agent, method, headers }, (reply) => {
        reply.resume().on('close', () => resolve(String(reply.statusCode)));
      });
      sent.on('error', () => resolve('none')).end(body);
    });
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const under = asks.slice(0, burst).map(ask);
  const rest = asks.slice(burst);
  for (const one of rest) {
    await pause((seconds * 1000) / rest.length);
    under.push(ask(one));
  }
  await Promise.all(under);
  agent.destroy();
  return statuses;
}

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '60' },
    questions: { type: 'string', default: '590' },
    files: { type: 'string', default: '1000' },
    route: { type: 'string', default: '' },
  },
});

type Took = Record<'list' | 'article' | 'healthz', number[]>;

const at = (took: number[], part: number): number =>
  took.toSorted((one, other) => one - other)[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;

const mostMs = { list: 250, article: 3_000, healthz: 250 };

const worst = `${worstOwner}/${worstName}`;

/** The addresses of every public operation with its worst input, and of all pages. */
function publicPaths(
  operations: Record<string, { get?: { security?: object[] } }>,
  articleId: string,
): string[] {
  const fill = (path: string, number: number): string =>
    path
      .replace('{owner}', worstOwner)
      .replace('{repo}', worstName)
      .replace('{number}', String(number))
      .replace('{articleId}', articleId)
      .replace('{period}', 'all');
  const open = Object.entries(operations).filter(
    ([path, { get }]) =>
      !/auth|release|secret|\{id\}|healthz/.test(path) &&
      get?.security?.every((one) => Object.keys(one).length === 0 || get.security?.length === 3) === true,
  );
  const searching = (path: string): string => (/search|find/.test(path) ? `${path}?q=change` : path);
  const numbered = ['', '/diff', '/checked', '/lines?side=new&line=9&direction=below&file=src/lines.ts'];
  const pages = [
    '/',
    '/find',
    '/repositories',
    '/a/octocat',
    ...['articles', 'pulls', 'files'].map((tab) => `/r/${worst}?tab=${tab}`),
  ];
  return [
    ...open.flatMap(([path]) =>
      path.includes('{number}') ? [1, 2, 5].map((number) => fill(path, number)) : searching(fill(path, 1)),
    ),
    ...pages.map(searching),
    ...numbered.flatMap((below) => [1, 2, 3].map((number) => `/r/${worst}/${number}${below}`)),
    ...['/repos', '/r'].map((kind) => `${kind}/acme/release/release?from=v1&to=v2&host=git`),
    '/llms.txt',
  ];
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
  const root = join(folder, 'repos');
  makePullRequests(root, 'acme/quiet', pulls);
  makeWorstRelease(root, 'acme/release', 200);
  makeLargePullRequest(makeClone(root, 'acme/large', 'feat: begin (#1)'), 2, Number(values.files), 167);
  const github = await startGitHub();
  github.state.repositories.push(worstRepository({ files: 3_000, others: 30 }));
  github.state.accounts.push(account(1, 'flooder', 'ghp_flooder'), account(2, 'user', 'ghp_user'));
  const postgres = await startPostgres();
  const environment = {
    PULLQUOTE_DATA: join(folder, 'data'),
    CODE_HOST: 'github,git',
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    GIT_REPOS: root,
    DATABASE_URL: postgres.url,
    RATE_LIMIT: '600',
    TRUST_PROXY: 'loopback',
    LOG_LEVEL: 'fatal',
  };
  const server = await runServer(service, { environment });
  const headersOf = (by: string) => ({
    authorization: `Bearer ghp_${by}`,
    'content-type': 'application/json',
  });
  const failed: string[] = [];
  const call = async (by: string, method: string, path: string) => {
    const began = performance.now();
    const body = method === 'POST' ? '{}' : null;
    const reply = await fetch(new URL(path, server.url), { method, headers: headersOf(by), body });
    const text = await reply.text();
    if (reply.status >= 300) failed.push(`${method} ${path}: ${reply.status} ${text.slice(0, 200)}`);
    return { ms: performance.now() - began, text };
  };
  let next = 0;
  const use = async (isOver: () => boolean): Promise<Took> => {
    const took: Took = { list: [], article: [], healthz: [] };
    while (!isOver()) {
      next += 1;
      const list = `/repos/acme/quiet/pulls?limit=30&host=git&offset=${(next * 30) % (pulls - 30)}`;
      took.list.push((await call('user', 'GET', list)).ms);
      took.healthz.push((await call('user', 'GET', '/healthz')).ms);
      if (next % 4 === 0)
        took.article.push(
          (await call('user', 'POST', `/repos/acme/quiet/pulls/${next / 4}/article?host=git`)).ms,
        );
      await pause(50);
    }
    return took;
  };
  const after = (ms: number) => {
    const end = performance.now() + ms;
    return () => performance.now() > end;
  };

  try {
    for (const by of ['flooder', 'user']) await call(by, 'POST', '/auth/signup');
    const ids: string[] = [];
    for (const { number } of github.state.repositories[0]?.pulls ?? []) {
      // The pull request with the longest discussion has no article.
      const { text } = await call(
        'flooder',
        'POST',
        `/repos/${worst}/pulls/${number}/${number === 5 ? 'ingest' : 'article'}`,
      );
      ids.push(JSON.parse(text).data?.id);
    }
    const large = '/repos/acme/large/pulls/2';
    await call('flooder', 'POST', `${large}/ingest?host=git`);
    const { paths } = JSON.parse((await call('user', 'GET', '/openapi.json')).text);
    const floods: [string, Ask[]][] = publicPaths(paths, ids[0] ?? '').map((path, place) => {
      // Responses to requests with an origin are not cached.
      const headers = {
        'x-forwarded-for': `198.51.100.${1 + place}`,
        origin: 'http://flood.example',
        accept: '*/*',
      };
      return [
        path.replace(worst, '…'),
        Array(Number(values.requests)).fill({ method: 'GET', path, headers }),
      ];
    });
    const asking = (_: unknown, index: number): Ask => ({
      method: 'POST',
      path: `${large}/questions?host=git`,
      headers: { ...headersOf('flooder'), prefer: 'respond-async' },
      body: JSON.stringify({
        question: `Where is count${index % 997}of${index % 160} used?`,
        language: 'en',
      }),
    });
    floods.push(['questions', Array.from({ length: Number(values.questions) }, asking)]);

    const seconds = Number(values.seconds);
    await use(after(3_000));
    const quiet = await use(after(Math.max(10, seconds / 2) * 1000));
    const rows: Record<string, object> = {};
    const rowOf = (took: Took) =>
      Object.fromEntries(
        (['list', 'article', 'healthz'] as const).map((what) => {
          const [middle, p99, most] = [median(took[what]), at(took[what], 0.99), at(took[what], 1)];
          const ratio = p99 / at(quiet[what], 0.99);
          const isWithin = ratio <= 3 && p99 <= mostMs[what];
          return [
            what,
            `${[middle, p99, most].map(Math.round).join('/')} ×${ratio.toFixed(1)}${isWithin ? '' : ' !'}`,
          ];
        }),
      );
    rows.quiet = rowOf(quiet);
    for (const [route, asks] of floods.filter(([name]) => name.includes(values.route))) {
      const thread = new Worker(import.meta.filename, {
        workerData: { url: server.url, asks, seconds } satisfies Flood,
      });
      let isThrough = false;
      const through = once(thread, 'message').then(([statuses]) => {
        isThrough = true;
        return statuses;
      });
      const least = after(5_000);
      const took = await use(() => least() && isThrough);
      rows[route] = { ...rowOf(took), statuses: JSON.stringify(await through) };
      console.log(route, JSON.stringify(rows[route]));
    }
    console.log('Milliseconds: median/p99/worst, and p99 against the quiet p99');
    console.table(rows);
    console.log('At most 3 times the quiet and 250 ms, an article 3 s; where it is more, there is a "!".');
    console.log(`${failed.length} of the requests of users failed; none may.`, ...failed.slice(0, 5));
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (isMainThread) {
  await main();
  process.exit();
}
if (!isMainThread) parentPort?.postMessage(await flood(workerData));
