import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageProblem } from '../../src/cli/command.ts';
import { remove } from '../../src/cli/remove.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase, type TestApp } from '../build-app.ts';
import { type Question, questionsAbout } from '../leak-questions.ts';
import { git, makeClone } from '../make-clone.ts';
import { runHere } from '../start-service.ts';
import { runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
for (const number of [1, 2]) {
  writeFileSync(join(clone, `canary${number}.ts`), `export const canary${number} = 'canary${number}';\n`);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', `feat: tell of canary${number} (#${number})`);
}
makeClone(root, 'acme/zebra');
const environment = await freshDatabase();

const run = (command: string, ...parameters: string[]) =>
  runHere({ ...environment, GIT_REPOS: root }, command, ...parameters);

const start = () => buildTestApp({ database: environment, environment: { GIT_REPOS: root } });

const apps = [await start(), await start()];
const one = (): TestApp => apps[0] ?? assert.fail('no service');

/** Runs `pullquote remove` while the services run. */
async function operate(...parameters: string[]): Promise<string> {
  const { code, stdout, stderr } = await run('remove', ...parameters);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return stdout;
}

/** The first has asked for the articles, the second likes them, the third has done nothing. */
const names = ['author', 'liker', 'reader'];
for (const name of names) await one().signUp(name);

interface Written {
  articleId: string;
  jobId: string;
}

async function write(repo: string, number: number): Promise<Written> {
  const ask = async (prefer: string) => {
    const token = one().tokenFor('author');
    const headers = { prefer };
    const path = `/repos/acme/${repo}/pulls/${number}/article`;
    return one().call('POST', path, { token, headers, body: { language: 'en' } });
  };
  const begun = await ask('respond-async');
  assert.equal(begun.status, 202, begun.text);
  const ready = await ask('wait=60');
  assert.ok(ready.status < 300, ready.text);
  const articleId = ready.body.data.id;
  const like = { token: one().tokenFor('liker') };
  assert.equal((await one().call('POST', `/articles/${articleId}/language/en/like`, like)).status, 201);
  return { articleId, jobId: begun.body.data.id };
}

/** Every request that can show a pull request, as JSON, text and pages. */
function everythingAbout({ articleId, jobId }: Written, number: number): Question[] {
  const written = { owner: 'acme', repo: 'rocket', articleId, jobId, file: `canary${number}.ts` };
  const pages = ['/', '/r/acme/rocket', `/r/acme/rocket/${number}`, '/liked', '/favorites'];
  return [
    ...questionsAbout(one().server, written).gets.map(({ path, ...rest }) => ({
      path: path.replace('/pulls/1', `/pulls/${number}`),
      ...rest,
    })),
    ...pages.map((path) => ({ method: 'GET', path, accept: 'text/html' })),
  ];
}

/** The users that ask each service; null is anonymous. */
const askers: (string | null)[][] = runsWholeTables
  ? [
      [...names, null],
      ['liker', null],
    ]
  : [['author', null], ['liker']];

/** The responses that mention a pull request, by service and user. Asking before the removal fills the caches. */
async function tellings(about: Written, number: number): Promise<string[]> {
  const told: string[] = [];
  for (const [place, app] of apps.entries())
    for (const name of askers[place] ?? [])
      for (const { method, path, accept } of everythingAbout(about, number)) {
        const token = name === null ? undefined : app.tokenFor(name);
        const { text } = await app.call(method, path, { token, headers: accept ? { accept } : {} });
        const words = text.replaceAll(path, '').replaceAll(encodeURIComponent(path), '');
        if (words.includes(`canary${number}`)) told.push(`${place} ${name} ${path} ${accept}`);
      }
  return told;
}

async function requireTold(about: Written, number: number): Promise<void> {
  const told = await tellings(about, number);
  for (const place of apps.keys())
    assert.ok(told.filter((one) => one.startsWith(`${place} `)).length >= 20, told.join('\n'));
}

const ranked = async (app: TestApp) => {
  const { items, pagination } = (await app.call('GET', '/ranking/articles/likes')).body.data;
  const all = (await app.call('GET', '/articles')).body.data.pagination.totalItems;
  return [items.length, pagination.totalItems, all];
};

const asked = async (method: string, path: string, body?: object) =>
  (await one().call(method, path, { token: one().tokenFor('author'), body })).status;

const listed = async () => {
  const reply = await one().call('GET', '/repos/acme/rocket/pulls?state=all', {
    token: one().tokenFor('reader'),
  });
  assert.equal(reply.status, 200, reply.text);
  const { items, pagination } = reply.body.data;
  return [items.map(({ prNumber }: { prNumber: number }) => prNumber), pagination.totalItems];
};

const rowsLeft = async (): Promise<Record<string, number>> => {
  const [row] = await one().database.query<Record<string, number>>(sql`
    SELECT (SELECT count(*) FROM pull_requests) AS "pullRequests",
      (SELECT count(DISTINCT pull_request_id) FROM pull_request_diffs) AS diffs,
      (SELECT count(*) FROM article_contents) AS articles, (SELECT count(*) FROM offline_articles) AS "offlineArticles",
      (SELECT count(*) FROM article_likes) AS likes, (SELECT count(DISTINCT article_id) FROM article_rankings) AS ranked,
      (SELECT count(DISTINCT pull_request_id) FROM jobs) AS jobs`);
  return { ...row };
};
const stored = (count: number) => ({
  pullRequests: count,
  diffs: count,
  articles: count,
  offlineArticles: count,
  likes: count,
  ranked: count,
  jobs: count,
});

const first = await write('rocket', 1);
const second = await write('rocket', 2);
await write('zebra', 1);
await one().call('POST', '/users/me', {
  token: one().tokenFor('author'),
  body: { owner: 'acme', repo: 'rocket' },
});

test('`pullquote remove` without --yes or with a wrong name removes no data', async () => {
  const unasked = await run('remove', 'acme/rocket');
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /^Cannot ask for confirmation without a terminal\. Pass --yes to skip it\.$/m);
  for (const wrong of [['rocket'], ['acme/rocket', 'acme/zebra'], ['acme/rocket', '--host', 'gitlab'], []])
    await assert.rejects(remove.run([...wrong, '--yes']), UsageProblem, wrong.join(' '));
  assert.deepEqual(await rowsLeft(), stored(3));
});

