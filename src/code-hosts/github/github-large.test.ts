import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildGitHubApp, type GitHubApp } from '../../../test/github/build-github-app.ts';
import { commandLinesWithTokens, placesOfTokens } from '../../../test/github/find-tokens.ts';
import { makeLargeRepository } from '../../../test/github/make-large-repository.ts';
import { pull, repository } from '../../../test/github/state.ts';

const files = 3_500;
const large = makeLargeRepository(files);

/** A private repository with a pull request that is too large for GitHub to print, and one that it prints in part. */
async function prepare({ github, join: signUp }: GitHubApp): Promise<string> {
  const range = {
    base: { ref: 'main', sha: large.base },
    head: { ref: 'topic', sha: large.head },
    mergeBase: large.base,
    changedFiles: files,
  };
  const cut = large.diff.slice(0, large.diff.indexOf('\ndiff --git', 100_000) + 1);
  const rocket = repository(71, 'acme/rocket', {
    visibility: 'private',
    visibleTo: new Set(['ann']),
    gitFolder: large.gitFolder,
    pulls: [pull(1, 'large', { ...range, diff: null }), pull(2, 'cut', { ...range, diff: cut })],
  });
  github.state.repositories.push(rocket);
  return signUp('ann');
}

/** The ids of files are abbreviated by how many objects a repository has. */
const withoutIds = (diff: string): string => diff.replaceAll(/^index \w+\.\.\w+/gm, 'index');

const leftIn = ({ app }: GitHubApp): string[] => {
  const folder = join(app.config.dataFolder, 'fetched');
  return existsSync(folder) ? readdirSync(folder) : [];
};

const direct = await buildGitHubApp({ logLevel: 'trace' });
const ann = await prepare(direct);
const ingest = ({ app }: GitHubApp, number: number, token: string) =>
  app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });

test(`${files} files that GitHub does not print, or prints a part of, are git's own diff but for ids`, async () => {
  for (const number of [1, 2]) {
    const { status, body, text } = await ingest(direct, number, ann);
    assert.equal(status, 201, text);
    assert.equal(body.data.changedFiles, files);
    const diff = await direct.app.call('GET', `/repos/acme/rocket/pulls/${number}/diff`, { token: ann });
    assert.equal(withoutIds(diff.text), withoutIds(large.diff));
    assert.deepEqual(leftIn(direct), []);
  }
});

test('while git fetches, no command line shows the token; whatever fails leaves no folder and tells nobody', async () => {
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
  assert.deepEqual([broken.status, broken.body.error.code], [502, 'HOST_ERROR'], broken.text);
  assert.ok(requests > 2);
  assert.deepEqual(seen, []);
  assert.deepEqual(leftIn(direct), []);
  assert.deepEqual(await placesOfTokens(app, answers), []);
});

test('behind a proxy that shows certificates of its own, nothing goes out directly, by git neither', async () => {
  const tunnels: string[] = [];
  let target = 0;
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    const upstream = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  after(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const behind = await buildGitHubApp({
    environment: {
      GITHUB_URL: 'https://github.com',
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    },
  });
  target = behind.github.port;
  const token = await prepare(behind);
  const { status, text } = await ingest(behind, 1, token);
  assert.equal(status, 201, text);
  const diff = await behind.app.call('GET', '/repos/acme/rocket/pulls/1/diff', { token });
  assert.equal(withoutIds(diff.text), withoutIds(large.diff));
  assert.deepEqual([...new Set(tunnels)].sort(), ['api.github.com:443', 'github.com:443']);
  assert.equal(behind.github.connections(), tunnels.length, 'every connection came through the proxy');
  assert.deepEqual(leftIn(behind), []);
});
