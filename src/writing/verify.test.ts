import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { createVerifier } from './verify.ts';

const file = diffOf(
  'src/limit.ts',
  `
 export function limit(options) {
+  // Two bookings at once: the unique index
+  // lets only one of them in.
-  const timeout = 30;
+  const timeout = 60;
 }
`,
  { start: 10 },
);
const binary = diffOf('logo.png', '');
binary.hunks = [];

const verify = createVerifier({
  diff: [file, binary],
  words: ['Raise the limit', 'Since version 2.1.0 we wait longer. It is described in “The Book”.'],
});

const claim = (text: string, more: Partial<Parameters<typeof verify>[0]> = {}) => ({
  texts: [text],
  fileName: 'src/limit.ts',
  evidence: [{ fileName: 'src/limit.ts', startLine: 11, endLine: 13, side: 'new' as const }],
  ...more,
});

test('a claim holds whose file, lines, names, versions and quotations stand in the diff or in what was said', () => {
  assert.ok(verify(claim('In `limit`, `const timeout = 30` becomes `const timeout = 60`.')));
  assert.ok(
    verify(claim('A comment explains: “Two bookings at once: the unique index lets only one of them in.”')),
  );
  assert.ok(
    verify(
      claim(
        'コメントは「Two bookings at once: the unique index lets only one of them in.」と説明しています。',
      ),
    ),
  );
  assert.ok(verify(claim('Since 2.1.0 it waits longer.')));
});

test('a file that the diff does not have fails', () => {
  assert.equal(verify(claim('Changes it.', { fileName: 'src/other.ts' })), null);
});

test('lines outside every hunk, on the wrong side or upside down fail', () => {
  const at = (startLine: number, endLine: number, side: 'old' | 'new') => [
    { fileName: 'src/limit.ts', startLine, endLine, side },
  ];
  assert.equal(verify(claim('Changes it.', { evidence: at(1, 2, 'new') })), null);
  assert.equal(verify(claim('Changes it.', { evidence: at(12, 40, 'new') })), null);
  assert.equal(verify(claim('Changes it.', { evidence: at(13, 13, 'old') })), null);
  assert.equal(verify(claim('Changes it.', { evidence: at(12, 11, 'new') })), null);
  assert.equal(verify(claim('Changes it.', { evidence: [] })), null);
});

test('of several places those that hold are kept', () => {
  const good = { fileName: 'src/limit.ts', startLine: 11, endLine: 11, side: 'new' as const };
  const bad = { fileName: 'src/limit.ts', startLine: 99, endLine: 99, side: 'new' as const };
  assert.deepEqual(verify(claim('Changes it.', { evidence: [bad, good] })), [good]);
});

test('an identifier, path, version or quotation from nowhere fails', () => {
  assert.equal(verify(claim('Adds `deleteEverything`.')), null);
  assert.equal(verify(claim('Calls createServerFactory twice.')), null);
  assert.equal(verify(claim('Moves it to src/secret/place.ts.')), null);
  assert.equal(verify(claim('Needs version 9.9.9 now.')), null);
  assert.equal(verify(claim('A comment says: “This was never written anywhere.”')), null);
  assert.equal(verify(claim('コメントは「どこにも書かれていません」と説明しています。')), null);
});

test('every wording of a claim has to hold', () => {
  assert.equal(verify({ ...claim('In `limit`.'), texts: ['In `limit`.', '`unlimited` では。'] }), null);
});

test('a file without hunks needs no lines', () => {
  assert.deepEqual(
    verify({ texts: ['This binary file is replaced.'], fileName: 'logo.png', evidence: [] }),
    [],
  );
});
