import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hostileWords } from '../../../test/browser/hostile-words.ts';
import { buildTestApp } from '../../../test/build-app.ts';
import { makeArticles } from '../../../test/make-articles.ts';
import { makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { removeRepository } from '../../actions/repositories/remove-repository.ts';
import { sql } from '../../db/sql.ts';
import { listLink } from '../../pages/links.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/secret', 'zoo/other']) makeClone(root, name);
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const ann = await app.signUp('ann');
await app.call('PATCH', '/users/me', { token: ann, body: { language: 'en' } });
const open = (path: string, token?: string) =>
  app.call('GET', path, { token, headers: { accept: 'text/html', 'accept-language': 'en' } });
const titleOf = (text: string) => /<title>(.*?)<\/title>/.exec(text)?.[1];
const headingOf = (text: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1];
const rowsIn = (text: string) => text.match(/<li class="row">/g)?.length ?? 0;

test('without articles, the first page lists visible repositories with their numbers of merged pull requests', async () => {
  await waitUntil('the clones are known', async () => (await open('/')).text.includes('/r/zoo/other'));
  const { status, text } = await open('/');
  assert.equal(status, 200);
  assert.match(text, /No articles yet\./);
  for (const name of ['acme/rocket', 'zoo/other'])
    assert.match(
      text,
      new RegExp(
        `<a class="repository" href="/r/${name}"><bdi>${name}</bdi></a> <span>1 merged pull request</span>`,
      ),
    );
  for (const token of [undefined, ann]) {
    const page = (await open('/', token)).text;
    assert.equal(page.includes('acme/secret'), token !== undefined);
    assert.equal(page.match(/data-begin>Write the latest</g)?.length ?? 0, token ? 3 : 0);
    assert.equal(page.includes('/imports.js"'), token !== undefined);
  }
  await waitUntil('they are listed', async () => (await open('/repositories')).text.includes('/r/zoo/other'));
  const listed = (await open('/repositories', ann)).text;
  assert.match(listed, /\/r\/acme\/rocket[\s\S]*\/r\/acme\/secret[\s\S]*\/r\/zoo\/other/);
  assert.ok(listed.includes('/imports.js"') && !listed.includes('No articles yet'));
});

test('the interface follows the browser of an anonymous reader, and the language of the list only without one', async () => {
  const languageOf = async (headers: Record<string, string>) =>
    /<html lang="(..)">/.exec((await app.call('GET', '/?language=ja', { headers })).text)?.[1];
  assert.deepEqual(
    [
      await languageOf({ 'accept-language': 'en-GB' }),
      await languageOf({}),
      await languageOf({ 'accept-language': 'fr' }),
    ],
    ['en', 'ja', 'ja'],
  );
});

