import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const samples = await buildTestApp({ environment: { GIT_WEB_URL: 'https://forge.example.org' } });
const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
const app = await buildTestApp({ environment: { GIT_REPOS: root, MAX_DIFF_MIB: '1' } });

/** Commits the work tree; returns the commit. */
function commit(message: string): string {
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', message);
  return git(clone, 'rev-parse', 'HEAD').trim();
}

const ingest = (number: number | string, token: string) =>
  app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });

test('a merged sample is stored with its title, issues, commits and files, and a second ingest changes only `fetchedAt`', async () => {
  const token = await samples.signUp('reader');
  const first = await samples.call('POST', '/repos/harborline/parcel/pulls/10/ingest', { token });
  assert.equal(first.status, 201, first.text);
  const { data } = first.body;
  assert.equal(data.host, 'git');
  assert.equal(
    data.title,
    'fix(estimate): promise calendar days of the recipient, not multiples of 24 hours',
  );
  assert.equal(data.state, 'merged');
  assert.equal(data.hostPrUrl, 'https://forge.example.org/harborline/parcel/pull/10');
  assert.equal(data.baseRef, 'main');
  assert.deepEqual(data.linkedIssues, [{ number: 9, title: '', body: null }]);
  assert.ok(data.commits.length > 1);
  assert.ok(data.body.includes('#9'));
  assert.ok(data.hostPrCreatedAt < data.mergedAt);
  assert.equal(data.changedFiles, data.files.length);
  const kinds = new Set(data.files.map(({ kind }: { kind: string }) => kind));
  assert.ok(kinds.has('source') && kinds.has('test'));

  samples.advance(60_000);
  const again = await samples.call('POST', '/repos/HARBORLINE/Parcel/pulls/10/ingest', { token });
  assert.equal(again.status, 200);
  const { fetchedAt, ...same } = again.body.data;
  assert.ok(fetchedAt > data.fetchedAt);
  assert.deepEqual({ ...same, fetchedAt: data.fetchedAt }, data, 'nothing but fetchedAt changes');
});

test('a stored pull request is public with an ETag, and its diff is exactly what git prints', async () => {
  const token = await samples.signUp('second');
  await samples.call('POST', '/repos/harborline/parcel/pulls/13/ingest', { token });
  const path = '/repos/harborline/parcel/pulls/13';
  const read = await samples.call('GET', path);
  assert.equal(read.status, 200);
  assert.equal(read.headers.get('cache-control'), 'public, no-cache');
  const etag = read.headers.get('etag') ?? '';
  assert.equal((await samples.call('GET', path, { headers: { 'if-none-match': etag } })).status, 304);

  const diff = await samples.call('GET', `${path}/diff`);
  assert.equal(diff.headers.get('content-type'), 'text/x-diff; charset=utf-8');
  const { headSha, files } = read.body.data;
  const repository = join(samples.config.dataFolder, 'sample-repositories/harborline/parcel.git');
  assert.equal(diff.text, git(repository, 'diff', '-M', '-U3', `${headSha}^1`, headSha));
  const tagged = { 'if-none-match': diff.headers.get('etag') ?? '' };
  assert.equal((await samples.call('GET', `${path}/diff`, { headers: tagged })).status, 304);

  let together = '';
  for (const { fileName } of files) {
    together += (await samples.call('GET', `${path}/diff?file=${encodeURIComponent(fileName)}`)).text;
  }
  assert.equal(together, diff.text, 'the files make up the whole');
  assert.equal((await samples.call('GET', `${path}/diff?file=nothing.ts`)).status, 404);
});

test('pull requests are listed newest first with their state, and filtered by state', async () => {
  const token = await samples.signUp('lister');
  const list = async (query: string) =>
    (await samples.call('GET', `/repos/harborline/parcel/pulls${query}`, { token })).body.data;
  const all = await list('');
  const numbers = all.items.map(({ prNumber }: { prNumber: number }) => prNumber);
  assert.deepEqual(numbers, [17, 16, 15, 14, 13, 12, 11, 10, 8, 7, 6, 4, 3, 2, 1]);
  assert.equal(all.pagination.totalItems, 15);
  const stateOf = Object.fromEntries(
    all.items.map(({ prNumber, state }: { prNumber: number; state: string }) => [prNumber, state]),
  );
  assert.equal(stateOf[16], 'open');
  assert.equal(stateOf[8], 'closed');
  assert.equal(stateOf[13], 'merged');
  assert.equal((await list('?state=open')).pagination.totalItems, 1);
  assert.equal((await list('?state=closed')).pagination.totalItems, 14);
  const page = await list('?limit=2&offset=3');
  assert.deepEqual(page.items, all.items.slice(3, 5));
  assert.equal(
    (await samples.call('GET', '/repos/harborline/parcel/pulls?state=odd', { token })).status,
    400,
  );
  assert.equal((await samples.call('GET', '/repos/harborline/nothing/pulls', { token })).status, 404);
  assert.equal((await samples.call('GET', '/repos/harborline/parcel/pulls')).status, 401);
});

