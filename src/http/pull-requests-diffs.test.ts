import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { onlyInFull } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { ArticleContent } from '../contract/articles.ts';
import { sql } from '../db/sql.ts';

const root = temporaryFolder();
const database = await freshDatabase();
const app = await buildTestApp({ database, environment: { GIT_REPOS: root } });

/** Commits files on a new branch and makes it the head of a pull request. */
function stack(clone: string, number: number, from: string, files: Record<string, string>): string {
  git(clone, 'switch', '--quiet', '--force-create', `pull-${number}`, from);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', `feat: change number ${number}`);
  git(clone, 'update-ref', `refs/pull/${number}/head`, 'HEAD');
  git(clone, 'switch', '--quiet', 'main');
  return git(clone, 'rev-parse', `pull-${number}`).trim();
}

const fileNames = (files: { fileName: string }[]) => files.map(({ fileName }) => fileName).toSorted();

/** The files named in an article's changes and rows. */
const toldFiles = ({ mainChanges, also }: ArticleContent) =>
  [...new Set([...fileNames(mainChanges), ...also.flatMap(({ files }) => files)])].toSorted();

test('when its base is merged, a stacked pull request loses those files, and its article is outdated and rewritten', async () => {
  const token = await app.signUp('stacker');
  const clone = makeClone(root, 'acme/stack', 'Begin');
  stack(clone, 1, 'main', { 'first.ts': 'export function first(): void {}\n' });
  const head = stack(clone, 2, 'pull-1', { 'second.ts': 'export function second(): void {}\n' });
  const path = '/repos/acme/stack/pulls/2';
  const before = (await app.call('POST', `${path}/ingest`, { token })).body.data;
  assert.deepEqual(fileNames(before.files), ['first.ts', 'second.ts']);
  assert.equal(before.baseSha, git(clone, 'rev-parse', 'main').trim());
  const write = () => app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  const first = (await write()).body.data;
  assert.deepEqual(toldFiles(first.contents.en), ['first.ts', 'second.ts']);
  const diffTag = (await app.call('GET', `${path}/diff`)).headers.get('etag') ?? '';
  const articleTag = (await app.call('GET', `${path}/article`)).headers.get('etag') ?? '';

  git(clone, 'merge', '--quiet', '--ff-only', 'pull-1');
  const after = (await app.call('POST', `${path}/ingest`, { token })).body.data;
  assert.equal(after.headSha, head, 'the head has not moved');
  assert.equal(after.baseSha, git(clone, 'rev-parse', 'main').trim());
  assert.deepEqual(fileNames(after.files), ['second.ts']);
  const diff = await app.call('GET', `${path}/diff`, { headers: { 'if-none-match': diffTag } });
  assert.equal(diff.status, 200, 'it is another diff');
  assert.equal(diff.text, git(clone, 'diff', '-M', '-U3', after.baseSha, head));
  const stale = await app.call('GET', `${path}/article`, { headers: { 'if-none-match': articleTag } });
  assert.equal(stale.body.data.contents.en.stale, true);
  const again = await write();
  assert.equal(again.status, 201, again.text);
  const { en } = again.body.data.contents;
  assert.deepEqual(toldFiles(en), ['second.ts']);
  assert.deepEqual([en.headSha, en.baseSha, en.stale], [head, after.baseSha, false]);
  assert.equal((await write()).status, 200, 'and it stands from then on');
});

test('an article stored without a base commit is outdated, and rewritten on request', async () => {
  const token = await app.signUp('keeper');
  const clone = makeClone(root, 'acme/old', 'Begin');
  stack(clone, 1, 'main', { 'a.ts': 'export const a = 1;\n' });
  const path = '/repos/acme/old/pulls/1';
  const write = () => app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  const { id } = (await write()).body.data;
  await app.database.query(sql`
    UPDATE pull_requests SET base_sha = ''
    WHERE id = (SELECT pull_request_id FROM articles WHERE id = ${id})`);
  await app.database.query(sql`UPDATE article_contents SET base_sha = '' WHERE article_id = ${id}`);
  assert.equal((await app.call('GET', `${path}/article`)).body.data.contents.en.stale, true);
  assert.equal((await app.call('GET', path)).body.data.baseSha, '');
  const again = await write();
  assert.equal(again.status, 201);
  assert.equal(again.body.data.contents.en.stale, false);
  assert.equal((await app.call('GET', path)).body.data.baseSha, git(clone, 'rev-parse', 'main').trim());
});

test('a raised MAX_DIFF_MIB reads files that were left out, and a lowered one keeps them', async () => {
  const clone = makeClone(root, 'acme/large', 'Begin');
  const large = Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [`${name}.txt`, `${name.repeat(99)}\n`.repeat(6000)]),
  );
  stack(clone, 1, 'main', large);
  const path = '/repos/acme/large/pulls/1';
  const limited = await buildTestApp({ database, environment: { GIT_REPOS: root, MAX_DIFF_MIB: '1' } });
  await app.signUp('ann');
  const ingestOn = async (on: TestApp) => {
    const { data } = (await on.call('POST', `${path}/ingest`, { token: on.tokenFor('ann') })).body;
    const diff = await on.call('GET', `${path}/diff`);
    return { unread: data.unread.length, diff: diff.text, tag: diff.headers.get('etag') };
  };
  const whole = git(clone, 'diff', '-M', '-U3', 'main', 'pull-1');
  const small = await ingestOn(limited);
  assert.equal(small.unread, 2);
  const raised = await ingestOn(app);
  assert.equal(raised.unread, 0);
  assert.equal(raised.diff, whole);
  assert.notEqual(raised.tag, small.tag, 'another answer has another tag');
  const lowered = await ingestOn(limited);
  assert.deepEqual(lowered, raised);
});