/** Removing a pull request or repository that was never stored reports that, and removes no data. */
async function removeNothing(): Promise<void> {
  for (const name of ['acme/rocket#77', 'acme/absent']) {
    const { code, stdout, stderr } = await run('remove', name, '--yes');
    assert.equal(code, 1, name);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      new RegExp(`^There is no stored data about ${name} on git, so nothing was removed\\. `),
    );
    assert.match((await run('remove', name, '--undo')).stdout, /can be fetched again/);
  }
  assert.deepEqual(await rowsLeft(), stored(3));
}

async function removePullRequest(): Promise<void> {
  assert.equal((await one().call('GET', '/meta')).body.data.suggestion.prNumber, 2);
  await requireTold(first, 1);
  for (const app of apps) assert.deepEqual(await ranked(app), [3, 3, 3]);
  assert.deepEqual(await listed(), [[2, 1], 2]);

  const said = await operate('acme/ROCKET#1', '--yes');
  assert.match(said, /^acme\/ROCKET#1 on git is removed, with 1 pull request, 1 article and 1 like\.$/m);
  for (const app of apps) await waitUntil('all replicas know', async () => (await ranked(app))[0] === 2);
  assert.deepEqual(await tellings(first, 1), []);
  await requireTold(second, 2);
  for (const app of apps) assert.deepEqual(await ranked(app), [2, 2, 2]);
  assert.deepEqual(await listed(), [[2], 1]);
  assert.deepEqual(await rowsLeft(), stored(2));
  const pull = '/repos/acme/rocket/pulls/1';
  assert.equal(await asked('POST', `${pull}/ingest`), 404);
  const token = one().tokenFor('author');
  const advice = async (path: string) =>
    /\/ingest|data-write/.test((await one().call('GET', path, { token, headers: { accept: '*/*' } })).text);
  for (const path of [pull, '/r/acme/rocket/1']) assert.equal(await advice(path), false, path);
  assert.equal(await advice('/repos/acme/rocket/pulls/3'), true, 'what was not removed can be asked for');
  assert.equal(await asked('POST', `${pull}/article`, { language: 'en' }), 404);
  assert.equal(await asked('POST', `/articles/${first.articleId}/language/en/like`), 404);
  assert.equal(await asked('POST', '/repos/acme/rocket/pulls/2/ingest'), 200);
}

async function removeAll(): Promise<void> {
  const pull = '/repos/acme/rocket/pulls/2';
  const unknown = await one().call('POST', '/repos/acme/absent/pulls/2/ingest', {
    token: one().tokenFor('author'),
  });
  await operate('acme/rocket', '--yes');
  for (const app of apps) await waitUntil('all replicas know', async () => (await ranked(app))[0] === 1);
  assert.deepEqual(await tellings(second, 2), []);
  for (const app of apps) assert.deepEqual(await ranked(app), [1, 1, 1]);
  assert.deepEqual(await rowsLeft(), stored(1));
  const refused = await one().call('POST', `${pull}/ingest`, { token: one().tokenFor('author') });
  assert.deepEqual([refused.status, refused.body.error.code], [404, unknown.body.error.code]);
  assert.equal(refused.body.error.message, unknown.body.error.message.replace('absent', 'rocket'));
  assert.equal(await asked('POST', `${pull}/article`, { language: 'en' }), 404);
  assert.equal(await asked('POST', '/users/me', { owner: 'acme', repo: 'rocket' }), 404);
  assert.equal(await asked('GET', '/repos/acme/rocket/pulls'), 404);
  const favorites = await one().call('GET', '/users/me/favorite-repositories', {
    token: one().tokenFor('author'),
  });
  assert.equal(favorites.body.data.pagination.totalItems, 0);
  for (const app of apps) assert.equal((await app.call('GET', '/meta')).body.data.suggestion, null);
  const { code, stdout } = await run('check', '--dry-run');
  assert.equal(code, 0, stdout);
}

async function fetchAgain(): Promise<void> {
  assert.match(await operate('acme/rocket', '--undo'), /^acme\/rocket on git can be fetched again\.$/m);
  assert.equal(await asked('POST', '/repos/acme/rocket/pulls/1/ingest'), 404, 'which was removed by itself');
  assert.equal(await asked('POST', '/repos/acme/rocket/pulls/2/ingest'), 201);
  await operate('acme/rocket#1', '--undo');
  const token = one().tokenFor('author');
  const path = '/repos/acme/rocket/pulls/1/article';
  const again = await one().call('POST', path, { token, body: { language: 'en' } });
  assert.equal(again.status, 201, again.text);
  assert.equal(again.body.data.totalLikeCount, 0);
  assert.notEqual(again.body.data.id, first.articleId);
  assert.deepEqual(await listed(), [[2, 1], 2]);
  const { code, stderr } = await run('remove', 'acme/rocket', '--undo');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^acme\/rocket on git was not removed under this name\. Check the spelling and --host\.$/m,
  );
}

test('removed data disappears for every user on both services at once, and after --undo can be fetched again, without its likes', async () => {
  await removeNothing();
  await removePullRequest();
  await removeAll();
  await fetchAgain();
});