test('each tab of the first page has its own title and heading, and "Most liked" is a named group', async () => {
  for (const name of ['acme/rocket', 'acme/secret', 'zoo/other'])
    await app.call('POST', `/repos/${name}/pulls/1/ingest`, { token: ann });
  const changeTypes = ['FIX', 'TEST'];
  await makeArticles(app, {
    fullName: 'acme/rocket',
    count: 22,
    languages: ['en'],
    changeTypes,
    author: 'Ada',
  });
  await makeArticles(app, { fullName: 'acme/secret', count: 3, author: 'concealed' });
  await makeArticles(app, { fullName: 'zoo/other', count: 1, languages: ['ja'] });
  const [liked = ''] = await makeArticles(app, { fullName: 'zoo/other', count: 1 });
  const { text } = await open('/');
  assert.doesNotMatch(text, /class="reason/, 'the newest one needs no reason');
  assert.match(
    text,
    /<nav aria-labelledby="most-liked"><span class="most-liked" id="most-liked">Most liked:<\/span>/,
  );
  await app.call('POST', `/articles/${liked}/language/en/like`, { token: ann });
  const seen = new Set<string>();
  for (const tab of [
    '/',
    '/?period=daily',
    '/?period=weekly',
    '/?period=monthly',
    '/?period=yearly',
    '/?period=all',
  ]) {
    const page = (await open(tab)).text;
    for (const words of [titleOf(page), headingOf(page)]) {
      assert.ok(words && !seen.has(words), `${tab}: ${words}`);
      seen.add(words);
    }
  }
  assert.match((await open('/', ann)).text, /<b class="reason">Most liked this week<\/b>/);
});

test('links to authors and types narrow a list, keep its other filters, and can be removed', async () => {
  await app.database.query(sql`
    UPDATE article_contents SET is_breaking = true
    WHERE article_id = (SELECT id FROM articles ORDER BY updated_at LIMIT 1)`);
  const { text } = await open('/?language=en');
  assert.match(
    text,
    /<a class="author" href="\/a\/Ada\?language=en"><bdi>Ada<\/bdi><\/a>[\s\S]*?<a class="type FIX" href="\/\?type=FIX&amp;language=en">FIX<\/a>/,
  );
  const author = (await open('/a/aDA')).text;
  assert.deepEqual([titleOf(author), rowsIn(author)], ['Pull requests by aDA · Pullquote', 20]);
  assert.match(
    author,
    /<nav class="pages" aria-label="Pages"><a rel="next" href="\/a\/aDA\?offset=20">Older</,
  );
  assert.match(author, /<a href="\/a\/aDA\?type=FIX">FIX<\/a>/);
  const both = (await open('/a/ada?type=TEST&offset=20')).text;
  assert.deepEqual([titleOf(both), rowsIn(both)], ['Pull requests by ada: TEST · Pullquote', 2]);
  assert.match(both, /<a rel="prev" href="\/a\/ada\?type=TEST">Newer</);
  assert.match(both, /<a href="\/\?type=TEST">All authors<\/a>/);
  assert.match(both, /<a href="\/a\/ada">All types<\/a>/);
  assert.equal(both.match(/<span class="breaking">Breaking<\/span>/g)?.length, 1);
  const type = (await open('/?type=FIX')).text;
  assert.deepEqual([headingOf(type), rowsIn(type)], ['Newest articles: FIX', 20]);
  assert.match(type, /<a rel="next" href="\/\?type=FIX&amp;offset=20">/);
  assert.match(type, /<a class="author" href="\/a\/Ada\?type=FIX">/);
  assert.equal((await open('/?author=ada')).text.includes('<bdi>ada</bdi></h1>'), true);
  assert.match((await open('/a/ada?type=PERF')).text, /No articles yet\./);
  for (const wrong of [
    '/?type=NONE',
    '/?type=FIX&period=all',
    '/a/ada?host=none',
    `/?author=${'a'.repeat(201)}`,
  ])
    assert.equal((await open(wrong)).status, 400, wrong);
  const japanese = await app.call('GET', '/a/rin', { headers: { 'accept-language': 'ja' } });
  assert.match(japanese.text, /<title>rin さんのプルリクエスト · Pullquote<\/title>/);
});

test('an author with only hidden articles looks like an unknown one', async () => {
  const [hidden, unknown] = [await open('/a/concealed'), await open('/a/nobody')];
  assert.deepEqual([hidden.status, unknown.status], [404, 404]);
  const alike = (text: string) => text.replaceAll(/concealed|nobody/g, 'X');
  assert.equal(alike(hidden.text), alike(unknown.text));
  assert.equal(rowsIn((await open('/a/concealed', ann)).text), 3);
  for (const path of ['/?type=CHORE&language=all', '/repositories', '/articles?changeType=CHORE&limit=100'])
    assert.doesNotMatch((await open(path)).text, /secret|concealed/, path);
});

test('repositories are listed by their newest article, with the number of articles visible to the viewer', async () => {
  const named = async (token?: string) =>
    [
      ...(await open('/repositories', token)).text.matchAll(
        /<bdi>(\w+\/\w+)<\/bdi><\/a> <span>(.*?)<\/span>/g,
      ),
    ].map(([, name, count]) => `${name}: ${count}`);
  const shown = ['zoo/other: 2 articles', 'acme/rocket: 22 articles'];
  assert.deepEqual(await named(), shown);
  assert.deepEqual((await named(ann)).toSorted(), [...shown, 'acme/secret: 3 articles'].toSorted());
  await makeArticles(app, { fullName: 'acme/rocket', count: 1, languages: ['de'] });
  assert.deepEqual(await named(ann).then(([first]) => first), 'acme/rocket: 23 articles');
});

test('a list by author works for every author name, and the name is escaped', async () => {
  const names = [
    ...hostileWords.map((words) => words.toWellFormed()),
    '..',
    '.',
    'a/b',
    'a b?c#d%2F',
    'ä'.repeat(90),
    '*',
  ];
  for (const login of names) {
    await app.database.query(sql`
      UPDATE pull_requests SET author_login = ${login} WHERE number = (SELECT max(number) FROM pull_requests)`);
    const { status, text } = await open(listLink({ author: { host: 'git', login } }, 'git'));
    assert.equal(status, 200, login.slice(0, 100));
    assert.equal(rowsIn(text), 1, login.slice(0, 100));
    assert.doesNotMatch(
      text,
      /<(?:img src=x|iframe|base|svg\/onload|video|math)|<script>|\son\w+="|"javascript:/,
    );
  }
});

test('articles about pull requests by bots are counted in one line, and listed once a reader chooses so', async () => {
  await makeArticles(app, { fullName: 'zoo/other', count: 2, languages: ['en'], author: 'dependabot[bot]' });
  for (const path of ['/?language=en', '/r/zoo/other', '/?type=CHORE&language=en']) {
    const { text } = await open(path);
    assert.match(text, /<span>2 by bots<\/span> <button class="plain" name="bots" value="show">Show</, path);
    assert.doesNotMatch(text, /<bdi>dependabot\[bot\]/, path);
    const asked = await app.call('POST', '/bots', {
      raw: 'bots=show',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: app.url,
        referer: `${app.url}${path}`,
      },
    });
    assert.deepEqual([asked.status, asked.headers.get('location')], [303, path]);
    const cookie = asked.headers.get('set-cookie')?.split(';')[0] ?? '';
    const shown = await app.call('GET', path, {
      headers: { accept: 'text/html', 'accept-language': 'en', cookie },
    });
    assert.equal(shown.text.match(/<bdi>dependabot\[bot\]/g)?.length, 2, path);
    assert.match(shown.text, /value="hide">Hide</, path);
  }
  assert.equal(rowsIn((await open('/a/dependabot%5Bbot%5D')).text), 2, 'a list by a bot has what it wrote');
  const listed = (query: string) => app.call('GET', `/articles?owner=zoo&repo=other${query}`);
  const [all, people] = [await listed(''), await listed('&bots=exclude')];
  assert.equal(all.body.data.pagination.totalItems - people.body.data.pagination.totalItems, 2);
  assert.deepEqual(all.body.data.items.map(({ byBot }: { byBot: boolean }) => byBot).filter(Boolean), [
    true,
    true,
  ]);
});

