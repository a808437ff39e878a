import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestApp } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { pull, repository } from '../../test/github/state.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { countLockWaits } from '../../test/operator-of.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';
import { asDatabaseFailure } from './failures.ts';
import { claimJobWork } from './job-queue.ts';
import { deleteRemoval, insertRemoval } from './removals.ts';
import { listDueRepositories, saveRepository } from './repositories.ts';
import { sql } from './sql.ts';

const root = temporaryFolder();
const names = ['read-one', 'read-all', 'queued', 'begun', 'next', 'left'];
for (const name of names) makeClone(root, `acme/${name}`, `feat: launch ${name} (#1)`);
const model = await startScriptedModel(writeObligingly);
const environment = {
  GIT_REPOS: root,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_JUDGE_MODEL: 'off',
  WRITERS: '1',
};
const app = await buildTestApp({ environment });
await app.signUp('ann');

const targetOf = (fullName: string, { host = 'git', number = null as number | null } = {}) => {
  const [owner = '', name = ''] = fullName.split('/');
  return { host, owner, name, number };
};

const remove = (on: TestApp, ...target: Parameters<typeof targetOf>) =>
  removeRepository({ database: on.database, clock: on.now }, targetOf(...target));

const countIn = async (on: TestApp, name: string): Promise<number> => {
  const [row] = await on.database.query<{ stored: number }>(sql`
    SELECT count(*) AS stored FROM pull_requests
    JOIN repositories ON repositories.id = pull_requests.repository_id WHERE repositories.name = ${name}`);
  return row?.stored ?? 0;
};

const quota = async (on: TestApp): Promise<number> => {
  const [row] = await on.database.query<{ taken: number }>(
    sql`SELECT coalesce(sum(count), 0)::bigint AS taken FROM daily_counts WHERE kind = 'articles'`,
  );
  return row?.taken ?? 0;
};

const ask = (on: TestApp, name: string, headers = {}) =>
  on.call('POST', `/repos/acme/${name}/pulls/1/article`, {
    token: on.tokenFor('ann'),
    body: { language: 'en' },
    headers,
  });

test('a pull request or repository that is removed while it is fetched is not stored', async () => {
  const [host = assert.fail('no host')] = app.codeHosts;
  const { findPullRequest } = host;
  for (const [name, number] of [
    ['read-one', 1],
    ['read-all', null],
  ] as const) {
    host.findPullRequest = async (...asked) => {
      const found = await findPullRequest(...asked);
      if (!found?.pullRequest) return found;
      const { read } = found.pullRequest;
      const readLate = async () => {
        await remove(app, `acme/${name}`, { number });
        return read();
      };
      return { ...found, pullRequest: { ...found.pullRequest, read: readLate } };
    };
    const path = `/repos/acme/${name}/pulls/1/ingest`;
    const { status, text } = await app.call('POST', path, { token: app.tokenFor('ann') });
    assert.equal(status, 404, text);
    assert.equal(await countIn(app, name), 0);
  }
  host.findPullRequest = findPullRequest;
});

test('a removal waits for a transaction that is storing the repository, and deletes its rows too', async () => {
  const { database } = app;
  const seen = { host: 'git', hostRepoId: 4711, owner: 'acme', name: 'storing', isPrivate: false };
  let removal: Promise<unknown> | null = null;
  let isRemoved = false;
  await database.transaction(async (tx) => {
    const { id } = await saveRepository(tx, seen, app.now());
    await tx.query(sql`
      INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
      VALUES (${id}, 1, 'A change', 'rin', 'open', 'a', now(), now())`);
    removal = remove(app, 'acme/storing').finally(() => {
      isRemoved = true;
    });
    await waitUntil(
      'the removal waits, or does not',
      async () => isRemoved || (await countLockWaits(database)) > 0,
    );
  });
  await removal;
  assert.equal(await countIn(app, 'storing'), 0);
});

