import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import type { Excerpt } from '../contract/told-parts.ts';
import { type PublishedContent, publicChannel } from '../db/articles.ts';
import { sql } from '../db/sql.ts';

type MainChange = PublishedContent['mainChanges'][number];

interface Row {
  languageCode: string;
  revision: number;
  offlineWriter: number | null;
}

const readRows = ({ database }: TestApp) =>
  database.query<Row>(sql`
    SELECT language_code AS "languageCode", revision, offline_writer AS "offlineWriter"
    FROM article_contents ORDER BY language_code`);

async function untilRows(app: TestApp, isSo: (rows: Row[]) => boolean): Promise<Row[]> {
  const { promise, resolve } = Promise.withResolvers<Row[]>();
  const look = async () => {
    const rows = await readRows(app);
    if (isSo(rows)) resolve(rows);
  };
  const stop = await app.database.listen(publicChannel, {
    onMessage: () => void look(),
    onListening: () => void look(),
  });
  await look();
  const rows = await promise;
  await stop();
  return rows;
}

test('what an older offline writer wrote is written anew after an upgrade, and nothing else is', async () => {
  const database = await freshDatabase();
  const before = await buildTestApp({ database });
  const token = await before.signUp('ann');
  const path = '/repos/harborline/parcel/pulls/10/article';
  for (const language of ['en', 'ja']) {
    assert.equal((await before.call('POST', path, { token, body: { language } })).status, 201);
  }
  const [written] = await readRows(before);
  assert.ok(written?.offlineWriter && written.offlineWriter > 0);
  await before.database.query(sql`
    UPDATE article_contents SET offline_writer = 0, like_count = 2 WHERE language_code = 'en'`);
  const outdated = await before.call('POST', path, { token, body: { language: 'ja' } });
  assert.equal(outdated.status, 200, 'the other language stands');
  await before.close();

  const after = await buildTestApp({ database });
  const rows = await untilRows(after, ([en]) => en?.revision === 2);
  assert.deepEqual(Array.from(rows), [
    { languageCode: 'en', revision: 2, offlineWriter: written.offlineWriter },
    { languageCode: 'ja', revision: 1, offlineWriter: written.offlineWriter },
  ]);
  const { data } = (await after.call('GET', path)).body;
  assert.equal(data.contents.en.likeCount, 2);
});

test('what a model wrote before there were excerpts gets them after an upgrade where its diff is still there, and says the same', async () => {
  const database = await freshDatabase();
  const before = await buildTestApp({ database });
  const token = await before.signUp('ann');
  const path = (number: number) => `/repos/harborline/parcel/pulls/${number}/article`;
  for (const number of [10, 12])
    assert.equal((await before.call('POST', path(number), { token, body: { language: 'en' } })).status, 201);
  await before.database.query(sql`
    UPDATE article_contents SET offline_writer = NULL, lacks_excerpts = true, body = jsonb_set(jsonb_set(body::jsonb,
      '{writer}', '{"kind": "ai"}'), '{mainChanges}', (
        SELECT jsonb_agg(change || '{"excerpts": []}' ORDER BY place)
        FROM jsonb_array_elements(body::jsonb -> 'mainChanges') WITH ORDINALITY AS changes (change, place)))::json`);
  await before.database.query(sql`
    UPDATE article_contents SET head_sha = 'older' FROM articles JOIN pull_requests ON pull_requests.id = pull_request_id
    WHERE articles.id = article_id AND number = 12`);
  const contentOf = async (app: TestApp, number: number) =>
    (await app.call('GET', path(number))).body.data.contents.en;
  const written = await contentOf(before, 10);
  await before.close();

  const after = await buildTestApp({ database });
  const isLeft = () => after.database.query(sql`SELECT 1 FROM article_contents WHERE lacks_excerpts`);
  await waitUntil('both are looked at', async () => (await isLeft()).length === 0);
  const completed = await contentOf(after, 10);
  const [change] = completed.mainChanges;
  assert.ok(change.excerpts.length > 0);
  assert.ok(change.evidence.some(({ fileName }: Excerpt) => fileName === change.excerpts[0].fileName));
  const without = ({ mainChanges, readingMinutes, ...same }: PublishedContent) => ({
    ...same,
    mainChanges: mainChanges.map(({ excerpts, ...told }) => told),
  });
  assert.deepEqual(without(completed), without(written));
  const stale = await contentOf(after, 12);
  assert.ok(stale.mainChanges.every(({ excerpts }: MainChange) => excerpts.length === 0));
});

test('whoever asks for what an older offline writer wrote gets it written anew', async () => {
  const app = await buildTestApp();
  const token = await app.signUp('ann');
  const ask = () =>
    app.call('POST', '/repos/harborline/parcel/pulls/12/article', { token, body: { language: 'en' } });
  assert.equal((await ask()).status, 201);
  assert.equal((await ask()).status, 200);
  await app.database.query(sql`UPDATE article_contents SET offline_writer = 0`);
  assert.equal((await ask()).status, 201);
  assert.equal((await ask()).status, 200);
});