test('title, author and state are the same in the list and in each pull request', async () => {
  const token = await samples.signUp('checker');
  const { items } = (await samples.call('GET', '/repos/harborline/parcel/pulls', { token })).body.data;
  for (const item of rowsToRun<(typeof items)[number]>(items, ({ state }) => state)) {
    const { data } = (
      await samples.call('POST', `/repos/harborline/parcel/pulls/${item.prNumber}/ingest`, { token })
    ).body;
    assert.equal(data.title, item.title);
    assert.equal(data.authorLogin, item.authorLogin);
    assert.equal(data.state, item.state);
    assert.equal(data.hostPrCreatedAt, item.createdAt);
  }
});

test('an invalid number is 400, and a missing pull request or repository is 404', async () => {
  const token = await app.signUp('numbers');
  for (const number of ['0', '-1', '9007199254740992', 'seven', '1.5', '%20']) {
    assert.equal((await ingest(number, token)).status, 400, number);
    assert.equal((await app.call('GET', `/repos/acme/rocket/pulls/${number}`)).status, 400, number);
  }
  const unknown = await ingest(77, token);
  assert.equal(unknown.status, 404);
  assert.equal(unknown.body.error.code, 'PULL_REQUEST_NOT_FOUND');
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/77')).status, 404);
  const missing = await app.call('POST', '/repos/acme/nothing/pulls/1/ingest', { token });
  assert.equal(missing.body.error.code, 'REPOSITORY_NOT_FOUND');
});

test('three simultaneous ingests return the same data, one with 201 and two with 200', async () => {
  writeFileSync(join(clone, 'crowd.txt'), 'crowd\n');
  commit('feat: draw a crowd (#77)');
  const tokens = await Promise.all(['uma', 'val', 'wes'].map((name) => app.signUp(name)));
  const replies = await Promise.all(tokens.map((token) => ingest(77, token)));
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 201]);
  for (const { body } of replies) assert.deepEqual(body.data, replies[0]?.body.data);
});

test('a new head replaces the diff and keeps the id and creation date, and a merge updates state, title and body', async () => {
  const token = await app.signUp('mover');
  git(clone, 'switch', '--quiet', '--create', 'feature');
  writeFileSync(join(clone, 'a.txt'), 'one\n');
  git(clone, 'update-ref', 'refs/pull/5/head', commit('Add a'));
  git(clone, 'switch', '--quiet', 'main');
  const first = (await ingest(5, token)).body.data;
  assert.equal(first.state, 'closed');
  git(clone, 'switch', '--quiet', 'feature');
  writeFileSync(join(clone, 'a.txt'), 'one\ntwo\n');
  const head = commit('Add more to a');
  git(clone, 'switch', '--quiet', 'main');
  git(clone, 'update-ref', 'refs/pull/5/head', head);
  git(clone, 'update-ref', 'refs/pull/5/merge', head);
  const second = await ingest(5, token);
  assert.equal(second.status, 200);
  assert.equal(second.body.data.headSha, head);
  assert.equal(second.body.data.state, 'open');
  assert.equal(second.body.data.additions, 2);
  assert.equal(second.body.data.title, 'Add a');
  assert.equal(second.body.data.hostPrCreatedAt, first.hostPrCreatedAt);
  assert.equal(second.body.data.id, first.id);
  git(
    clone,
    'merge',
    '--quiet',
    '--no-ff',
    '--message',
    'Merge pull request #5 from acme/feature\n\nAdd a file\n\nIt was missing.',
    'feature',
  );
  const merged = (await ingest(5, token)).body.data;
  assert.equal(merged.state, 'merged');
  assert.equal(merged.title, 'Add a file');
  assert.equal(merged.body, 'It was missing.');
  assert.equal(merged.headRef, 'feature');
  assert.equal(merged.commits.length, 2);
});

test('file names and text that PostgreSQL cannot store are adapted, and the rest is kept', async () => {
  const token = await app.signUp('odd');
  writeFileSync(join(clone, 'odd.bin'), Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a]));
  writeFileSync(join(clone, 'na\u00efve "name"\t.txt'), 'text\n');
  const sha = commit('Say \u{1f40c} and \u00a0 (#6)\n\nA body with \u202e and tabs\t.');
  git(clone, 'update-ref', 'refs/pull/6/head', sha);
  const { status, body, text } = await ingest(6, token);
  assert.equal(status, 201, text);
  assert.equal(body.data.title, 'Say \u{1f40c} and \u00a0');
  const names = body.data.files.map(({ fileName }: { fileName: string }) => fileName);
  assert.ok(names.includes('na\u00efve "name"\t.txt'));
  const file = await app.call(
    'GET',
    `/repos/acme/rocket/pulls/6/diff?file=${encodeURIComponent('na\u00efve "name"\t.txt')}`,
  );
  assert.match(file.text, /\+text/);
});