test('removing a repository deletes its queued article job and returns its quota', async () => {
  const idle = await buildTestApp({ environment: { ...environment, WRITERS: '0' } });
  await idle.signUp('ann');
  const waiting = await ask(idle, 'queued', { prefer: 'respond-async' });
  assert.equal(waiting.status, 202, waiting.text);
  assert.equal(await quota(idle), 1);
  await remove(idle, 'acme/queued');
  assert.equal(await quota(idle), 0);
  const job = await idle.call('GET', `/jobs/${waiting.body.data.id}`, { token: idle.tokenFor('ann') });
  assert.equal(job.status, 404);
});

test('an article that is removed while a model writes it is not published, and its request gets 404', async () => {
  const before = [model.heard.length, await quota(app)] as const;
  const answered = Promise.withResolvers<void>();
  model.play(async (request) => {
    await answered.promise;
    return writeObligingly(request);
  });
  const waiting = ask(app, 'begun');
  await waitUntil('the model is called', () => model.heard.length > before[0]);
  await remove(app, 'acme/begun', { number: 1 });
  const reply = await waiting;
  assert.equal(reply.status, 404, reply.text);
  answered.resolve();
  model.play(writeObligingly);
  assert.equal((await ask(app, 'next')).status, 201, 'the only writer has left the other one');
  const { items } = (await app.call('GET', '/articles?repo=begun')).body.data;
  assert.deepEqual(items, []);
  assert.equal(await countIn(app, 'begun'), 0);
  assert.equal(await quota(app), before[1] + 2, 'what a model was called for is used');
  await app.database.transaction((tx) => deleteRemoval(tx, targetOf('acme/begun', { number: 1 })));
  assert.equal((await ask(app, 'begun')).status, 201);
});

test('rows that an interrupted removal left behind are hidden, and deleted by the next housekeeping', async () => {
  const { body } = await ask(app, 'left');
  const read = async () => (await app.call('GET', `/articles/${body.data.id}`)).status;
  assert.equal(await read(), 200);
  await app.database.transaction((tx) => insertRemoval(tx, targetOf('acme/left'), app.now()));
  await waitUntil('nobody sees it', async () => (await read()) === 404);
  assert.equal(await countIn(app, 'left'), 1);
  await app.housekeeping.run();
  assert.equal(await countIn(app, 'left'), 0);
});

const { app: onGitHub, github, join } = await buildGitHubApp();
const token = await join('keeper');

test('a removed repository stays removed under a new name on its host, whether or not it was stored before', async () => {
  const rocket = repository(7, 'acme/rocket', { pulls: [pull(1, 'rocket')] });
  const late = repository(8, 'acme/late', { pulls: [pull(1, 'late')] });
  github.state.repositories.push(rocket, late);
  const ingest = async (name: string) =>
    (await onGitHub.call('POST', `/repos/acme/${name}/pulls/1/ingest`, { token })).status;
  assert.equal(await ingest('rocket'), 201);
  await onGitHub.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'rocket' } });
  for (const name of ['rocket', 'late']) {
    await remove(onGitHub, `acme/${name}`, { host: 'github' });
    assert.equal(await ingest(name), 404);
  }
  for (const one of [rocket, late]) {
    one.formerNames.push(`acme/${one.name}`);
    one.name = `new-${one.name}`;
  }
  onGitHub.advance(6 * 60_000);
  for (const name of ['rocket', 'late', 'new-rocket', 'new-late']) {
    assert.equal(await ingest(name), 404, name);
    const list = await onGitHub.call('GET', `/repos/acme/${name}/pulls`, { token });
    assert.equal(list.status, 404, name);
    const favorite = { token, body: { owner: 'acme', repo: name } };
    assert.equal((await onGitHub.call('POST', '/users/me', favorite)).status, 404, name);
  }
  const now = onGitHub.now();
  const due = { host: 'github', now, before: now, limit: 10 };
  assert.equal(
    (await listDueRepositories(onGitHub.database, due)).length,
    0,
    'it is not asked about by itself',
  );
  const old = targetOf('acme/rocket', { host: 'github' });
  assert.equal(await onGitHub.database.transaction((tx) => deleteRemoval(tx, old)), true);
  assert.equal(await ingest('new-rocket'), 201);
});

