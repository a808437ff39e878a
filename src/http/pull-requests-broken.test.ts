import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const folder = makeClone(root, 'acme/rocket', 'Begin');
const main = git(folder, 'rev-parse', 'HEAD').trim();
const tree = git(folder, 'rev-parse', 'HEAD^{tree}').trim();
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const token = await app.signUp('ann');

/** Writes a pull request ref, even to a target that git would refuse. */
function point(number: number | string, to: string): void {
  mkdirSync(join(folder, '.git/refs/pull', String(number)), { recursive: true });
  writeFileSync(join(folder, '.git/refs/pull', String(number), 'head'), `${to}\n`);
}

function writeObject(kind: 'commit' | 'tag', content: string): string {
  const parameters = ['-C', folder, 'hash-object', '-w', '-t', kind, '--literally', '--stdin'];
  return execFileSync('git', parameters, { input: content, encoding: 'utf8' }).trim();
}

const commitOf = (subject: string, { date = '1700000000 +0000', parent = main, of = tree } = {}) =>
  writeObject(
    'commit',
    `tree ${of}\nparent ${parent}\nauthor Ada <a@example.org> ${date}\ncommitter Ada <a@example.org> ${date}\n\n${subject}\n`,
  );

/** A branch of many commits with very long messages. */
function longTalk(commits: number): string {
  const message = `Say a lot\n\n${'talk and talk\n'.repeat(7_500)}The end, fixes #77.\n`;
  const stream = Array.from({ length: commits }, (_, index) =>
    [
      'commit refs/heads/talk',
      `committer Ada <a@example.org> ${1_700_000_000 + index} +0000`,
      `data ${Buffer.byteLength(message)}`,
      message,
      ...(index === 0 ? [`from ${main}`] : []),
      `M 644 inline said-${index}.txt\ndata 5\nsaid\n`,
      '',
    ].join('\n'),
  );
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: stream.join('') });
  return git(folder, 'rev-parse', 'talk').trim();
}

const list = (query = '') => app.call('GET', `/repos/acme/rocket/pulls${query}`, { token });
const ingest = (number: number) => app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token });
const numbersIn = ({ body }: Awaited<ReturnType<typeof list>>): number[] =>
  body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber);

const absent = '1234567890123456789012345678901234567890';

/** Unreadable pull requests by number: their heads and expected messages. */
const broken: Record<number, { what: string; head: () => string; said: RegExp }> = {
  10: {
    what: 'a blob',
    head: () => git(folder, 'rev-parse', 'HEAD:readme.txt').trim(),
    said: /^Pull request 10 of acme\/rocket could not be read/,
  },
  11: { what: 'a tree', head: () => tree, said: /^Pull request 11 of .* could not be read/ },
  12: {
    what: 'a tag',
    head: () => writeObject('tag', `object ${main}\ntype commit\ntag one\ntagger A <a@b> 1 +0000\n\nOne\n`),
    said: /^Pull request 12 of .* could not be read/,
  },
  13: { what: 'nothing', head: () => absent, said: /^Pull request 13 of .* could not be read.* git fetch/ },
  14: {
    what: 'a commit whose parent is missing',
    head: () => commitOf('Orphaned', { parent: absent }),
    said: /^Pull request 14 of .* could not be read/,
  },
  15: {
    what: 'a commit after the year 9999',
    head: () => commitOf('Late', { date: '253402300800 +0000' }),
    said: /^Pull request 15 of .* years 1970 to 9999/,
  },
  16: {
    what: 'a commit after the end of all time',
    head: () => commitOf('Too late', { date: '99999999999999999999999 +0000' }),
    said: /^Pull request 16 of .* years 1970 to 9999/,
  },
  17: {
    what: 'a commit without a date',
    head: () => commitOf('Undated', { date: 'yesterday' }),
    said: /^Pull request 17 of .* has no date/,
  },
  18: {
    what: 'a commit that is none',
    head: () => writeObject('commit', 'This is no commit.\n'),
    said: /^Pull request 18 of .* could not be read/,
  },
};

test('unreadable pull requests are left out of the list and get 502 with the reason, and others stay readable', async () => {
  point(1, commitOf('An ordinary one'));
  point(30, commitOf('Another'));
  for (const [number, { head }] of Object.entries(broken)) point(number, head());
  const listed = await list('?limit=100');
  assert.equal(listed.status, 200, listed.text);
  assert.deepEqual(numbersIn(listed), [30, 1]);
  for (const number of [1, 30]) assert.equal((await ingest(number)).status, 201);
  for (const [number, { what, said }] of Object.entries(broken)) {
    const { status, body, text } = await ingest(Number(number));
    assert.equal(status, 502, `${what}: ${text}`);
    assert.equal(body.error.code, 'HOST_ERROR', what);
    assert.match(body.error.message, said, what);
  }
  assert.deepEqual(numbersIn(await list('?limit=1&offset=4')), [], 'its place in the pages stays');
});

