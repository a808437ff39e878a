import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileFacts } from '../facts.ts';
import { compareWithDiff } from './compare-with-diff.ts';

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
    isSubmodule: false,
    becameExecutable: null,
    place: null,
    skipped: null,
    ...facts,
  };
}

function unseen(text: string, files: FileFacts[], words: string[] = []): string[] {
  return compareWithDiff(text, files, (word) => words.includes(word)).unseen.map((claim) => claim.sentence);
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

function unmentioned(text: string, files: FileFacts[], title = ''): string[] {
  return compareWithDiff(text, files, () => true, title).unmentioned;
}

const queue = file('src/queue.ts', { additions: 100 });

test('a large file or folder of which nothing is said is passed over', () => {
  const text = 'The queue keeps its order. It takes one job at a time.';
  assert.deepEqual(unmentioned(text, [queue, file('src/billing.ts', { additions: 60 })]), ['src/billing.ts']);
  const invoices = ['a', 'b', 'c'].map((name) => file(`src/invoices/${name}.ts`, { additions: 20 }));
  assert.deepEqual(unmentioned(text, [queue, ...invoices]), ['src/invoices/']);
});

test('what is named by path, symbol, title or kind is not passed over', () => {
  const billing = file('src/billing.ts', { additions: 60 });
  assert.deepEqual(unmentioned('The queue and the bills are in order.', [queue, billing]), []);
  assert.deepEqual(unmentioned('The queue keeps its order.', [queue, billing], 'Billing and order'), []);
  const symbol = file('src/x.ts', {
    additions: 60,
    symbols: [
      {
        kind: 'function',
        name: 'chargeCustomer',
        container: null,
        change: 'added',
        previousName: null,
        movedFrom: null,
        movedTo: null,
        isEdited: false,
        mayBePublic: true,
        signatureEdits: [],
        concernsCallers: false,
        value: null,
        signature: null,
        previousSignature: null,
        isPublic: true,
        explanation: null,
        evidence: { fileName: 'src/x.ts', startLine: 1, endLine: 2, side: 'new' },
      },
    ],
  });
  assert.deepEqual(unmentioned('The queue charges customers in order.', [queue, symbol]), []);
});

test('small parts, tests, lock files and documentation need no word', () => {
  const files = [
    queue,
    file('src/small.ts', { additions: 20 }),
    file('src/queue.test.ts', { kind: 'test', additions: 500 }),
    file('package-lock.json', { kind: 'lock', additions: 900 }),
    file('guide.md', { kind: 'documentation', additions: 60 }),
  ];
  assert.deepEqual(unmentioned('The queue keeps its order.', files), []);
});

test('no description, general words and lists of commits pass over nothing', () => {
  const files = [queue, file('src/billing.ts', { additions: 60 })];
  assert.deepEqual(unmentioned('', files), []);
  assert.deepEqual(unmentioned('Much better now.', files), []);
  assert.deepEqual(unmentioned('* queue in order\n* another', files), []);
  assert.deepEqual(unmentioned('Refactors the queue throughout.', files), []);
});
