import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { agentReads } from '../../../test/leak-matrix/agent-questions.ts';
import { plainReads } from '../../../test/leak-matrix/questions.ts';
import {
  makeWorstRelease,
  worstName,
  worstOwner,
  worstPaths,
  worstRepository,
} from '../../../test/make-worst-input.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { mostPageBytes } from '../../pages/html.ts';

const root = temporaryFolder();
makeWorstRelease(root, 'acme/release', 200);
const { app, github, join } = await buildGitHubApp({
  environment: {
    ...{ CODE_HOST: 'github,git', GIT_REPOS: root, PUBLIC_URL: 'http://127.0.0.1:1' },
    OPERATORS: 'github:ann',
  },
});
github.state.repositories.push(worstRepository({ files: 3_000, others: 20 }));
const token = await join('ann');
const at = `${worstOwner}/${worstName}`;
const articleIds: string[] = [];
for (const { number } of github.state.repositories[0]?.pulls ?? []) {
  // The pull request with the longest discussion has no article yet.
  const what = number === 5 ? 'ingest' : 'article';
  const { status, text, body } = await app.call('POST', `/repos/${at}/pulls/${number}/${what}`, { token });
  assert.equal(status, 201, text);
  articleIds.push(body.data.id);
}

const [articleId = ''] = articleIds;
const written = { host: null, owner: worstOwner, repo: worstName, articleId, author: 'octocat' };
const none = { jobId: articleId, sentence: '', importIds: [], answerIds: [], questionJobIds: [], card: '' };

/** Every route by its simplest address, and addresses with worse input. */
const addresses = (): string[] => {
  const plain = plainReads(app.server, { ...written, ...none, favoriteIds: [] }).map(({ path }) => path);
  const lines = '/lines?side=new&line=9&direction=below&file=';
  const ofPulls = [1, 2, 3, 4, 5].flatMap((number) => [
    ...['', '/diff', '/review', '/checked', '.md', '.html', `${lines}src/lines.ts`, `${lines}src/one.ts`].map(
      (below) => `/r/${at}/${number}${below}`,
    ),
    ...['', '/files?limit=100', '/review', '/article', '/questions'].map(
      (below) => `/repos/${at}/pulls/${number}${below}`,
    ),
  ]);
  const named = `owner=${worstOwner}&repo=${worstName}`;
  return [
    ...plain.filter((path) => !path.includes('/auth/log')),
    ...ofPulls,
    ...['articles', 'pulls', 'files', 'releases'].map((tab) => `/r/${at}?tab=${tab}`),
    ...['/?language=all', '/find?q=change', `/my/digest?${named}`, `/find?q=${'%26'.repeat(500)}`],
    ...['/articles', '/ranking/articles/likes', '/users/me/feed', `/repos/${at}/pulls`].map(
      (list) => `${list}?limit=100`,
    ),
    ...['/search?q=change&limit=100', `/digest?${named}`],
    ...['/repos', '/r'].map((kind) => `${kind}/acme/release/release?from=v1&to=v2&host=git`),
    '/r/acme/release?tab=pulls&host=git',
  ];
};

/** A pull request in the API: a mebibyte of paths, half a mebibyte each of messages, comments and issues, and the rest. */
const mostResponseBytes = 4 * 1024 * 1024;

const isContent = /^text\/html|svg|markdown|atom|feed/;

/** Routes whose simplest address redirects, finds no stored data or needs a model. A new route must not be added here. */
const withoutAnswer = [
  '/*',
  '/auth/callback',
  '/auth/callback/:host',
  '/auth/login',
  '/digest/confirm/:secret',
  '/digest/unsubscribe/:secret',
  '/docs/*',
  '/docs/static/index.html',
  '/feeds/mine/:secret.atom',
  '/feeds/mine/:secret.json',
  '/feeds/mine/:secret/digest.atom',
  '/feeds/mine/:secret/digest.json',
  '/go',
  '/jobs/:id',
  '/jobs/:id/events',
  '/r/:owner/:repo/:number/lines',
  '/r/:owner/:repo/release',
  '/repos/:owner/:repo/import/estimate',
  '/repos/:owner/:repo/release',
  '/sign-up',
];

