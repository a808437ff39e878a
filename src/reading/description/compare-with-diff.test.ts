import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileFacts } from '../facts.ts';
import { unseenClaims } from './compare-with-diff.ts';

function file(path: string, facts: Partial<FileFacts> = {}): FileFacts {
  return {
    path,
    previousPath: null,
    status: 'modified',
    kind: 'source',
    language: null,
    additions: 10,
    deletions: 2,
    changeType: 'FEAT',
    importance: 1,
    symbols: [],
    dependencies: [],
    surfaces: [],
    tests: [],
    changes: [],
    ranges: [],
    definitions: [],
    isSubmodule: false,
    becameExecutable: null,
    place: null,
    skipped: null,
    ...facts,
  };
}

function unseen(text: string, files: FileFacts[], words: string[] = []): string[] {
  return unseenClaims(text, files, (word) => words.includes(word)).map((claim) => claim.sentence);
}

test('tests, documentation and versions are unseen when nothing of their kind was changed', () => {
  const text =
    'Adds unit tests for the queue.\n\nUpdates the documentation.\n\nBumps left-pad from 1.2.0 to 1.3.0.';
  assert.equal(unseen(text, [file('src/queue.ts')]).length, 3);
  const files = [
    file('src/queue.test.ts', { kind: 'test' }),
    file('docs/queue.md', { kind: 'documentation' }),
    file('package.json', { kind: 'manifest' }),
  ];
  assert.deepEqual(unseen(text, files), []);
});

test('a name in code is unseen when no path and no line of the diff has it, in any spelling', () => {
  const text = 'Adds `retryAfter` to the sender. Removes `src/old-queue.ts`. Renames `takeOne` to `take`.';
  assert.equal(unseen(text, [file('src/sender.ts')]).length, 3);
  assert.deepEqual(unseen(text, [file('src/old-queue.ts')], ['RETRY_AFTER', 'takeOne']), []);
});

test('behaviour and a page that are promised in a list but not to be found are unseen', () => {
  const text = `- If the other side sends a \`Retry-After\` header, that is used instead of our own delay.
- The schedule is described in \`docs/webhooks.md\`.
- All attempts carry the same id.`;
  assert.equal(unseen(text, [file('src/webhooks.ts')], ['webhooks', 'Retry']).length, 2);
  const files = [file('src/webhooks.ts'), file('docs/webhooks.md', { kind: 'documentation' })];
  assert.deepEqual(unseen(text, files, ['retry-after']), []);
});

test('what is not a claim is never unseen', () => {
  const text = `Tests will follow. No docs needed. Fixes a crash when \`Queue\` is empty. See \`docs/other.md\`.
Before this, \`Heap\` was used. Sets the value to \`true\`. Run \`npm test\` to see it.`;
  assert.deepEqual(unseen(text, [file('src/a.ts')]), []);
});

test('a list of commits tells the way, so that what is not at its end is not unseen', () => {
  assert.deepEqual(unseen('* add `firstName`\n* rename `firstName` to `givenName`', [file('src/a.ts')]), []);
});

test('nothing is called absent from a diff of which a part was not read', () => {
  assert.deepEqual(unseen('Adds unit tests.', [file('src/a.ts', { skipped: 'too large' })]), []);
  assert.deepEqual(unseen('Adds unit tests.', []), []);
});
