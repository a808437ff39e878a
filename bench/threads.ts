import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../src/config.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import { git, makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { makeBenchFolder } from './local-server.ts';

// What large pull requests cost everybody else: how long they hold the event loop while they are ingested and written about,
// and what happens to other articles and to memory when one is too much to read.
const usage = 'Usage: node bench/threads.ts [--files 3000,20000]';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000,20000' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const sizes = values.files.split(',').map(Number);
const folder = makeBenchFolder();
const repositories = join(folder, 'repos');
mkdirSync(repositories);
const large = makeClone(repositories, 'some/large');
for (const [index, files] of sizes.entries()) makeLargePullRequest(large, index + 2, files, 3);
const tooMuch = makeClone(repositories, 'some/too-much');
makeLargePullRequest(tooMuch, 2, 1_500);
const small = makeClone(repositories, 'some/small');
const others = 20;
for (let number = 2; number < others + 2; number += 1)
  git(small, 'commit', '--quiet', '--allow-empty', '--message', `feat: tell of ${number} (#${number})`);

const tickMs = 2;

/** V8 keeps the pages of a thread that has ended for eight seconds, in case another wants them. */
const untilReturnedMs = 12_000;

/** Work of this thread between two ticks of a timer: at least as much as the longest hold of the loop in between. */
function watchLoop() {
  let work = workOfThread();
  let at = performance.now();
  const longest = { work: 0, wall: 0 };
  const timer = setInterval(() => {
    const now = { work: workOfThread(), at: performance.now() };
    longest.work = Math.max(longest.work, now.work - work);
    longest.wall = Math.max(longest.wall, now.at - at - tickMs);
    work = now.work;
    at = now.at;
  }, tickMs);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

function workOfThread(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

const megabytes = (bytes = process.memoryUsage.rss()) => Math.round(bytes / 1_000_000);

async function serve(name: string, settings: Record<string, string>) {
  const config = parseConfig({
    PORT: '0',
    RATE_LIMIT: '0',
    WRITERS: '2',
    PULLQUOTE_DATA: join(folder, name),
    GIT_REPOS: repositories,
    ...settings,
  });
  const clock = () => new Date();
  const app = await buildApp(config, {
    log: pino({ level: 'error' }),
    clock,
    command: 'serve',
    announce: () => {},
  });
  const url = await app.server.listen({ host: config.listen, port: 0 });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'bench', singleUse: false, expiresAt });
  const post = async (path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, url), asked);
    return { status: response.status, text: await response.text() };
  };
  await post('/auth/signup');
  return { post, close: app.close };
}

/** Until it is written: an answer after a minute is the job, which is joined again. */
async function write(post: Awaited<ReturnType<typeof serve>>['post'], path: string) {
  for (;;) {
    const answer = await post(`${path}/article`, { language: 'en' });
    if (answer.status !== 202) return answer;
  }
}

const holds: Record<string, object> = {};
const service = await serve('holds', {});
await write(service.post, '/repos/some/small/pulls/2');
for (const [index, files] of sizes.entries()) {
  const path = `/repos/some/large/pulls/${index + 2}`;
  for (const [step, run] of [
    ['ingested', () => service.post(`${path}/ingest`)],
    ['written', () => write(service.post, path)],
  ] as const) {
    const stop = watchLoop();
    const start = performance.now();
    const { status, text } = await run();
    const { work, wall } = stop();
    const seconds = Number(((performance.now() - start) / 1000).toFixed(1));
    if (status >= 300) console.log(text.slice(0, 300));
    holds[`${files} files ${step}`] = {
      status,
      seconds,
      'longest hold (work, ms)': Math.round(work),
      'longest wait (ms)': Math.round(wall),
    };
  }
}
await service.close();
console.table(holds);

const outcomes: Record<string, object> = {};
for (const [name, settings] of [
  ['deadline', { WRITING_SECONDS: '4' }],
  ['memory', { WRITING_MIB: '200' }],
] as [string, Record<string, string>][]) {
  const bounded = await serve(name, settings);
  await write(bounded.post, '/repos/some/small/pulls/2');
  const before = megabytes();
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, megabytes());
  }, 20);
  const failing = write(bounded.post, '/repos/some/too-much/pulls/2');
  let good = 0;
  for (let number = 2; number < others + 2; number += 1)
    if ((await write(bounded.post, `/repos/some/small/pulls/${number}`)).status < 300) good += 1;
  const { status, text } = await failing;
  clearInterval(sampling);
  await setTimeout(untilReturnedMs);
  outcomes[name] = {
    status,
    says: JSON.parse(text).error?.message ?? '',
    'others written': `${good} of ${others}`,
    'resident MB before': before,
    'at the peak': peak,
    'twelve seconds later': megabytes(),
  };
  await bounded.close();
}
console.table(outcomes);
rmSync(folder, { recursive: true, force: true });
