import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLargeArticle } from '../../test/make-large-article.ts';
import { listLargeArticles, readLargeArticles } from '../../test/read-large-articles.ts';
import { publishedContent } from '../actions/articles/read-article.ts';
import type { DetailScope } from '../db/visibility.ts';
import { sentencesOf } from './article-sentences.ts';
import { tellEvidence } from './tools/get-evidence.ts';

test('invisible characters in sentences, paths and code lines are shown as ⟨U+…⟩', () => {
  const made = makeLargeArticle(1);
  const seen: DetailScope = { userId: null, now: new Date(), purpose: 'detail' };
  const found = { ...made, said: publishedContent(made.content), seen };
  const call = { viewer: null, origin: 'https://pullquote.example', signal: new AbortController().signal };
  const [sentence] = sentencesOf(found.said).filter(({ statement }) => statement.evidence.length > 0);
  assert.ok(sentence);
  const hidden = 'a\u{e0049}\u{e0067}\u200bz';
  const statement = { ...sentence.statement, text: hidden };
  const code = statement.evidence.map(() => ({ lines: [`+${hidden}`], omitted: 0 }));
  const told = tellEvidence(
    { codeHosts: [] },
    { found, sentence: { ...sentence, statement, about: hidden }, from: 0, code },
    call,
  );
  const named = 'a⟨U+E0049⟩⟨U+E0067⟩⟨U+200B⟩z';
  assert.ok(told.text.includes(` ${named} (${named})\n`) && told.text.includes(`\n+${named}\n`), told.text);
  assert.doesNotMatch(JSON.stringify(told), /[\u{e0000}-\u{e007f}\u200b]/u);
});

test('tool results about large articles have at most 8,000 tokens, and their cursors cover everything once', async () => {
  const { answers, mostTokens } = await readLargeArticles(6);
  assert.ok(answers > 60 && mostTokens > 5_000, `${answers} answers of ${mostTokens} tokens at most`);
});

test('a long list is split into pages that continue where the last one ended', async () => {
  const { answers } = await listLargeArticles(40);
  assert.ok(answers > 10, `${answers} answers`);
});
