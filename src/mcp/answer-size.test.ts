import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listLargeArticles, readLargeArticles } from '../../test/read-large-articles.ts';

test('no answer about large articles has more than 8,000 tokens, and its cursors lead to all that they say, once', async () => {
  const { answers, mostTokens } = await readLargeArticles(6);
  assert.ok(answers > 60 && mostTokens > 5_000, `${answers} answers of ${mostTokens} tokens at most`);
});

test('a list is cut where an answer would be too long, and goes on there', async () => {
  const { answers } = await listLargeArticles(40);
  assert.ok(answers > 10, `${answers} answers`);
});