/** A stored diff is streamed and has its own limit. */
const isStreamed = 'text/x-diff; charset=utf-8';

test(`with the largest possible input no page exceeds ${mostPageBytes} bytes and no other response ${mostResponseBytes}`, async () => {
  const tooLarge: [number, string][] = [];
  const note = (headers: Headers, text: string, path: string) => {
    const type = headers.get('content-type') ?? '';
    const bytes = Buffer.byteLength(text);
    if (type === isStreamed) return;
    // A saved article has the diff in it.
    const pages = path.includes('.html') ? 2 : 1;
    if (bytes > (isContent.test(type) ? pages * mostPageBytes : mostResponseBytes))
      tooLarge.push([bytes, path]);
  };
  for (const path of addresses())
    for (const viewer of [undefined, token]) {
      const { headers, text } = await app.call('GET', path, { token: viewer, headers: { accept: '*/*' } });
      note(headers, text, path);
    }
  await app.call('POST', '/users/me', { token, body: { owner: worstOwner, repo: worstName } });
  const own = await app.call('POST', '/users/me/feed-address', { token });
  for (const address of Object.values<string>(own.body.data)) {
    const { status, headers, text } = await app.call('GET', new URL(address).pathname);
    assert.equal(status, 200, address);
    note(headers, text, address);
  }
  const unanswered = new Set<string>();
  for (const { path, route } of plainReads(app.server, { ...written, ...none, favoriteIds: [] })) {
    const { status } = await app.call('GET', path, { token, headers: { accept: '*/*' } });
    if (status >= 300) unanswered.add(route);
  }
  assert.deepEqual([...unanswered].toSorted(), withoutAnswer);
  for (const { path, body, route } of agentReads({ ...written, ...none, favoriteIds: [] })) {
    const { headers, text } = await app.call('POST', path, { token, body });
    note(headers, text, route);
  }
  assert.deepEqual(tooLarge, []);
});

test('diffs and lines of public pull requests are cached for anonymous readers', async () => {
  for (const path of [
    `/r/${at}/4/diff`,
    `/r/${at}/2/lines?side=new&line=9&direction=below&file=src/lines.ts`,
  ]) {
    const first = await app.call('GET', path);
    const reads = mock.method(app.database, 'first');
    const again = await app.call('GET', path);
    assert.equal(again.text, first.text);
    assert.equal(reads.mock.callCount(), 0, path);
    await app.call('GET', path, { token });
    assert.notEqual(reads.mock.callCount(), 0);
    reads.mock.restore();
  }
});

test('commit messages, comments and linked issues are each stored up to half a mebibyte of JSON', async () => {
  const { body } = await app.call('GET', `/repos/${at}/pulls/5`);
  const { commits, comments, linkedIssues } = body.data;
  const texts: string[][] = [
    commits.map(({ message }: { message: string }) => message),
    comments.map((comment: { body: string }) => comment.body),
    linkedIssues.map((issue: { body: string }) => issue.body),
  ];
  assert.deepEqual(
    texts.map((each) => each.length),
    [250, 241, 100],
  );
  for (const each of texts) {
    const bytes = each.reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)) - 2, 0);
    assert.ok(bytes <= 512 * 1024 && bytes > 512 * 1024 - 6, `${bytes} bytes`);
  }
});

test('a pull request with more than a mebibyte of paths is UNREADABLE', async () => {
  github.state.repositories[0]?.pulls.push(worstPaths(9));
  const path = `/repos/${at}/pulls/9/ingest`;
  const { status, body } = await app.call('POST', path, { token });
  assert.deepEqual([status, body.error.code], [422, 'UNREADABLE']);
});
