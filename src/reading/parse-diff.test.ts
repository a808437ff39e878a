import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { linesOf } from './file-diff.ts';
import { DiffParser, parseDiff } from './parse-diff.ts';

/** Commits a folder before and after a change, and returns git's diff of it and git's own counts. */
function makeChange(before: (folder: string) => void, after: (folder: string) => void, ...options: string[]) {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet', '--initial-branch=main');
  before(folder);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'before');
  after(folder);
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'after');
  const print = (...more: string[]) =>
    execFileSync('git', ['-C', folder, 'diff', '-M', ...options, ...more, 'HEAD^', 'HEAD'], {
      maxBuffer: 2 ** 28,
    });
  return {
    diff: print('-U3'),
    numstat: print('--numstat', '-z').toString(),
    names: print('--name-status', '-z').toString(),
  };
}

const text = (folder: string, name: string, content: string | Buffer) =>
  writeFileSync(join(folder, name), content);
const numbered = (count: number, end = '\n') =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}${end}`).join('');

test('added, removed, renamed, copied, chmodded, retyped, binary and empty files each get their status and counts', () => {
  const { diff, names } = makeChange(
    (folder) => {
      text(folder, 'changed.txt', numbered(30));
      text(folder, 'removed.txt', 'gone\n');
      text(folder, 'moved.txt', numbered(20));
      text(folder, 'original.txt', numbered(40));
      text(folder, 'script.sh', '#!/bin/sh\n');
      text(folder, 'becomes-link', 'text\n');
      text(folder, 'picture.png', Buffer.from([0, 1, 2, 3]));
      text(folder, 'emptied.txt', 'x\n');
    },
    (folder) => {
      text(folder, 'changed.txt', numbered(30).replace('line 3\n', 'line three\n').replace('line 28\n', ''));
      rmSync(join(folder, 'removed.txt'));
      renameSync(join(folder, 'moved.txt'), join(folder, 'elsewhere.txt'));
      text(folder, 'original.txt', `${numbered(40)}and more\n`);
      text(folder, 'copy.txt', numbered(40));
      chmodSync(join(folder, 'script.sh'), 0o755);
      rmSync(join(folder, 'becomes-link'));
      symlinkSync('target', join(folder, 'becomes-link'));
      text(folder, 'picture.png', Buffer.from([0, 9, 9, 9]));
      text(folder, 'emptied.txt', '');
      text(folder, 'new-and-empty.txt', '');
    },
    '-C',
  );
  const files = parseDiff(diff);
  const summary = Object.fromEntries(
    files.map(({ path, status, previousPath, additions, deletions, isBinary }) => [
      path,
      `${status} ${previousPath ?? ''} +${additions} -${deletions}${isBinary ? ' binary' : ''}`,
    ]),
  );
  assert.deepEqual(summary, {
    'becomes-link': 'typeChanged  +1 -1',
    'changed.txt': 'modified  +1 -2',
    'copy.txt': 'copied original.txt +0 -0',
    'elsewhere.txt': 'renamed moved.txt +0 -0',
    'emptied.txt': 'modified  +0 -1',
    'new-and-empty.txt': 'added  +0 -0',
    'original.txt': 'modified  +1 -0',
    'picture.png': 'modified  +0 -0 binary',
    'removed.txt': 'removed  +0 -1',
    'script.sh': 'modified  +0 -0',
  });
  const script = files.find(({ path }) => path === 'script.sh');
  assert.deepEqual([script?.oldMode, script?.newMode], ['100644', '100755']);
  assert.equal(names.split('\0').filter((field) => /^[A-Z]\d*$/.test(field)).length, files.length);
});

test('file names with spaces, quotes, tabs, newlines, backslashes or other scripts are read exactly', () => {
  const odd = [
    'with space.txt',
    'na\u00efve.txt',
    '\u65e5\u672c\u8a9e.md',
    'a\tb',
    'say "hi"',
    'new\nline',
    'back\\slash',
    ' b',
    'a b/x b',
    '\u{1f40c}',
  ];
  const { diff } = makeChange(
    (folder) => mkdirSync(join(folder, 'a b')),
    (folder) => {
      for (const name of odd) text(folder, name, name === ' b' ? '' : 'content\n');
    },
  );
  assert.deepEqual(
    parseDiff(diff)
      .map(({ path }) => path)
      .sort(),
    [...odd].sort(),
  );
  const plain = makeChange(
    () => {},
    (folder) => text(folder, 'na\u00efve.txt', 'x\n'),
  );
  const unquoted = Buffer.from(
    plain.diff.toString().replaceAll(/"([ab])\/na\\303\\257ve\.txt"/g, '$1/na\u00efve.txt'),
  );
  assert.equal(parseDiff(unquoted)[0]?.path, 'na\u00efve.txt');
});

test('file content that looks like a diff is read as content', () => {
  const trap =
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- minus\n++ plus\n\\ No newline at end of file\n';
  const { diff } = makeChange(
    (folder) => text(folder, 'trap.txt', trap),
    (folder) => text(folder, 'trap.txt', trap.replaceAll('x', 'y')),
  );
  const files = parseDiff(diff);
  assert.equal(files.length, 1);
  assert.deepEqual([files[0]?.additions, files[0]?.deletions, files[0]?.hunks.length], [3, 3, 1]);
});

test('lines keep their line numbers and carriage returns, also without a newline at the end', () => {
  const { diff } = makeChange(
    (folder) => text(folder, 'dos.txt', `${numbered(20, '\r\n')}end`),
    (folder) => text(folder, 'dos.txt', `${numbered(20, '\r\n').replace('line 10', 'line ten')}the end`),
  );
  const [file] = parseDiff(diff);
  const lines = (file?.hunks ?? []).flatMap(linesOf);
  const changed = lines.filter(({ side }) => side !== 'context');
  assert.deepEqual(changed, [
    { side: 'removed', text: 'line 10\r', oldLine: 10, newLine: null },
    { side: 'added', text: 'line ten\r', oldLine: null, newLine: 10 },
    { side: 'removed', text: 'end', oldLine: 21, newLine: null },
    { side: 'added', text: 'the end', oldLine: null, newLine: 21 },
  ]);
  assert.equal(file?.hunks[0]?.heading, 'line 6');
});

test('a submodule update is one added and one removed line', () => {
  const diff = [
    'diff --git a/vendor/lib b/vendor/lib',
    'index 1111111..2222222 160000',
    '--- a/vendor/lib',
    '+++ b/vendor/lib',
    '@@ -1 +1 @@',
    '-Subproject commit 1111111111111111111111111111111111111111',
    '+Subproject commit 2222222222222222222222222222222222222222',
    '',
  ].join('\n');
  const [file] = parseDiff(Buffer.from(diff));
  assert.equal(file?.isSubmodule, true);
  assert.deepEqual([file?.additions, file?.deletions], [1, 1]);
});

test('the parsed files do not depend on how the bytes are split into chunks', () => {
  const { diff } = makeChange(
    (folder) => {
      for (let index = 0; index < 5; index += 1) text(folder, `file-${index}.txt`, numbered(30));
    },
    (folder) => {
      for (let index = 0; index < 5; index += 1)
        text(folder, `file-${index}.txt`, numbered(30).replace('15', `fifteen ${index}`));
    },
  );
  const whole = parseDiff(diff).map(({ path, bytes }) => `${path} ${bytes.toString()}`);
  assert.equal(whole.length, 5);
  for (const size of [1, 2, 7, 12, 13, 64, 1000]) {
    const parser = new DiffParser();
    const files = [];
    for (let start = 0; start < diff.length; start += size)
      files.push(...parser.push(diff.subarray(start, start + size)));
    files.push(...parser.end());
    assert.deepEqual(
      files.map(({ path, bytes }) => `${path} ${bytes.toString()}`),
      whole,
      `${size} bytes at a time`,
    );
  }
});

test('an empty diff and plain text give no files, and a truncated diff gives the lines before the cut', () => {
  assert.deepEqual(parseDiff(Buffer.alloc(0)), []);
  assert.deepEqual(parseDiff(Buffer.from('hello\nworld\n')), []);
  const cut = parseDiff(
    Buffer.from('diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@ f()\n a\n-b'),
  );
  assert.deepEqual([cut[0]?.path, cut[0]?.deletions, cut[0]?.hunks[0]?.text()], ['x', 1, ' a\n-b']);
});
