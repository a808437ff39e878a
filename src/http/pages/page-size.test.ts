import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { plainReads } from '../../../test/leak-matrix/questions.ts';
import {
  makeWorstRelease,
  worstName,
  worstOwner,
  worstPaths,
  worstRepository,
} from '../../../test/make-worst-input.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { mostPageBytes } from '../../pages/room.ts';

const root = temporaryFolder();
makeWorstRelease(root, 'acme/release', 200);
const { app, github, join } = await buildGitHubApp({
  environment: { CODE_HOST: 'github,git', GIT_REPOS: root, PUBLIC_URL: 'http://127.0.0.1:1' },
});
github.state.repositories.push(worstRepository({ files: 300, others: 20 }));
const token = await join('ann');
const at = `${worstOwner}/${worstName}`;
const articleIds: string[] = [];
for (const { number } of github.state.repositories[0]?.pulls ?? []) {
  // Of the one with the longest discussion, there is no article yet.
  const what = number === 5 ? 'ingest' : 'article';
  const { status, text, body } = await app.call('POST', `/repos/${at}/pulls/${number}/${what}`, { token });
  assert.equal(status, 201, text);
  articleIds.push(body.data.id);
}

/** Every route by its simplest address, and pages whose worst input is elsewhere. */
const addresses = (): string[] => {
  const [articleId = ''] = articleIds;
  const written = { host: null, owner: worstOwner, repo: worstName, articleId, author: 'octocat' };
  const none = { jobId: articleId, sentence: '', importIds: [], answerIds: [], questionJobIds: [], card: '' };
  const plain = plainReads(app.server, { ...written, ...none, favoriteIds: [] }).map(({ path }) => path);
  const lines = '/lines?side=new&line=9&direction=below&file=';
  const ofPulls = [1, 2, 3, 4, 5].flatMap((number) =>
    ['', '/diff', '/map.svg', '.md', `${lines}src/lines.ts`, `${lines}src/one.ts`].map(
      (below) => `/r/${at}/${number}${below}`,
    ),
  );
  const named = `owner=${worstOwner}&repo=${worstName}`;
  return [
    ...plain.filter((path) => !path.includes('/auth/log')),
    ...ofPulls,
    ...['articles', 'pulls', 'files', 'releases'].map((tab) => `/r/${at}?tab=${tab}`),
    ...['/?language=all', '/find?q=change', `/my/digest?${named}`, `/find?q=${'%26'.repeat(500)}`],
    '/r/acme/release/release?from=v1&to=v2&host=git',
    '/r/acme/release?tab=pulls&host=git',
  ];
};

test(`no page is larger than ${mostPageBytes} bytes, whatever strangers wrote`, async () => {
  const pages: [number, string][] = [];
  for (const path of addresses())
    for (const viewer of [undefined, token]) {
      const { headers, text } = await app.call('GET', path, { token: viewer, headers: { accept: '*/*' } });
      if (/^text\/html|svg|markdown|atom|feed/.test(headers.get('content-type') ?? ''))
        pages.push([Buffer.byteLength(text), path]);
    }
  assert.ok(pages.length > 100, `${pages.length} pages`);
  assert.deepEqual(
    pages.filter(([bytes]) => bytes > mostPageBytes),
    [],
  );
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

test('of commit messages, comments and linked issues, half a million characters each are stored', async () => {
  const { body } = await app.call('GET', `/repos/${at}/pulls/5`);
  const { commits, comments, linkedIssues } = body.data;
  const lengths = [
    commits.map(({ message }: { message: string }) => message.length),
    comments.map((comment: { body: string }) => comment.body.length),
    linkedIssues.map((issue: { body: string }) => issue.body.length),
  ];
  assert.deepEqual(
    lengths.map((each: number[]) => [each.length, each.reduce((sum, length) => sum + length, 0)]),
    [250, 1_000, 100].map((count) => [count, 512 * 1024]),
  );
});

test('a pull request whose paths have more than a million characters is UNREADABLE', async () => {
  github.state.repositories[0]?.pulls.push(worstPaths(9));
  const path = `/repos/${at}/pulls/9/ingest`;
  const { status, body } = await app.call('POST', path, { token });
  assert.deepEqual([status, body.error.code], [422, 'UNREADABLE']);
});