test('files over MAX_DIFF_MIB are listed with counts and a reason, and the other files are readable', async () => {
  const token = await app.signUp('large');
  mkdirSync(join(clone, 'big'));
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(join(clone, 'big', `${name}.txt`), `${name.repeat(99)}\n`.repeat(4000));
  }
  // Larger than the limit for short outputs of git.
  writeFileSync(join(clone, 'big/d.txt'), `${'d'.repeat(1024 * 1024)}\n`.repeat(65));
  git(clone, 'update-ref', 'refs/pull/7/head', commit('Add large files (#7)'));
  const { data } = (await ingest(7, token)).body;
  assert.equal(data.changedFiles, 4);
  assert.equal(data.additions, 12_065);
  assert.deepEqual(
    data.unread.map(({ fileName }: { fileName: string }) => fileName),
    ['big/c.txt', 'big/d.txt'],
  );
  assert.match(data.unread[0].reason, /over the limit of 1 MiB/);
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/7/diff?file=big/b.txt')).status, 200);
  assert.equal((await app.call('GET', '/repos/acme/rocket/pulls/7/diff?file=big/c.txt')).status, 404);
});

test('if git fails during an ingest, the response is 502 and no pull request is stored', async () => {
  const broken = makeClone(root, 'acme/broken', 'Begin');
  writeFileSync(join(broken, 'lost.txt'), 'soon gone\n');
  git(broken, 'add', '.');
  git(broken, 'commit', '--quiet', '--message', 'Add what will be lost (#1)');
  const blob = git(broken, 'rev-parse', 'HEAD:lost.txt').trim();
  rmSync(join(broken, '.git/objects', blob.slice(0, 2), blob.slice(2)), { force: true });
  const token = await app.signUp('unlucky');
  const reply = await app.call('POST', '/repos/acme/broken/pulls/1/ingest', { token });
  assert.equal(reply.status, 502, reply.text);
  assert.equal(reply.body.error.code, 'HOST_ERROR');
  assert.equal((await app.call('GET', '/repos/acme/broken/pulls/1')).status, 404);
});

test('hostile paths, links and git attributes in a tree are treated as text, and no program is run', async () => {
  const token = await app.signUp('victim');
  const program = join(temporaryFolder(), 'run.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${program}.ran\n`);
  chmodSync(program, 0o755);
  appendFileSync(
    join(clone, '.git/config'),
    `[diff "evil"]\n\ttextconv = ${program}\n\tcommand = ${program}\n`,
  );
  writeFileSync(join(clone, '.gitattributes'), '* diff=evil\n');
  symlinkSync('/etc/passwd', join(clone, 'passwd'));
  writeFileSync(join(clone, 'made.ts'), 'export const x = 1;\n');
  git(clone, 'add', '--all');
  const blob = git(clone, 'rev-parse', ':made.ts').trim();
  // A tree that git would refuse to check out.
  git(clone, 'update-index', '--add', '--cacheinfo', `100644,${blob},..evil/passwd`);
  git(clone, 'commit', '--quiet', '--message', 'Be hostile (#8)');
  git(clone, 'update-ref', 'refs/pull/8/head', 'HEAD');
  const { data } = (await ingest(8, token)).body;
  const kinds = Object.fromEntries(
    data.files.map(({ fileName, kind }: { fileName: string; kind: string }) => [fileName, kind]),
  );
  assert.ok('..evil/passwd' in kinds);
  const diff = await app.call('GET', '/repos/acme/rocket/pulls/8/diff?file=passwd');
  assert.match(diff.text, /\+\/etc\/passwd/);
  assert.doesNotMatch(diff.text, /root:/);
});

test('a clone without pull requests explains what counts as one, in the API and on its page', async () => {
  makeClone(root, 'acme/bare', 'Begin');
  const token = await app.signUp('newcomer');
  const listed = await app.call('GET', '/repos/acme/bare/pulls', { token });
  assert.equal(listed.body.data.pagination.totalItems, 0);
  assert.match(
    listed.body.message,
    /^The repository has no pull requests\. A clone contains .* refs\/pull\/NUMBER\/head /,
  );
  const open = await app.call('GET', '/repos/acme/bare/pulls?state=open', { token });
  assert.equal(open.body.message, 'The pull requests of the repository.');
  for (const [language, said] of [
    ['en', /The repository has no pull requests\..*refs\/pull\/NUMBER\/head \(git clone --mirror copies/s],
    ['ja', /プルリクエストはありません。.*refs\/pull\/番号\/head/s],
  ] as const) {
    await app.call('PATCH', '/users/me', { token, body: { language } });
    const page = await app.call('GET', '/r/acme/bare', { token, headers: { accept: 'text/html' } });
    assert.match(page.text, said);
  }
});
