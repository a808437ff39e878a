import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostileWords } from '../../../test/browser/hostile-words.ts';
import { buildTestApp } from '../../../test/build-app.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const root = temporaryFolder();
const rocket = makeClone(root, 'acme/rocket', 'feat: begin (#1)');
for (const number of [2, 3]) {
  writeFileSync(join(rocket, `${number}.ts`), `export const n = ${number};\n`);
  git(rocket, 'add', '--all');
  git(rocket, 'commit', '--quiet', '--message', `feat: go on ${number} (#${number})`);
}
makeClone(root, 'acme/secret', 'feat: hide (#1)');
const hostile = hostileWords.filter((word) => word.includes('<'));
makeClone(root, 'acme/hostile', `${hostile.join(' ')} (#1)`);
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann', CACHE_MIB: '0' },
});
const ann = await app.signUp('ann');
const bob = await app.signUp('bob');

async function write(repository: string, number: number, language = 'en'): Promise<string> {
  const path = `/repos/acme/${repository}/pulls/${number}/article`;
  const reply = await app.call('POST', path, { token: ann, body: { language } });
  assert.equal(reply.status, 201, reply.text);
  app.advance(1_000);
  return reply.body.data.id;
}

const open = async (path: string, token?: string) =>
  (await app.call('GET', path, { token, headers: { accept: 'text/html' } })).text;

test('a private article has a badge, and a public one does not', async () => {
  await write('secret', 1);
  await write('rocket', 1);
  assert.match(await open('/r/acme/secret/1?language=en', ann), /<span class="badge">非公開<\/span>/);
  assert.doesNotMatch(await open('/r/acme/rocket/1?language=en', ann), /class="badge"/);
});

test('an article shows its likes in all languages, and the ranking counts only its own', async () => {
  const id = await write('rocket', 1, 'ja');
  await app.call('POST', `/articles/${id}/language/ja/like`, { token: ann });
  await app.call('POST', `/articles/${id}/language/ja/like`, { token: bob });
  await app.call('POST', `/articles/${id}/language/en/like`, { token: bob });
  assert.match(await open('/r/acme/rocket/1?language=en'), /Like <span class="count">3<\/span>/);
  assert.match(
    await open('/r/acme/rocket/1?language=en', ann),
    /data-likes="1" data-others="2" aria-pressed="false">.*<span class="count">3<\/span>/,
  );
  const ranked = await app.call('GET', '/ranking/articles/likes?language=en');
  assert.equal(ranked.body.data.items[0].likeCount, 1, 'a ranking counts by language');
});

test('a form likes an article once and another removes the like; a hidden article is 404', async () => {
  const [, article = ''] =
    /name="article" value="([^"]+)"/.exec(await open('/r/acme/rocket/1?language=en', ann)) ?? [];
  const like = (fields: Record<string, string>, token: string) =>
    app.call('POST', '/r/acme/rocket/1/like', {
      token,
      raw: new URLSearchParams({ language: 'en', ...fields }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: app.url },
    });
  for (const [wish, likes] of [
    ['yes', 2],
    ['yes', 2],
    ['no', 1],
  ] as const) {
    const { status, headers } = await like({ article, like: wish }, ann);
    assert.deepEqual([status, headers.get('location')], [303, '/r/acme/rocket/1?language=en']);
    assert.match(await open('/r/acme/rocket/1?language=en', ann), new RegExp(`data-likes="${likes}"`));
  }
  const hidden = await app.call('GET', '/repos/acme/secret/pulls/1/article', { token: ann });
  const refused = await like({ article: hidden.body.data.id, like: 'yes' }, bob);
  assert.equal(refused.status, 404);
  assert.match(refused.text, /<p lang="en">This article does not exist/);
});

test('texts of a pull request that is not stored are escaped', async () => {
  const text = await open('/r/acme/hostile/1?language=en', ann);
  assert.match(text, /<article class="article unwritten">[\s\S]*1 ファイルを変更し/);
  for (const word of hostile) assert.ok(!text.includes(word), word);
});

