import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { sql } from '../db/sql.ts';
import { notice } from './tool.ts';

test('pages of `resources/list` stay below 16,000 bytes, begin each description with the notice, and list every article once', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket');
  const app = await buildTestApp({ environment: { GIT_REPOS: root } });
  const token = await app.signUp('ann');
  await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  const made = await makeArticles(app, { fullName: 'acme/rocket', count: 45 });
  const long = '深'.repeat(300);
  await app.database.query(sql`UPDATE article_contents SET title = 'A title', standfirst = ${long}`);
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const response = await fetch(new URL('/mcp', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list', params }),
    });
    const text = await response.text();
    assert.ok(Buffer.byteLength(text) <= 16_000, `${Buffer.byteLength(text)} bytes`);
    const { resources, nextCursor } = JSON.parse(text).result;
    for (const { uri, description } of resources) {
      assert.ok(description.startsWith(`${notice} On git. 深`), description);
      listed.push(uri);
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  assert.deepEqual(listed.toSorted(), made.map((id) => `pullquote://articles/${id}/en`).toSorted());
});