/** Incompressible text, so that the stored diff has many parts. */
const noise = (bytes: number) =>
  `${randomBytes(bytes)
    .toString('base64')
    .replaceAll(/(.{80})/g, '$1\n')}\n`;

const noisyFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, noise(750_000)]));

/** Opens a read and consumes no bytes before `rest` is called; buffers on the way still fill up. */
async function readSlowly(url: string) {
  const connected = once(app.server.server, 'connection');
  const [answer] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
  const [socket] = (await connected) as [Socket];
  const rest = async () => Buffer.concat(await answer.toArray()).toString();
  return { sent: () => socket.bytesWritten, rest };
}

test('a diff whose pull request is deleted during the read is read to its end', async () => {
  const token = await app.signUp('last');
  const clone = makeClone(root, 'acme/unread', 'Begin');
  stack(clone, 1, 'main', noisyFiles(8));
  const path = '/repos/acme/unread/pulls/1';
  const { id } = (await app.call('POST', `${path}/ingest`, { token })).body.data;
  const whole = git(clone, 'diff', '-M', '-U3', 'main', 'refs/pull/1/head');
  const slow = await readSlowly(`${app.url}${path}/diff`);
  await app.database.query(
    sql`UPDATE pull_requests SET unused_since = now() - interval '8 days' WHERE id = ${id}`,
  );
  await app.housekeeping.run();
  assert.equal((await app.call('GET', path)).status, 404, 'it is gone');
  assert.ok(slow.sent() < whole.length, 'much of it is still to be read');
  assert.ok((await slow.rest()) === whole);
});

test(
  'a diff that is replaced during a slow read is read as it was, and its old version is deleted later',
  onlyInFull,
  async () => {
    const token = await app.signUp('slow');
    const clone = makeClone(root, 'acme/replaced', 'Begin');
    const path = '/repos/acme/replaced/pulls/1';
    const replace = async (files: Record<string, string>) => {
      stack(clone, 1, 'main', files);
      await app.call('POST', `${path}/ingest`, { token });
      return git(clone, 'diff', '-M', '-U3', 'main', 'refs/pull/1/head');
    };
    const before = await replace(noisyFiles(8));
    const slow = await readSlowly(`${app.url}${path}/diff`);
    const after = await replace(noisyFiles(8));
    assert.ok(slow.sent() < before.length, 'much of it is still to be read');
    assert.ok((await slow.rest()) === before, 'what was there when reading began');
    assert.ok((await app.call('GET', `${path}/diff`)).text === after);

    app.advance(2 * 60 * 60 * 1000);
    await app.housekeeping.run();
    const left = await app.database.query(sql`
    SELECT DISTINCT revision FROM pull_request_diffs
    JOIN pull_requests ON pull_requests.id = pull_request_id
    JOIN repositories ON repositories.id = repository_id WHERE name = 'replaced'`);
    assert.equal(left.length, 1, 'what nobody reads any more is removed');
    assert.ok((await app.call('GET', `${path}/diff`)).text === after);
  },
);

test('a diff response is aborted, not ended early, if a later stored part of it was deleted', async () => {
  const token = await app.signUp('late');
  const clone = makeClone(root, 'acme/gone', 'Begin');
  stack(clone, 1, 'main', noisyFiles(3));
  const path = '/repos/acme/gone/pulls/1';
  const { id } = (await app.call('POST', `${path}/ingest`, { token })).body.data;
  for (const file of [2, 1]) {
    await app.database.query(
      sql`DELETE FROM pull_request_diffs WHERE pull_request_id = ${id} AND first_file = ${file}`,
    );
    const slow = await readSlowly(`${app.url}${path}/diff`);
    await assert.rejects(slow.rest(), /aborted/);
  }
});

test('a pull request with over 3,000 files lists all of them in pages, each with its diff', async () => {
  const token = await app.signUp('counter');
  const clone = makeClone(root, 'acme/many', 'Begin');
  mkdirSync(join(clone, 'many'));
  const names = Array.from({ length: 3_005 }, (_, index) => `many/${String(index).padStart(4, '0')}.txt`);
  stack(clone, 1, 'main', Object.fromEntries(names.map((name) => [name, `This is ${name}.\n`])));
  const path = '/repos/acme/many/pulls/1';
  const { data } = (await app.call('POST', `${path}/ingest`, { token })).body;
  assert.deepEqual([data.changedFiles, data.files.length, data.filesOmitted], [3_005, 3_000, 5]);
  const listed = (await app.call('GET', `${path}/files?limit=100&offset=2950`)).body.data;
  assert.deepEqual(fileNames(listed.items), names.slice(2950));
  assert.equal(listed.pagination.totalItems, 3_005);
  assert.deepEqual(fileNames((await app.call('GET', `${path}/files`)).body.data.items), names.slice(0, 20));
  const last = await app.call('GET', `${path}/diff?file=${names.at(-1)}`);
  assert.match(last.text, /\+This is many\/3004\.txt\./);
  assert.equal((await app.call('GET', `${path}/diff?file=many/nothing.txt`)).status, 404);
});
