import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildGitHubApp, type GitHubApp } from '../../../test/github/build-github-app.ts';
import { commandLinesWithTokens, placesOfTokens } from '../../../test/github/find-tokens.ts';
import { proxyAuthority, startInterceptingProxy } from '../../../test/github/intercepting-proxy.ts';
import { pull, repository } from '../../../test/github/state.ts';
import { makeLargeRepository, makeVastRepository } from '../../../test/make-large-repository.ts';
import { runsWholeTables } from '../../../test/tables.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { withDiskQuota } from '../fetched/run-network-git.ts';

const files = runsWholeTables ? 3_500 : 150;
const large = makeLargeRepository(files);

/** A private repository with one pull request that GitHub does not print and one that it prints in part. */
async function prepare({ github, join: signUp }: GitHubApp): Promise<string> {
  const range = {
    base: { ref: 'main', sha: large.base },
    head: { ref: 'topic', sha: large.head },
    mergeBase: large.base,
    changedFiles: files,
  };
  const cut = large.diff.slice(0, large.diff.indexOf('\ndiff --git', large.diff.length / 4) + 1);
  const rocket = repository(71, 'acme/rocket', {
    visibility: 'private',
    visibleTo: new Set(['ann']),
    gitFolder: large.gitFolder,
    pulls: [pull(1, 'large', { ...range, diff: null }), pull(2, 'cut', { ...range, diff: cut })],
  });
  github.state.repositories.push(rocket);
  return signUp('ann');
}

/** Git abbreviates ids by the number of objects in the repository, which differs after a fetch. */
const withoutIds = (diff: string): string => diff.replaceAll(/^index \w+\.\.\w+/gm, 'index');

const leftIn = ({ app }: GitHubApp): string[] => {
  const folder = join(app.config.dataFolder, 'fetched');
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  return names.map(String).filter((name) => name.includes('fetch-'));
};

const direct = await buildGitHubApp({ logLevel: 'trace', patience: { hostMs: 4_000 } });
const ann = await prepare(direct);
const ingest = ({ app }: GitHubApp, number: number, token: string) =>
  app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });

test(`the diff of ${files} files that GitHub does not print, or prints in part, is git's own except for abbreviated ids`, async () => {
  for (const number of [1, 2]) {
    const { status, body, text } = await ingest(direct, number, ann);
    assert.equal(status, 201, text);
    assert.equal(body.data.changedFiles, files);
    const diff = await direct.app.call('GET', `/repos/acme/rocket/pulls/${number}/diff`, { token: ann });
    assert.equal(withoutIds(diff.text), withoutIds(large.diff));
    assert.deepEqual(leftIn(direct), []);
  }
});

test('no command line shows the token while git fetches, and a failed fetch leaves no folder and no token in logs or responses', async () => {
  const { app, github, answers } = direct;
  const seen: string[] = [];
  let requests = 0;
  const stop = github.script(/\.git\//, async (response, pass) => {
    requests += 1;
    seen.push(...commandLinesWithTokens());
    if (requests <= 2) return pass();
    response.destroy();
  });
  const rocket = github.state.repositories[0] ?? assert.fail();
  rocket.pulls.push({ ...(rocket.pulls[0] ?? assert.fail()), number: 3 });
  const broken = await ingest(direct, 3, ann);
  stop();
  const stopRepeating = github.script(
    /\.git\/info\/refs/,
    (response, _pass, request) =>
      void response.writeHead(502, { 'content-type': 'text/plain' }).end(request.headers.authorization),
  );
  assert.equal((await ingest(direct, 3, ann)).status, 502);
  stopRepeating();
  assert.match(JSON.stringify(app.logLines()), /remote: Basic \[token\]/);
  assert.deepEqual([broken.status, broken.body.error.code], [502, 'HOST_ERROR'], broken.text);
  assert.ok(requests > 2);
  assert.deepEqual(seen, []);
  assert.deepEqual(leftIn(direct), []);
  assert.deepEqual(await placesOfTokens(app, answers), []);
});

test('a rate limit that git meets gives HOST_RATE_LIMITED, and git is not started again before it ends', async () => {
  const { github, app } = direct;
  const rocket = github.state.repositories[0] ?? assert.fail();
  rocket.pulls.push({ ...(rocket.pulls[0] ?? assert.fail()), number: 7 });
  const stop = github.script(/\.git\//, (response) => void response.writeHead(429).end());
  for (const requests of [1, 0]) {
    github.takeCalls();
    const { status, body, headers } = await ingest(direct, 7, ann);
    assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'HOST_RATE_LIMITED', '60']);
    assert.equal(github.takeCalls().filter((call) => call.includes('.git/')).length, requests);
  }
  stop();
  app.advance(61_000);
});

/** Repeats an ingest while the service asks to come back later. */
async function ingestInTheEnd(from: typeof direct, number: number, token: string) {
  for (;;) {
    const reply = await ingest(from, number, token);
    if (reply.body.error?.code !== 'UNAVAILABLE') return reply;
    assert.equal(reply.headers.get('retry-after'), '10');
  }
}