test('a removal by a new name applies to articles stored under the old name, and survives further renames', async () => {
  const write = async (name: string, number: number) =>
    onGitHub.call('POST', `/repos/acme/${name}/pulls/${number}/article`, { token, body: { language: 'en' } });
  const cases = [
    { learns: 'reads', number: null },
    { learns: 'reads', number: 7 },
    { learns: 'asks', number: null },
    { learns: 'asks', number: 7 },
  ];
  for (const [index, { learns, number }] of cases.entries()) {
    const on = repository(70 + index, `acme/old-${index}`, { pulls: [pull(7, 'seven'), pull(8, 'eight')] });
    github.state.repositories.push(on);
    const rename = (name: string) => {
      on.formerNames.push(`acme/${on.name}`);
      on.name = name;
    };
    const [seven, eight] = [await write(on.name, 7), await write(on.name, 8)].map(
      ({ body }) => `/articles/${body.data.id}`,
    );
    const old = on.name;
    rename(`new-${index}`);
    await remove(onGitHub, `acme/${on.name}`, { host: 'github', number });
    onGitHub.advance(6 * 60_000);
    const words = `${learns}, ${number}`;
    if (learns === 'asks') assert.equal((await write(on.name, 7)).status, 404, words);
    else await onGitHub.call('GET', eight ?? '');
    const shown = async () => {
      const paths = [seven ?? '', eight ?? '', ...[7, 8].map((one) => `/repos/acme/${on.name}/pulls/${one}`)];
      const replies = [];
      for (const path of paths) replies.push((await onGitHub.call('GET', path)).status);
      return replies;
    };
    const { items } = (await onGitHub.call('GET', `/articles?repo=${old}`)).body.data;
    const left = items.map(({ prNumber }: { prNumber: number }) => prNumber);
    assert.deepEqual(left, learns === 'reads' || number === null ? [] : [8], words);
    const expected = number === null ? [404, 404, 404, 404] : [404, 200, 404, 200];
    assert.deepEqual(await shown(), expected, words);
    rename(`newer-${index}`);
    onGitHub.advance(6 * 60_000);
    await onGitHub.call('GET', eight ?? '');
    assert.deepEqual(await shown(), expected, `${words}, renamed again`);
    assert.equal((await write(on.name, 7)).status, 404, words);
    assert.equal((await write(on.name, 8)).status, number === null ? 404 : 200, words);
  }
});

test('pages of a pull request list skip a removed pull request without a gap', async () => {
  const pulls = Array.from({ length: 120 }, (_, index) => pull(index + 1, `words${index + 1}`));
  github.state.repositories.push(repository(9, 'acme/long', { pulls }));
  const list = async (query: string) => {
    const { body, headers } = await onGitHub.call('GET', `/repos/acme/long/pulls?${query}`, { token });
    const numbers = body.data.items.map(({ prNumber }: { prNumber: number }) => prNumber);
    return [numbers, /rel="next"/.test(headers.get('link') ?? '')];
  };
  assert.deepEqual(await list('limit=2'), [[120, 119], true]);
  await remove(onGitHub, 'acme/long', { host: 'github', number: 119 });
  assert.deepEqual(await list('limit=2'), [[120, 118], true]);
  assert.deepEqual(await list('limit=2&offset=2'), [[117, 116], true]);
  assert.deepEqual(await list('limit=2&offset=100'), [[19, 18], true]);
  assert.deepEqual(await list('limit=2&offset=118'), [[1], false]);
});

test('a job or a like for a row that is gone fails with PULL_REQUEST_NOT_FOUND or ARTICLE_NOT_FOUND', async () => {
  const { database } = app;
  const [user] = await database.query<{ id: string }>(sql`SELECT id FROM users`);
  const gone = crypto.randomUUID();
  const work = { pullRequestId: gone, baseSha: 'a', headSha: 'b', languageCode: 'en', writer: 'offline' };
  const late = [
    database.transaction((tx) => claimJobWork(tx, work, app.now())),
    database.query(sql`
      INSERT INTO article_likes (user_id, article_id, language_code, liked_at) VALUES (${user?.id}, ${gone}, 'en', now())`),
  ];
  const codes = late.map((one) =>
    one.then(
      () => null,
      (error) => asDatabaseFailure(error)?.code,
    ),
  );
  assert.deepEqual(await Promise.all(codes), ['PULL_REQUEST_NOT_FOUND', 'ARTICLE_NOT_FOUND']);
});
