import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { layers, misnamedIn, misnamedModules, subjectsAsTable } from '../scripts/subjects.ts';

test('no module in a layer has another word for its subject', () => {
  assert.deepEqual(layers.flatMap(misnamedIn), []);
});

test('`misnamedModules` reports modules named by another word for a subject', () => {
  assert.deepEqual(misnamedModules(['questions', 'question-cards', 'answers', 'watch-list', 'time']), [
    'answers',
    'watch-list',
  ]);
});

test('ARCHITECTURE.md has the table of subjects that `npm run docs` writes', () => {
  assert.ok(readFileSync('ARCHITECTURE.md', 'utf8').includes(subjectsAsTable()));
});
