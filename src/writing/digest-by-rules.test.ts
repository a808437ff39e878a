import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paragraphByRules, type ShownArticle } from './digest-by-rules.ts';

let prNumber = 0;

const article = (title: string, more: Partial<ShownArticle> = {}): ShownArticle => {
  prNumber += 1;
  const known = { prNumber, title, aiGeneratedTitle: title, languageCode: 'en', changeTypes: [] };
  const place = { fileName: 'a.ts', startLine: 1, endLine: 2, side: 'new' as const, hostUrl: null };
  return {
    ...known,
    isBreaking: false,
    byBot: false,
    lead: null,
    breaking: null,
    evidence: [place],
    ...more,
  } as ShownArticle;
};

const said = (articles: ShownArticle[], language: 'en' | 'ja' = 'en') =>
  paragraphByRules(articles, language).map(({ text }) => text);

test('a paragraph by rules names what breaks, then features, fixes and other changes, then the kinds of the rest', () => {
  const articles = [
    article('Map all ignore files'),
    article('docs: explain the cache', { changeTypes: ['DOCS'] }),
    article('fix: keep the query', { changeTypes: ['FIX'] }),
    article('feat: answer with a PDF', { changeTypes: ['FEAT'] }),
    article('feat!: drop the old router', { changeTypes: ['FEAT'], isBreaking: true }),
  ];
  assert.deepEqual(said(articles), [
    'Breaking: “drop the old router”.',
    'New: “answer with a PDF”.',
    'Fixes: “keep the query”.',
    'Changes: “Map all ignore files”.',
    'Also merged: documentation.',
  ]);
  assert.deepEqual(said(articles, 'ja').slice(2, 4), [
    '修正：「keep the query」。',
    '変更：「Map all ignore files」。',
  ]);
});

test('a change whose author calls it a fix is one of the fixes, even without a type', () => {
  assert.deepEqual(said([article('Fix paging of lists'), article('Map all ignore files')]), [
    'Fixes: “Fix paging of lists”.',
    'Changes: “Map all ignore files”.',
  ]);
});

test('dependency updates and articles by bots are not named beside changes by people', () => {
  const update = article('chore(deps): bump left-pad', { changeTypes: ['FIX'] });
  const byBot = article('feat: new icons', { changeTypes: ['FEAT'], byBot: true });
  assert.deepEqual(said([update, byBot, article('fix: keep the query', { changeTypes: ['FIX'] })]), [
    'Fixes: “keep the query”.',
    'Also merged: dependency updates.',
  ]);
});

test('each sentence of a paragraph by rules cites the pull requests that it names', () => {
  const articles = [
    article('fix: one', { changeTypes: ['FIX'] }),
    article('fix: two', { changeTypes: ['FIX'] }),
  ];
  const [sentence] = paragraphByRules(articles, 'en');
  assert.deepEqual(
    sentence?.evidence.map((one) => one.prNumber),
    articles.map((one) => one.prNumber),
  );
});