test('the scripts of an article page have at most 25 kB', async () => {
  const page = await open('/r/acme/rocket/1?language=en', ann);
  const scripts = new Set(
    [...page.matchAll(/<script[^>]* src="\/assets\/[^/]+\/([^"]+)"/g)].map(([, name = '']) => name),
  );
  for (const name of scripts)
    for (const [, other = ''] of readFileSync(
      new URL(`../../../web/${name}`, import.meta.url),
      'utf8',
    ).matchAll(/from '\.\/([^']+)'/g))
      scripts.add(other);
  assert.ok(scripts.has('call.js') && scripts.has('copy.js'), [...scripts].join(' '));
  const bytes = [...scripts].map(
    (name) => readFileSync(new URL(`../../../web/${name}`, import.meta.url)).length,
  );
  const sum = bytes.reduce((one, other) => one + other, 0);
  assert.ok(sum <= 25_000, `${sum} bytes`);
});

test('an article links to the newer and older one of its repository, in the same language if possible', async () => {
  await write('rocket', 2);
  await write('rocket', 3);
  const listed = [...(await open('/r/acme/rocket')).matchAll(/<h[23]><a href="\/r\/acme\/rocket\/(\d)/g)];
  assert.deepEqual(
    listed.map(([, number]) => number),
    ['3', '2', '1'],
  );
  const around = async (path: string) =>
    [...(await open(path)).matchAll(/<a rel="(prev|next)" href="([^"]+)"/g)].map(([, rel, link]) => [
      rel,
      link,
    ]);
  assert.deepEqual(await around('/r/acme/rocket/3?language=en'), [['next', '/r/acme/rocket/2?language=en']]);
  assert.deepEqual(await around('/r/acme/rocket/2?language=en'), [
    ['prev', '/r/acme/rocket/3?language=en'],
    ['next', '/r/acme/rocket/1?language=en'],
  ]);
  assert.deepEqual(await around('/r/acme/rocket/1?language=ja'), [['prev', '/r/acme/rocket/2?language=en']]);
  await write('rocket', 2, 'ja');
  assert.deepEqual(await around('/r/acme/rocket/1?language=ja'), [['prev', '/r/acme/rocket/2?language=ja']]);
  assert.deepEqual(await around('/r/acme/rocket/2?language=ja'), [
    ['prev', '/r/acme/rocket/3?language=en'],
    ['next', '/r/acme/rocket/1?language=ja'],
  ]);
});

test('the list of liked articles removes a like by a form and returns to the same page', async () => {
  const { body } = await app.call('GET', '/repos/acme/rocket/pulls/2/article');
  await app.call('POST', `/articles/${body.data.id}/language/en/like`, { token: ann });
  const liked = await open('/liked', ann);
  const row = /#2<\/span>[\s\S]*?<form[^>]* action="([^"]+)">(.*?)<\/form>/.exec(liked);
  assert.match(row?.[2] ?? '', /<button class="plain">いいねを取り消す<\/button>$/);
  const fields = [...(row?.[2] ?? '').matchAll(/name="(\w+)" value="([^"]*)"/g)];
  const { status, headers } = await app.call('POST', row?.[1] ?? '', {
    token: ann,
    raw: new URLSearchParams(Object.fromEntries(fields.map(([, name, value]) => [name, value]))).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: app.url,
      referer: `${app.url}/liked?offset=0`,
    },
  });
  assert.deepEqual([status, headers.get('location')], [303, '/liked?offset=0']);
  assert.doesNotMatch(await open('/liked', ann), /#2<\/span>/);
});

test('rows of lists have the merge time in machine-readable form', async () => {
  const { body } = await app.call('GET', '/articles?owner=acme&repo=rocket&language=en');
  const { mergedAt } = body.data.items[0];
  const time = `<time datetime="${mergedAt}">`;
  await app.call('POST', `/articles/${body.data.items[0].articleId}/language/en/like`, { token: ann });
  for (const path of ['/?language=en', '/r/acme/rocket?language=en', '/liked', '/r/acme/rocket?tab=pulls'])
    assert.ok((await open(path, ann)).includes(time), path);
});
