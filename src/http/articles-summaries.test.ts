import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
const count = (by: number) =>
  ['left', 'down']
    .map(
      (name, index) =>
        `def ${name}(n):\n    n += 1\n    n = n * 2\n    n = n - ${by * (index + 1)}\n    n = n + 3\n    return n\n\n\n`,
    )
    .join('');
const commit = (message: string, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', message);
};
commit('Count', { 'count.py': count(1) });
commit('Count faster (#2)', {
  'count.py': count(2),
  'test_count.py': 'def test_counts():\n    assert True\n',
});
const app = await buildTestApp({ environment: { GIT_REPOS: root, PUBLIC_URL: 'http://127.0.0.1:1' } });
const token = await app.signUp('ann');
for (const number of [1, 2])
  for (const language of ['en', 'ja'])
    await app.call('POST', `/repos/acme/rocket/pulls/${number}/article`, { token, body: { language } });
// Titles as older versions stored them: without the prefix, and cut.
await app.database.query(sql`
  UPDATE article_contents SET title = 'Panic on Hijack when the wrapped writer supports…', body = (
    body::jsonb || '{"aiGeneratedTitle": "Panic on Hijack when the wrapped writer supports…"}')::json
  WHERE title LIKE 'fix(response)!:%'`);

const textIn = async (language: string, path: string, accept = 'text/html') => {
  const headers = { accept, 'accept-language': language };
  const { status, text } = await app.call('GET', path.replace('LANGUAGE', language), { headers });
  assert.equal(status, 200, `${path}: ${text}`);
  return text;
};

test('pages, feeds, Markdown and tools show the whole title with its type as a word, also for older articles', async () => {
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

test("lists in the API have the pull request's own title unchanged", async () => {
  const { body } = await app.call('GET', '/articles?language=en');
  const [{ title: listed, aiGeneratedTitle }] = body.data.items.filter(
    ({ prNumber }: { prNumber: number }) => prNumber === 1,
  );
  assert.deepEqual([listed, aiGeneratedTitle], [title, 'Panic on Hijack when the wrapped writer supports…']);
});

test("an article without lead and author's words shows in lists which functions it touches", async () => {
  const { body } = await app.call('GET', '/articles');
  const linesOf = (number: number) =>
    body.data.items
      .filter(({ prNumber }: { prNumber: number }) => prNumber === number)
      .map(({ secondLine }: { secondLine: unknown }) => secondLine);
  assert.deepEqual(linesOf(1), [null, null], 'an empty diff touches nothing');
  assert.deepEqual(linesOf(2), [
    { text: 'In `left` and `down` · 1 new test', from: 'touches' },
    { text: '`left`、`down` を変更 · テスト 1 件を追加', from: 'touches' },
  ]);
  const shown = 'In <code>left</code> and <code>down</code> · 1 new test';
  const plain = 'In `left` and `down` · 1 new test';
  for (const [path, line, accept] of [
    ['/?language=LANGUAGE', shown],
    ['/find?q=faster+repo:acme/rocket', shown],
    ['/r/acme/rocket?language=LANGUAGE', shown],
    ['/feeds/articles.json?language=LANGUAGE', 'In left and down · 1 new test', '*/*'],
    ['/repos/acme/rocket/release?from=v1&to=main&language=LANGUAGE', plain, 'text/markdown'],
    ['/llms.txt', 'In left and down · 1 new test', '*/*'],
  ] as const)
    assert.ok((await textIn('en', path, accept)).includes(line), path);
});