test('every visible repository is listed in pages, also without articles, and its link opens', async () => {
  const folder = temporaryFolder();
  for (const name of ['acme/rocket', 'acme/secret', 'acme/hidden']) makeClone(folder, name);
  // Clones without commits count too.
  for (let number = 0; number < 60; number += 1)
    for (const part of ['objects', 'refs']) {
      const clone = join(folder, 'bulk', `n${number}.git`);
      mkdirSync(join(clone, part), { recursive: true });
      writeFileSync(join(clone, 'HEAD'), 'ref: refs/heads/main\n');
    }
  const many = await buildTestApp({
    environment: { GIT_REPOS: folder, GIT_PRIVATE: 'acme/secret=ann,acme/hidden=ann' },
    frozen: true,
  });
  const tokens = { ann: await many.signUp('ann'), bea: await many.signUp('bea') };
  const written = { token: tokens.ann, body: { language: 'en' } };
  assert.equal((await many.call('POST', '/repos/acme/rocket/pulls/1/article', written)).status, 201);
  await removeRepository(
    { database: many.database, clock: many.now },
    { host: 'git', owner: 'bulk', name: 'n7', number: null },
  );
  const namesFor = async (token?: string) => {
    const names: string[] = [];
    for (let next: string | undefined = '/repositories'; next; ) {
      const { text } = await many.call('GET', next, { token, headers: { accept: 'text/html' } });
      names.push(
        ...[...text.matchAll(/<a class="repository" href="\/r\/([^"]+)">/g)].map(([, name = '']) => name),
      );
      next = /<a rel="next" href="([^"]+)"/.exec(text)?.[1];
    }
    return names;
  };
  const bulk = Array.from({ length: 60 }, (_, number) => `bulk/n${number}`).filter(
    (name) => name !== 'bulk/n7',
  );
  await waitUntil('the clones are known', async () => (await namesFor()).length > bulk.length);
  for (const [token, own] of [
    [undefined, []],
    [tokens.bea, []],
    [tokens.ann, ['acme/hidden', 'acme/secret']],
  ] as const) {
    const names = await namesFor(token);
    assert.equal(names[0], 'acme/rocket', 'what is written about comes first');
    assert.deepEqual(names.slice(1), [...own, ...bulk].toSorted());
    for (const name of names.filter((_, index) => index < 6 || index > 58)) {
      const { status, text } = await many.call('GET', `/r/${name}`, {
        token,
        headers: { accept: 'text/html' },
      });
      assert.equal(status, 200, name);
      assert.doesNotMatch(text, token === tokens.ann ? /^$/ : /acme\/(?:hidden|secret)/);
    }
  }
  for (const name of ['acme/secret', 'bulk/n7', 'no/where'])
    assert.equal(
      (await many.call('GET', `/r/${name}`, { headers: { accept: 'text/html' } })).status,
      404,
      name,
    );
  const visited = await many.call('GET', '/r/BULK/N1', { headers: { 'accept-language': 'en' } });
  assert.match(
    visited.text,
    /<bdi>bulk\/n1<\/bdi><\/h1>[\s\S]*No articles yet\.[\s\S]*href="\/sign-in\?back=/,
  );
});

