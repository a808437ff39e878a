import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeArticles } from '../../test/make-articles.ts';
import { makeClone } from '../../test/make-clone.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findArticlesById } from './articles.ts';

test('articles that are looked for together are found for those who may see them, each in its place', async () => {
  const root = temporaryFolder();
  for (const name of ['open', 'secret']) makeClone(root, `acme/${name}`, `feat: begin ${name} (#1)`);
  const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
  const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
  for (const name of ['open', 'secret'])
    await app.call('POST', `/repos/acme/${name}/pulls/1/ingest`, { token: ann });
  const [open = ''] = await makeArticles(app, { fullName: 'acme/open', count: 1, languages: ['en', 'ja'] });
  const [secret = ''] = await makeArticles(app, { fullName: 'acme/secret', count: 1 });
  const idOf = async (token: string) => (await app.call('GET', '/users/me', { token })).body.data.id;
  const [annId, bobId] = [await idOf(ann), await idOf(bob)];

  const absent = crypto.randomUUID();
  const wanted = [
    { articleId: secret, userId: null },
    { articleId: secret, userId: annId },
    { articleId: open, userId: null },
    { articleId: secret, userId: bobId },
    { articleId: absent, userId: annId },
    { articleId: open, userId: bobId },
  ];
  const seen = async (some: typeof wanted) =>
    (await findArticlesById(app.database, some, { now: new Date(), purpose: 'detail' })).map(
      (article) => article?.id ?? null,
    );
  assert.deepEqual(await seen(wanted), [null, secret, open, null, null, open]);
  const nobodys = wanted.map(({ articleId }) => ({ articleId, userId: null }));
  assert.deepEqual(await seen(nobodys), [null, null, open, null, null, open]);
  assert.deepEqual(await seen([]), []);
  const [both] = await findArticlesById(app.database, [{ articleId: open, userId: null }], {
    now: new Date(),
    purpose: 'detail',
  });
  assert.deepEqual(
    both?.contents.map(({ languageCode }) => languageCode),
    ['en', 'ja'],
  );
});
