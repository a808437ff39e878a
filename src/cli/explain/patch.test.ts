import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../../config.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { UsageProblem } from '../command.ts';
import { parseTarget, webHosts } from './parse-target.ts';
import { readPatch } from './patch.ts';
import { columnsOf, safeLine, wrap } from './terminal-article.ts';

async function* pieces(text: string | Buffer): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

async function filesOf(text: string | Buffer) {
  const { diff } = await readPatch(pieces(text));
  const files = parseDiff(Buffer.concat(await Array.fromAsync(diff())));
  return files.map(({ status, path, additions, deletions, isBinary }) =>
    [status, path, `+${additions}`, `-${deletions}`, ...(isBinary ? ['binary'] : [])].join(' '),
  );
}

const hunk = '@@ -1,2 +1,2 @@\n one\n-two\n--- three\n+four\n';
const change = '@@ -1,2 +1,2 @@\n one\n-two\n+three\n';
const git = `diff --git a/src/a.c b/src/a.c\nindex 1..2 100644\n--- a/src/a.c\n+++ b/src/a.c\n${change}`;

test('diffs of git, Subversion, Mercurial and diff are read as the same files, also with colors or CRLF', async () => {
  const svn = [
    `Index: src/a.c\n${'='.repeat(67)}\n--- src/a.c\t(revision 7)\n+++ src/a.c\t(working copy)\n${change}`,
    `Index: new.txt\n${'='.repeat(67)}\n--- new.txt\t(nonexistent)\n+++ new.txt\t(working copy)\n@@ -0,0 +1 @@\n+hi\n`,
    `Index: logo.png\n${'='.repeat(67)}\nCannot display: file marked as a binary type.\nsvn:mime-type = image/png\n`,
    '\nProperty changes on: src/a.c\n___\nAdded: x\n## -0,0 +1 ##\n+*\n',
  ].join('');
  assert.deepEqual(await filesOf(svn), [
    'modified src/a.c +1 -1',
    'added new.txt +1 -0',
    'modified logo.png +0 -0 binary',
  ]);
  const one = ['modified src/a.c +1 -1'];
  const named = (old: string, now: string) => `--- ${old}\n+++ ${now}\n${change}`;
  assert.deepEqual(await filesOf(git), one);
  const day = '\tThu Jan 01 10:00:00 2026 +0000';
  assert.deepEqual(
    await filesOf(`diff -r 1f2e3d src/a.c\n${named(`a/src/a.c${day}`, `b/src/a.c${day}`)}`),
    one,
  );
  assert.deepEqual(
    await filesOf(`diff -ru old/src/a.c new/src/a.c\n${named('old/src/a.c', 'new/src/a.c')}`),
    one,
  );
  assert.deepEqual(await filesOf(named('src/a.c', 'src/a.c').replaceAll('\n', '\r\n')), one);
  assert.deepEqual(await filesOf(git.replace(/^.*$/gm, (line) => line && `\u001b[1m${line}\u001b[m`)), one);
  // The removed line "-- three" prints as "--- three", which looks like a file header.
  const odd = `--- a/x.sql\n+++ b/x.sql\n@@ -1,3 +1,2 @@${hunk.slice(hunk.indexOf('\n'))}${named('a/y.c', 'b/y.c')}`;
  assert.deepEqual(await filesOf(odd), ['modified x.sql +1 -2', 'modified y.c +1 -1']);
});

test('`readPatch` takes title, body and author from a mail, a commit or a changeset above the diff, and no title from a series', async () => {
  const words = async (text: string) => {
    const { title, body, authorLogin, commits } = await readPatch(pieces(text));
    return [title, body, authorLogin, commits.length];
  };
  const mail = (subject: string, path: string) =>
    `From ${'a'.repeat(40)} Mon Sep 17 00:00:00 2001\nFrom: =?UTF-8?q?J=C3=BCrgen?= <j@example.org>\nDate: x\nSubject: ${subject}\n\n` +
    `Why it is so.\n---\n src/a.c | 2 +-\n\n${git.replaceAll('src/a.c', path)}-- \n2.39.5\n\n`;
  const first = mail('[PATCH 1/2] fix: a name that is\n too long', 'src/a.c');
  assert.deepEqual(await words(first), ['fix: a name that is too long', 'Why it is so.', 'Jürgen', 1]);
  assert.deepEqual(await words(first + mail('[PATCH 2/2] More', 'b.c')), ['', null, 'Jürgen', 2]);
  const shown = `commit ${'b'.repeat(40)}\nAuthor: Rin <r@example.org>\nDate:   x\n\n    Say it\n    \n    At length.\n\n${git}`;
  assert.deepEqual(await words(shown), ['Say it', 'At length.', 'Rin', 1]);
  const changeset = `# HG changeset patch\n# User Ann <a@example.org>\n# Node ID 1\nSay it\n\nAt length.\n\ndiff -r 1 -r 2 a.c\n--- a/a.c\n+++ b/a.c\n${change}`;
  assert.deepEqual(await words(changeset), ['Say it', 'At length.', 'Ann', 1]);
  assert.deepEqual(await words(git), ['', null, '', 0]);
});

