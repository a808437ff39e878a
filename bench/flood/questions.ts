import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys, prepareDataFolder } from '../../src/data-folder.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { startPostgres } from '../../test/postgres.ts';
import { makePullRequests } from '../make-pull-requests.ts';
import { median } from '../reading-in-turns.ts';
import { runServer, service } from '../run-server.ts';

// A flood of questions by one user about one pull request of a million lines, none of which the user waits for: how long another
// user waits meanwhile for a list, an article of a small pull request and /healthz, against before in the same run.
// Usage: node bench/flood/questions.ts [--questions 590] [--seconds 60] [--files 1000]

const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: '590' },
    seconds: { type: 'string', default: '60' },
    files: { type: 'string', default: '1000' },
  },
});
const pulls = 2_000;
const functionsEach = 167;
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const root = join(folder, 'repos');
makePullRequests(root, 'acme/quiet', pulls);
makeLargePullRequest(
  makeClone(root, 'acme/large', 'feat: begin (#1)'),
  2,
  Number(values.files),
  functionsEach,
);
const postgres = await startPostgres();
const environment = {
  PULLQUOTE_DATA: join(folder, 'data'),
  GIT_REPOS: root,
  DATABASE_URL: postgres.url,
  RATE_LIMIT: '600',
  LOG_LEVEL: 'fatal',
};
const config = parseConfig(environment);
prepareDataFolder(config.dataFolder);
const expiresAt = new Date(Date.now() + 3_600_000);
const tokenOf = (name: string) =>
  mintLocalToken(loadSecretKeys(config), { name, singleUse: false, expiresAt });
const tokens = { flooder: tokenOf('flooder'), user: tokenOf('user') };
const server = await runServer(service, { environment });

async function call(by: keyof typeof tokens, method: string, path: string, body?: object, prefer = 'wait') {
  const began = performance.now();
  const reply = await fetch(new URL(path, server.url), {
    method,
    headers: {
      authorization: `Bearer ${tokens[by]}`,
      prefer,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { ms: performance.now() - began, status: reply.status, text };
}

let next = 0;
async function use(seconds: number) {
  const took = { list: [0], article: [0], healthz: [0] };
  const failed: string[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    next += 1;
    const asked = {
      list: await call('user', 'GET', `/repos/acme/quiet/pulls?limit=30&offset=${next * 10}`),
      article: await call('user', 'POST', `/repos/acme/quiet/pulls/${next}/article`, { language: 'en' }),
      healthz: await call('user', 'GET', '/healthz'),
    };
    for (const what of ['list', 'article', 'healthz'] as const) {
      took[what].push(asked[what].ms);
      if (asked[what].status >= 300) failed.push(`${what}: ${asked[what].status} ${asked[what].text}`);
    }
    await pause(100);
  }
  return { took, failed };
}

try {
  for (const by of ['flooder', 'user'] as const) await call(by, 'POST', '/auth/signup', {});
  const large = '/repos/acme/large/pulls/2';
  for (;;) {
    const { status, text } = await call('flooder', 'POST', `${large}/ingest`);
    if (status < 300) break;
    if (status !== 503) throw new Error(text);
  }
  await use(5);
  const quiet = await use(Number(values.seconds) / 2);
  const began = performance.now();
  const statuses: Record<number, number> = {};
  const flood = Promise.all(
    Array.from({ length: Number(values.questions) }, async (_, index) => {
      const question = { question: `Where is count${index % 997}of${index % 160} used?`, language: 'en' };
      const { status } = await call('flooder', 'POST', `${large}/questions`, question, 'respond-async');
      statuses[status] = (statuses[status] ?? 0) + 1;
    }),
  ).then(() => Math.round(performance.now() - began));
  const flooded = await use(Number(values.seconds));
  console.log(`${values.questions} questions were answered with`, statuses, `in ${await flood} ms`);
  console.table(
    Object.fromEntries(
      (['list', 'article', 'healthz'] as const).map((what) => {
        const [before, beside] = [quiet.took[what].slice(1), flooded.took[what].slice(1)];
        const worst = Math.max(...beside);
        const figures = { times: beside.length, 'quiet median ms': Math.round(median(before)) };
        return [
          what,
          {
            ...figures,
            'flooded median ms': Math.round(median(beside)),
            ratio: (median(beside) / median(before)).toFixed(2),
            'flooded worst ms': Math.round(worst),
          },
        ];
      }),
    ),
  );
  console.log('Lists and /healthz may take 3 times as long and 250 ms, articles 3 s.');
  const failed = [...quiet.failed, ...flooded.failed];
  console.log(`${failed.length} of the user's requests failed; none may.`, ...failed.slice(0, 3));
} finally {
  await server.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