test('a commit whose tree is missing is listed, and fetching its diff is 502', async () => {
  point(19, commitOf('Bare', { of: absent }));
  assert.ok(numbersIn(await list()).includes(19));
  const { status, body } = await ingest(19);
  assert.deepEqual([status, body.error.code], [502, 'HOST_ERROR']);
});

test('refs with invalid numbers or targets are not pull requests', async () => {
  const before = numbersIn(await list());
  for (const name of ['0', '007', '00', '-1', '1e3', '99999999999999999999', 'x']) point(name, main);
  point(40, 'garbage');
  point(41, '0'.repeat(40));
  point(42, 'ref: refs/pull/42/head');
  const after = await list();
  assert.equal(after.status, 200, after.text);
  assert.deepEqual(numbersIn(after), before);
  for (const number of [40, 41, 42]) assert.equal((await ingest(number)).status, 404);
  assert.equal((await ingest(0)).status, 400);
});

test('700 commits with messages of 100 kB are cut to 250 commits, each with the beginning and end of its message', async () => {
  point(50, longTalk(700));
  const listed = await list();
  assert.equal(listed.status, 200, listed.text);
  assert.equal(numbersIn(listed)[0], 50);
  const { status, body, text } = await ingest(50);
  assert.equal(status, 201, text.slice(0, 300));
  const { commits, linkedIssues, title, changedFiles } = body.data;
  assert.deepEqual([title, changedFiles, commits.length], ['Say a lot', 700, 250]);
  assert.match(commits[0].message, /^Say a lot\n\ntalk and talk\n[^…]*…[^…]*\nThe end, fixes #77\.$/);
  assert.ok(text.length < 250 * 5_000, `${text.length} characters`);
  assert.deepEqual(linkedIssues, [{ number: 77, title: '', body: null }]);
});

test('a title of 100 kB is cut, and the pull request number at its end is found', async () => {
  const clone = makeClone(root, 'acme/wordy', `${'word '.repeat(20_000)}(#6)`);
  git(clone, 'commit', '--quiet', '--allow-empty', '--message', 'Merge pull request #7 from a/b\n\nShort');
  const { body } = await app.call('GET', '/repos/acme/wordy/pulls', { token });
  const [short, long] = body.data.items;
  assert.deepEqual([short.prNumber, short.title, long.prNumber], [7, 'Short', 6]);
  assert.match(long.title, /^(?:word )+\w*…\w* (?:word )+word$/);
  assert.ok(long.title.length <= 1_001);
});

test('a broken clone gets 502, and other clones stay readable', async () => {
  const damages: Record<string, (clone: string) => void> = {
    'packed refs': (clone) => writeFileSync(join(clone, '.git/packed-refs'), 'no refs\n'),
    'the default branch leads to a blob': (clone) =>
      writeFileSync(join(clone, '.git/refs/heads/main'), git(clone, 'rev-parse', 'HEAD:readme.txt')),
    'the default branch leads nowhere': (clone) =>
      writeFileSync(join(clone, '.git/refs/heads/main'), `${absent}\n`),
    'HEAD leads nowhere': (clone) => writeFileSync(join(clone, '.git/HEAD'), `${absent}\n`),
    'HEAD is endless': (clone) => writeFileSync(join(clone, '.git/HEAD'), ' '.repeat(1_000_000)),
    'no objects': (clone) => {
      rmSync(join(clone, '.git/objects'), { recursive: true });
      mkdirSync(join(clone, '.git/objects'));
    },
  };
  for (const [index, [what, damage]] of Object.entries(damages).entries()) {
    damage(makeClone(root, `acme/damaged${index}`));
    for (const [method, path] of [
      ['GET', 'pulls'],
      ['POST', 'pulls/1/ingest'],
    ] as const) {
      const reply = await app.call(method, `/repos/acme/damaged${index}/${path}`, { token });
      assert.deepEqual([reply.status, reply.body.error?.code], [502, 'HOST_ERROR'], `${what}: ${reply.text}`);
    }
  }
  assert.equal((await ingest(1)).status, 200);
});
