import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { publicChannel } from '../db/database.ts';
import { sql } from '../db/sql.ts';

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

const path = '/repos/harborline/parcel/pulls/10/article';

/** Articles in two languages by the current writer, read by ann in English and unread by bob; both follow the repository. */
async function writeAndRead() {
  const database = await freshDatabase();
  const app = await buildTestApp({ database });
  const [ann, bob] = await Promise.all([app.signUp('ann'), app.signUp('bob')]);
  for (const language of ['en', 'ja'])
    assert.equal((await app.call('POST', path, { token: ann, body: { language } })).status, 201);
  for (const token of [ann, bob])
    await app.call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  const { id } = (await app.call('GET', path)).body.data;
  await app.call('POST', `/articles/${id}/language/en/read`, { token: ann });
  return { app, database, ann, bob };
}

/** Everything that marks an article as new or changed for readers. */
async function readSigns(app: TestApp, { ann, bob }: { ann: string; bob: string }) {
  const { data } = (await app.call('GET', path)).body;
  const feedOf = async (token: string) => (await app.call('GET', '/users/me/feed', { token })).body.data;
  const [ofAnn, ofBob] = await Promise.all([feedOf(ann), feedOf(bob)]);
  const json = JSON.parse((await app.call('GET', '/feeds/r/harborline/parcel.json?language=en')).text);
  return {
    updatedAt: data.updatedAt,
    writtenAt: data.contents.en.summaryGeneratedAt,
    entries: json.items.map(({ id, date_modified }: Record<string, string>) => [id, date_modified]),
    lists: [ofAnn, ofBob].map(({ items, unread, changed }) => ({ items, unread, changed })),
  };
}

test('an article that a newer writer would write identically keeps its revision, dates and unread marks', async () => {
  const { app: before, database, ...readers } = await writeAndRead();
  const [written] = await readRows(before);
  const signs = await readSigns(before, readers);
  await before.database.query(sql`UPDATE article_contents SET offline_writer = 0`);
  await before.close();

  const after = await buildTestApp({ database });
  const rows = await untilRows(after, (all) => all.every(({ offlineWriter }) => offlineWriter !== 0));
  assert.deepEqual(
    rows.map(({ revision, offlineWriter }) => [revision, offlineWriter]),
    [
      [1, written?.offlineWriter],
      [1, written?.offlineWriter],
    ],
  );
  assert.deepEqual(await readSigns(after, readers), signs);
});

test('an article rewritten by a newer writer keeps its likes, dates and read marks, and its other language keeps its revision', async () => {
  const { app: before, database, ...readers } = await writeAndRead();
  const [written] = await readRows(before);
  const readListed = ({ database }: TestApp) =>
    database.query(sql`
      SELECT title, change_types, standfirst, quote, reading_minutes, is_breaking, body
      FROM article_contents WHERE language_code = 'en'`);
  const listed = await readListed(before);
  const signs = await readSigns(before, readers);
  await before.database.query(sql`
    UPDATE article_contents SET offline_writer = 0, like_count = 2, change_types = '{}', standfirst = 'x',
      quote = NULL, reading_minutes = 0, is_breaking = NOT is_breaking, body = (
        body::jsonb || '{"aiGeneratedTitle": "x"}')::json
    WHERE language_code = 'en'`);
  const other = await before.call('POST', path, { token: readers.ann, body: { language: 'ja' } });
  assert.equal(other.status, 200);
  await before.close();

  const after = await buildTestApp({ database });
  const rows = await untilRows(after, ([en]) => en?.revision === 2);
  assert.deepEqual(Array.from(rows), [
    { languageCode: 'en', revision: 2, offlineWriter: written?.offlineWriter },
    { languageCode: 'ja', revision: 1, offlineWriter: written?.offlineWriter },
  ]);
  assert.equal((await after.call('GET', path)).body.data.contents.en.likeCount, 2);
  await after.database.query(sql`UPDATE article_contents SET like_count = 0`);
  assert.deepEqual(Array.from(await readListed(after)), Array.from(listed));
  assert.deepEqual(await readSigns(after, readers), signs);
});

test('a request for an article by an older version of the offline writer rewrites it', async () => {
  const app = await buildTestApp();
  const token = await app.signUp('ann');
  const ask = () => app.call('POST', path, { token, body: { language: 'en' } });
  assert.equal((await ask()).status, 201);
  assert.equal((await ask()).status, 200);
  await app.database.query(sql`UPDATE article_contents SET offline_writer = 0`);
  assert.equal((await ask()).status, 201);
  assert.equal((await ask()).status, 200);
});