test('`readPatch` rejects text that is not a diff, a combined diff, and a diff that changes a file twice', async () => {
  const refused = (text: string | Buffer, sentence: RegExp) =>
    assert.rejects(readPatch(pieces(text)), sentence);
  await refused('', /empty/);
  await refused('Dear all,\n--- see you\n+++ soon\n', /not a diff\. Pipe the output of git diff/);
  await refused(
    Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)),
    /not a diff/,
  );
  await refused('diff --cc a.c\n@@@ -1,1 -1,1 +1,1 @@@\n', /git diff MERGE\^1 MERGE/);
  await refused(git + git, /changes src\/a\.c more than once/);
});

test('`parseTarget` reads a URL, pull request, number, range, branch or "-", and rejects malformed targets', () => {
  const hosts = webHosts(parseConfig({ GITEA_URL: 'https://example.org/gitea' }));
  const read = (given?: string, host?: string) => Object.values(parseTarget(given, hosts, host)).join(' ');
  assert.equal(read('https://github.com/o/r/pull/7/files?w=1#x'), 'hosted github o r 7');
  for (const given of ['github.com/o/r/pull/7', 'https://www.github.com/o/r/pull/7'])
    assert.equal(read(given), 'hosted github o r 7');
  assert.equal(read('https://gitlab.com/g/s/p/-/merge_requests/7/diffs'), 'hosted gitlab g/s p 7');
  assert.equal(read('g/s/p!7'), 'hosted gitlab g/s p 7');
  assert.equal(read('g/p!7', 'gitlab'), 'hosted gitlab g p 7');
  assert.equal(read('example.org/gitea/o/r/pulls/7'), 'hosted gitea o r 7');
  assert.equal(read('o/r#7', 'gitea'), 'hosted gitea o r 7');
  assert.equal(read('feat/a/7'), 'branch  feat/a/7');
  for (const [given, host] of [
    ['g/s/p#7', 'github'],
    ['https://github.com/o/r/pull/7', 'gitlab'],
    ['7', 'gitlab'],
    ['o/r#7', 'git'],
  ])
    assert.throws(() => read(given, host), UsageProblem, `${given} ${host}`);
  assert.throws(() => parseTarget('o/r#7', webHosts(parseConfig({})), 'gitea'), /from Gitea, set GITEA_URL/);
  assert.deepEqual(
    ['o/r#7', '7', '#7', '-', 'main...topic', 'v1..', '...x/y', 'feat/a.b', undefined].map((given) =>
      read(given),
    ),
    [
      'hosted github o r 7',
      'number 7',
      'number 7',
      'patch',
      'branch main topic',
      'branch v1 HEAD',
      'branch HEAD x/y',
      'branch  feat/a.b',
      'branch  ',
    ],
  );
  for (const given of [
    'https://gitlab.com/o/r/pull/7',
    'https://github.com/o/r',
    'https://codeberg.org/o/r/pulls/7',
    'o/r#0',
    'a b',
    'x\u001b',
    'a:b',
    '--x...y',
  ])
    assert.throws(() => parseTarget(given, hosts), UsageProblem, given);
});

test('`wrap` keeps lines within the columns, counts East Asian characters as two and drops no text', () => {
  assert.deepEqual(
    [columnsOf('abc'), columnsOf('日本'), columnsOf('e\u0301'), columnsOf('👩‍💻x'), columnsOf('ﾊﾝ')],
    [3, 4, 1, 3, 2],
  );
  const text =
    '設定を読み込む `loadConfig` は、失敗すると例外を投げます。 See also averyverylongnamewithoutanyspaces.';
  for (const columns of [5, 8, 20, 41]) {
    const lines = wrap(text, columns);
    assert.ok(
      lines.every((line) => columnsOf(line) <= columns),
      `${columns}: ${lines.join('|')}`,
    );
    assert.equal(lines.join('').replaceAll(' ', ''), text.replaceAll(' ', ''));
    assert.ok(lines.every((line) => !/^[、。]/.test(line)));
  }
  assert.deepEqual(wrap('    indented averyverylongname', 16), ['    indented', 'averyverylongnam', 'e']);
  assert.deepEqual(wrap('    averyverylongname', 16), ['    averyverylon', 'gname']);
});

test('`safeLine` passes no control, bidirectional or surrogate character, and only ASCII to an ASCII terminal', () => {
  const controls = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).join('');
  const hostile = `${controls}\u001b[31m\u009b2J\u202e\u2028\ud800`;
  for (const isUnicode of [true, false]) {
    const line = safeLine(hostile, { isUnicode });
    assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\p{Surrogate}\u2028\u2029]/u);
    if (!isUnicode) assert.match(line, /^[\u0020-\u007e]*$/);
  }
  assert.equal(safeLine('a → “b”\t—', { isUnicode: false }), 'a -> "b"    --');
});
