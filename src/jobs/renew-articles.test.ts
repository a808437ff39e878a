import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { publicChannel } from '../db/articles.ts';
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
  const readListed = ({ database }: TestApp) =>
    database.query(sql`
      SELECT title, change_types, standfirst, quote, reading_minutes, is_breaking, base_sha, head_sha
      FROM article_contents WHERE language_code = 'en'`);
  const listed = await readListed(before);
  await before.database.query(sql`
    UPDATE article_contents SET offline_writer = 0, like_count = 2, title = 'x', change_types = '{}', standfirst = 'x',
      quote = NULL, reading_minutes = 0, is_breaking = NOT is_breaking, base_sha = 'x', head_sha = 'x'
    WHERE language_code = 'en'`);
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
  assert.deepEqual(Array.from(await readListed(after)), Array.from(listed));
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
