import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findStatedClaims } from './find-claims.ts';

function subjects(text: string): string[] {
  return findStatedClaims(text).map((claim) => claim.subject);
}

test('a claim names identifiers, paths, versions and quoted words as they are written', () => {
  const [claim] = findStatedClaims(
    'Adds `Queue.take(id)` to src/queue.ts with maxAge, retry_count, --dry-run, 2.4.1 and "no more than five", on GitHub.',
  );
  assert.deepEqual(claim?.mentions, [
    'Queue.take(id)',
    'no more than five',
    'src/queue.ts',
    '2.4.1',
    'maxAge',
    'retry_count',
    '--dry-run',
  ]);
});

test('the subject tells what a sentence says was done', () => {
  assert.deepEqual(subjects('Adds a regression test for the queue.'), ['tests']);
  assert.deepEqual(subjects('The queue is faster, and unit tests were added.'), ['tests']);
  assert.deepEqual(subjects('This PR also updates the README and the changelog.'), ['documentation']);
  assert.deepEqual(subjects('Bumps left-pad from 1.2.0 to 1.3.0.'), ['dependency']);
  assert.deepEqual(subjects('Removes `src/old-queue.ts`.'), ['file']);
  assert.deepEqual(subjects('Renames `takeOne` to `take`.'), ['symbol']);
  assert.deepEqual(subjects('The queue is faster.'), ['other']);
  assert.deepEqual(subjects('並び順のテストを追加しました。'), ['tests']);
  assert.deepEqual(subjects('ドキュメントも更新しました。'), ['documentation']);
});

test('wishes, denials, questions, history, other projects and quoted words are not claims', () => {
  const text = `No tests are needed. Docs will follow. Should we add tests? Tests could be added later.
Previously it added a \`Lock\`. This does not change \`Queue\`. #12 added \`Heap\`. Upstream removed \`Stack\`.
Alternatively, add a \`Map\`. テストは今後追加する予定です。

> Adds tests.

## Steps to reproduce

Add \`Queue\` twice.`;
  assert.deepEqual(findStatedClaims(text), []);
});
