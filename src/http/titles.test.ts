import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';

const title =
  'fix(response)!: panic on Hijack when the wrapped writer supports neither Hijack nor Flush, whatever the server does';
const [english, japanese] = [
  title.replace('fix(response)!:', 'Fix (response, breaking):'),
  title.replace('fix(response)!: ', '修正（response、互換性に影響）：'),
];

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
git(clone, 'tag', 'v1');
git(clone, 'commit', '--quiet', '--allow-empty', '--message', `${title} (#1)`);
git(clone, 'tag', 'v2');
const app = await buildTestApp({ environment: { GIT_REPOS: root, PUBLIC_URL: 'http://127.0.0.1:1' } });
const token = await app.signUp('ann');
for (const language of ['en', 'ja'])
  await app.call('POST', '/repos/acme/rocket/pulls/1/article', { token, body: { language } });
// As titles were stored before: without the prefix, and cut.
await app.database.query(sql`
  UPDATE article_contents SET title = 'Panic on Hijack when the wrapped writer supports…', body = (
    body::jsonb || '{"aiGeneratedTitle": "Panic on Hijack when the wrapped writer supports…"}')::json`);

const textIn = async (language: string, path: string, accept = 'text/html') => {
  const headers = { accept, 'accept-language': language };
  const { status, text } = await app.call('GET', path.replace('LANGUAGE', language), { headers });
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
};

test('pages, feeds, Markdown and tools show the whole title with its type as a word, also for articles stored before', async () => {
  const places: [path: string, accept?: string][] = [
    ['/?language=LANGUAGE'],
    ['/find?q=hijack'],
    ['/r/acme/rocket?language=LANGUAGE'],
    ['/r/acme/rocket/1?language=LANGUAGE'],
    ['/r/acme/rocket/1.md?language=LANGUAGE', '*/*'],
    ['/feeds/articles.json?language=LANGUAGE', '*/*'],
    ['/r/acme/rocket/release?from=v1&to=v2&language=LANGUAGE'],
    ['/repos/acme/rocket/release?from=v1&to=v2&language=LANGUAGE', 'text/markdown'],
  ];
  for (const [path, accept] of places) {
    assert.ok((await textIn('en', path, accept)).includes(english), path);
    assert.ok((await textIn('ja', path, accept)).includes(japanese), path);
  }
  const { body } = await app.call('POST', '/mcp', {
    body: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_articles', arguments: { query: 'hijack' } },
    },
  });
  assert.ok(body.result.content[0].text.includes(english), body.result.content[0].text);
});

test('summaries have the title of the pull request, whole and as it is written', async () => {
  const { body } = await app.call('GET', '/articles?language=en');
  const [{ title: listed, aiGeneratedTitle }] = body.data.items;
  assert.deepEqual([listed, aiGeneratedTitle], [title, 'Panic on Hijack when the wrapped writer supports…']);
});