test('lists show changed lines, link to the pull request on its host, and mark examples', async () => {
  const folder = temporaryFolder();
  for (const name of ['acme/rocket', 'acme/sample']) makeClone(folder, name);
  const own = await buildTestApp({
    environment: { GIT_REPOS: folder, GIT_WEB_URL: 'https://forge.example' },
  });
  const token = await own.signUp('ann');
  for (const name of ['rocket', 'sample']) {
    const path = `/repos/acme/${name}/pulls/1/article`;
    const { body, status, text } = await own.call('POST', path, { token, body: { language: 'en' } });
    assert.equal(status, 201, text);
    if (name === 'sample')
      await own.database.run(sql`
        UPDATE article_contents SET body = jsonb_set(body::jsonb, '{writer,provider}', '"recorded"')::json
        WHERE article_id = ${body.data.id}`);
  }
  const { body } = await own.call('GET', '/articles?language=en');
  const [one, other] = body.data.items;
  assert.deepEqual([one.isExample, other.isExample].sort(), [false, true]);
  const { text } = await own.call('GET', '/?language=en', { headers: { accept: 'text/html' } });
  assert.equal(text.match(/<span>Example<\/span>/g)?.length, 1);
  for (const { hostPrUrl, additions, deletions } of [one, other]) {
    assert.ok(additions > 0 && text.includes(`+${additions}</span> <span class="minus">−${deletions}<`));
    assert.ok(hostPrUrl.startsWith('https://forge.example/acme/') && text.includes(`href="${hostPrUrl}"`));
  }
  await own.close();
});
