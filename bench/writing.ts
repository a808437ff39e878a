import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { identifyBearer, Revocations } from '../src/actions/accounts/sessions.ts';
import { writeOnce } from '../src/actions/articles/compose-article.ts';
import { contentOf } from '../src/actions/articles/write-article.ts';
import { ingestPullRequest } from '../src/actions/pull-requests/ingest-pull-request.ts';
import { buildApp } from '../src/app.ts';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { saveArticle } from '../src/db/articles.ts';
import { findPullRequestToWriteAbout } from '../src/db/pull-requests.ts';
import { Semaphore } from '../src/domain/concurrency.ts';
import { ThreadPool } from '../src/threads/thread-pool.ts';
import { callersOf } from '../test/callers-of.ts';
import { makeBenchFolder } from './local-server.ts';
import { mergedPullRequests, runGit } from './mirrors.ts';

// Ingests all merged pull requests of a mirror and writes an article about each, against the time git takes to print the
// same commits with their diffs; then some through the API, with its queue.
const usage = 'Usage: node bench/writing.ts [--count 2000] [--api 200] MIRROR';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '2000' },
    api: { type: 'string', default: '200' },
  },
});
const [mirror] = positionals;
if (!mirror) {
  console.log(usage);
  process.exit(2);
}

const folder = makeBenchFolder();
mkdirSync(join(folder, 'repos/some'), { recursive: true });
symlinkSync(resolve(mirror), join(folder, 'repos/some/mirror.git'));
const config = parseConfig({
  PORT: '0',
  RATE_LIMIT: '0',
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: join(folder, 'repos'),
});

let peak = 0;
const sampling = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20);

const clock = () => new Date();
const app = await buildApp(config, {
  log: pino({ level: 'error' }),
  clock,
  command: 'serve',
  announce: () => {},
});
const url = await app.server.listen({ host: config.listen, port: 0 });
const token = mintLocalToken(loadSecretKeys(config), {
  name: 'bench',
  singleUse: false,
  expiresAt: new Date(Date.now() + 3_600_000),
});
const headers = { authorization: `Bearer ${token}` };
await fetch(new URL('/auth/signup', url), { method: 'POST', headers });

const all = mergedPullRequests(mirror);
const chosen = all.slice(0, Number(values.count));
const numbers = chosen.map(({ title }) =>
  Number(/\(#(\d+)\)$|^Merge pull request #(\d+)/.exec(title)?.slice(1).find(Boolean)),
);

const revocations = new Revocations({ database: app.database, clock });

async function writeOne(number: number): Promise<boolean> {
  const { database, codeHosts } = app;
  const viewer = await identifyBearer({ database, revocations, codeHosts, issuer: null, clock }, token);
  const [codeHost] = app.codeHosts;
  if (!viewer?.user || !codeHost) throw new Error('The bench has not signed up.');
  const parts = {
    database: app.database,
    callerOn: callersOf(app, config),
    clock,
    maxDiffBytes: config.maxDiffBytes,
    ingestBytesPerDay: 0,
    runInThread: fetching.run,
    readerVersion: async () => '',
    semaphore: new Semaphore(),
  };
  const address = { codeHost, owner: 'some', name: 'mirror' };
  const found = await ingestPullRequest(parts, address, number, { ...viewer, user: viewer.user }).catch(
    () => null,
  );
  if (!found) return false;
  const watch = { onProgress: () => {}, signal: new AbortController().signal };
  const pullRequest = await findPullRequestToWriteAbout(app.database, found.pullRequest.id);
  if (!pullRequest) return false;
  const words = await writeOnce(
    { database: app.database, runInThread: threads.run, offlineWriter: 1 },
    pullRequest,
    'en',
    watch,
  );
  const now = clock();
  const content = contentOf(words, { codeHosts: app.codeHosts, pullRequest, languageCode: 'en', now });
  await app.database.transaction((tx) =>
    saveArticle(tx, { pullRequestId: pullRequest.id, content, offlineWriter: 1, nextTry: null, now }),
  );
  return true;
}

async function inParallel(
  items: number[],
  workers: number,
  work: (item: number) => Promise<boolean>,
): Promise<number> {
  const queue = [...items];
  let good = 0;
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) if (await work(item)) good += 1;
  };
  await Promise.all(Array.from({ length: workers }, worker));
  return good;
}

const pool = {
  most: config.writers,
  limits: { workMs: config.writingMs, memoryBytes: config.writingBytes },
};
const fetching = new ThreadPool(pool);
const threads = new ThreadPool(pool);
await writeOne(numbers[0] ?? 1);
const before = process.memoryUsage.rss();
peak = before;

const gitStart = performance.now();
const shas = chosen.map(({ sha }) => sha).join('\n');
runGit(mirror, ['log', '-p', '-m', '--first-parent', '--no-walk=unsorted', '--stdin'], `${shas}\n`);
const git = (performance.now() - gitStart) / 1000;

const start = performance.now();
const good = await inParallel(numbers, 8, writeOne);
const seconds = (performance.now() - start) / 1000;
const peakWriting = peak;

const sample = numbers.slice(0, Number(values.api));
const apiStart = performance.now();
const answered = await inParallel(sample, 8, async (number) => {
  const body = JSON.stringify({ language: 'ja' });
  const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(new URL(`/repos/some/mirror/pulls/${number}/article`, url), asked);
  await response.text();
  return response.status === 201;
});
const apiSeconds = (performance.now() - apiStart) / 1000;

clearInterval(sampling);
await Promise.all([fetching.close(), threads.close()]);
await app.close();
rmSync(folder, { recursive: true, force: true });

const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
console.log(`${good} of ${numbers.length} merged pull requests ingested and written`);
console.table({
  'git log -p prints them': { seconds: git.toFixed(1), 'ratio to git': 1 },
  'ingested and written': { seconds: seconds.toFixed(1), 'ratio to git': Number((seconds / git).toFixed(2)) },
});
console.log(
  `${(good / seconds).toFixed(0)} articles a second; resident memory ${megabytes(before)} before, ${megabytes(peakWriting)} at the peak`,
);
console.log(
  `${answered} of ${sample.length} more in Japanese through the API, 8 at a time: ${(answered / apiSeconds).toFixed(0)} a second`,
);
