import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeArticles } from '../../../test/make-articles.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sql } from '../../db/sql.ts';

test('a sentence that occurs twice is INVALID_REQUEST naming its ids, and each id works', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const app = await buildTestApp({ environment: { GIT_REPOS: root } });
  const token = await app.signUp('ann');
  await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  const [article = ''] = await makeArticles(app, { fullName: 'acme/rocket', count: 1 });
  const ids = ['0123456789ab', 'ba9876543210'];
  const said = JSON.stringify(ids.map((id) => ({ id, text: 'Because.', basis: 'words', evidence: [] })));
  await app.database.query(
    sql`UPDATE article_contents SET body = jsonb_set(body::jsonb, '{background}', ${said}::text::jsonb)::json`,
  );
  const ask = async (sentence: string) => {
    const response = await fetch(new URL('/mcp', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'get_evidence', arguments: { pullRequest: article, sentence } },
      }),
    });
    const { result } = JSON.parse(await response.text());
    return { text: result.content[0].text, told: result.structuredContent?.sentence.id };
  };
  const { text, told } = await ask('Because.');
  assert.equal(told, undefined, text);
  assert.match(
    text,
    /^INVALID_REQUEST: sentence occurs 2 times; send one of these ids: 0123456789ab, ba9876543210\./,
  );
  for (const id of ids) assert.equal((await ask(id)).told, id);
});