test('a diff that GitHub refuses, fails to print or never starts is fetched by git', async () => {
  const rocket = direct.github.state.repositories[0] ?? assert.fail();
  const [first = assert.fail()] = rocket.pulls;
  rocket.pulls.push({ ...first, number: 4 }, { ...first, number: 5 }, { ...first, number: 6 });
  const refused = JSON.stringify({ message: 'Sorry', errors: [{ code: 'not_available' }] });
  const stop = direct.github.script(/\/pulls\/[456]$/, (response, pass, { url, headers }) => {
    if (!headers.accept?.includes('diff')) return pass();
    if (url?.endsWith('6')) return;
    response.writeHead(url?.endsWith('4') ? 422 : 500, { 'content-type': 'application/json' }).end(refused);
  });
  const replies = await Promise.all([4, 5, 6].map((number) => ingestInTheEnd(direct, number, ann)));
  stop();
  for (const { status, text, body } of replies) {
    // A repeated ingest after the fetch finds the stored pull request unchanged and gets 200.
    assert.ok(status === 201 || status === 200, text);
    assert.equal(body.data.changedFiles, files);
  }
});

const narrow = await buildGitHubApp({ environment: { MAX_DIFF_MIB: '1' }, patience: { ingestMs: 1_000 } });
const annsNarrow = await prepare(narrow);

test('a pull request above the disk limit is UNREADABLE, is not fetched a second time, and leaves no folder', async () => {
  const vast = makeVastRepository(12 * 1024 * 1024);
  const rocket = narrow.github.state.repositories[0] ?? assert.fail();
  const range = { base: { ref: 'main', sha: vast.base }, head: { ref: 'topic', sha: vast.head } };
  rocket.gitFolder = vast.gitFolder;
  rocket.pulls.push(pull(3, 'vast', { ...range, mergeBase: vast.base, diff: null }));
  for (let time = 0; time < 2; time += 1) {
    const { status, body, text } = await ingestInTheEnd(narrow, 3, annsNarrow);
    assert.deepEqual([status, body.error?.code], [422, 'UNREADABLE'], text);
    assert.match(body.error.message, /exceed the limit of 8 MiB/);
    await waitUntil('nothing is left', () => leftIn(narrow).length === 0);
  }
  const fetches = narrow.github.takeCalls().filter((call) => call.includes('.git/info/refs'));
  assert.equal(fetches.length, 2, 'commits and files once, and not again');
});

test('an ingest that outlasts its request gives 503 and continues, and another user to whom GitHub shows it joins', async () => {
  const rocket = narrow.github.state.repositories[0] ?? assert.fail();
  rocket.gitFolder = large.gitFolder;
  rocket.pulls.push({ ...(rocket.pulls[0] ?? assert.fail()), number: 4 });
  rocket.visibleTo.add('bea');
  const bea = await narrow.join('bea');
  const held = Promise.withResolvers<void>();
  const stop = narrow.github.script(/\.git\//, async (_response, pass) => {
    await held.promise;
    await pass();
  });
  narrow.github.takeCalls();
  const first = await ingest(narrow, 4, annsNarrow);
  assert.deepEqual(
    [first.status, first.body.error.code, first.headers.get('retry-after')],
    [503, 'UNAVAILABLE', '10'],
  );
  const joined = ingestInTheEnd(narrow, 4, bea);
  const calls: string[] = [];
  const countOf = (end: string) => calls.filter((call) => call.endsWith(end)).length;
  await waitUntil('GitHub was asked for the other, too', () => {
    calls.push(...narrow.github.takeCalls());
    return countOf('/acme/rocket/pulls/4') === 2;
  });
  held.resolve();
  assert.equal((await joined).status, 200);
  stop();
  assert.equal((await ingestInTheEnd(narrow, 4, annsNarrow)).status, 200);
  calls.push(...narrow.github.takeCalls());
  assert.equal(countOf('/info/refs?service=git-upload-pack'), 2, 'commits and files were fetched once');
});

test('`withDiskQuota` aborts its work when the folder exceeds the limit or the disk is nearly full', async () => {
  const folder = temporaryFolder();
  const fill = async (signal: AbortSignal) => {
    writeFileSync(join(folder, 'growing'), 'more than ten bytes');
    await once(signal, 'abort');
    throw new Error('It was given up.');
  };
  assert.deepEqual(await withDiskQuota(folder, { mostBytes: 10 }, fill), { exceeded: 'folder' });
  const nearlyFull = { mostBytes: 100, freeBytes: async () => 1_000_000 };
  assert.deepEqual(await withDiskQuota(folder, nearlyFull, fill), { exceeded: 'disk' });
  assert.deepEqual(await withDiskQuota(folder, { mostBytes: 100 }, async () => 'enough'), {
    done: 'enough',
  });
});

test('neither API calls nor git connect directly when an intercepting proxy with a private authority is set', async () => {
  const proxy = await startInterceptingProxy();
  const behind = await buildGitHubApp({
    environment: {
      GITHUB_URL: 'https://github.com',
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: proxyAuthority,
    },
  });
  proxy.leadTo(behind.github.port);
  const token = await prepare(behind);
  behind.github.takeCalls();
  const { status, text } = await ingest(behind, 1, token);
  assert.equal(status, 201, text);
  const calls = behind.github.takeCalls();
  assert.equal(calls.filter((call) => !call.includes('.git/')).length, 10);
  assert.equal(calls.filter((call) => call.includes('.git/')).length, 4);
  const diff = await behind.app.call('GET', '/repos/acme/rocket/pulls/1/diff', { token });
  assert.equal(withoutIds(diff.text), withoutIds(large.diff));
  assert.deepEqual([...new Set(proxy.tunnels)].sort(), ['api.github.com:443', 'github.com:443']);
  const direct = behind.github.connections() - proxy.connections();
  console.log(`direct connections behind an intercepting proxy: ${direct} of ${behind.github.connections()}`);
  assert.equal(direct, 0);
  assert.deepEqual(leftIn(behind), []);
});
