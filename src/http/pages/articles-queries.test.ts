import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { tellByHand } from '../../../test/doors/articles-by-hand.ts';
import { change, statement } from '../../../test/doors/stated-parts.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { makeLargePullRequest } from '../../../test/make-large-pull-request.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { currentClient } from '../../domain/concurrency.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: begin (#1)');
/** A pull request whose diff has several parts. */
makeLargePullRequest(join(root, 'acme/rocket'), 2, 5, 400);
const files = Array.from({ length: 5 }, (_, index) => `large-2/part-${index}.ts`);
const app = await buildTestApp({ environment: { GIT_REPOS: root, CACHE_MIB: '0' } });
const token = await app.signUp('ann');

/** The fewest statements of requests over three turns; background statements are not counted. */
async function countStatements(database: Database, work: () => Promise<void>): Promise<number> {
  const counted: number[] = [];
  const { query, queryBytes } = database;
  let statements = 0;
  const count = () => {
    if (currentClient().key !== 'service') statements += 1;
  };
  database.query = (statement) => {
    count();
    return query(statement);
  };
  database.queryBytes = (statement) => {
    count();
    return queryBytes(statement);
  };
  for (let turn = 0; turn < 3; turn += 1) {
    statements = 0;
    await work();
    counted.push(statements);
  }
  Object.assign(database, { query, queryBytes });
  return Math.min(...counted);
}

test('an article is read with one statement and its page with four, regardless of how many diff parts it shows', async () => {
  const path = '/repos/acme/rocket/pulls/2/article';
  for (const language of ['en', 'ja']) {
    const written = await app.call('POST', path, { token, body: { language } });
    assert.equal(written.status, 201, written.text);
  }
  const { id } = (await app.call('GET', path)).body.data;
  const mainChanges = files.map((file) => change(file, [statement('It counts.', [[file, 'new', 1, 6]])]));
  await tellByHand(app, { articleId: id, languageCode: 'en' }, { mainChanges });
  const parts = await app.database.query(sql`SELECT 1 FROM pull_request_diffs`);
  assert.ok(parts.length > 1, `the diff has ${parts.length} parts`);
  const read = (address: string, headers: Record<string, string> = {}) =>
    countStatements(app.database, async () => {
      const { status, text } = await app.call('GET', address, { headers });
      assert.equal(status, 200, text);
    });
  const markdown = { accept: 'text/markdown' };
  const statements = {
    'by its pull request': await read(path),
    'by its id': await read(`/articles/${id}`),
    'as Markdown': await read(path, markdown),
    page: await read('/r/acme/rocket/2', { accept: 'text/html' }),
  };
  assert.deepEqual(statements, { 'by its pull request': 1, 'by its id': 1, 'as Markdown': 1, page: 4 });
  const asAnn = { accept: 'text/html', authorization: `Bearer ${token}` };
  const ofUsers = await read('/users/me', asAnn);
  assert.equal(
    await read('/r/acme/rocket/2', asAnn),
    ofUsers + 5,
    'with its answers and what is new, once it is noted that they have read it',
  );
  const page = await app.call('GET', '/r/acme/rocket/2', { headers: { accept: 'text/html' } });
  for (const file of files)
    assert.ok(page.text.includes(`aria-label="${file}"`), `lines of ${file} are shown`);
});
