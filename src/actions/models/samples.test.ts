import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { makeKnownSentences } from './samples.ts';

const saidOf = (...files: [path: string, body: string][]) =>
  makeKnownSentences(files.map(([path, body]) => diffOf(path, body))).map(({ sentence, lie }) => [
    lie,
    sentence.text,
    sentence.evidence.map(({ side, startLine }) => `${side} ${startLine}`).join(),
  ]);

test('`makeKnownSentences` mixes true and false sentences, uses each line once, and labels each false one with its kind of lie', () => {
  const said = saidOf([
    'src/wait.ts',
    `
 export const unchanged = 1;
-const patience = oldPatience();
+if (tries > most) throw new TooMany();
+if (isIdle(worker)) {
+  worker.rest();
+}
+const LONGEST_WAIT = 300;
+const begun = clock.read(zone);
+const pause = measure.next(zone);
+export function waitFor(worker: Worker): void {
+export function restAfter(worker: Worker): void {
+type Patience = { left: number };
`,
  ]);
  assert.deepEqual(said, [
    [null, 'Where `tries > most` holds, `throw new TooMany()` follows.', 'new 2'],
    ['condition dropped', '`worker.rest()` follows whether `isIdle(worker)` holds or not.', 'new 3'],
    ['number changed', '`LONGEST_WAIT` is 420 there.', 'new 6'],
    [null, 'The line that declares `begun` calls `clock.read`.', 'new 7'],
    ['names swapped', 'The line that declares `pause` calls `clock.read`.', 'new 8'],
    [
      'effect invented',
      '`worker.rest();` is new in `src/wait.ts`, so that old clients go on working unchanged.',
      'new 4',
    ],
    [null, '`export function waitFor(worker: Worker): void {` is new in `src/wait.ts`.', 'new 9'],
    [
      'effect invented',
      '`export function restAfter(worker: Worker): void {` is new in `src/wait.ts`, so that the log no longer fills with warnings.',
      'new 10',
    ],
    [null, '`type Patience = { left: number };` is new in `src/wait.ts`.', 'new 11'],
    [null, '`const patience = oldPatience();` has gone from `src/wait.ts`.', 'old 2'],
  ]);
});

test('`makeKnownSentences` leaves out sentences that could be true as well as false', () => {
  const moved = saidOf(['src/a.ts', '-export const limit = first;\n+\texport const limit = first;']);
  assert.deepEqual(moved, []);
  const twice = saidOf(['src/a.ts', '+if (isOld) drop(it);\n+drop(it);']);
  assert.ok(twice.every(([lie]) => lie !== 'condition dropped'));
  const both = saidOf([
    'src/a.ts',
    '+const one = open(path);\n+const two = close(one);\n+use(one, close(path));',
  ]);
  assert.ok(both.every(([, text]) => text !== 'The line that declares `one` calls `close`.'));
});
