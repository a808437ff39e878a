import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { standInCertificate } from '../../test/github/stand-in.ts';
import {
  account,
  merged,
  repository,
  type StandInPull,
  type StandInRepository,
} from '../../test/github/state.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { sql } from '../db/sql.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

const model = await startScriptedModel(writeObligingly);
const database = await freshDatabase();
const environment = {
  WRITERS: '1',
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_JUDGE_MODEL: 'off',
  GITHUB_TOKEN: 'ghp_tokenOfTheService',
  AI_ARTICLES_PER_DAY: '1',
  WATCHED_ARTICLES_PER_DAY: '10',
};
const { app, github, join, answers } = await buildGitHubApp({ database, environment, waits: [] });
const { call } = app;
github.state.accounts.push(account(1, 'service', environment.GITHUB_TOKEN));
const tokens = {
  ann: await join('ann'),
  bea: await join('bea'),
  cid: await join('cid'),
};

let repositories = 70;
function addRepository(name: string, rest: Partial<StandInRepository> = {}): StandInRepository {
  repositories += 1;
  const added = repository(repositories, `acme/${name}`, rest);
  github.state.repositories.push(added);
  return added;
}

/** Merges a pull request now, by the clock of the service. */
function merge(
  into: StandInRepository,
  number: number,
  rest: Partial<Omit<StandInPull, 'files'>> = {},
): void {
  into.pulls.push(merged(number, app.now(), rest));
}

async function follow(token: string, repo: string, body: object = {}): Promise<string> {
  const added = await call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
  const { id } = added.body.data;
  const watched = await call('PUT', `/users/me/favorite-repositories/${id}/watch`, {
    token,
    body: { language: 'en', ...body },
  });
  assert.ok(watched.status < 300, watched.text);
  return id;
}

async function round(ms = 10 * minute, on: TestApp = app): Promise<void> {
  app.advance(ms);
  await on.watching.run();
}

const watchOf = async (token: string, repo: string) => {
  const { body } = await call('GET', '/users/me/watches?limit=100', { token });
  return body.data.items.find((one: { repo: string }) => one.repo === repo);
};

async function planned(repo: string): Promise<number[]> {
  const rows = await app.database.query<{ number: number }>(sql`
    SELECT pr_number AS number FROM jobs JOIN repositories ON repositories.id = repository_id
    WHERE work = 'planned' AND parent_id IS NULL AND name = ${repo} ORDER BY jobs.created_at, turn`);
  return rows.map(({ number }) => number);
}

const articles = async (repo: string, token?: string) =>
  (await call('GET', `/articles?owner=acme&repo=${repo}&limit=100`, { token })).body.data.items;

const listCalls = () => github.takeCalls().filter((one) => one.includes('/pulls?state=closed&sort=updated'));

test('following writes the last five merges, then new ones in order and once, without drafts, bots or other labels', async () => {
  const rocket = addRepository('rocket');
  for (let number = 1; number <= 8; number += 1) {
    app.advance(minute);
    merge(rocket, number, number === 7 ? { author: 'renovate[bot]' } : {});
  }
  const [first] = rocket.pulls;
  assert.ok(first);
  first.updatedAt = new Date(app.now().getTime() + second).toISOString();
  await follow(tokens.ann, 'rocket');
  await round(minute);
  assert.deepEqual(await planned('rocket'), [3, 4, 5, 6, 8]);
  assert.equal((await watchOf(tokens.ann, 'rocket')).paused, null);

  merge(rocket, 12);
  app.advance(second);
  merge(rocket, 11, { isDraft: true });
  merge(rocket, 10, { author: 'renovate[bot]' });
  app.advance(second);
  merge(rocket, 9);
  rocket.pulls.push(merged(13, app.now(), { mergedAt: null }));
  first.updatedAt = new Date(app.now().getTime() + second).toISOString();
  for (let time = 0; time < 3; time += 1) await round();
  assert.deepEqual((await planned('rocket')).slice(5), [12, 9]);

  await follow(tokens.bea, 'rocket', { language: 'ja', labels: ['Bug'], includeBots: true });
  await round(minute);
  merge(rocket, 14, { labels: ['bug'], author: 'renovate[bot]' });
  merge(rocket, 15, { labels: ['feature'] });
  await round();
  assert.deepEqual((await planned('rocket')).slice(7).toSorted(), [14, 15]);
  const told = await app.database.query<{ number: number; isBot: boolean }>(sql`
    SELECT pr_number AS number, is_bot AS "isBot" FROM told_merges JOIN repositories ON repositories.id = repository_id
    WHERE repositories.name = 'rocket' AND pr_number >= 9 ORDER BY pr_number`);
  assert.ok(
    told.some(({ number, isBot }) => number === 10 && isBot) && told.some(({ number }) => number === 14),
    `what is not written about is noted for digests: ${JSON.stringify(told)}`,
  );
});

test('articles of followed repositories over the daily limit are written without a model, use no quota, and can be regenerated with it', async () => {
  await waitUntil('all are written', async () => (await articles('rocket')).length === 9);
  const writers = async () => {
    const listed = await articles('rocket');
    const found = await Promise.all(
      listed.map(async ({ articleId, languageCode }: { articleId: string; languageCode: string }) => {
        const { body } = await call('GET', `/articles/${articleId}`);
        const { writer } = body.data.contents[languageCode];
        return { number: body.data.prNumber, languageCode, writer };
      }),
    );
    return Map.groupBy(found, ({ writer }) => writer.because ?? writer.kind);
  };
  const before = await writers();
  assert.equal(before.get('ai')?.length, 1);
  assert.equal(before.get('budget')?.length, 8);
  assert.equal(
    (await app.database.query(sql`SELECT 1 FROM daily_counts WHERE kind = 'articles' AND count > 0`)).length,
    0,
  );
  const number = before.get('budget')?.find(({ languageCode }) => languageCode === 'en')?.number;
  const ask = (body: object) =>
    call('POST', `/repos/acme/rocket/pulls/${number}/article`, { token: tokens.cid, body });
  assert.equal((await ask({ language: 'en' })).status, 200, 'what is there stands');
  assert.equal((await ask({ language: 'en', regenerate: true })).status, 201);
  assert.equal((await writers()).get('ai')?.length, 2);
  const [quota] = await app.database.query<{ articles: number }>(
    sql`SELECT count AS articles FROM daily_counts WHERE kind = 'articles'`,
  );
  assert.equal(quota?.articles, 1);
});

test('a language that needs a model waits for the budget without delaying others, and a 429 from the host pauses its article', async () => {
  const rocket = github.state.repositories.find(({ name }) => name === 'rocket') ?? assert.fail('no rocket');
  const plans = async (state: string, language: string): Promise<number> =>
    (
      await app.database.query(sql`
        SELECT 1 FROM jobs JOIN repositories ON repositories.id = repository_id
        WHERE work = 'planned' AND name = 'rocket' AND state = ${state} AND language_code = ${language}
          AND (not_before > ${app.now()} OR state <> 'queued')`)
    ).length;
  const done = await plans('done', 'en');
  await call('POST', '/auth/host-token', { token: tokens.cid, body: { accessToken: tokens.cid } });
  merge(rocket, 16);
  await follow(tokens.cid, 'rocket', { language: 'de' });
  await round();
  await waitUntil('five wait for the budget', async () => (await plans('queued', 'de')) === 5);
  await waitUntil('the other is written', async () => (await plans('done', 'en')) === done + 1);

  let refusals = 0;
  const stop = github.script(/^\/repos\/acme\/rocket\/pulls\/17$/, (response) => {
    refusals += 1;
    response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '60' })
      .end('{"message":"Slow"}');
  });
  merge(rocket, 17);
  await round();
  await waitUntil('it waits for the host', async () => (await plans('queued', 'en')) === 1);
  assert.equal(refusals, 1);
  stop();
  app.advance(2 * minute);
});

test('after a host outage, 250 merges are planned in order, none lost and none twice', async () => {
  const busy = addRepository('busy');
  await follow(tokens.ann, 'busy');
  await round(minute);
  const back = github.script(/^\/(repositories|repos)\//, (response) => {
    response.writeHead(502).end();
  });
  const numbers = Array.from({ length: 250 }, (_, index) => index + 1);
  for (const number of numbers) {
    app.advance(4 * second);
    merge(busy, number, { author: 'ghost[bot]' });
  }
  await round(minute);
  const paused = await watchOf(tokens.ann, 'busy');
  assert.equal(paused.paused.reason, 'hostAway');
  assert.match(paused.paused.message, /has not responded since 2\d{3}-/);
  back();
  await follow(tokens.ann, 'busy', { includeBots: true });
  // A reopened pull request leaves the list between two pages, so that those below move up.
  let reopened = false;
  const pages = github.script(/page=2$/, async (_response, pass) => {
    if (!reopened) busy.pulls.pop();
    reopened = true;
    await pass();
  });
  await round();
  pages();
  assert.deepEqual(await planned('busy'), numbers);
  assert.equal((await watchOf(tokens.ann, 'busy')).paused, null);
  await app.database.query(sql`
    UPDATE jobs SET state = 'cancelled', finished_at = now()
    FROM repositories WHERE repositories.id = repository_id AND name = 'busy'`);
});

test('a quiet repository is polled every ten minutes with a 304, and a host that answers 429 is polled less', async () => {
  const quiet = addRepository('quiet');
  merge(quiet, 1);
  await follow(tokens.ann, 'quiet');
  await round(minute);
  await waitUntil('it is written', async () => (await articles('quiet')).length === 1);
  let unchanged = 0;
  const stop = github.script(/repositories\/\d+\/pulls\?state=closed/, async (response, pass) => {
    response.once('finish', () => {
      if (response.statusCode === 304) unchanged += 1;
    });
    await pass();
  });
  await round();
  listCalls();
  await follow(tokens.ann, 'quiet');
  await app.watching.run();
  assert.deepEqual(listCalls(), [], 'who wants what they want already has nothing asked again');
  for (let time = 0; time < 6; time += 1) await round();
  stop();
  const hourly = listCalls().filter((one) => one.includes(`/repositories/${quiet.id}/`));
  assert.equal(hourly.length, 6);
  assert.ok(unchanged >= 6);
  const back = github.script(/^\/repositories\//, (response) => {
    response.writeHead(429, { 'retry-after': '60' }).end();
  });
  for (let time = 0; time < 6; time += 1) await round();
  const limited = listCalls();
  // Three repositories are asked about after 10 and 30 minutes.
  assert.ok(limited.length <= 6, `${limited.length} of 18 in an hour`);
  assert.equal((await watchOf(tokens.ann, 'quiet')).paused.reason, 'hostAway');
  back();
  await round(hour);
  assert.equal((await watchOf(tokens.ann, 'quiet')).paused, null);
});

test("a private repository is polled with a follower's saved token, pauses without one, and stays hidden from others", async () => {
  const secret = addRepository('canary-vault', { visibility: 'private', visibleTo: new Set(['ann', 'bea']) });
  merge(secret, 1);
  await follow(tokens.ann, 'canary-vault');
  await round(minute);
  assert.equal((await watchOf(tokens.ann, 'canary-vault')).paused.reason, 'noToken');
  await follow(tokens.bea, 'canary-vault');
  const save = (token: string) => call('POST', '/auth/host-token', { token, body: { accessToken: token } });
  await save(tokens.bea);
  await round();
  assert.equal((await watchOf(tokens.ann, 'canary-vault')).paused, null);
  await waitUntil('it is written', async () => (await articles('canary-vault', tokens.bea)).length === 1);
  const [{ articleId }] = await articles('canary-vault', tokens.bea);
  const { body } = await call('GET', `/articles/${articleId}`, { token: tokens.bea });
  assert.deepEqual(body.data.contents.en.writer, { kind: 'offline', because: 'private' });

  secret.visibleTo.delete('bea');
  secret.name = 'canary-renamed';
  secret.formerNames.push('acme/canary-vault');
  merge(secret, 2);
  await round();
  await round();
  assert.equal((await watchOf(tokens.bea, 'canary-vault')).paused.reason, 'noRights');
  assert.equal((await watchOf(tokens.ann, 'canary-vault')).paused.reason, 'noToken');
  await save(tokens.ann);
  await follow(tokens.ann, 'canary-renamed');
  await app.watching.run();
  assert.equal(
    (await watchOf(tokens.ann, 'canary-renamed')).paused,
    null,
    'it is asked at once with her token',
  );
  assert.equal(
    (await watchOf(tokens.bea, 'canary-vault')).paused.reason,
    'noRights',
    'the new name is not told',
  );
  await waitUntil(
    'the second is written',
    async () => (await articles('canary-renamed', tokens.ann)).length === 2,
  );
  answers.length = 0;
  for (const token of [tokens.cid, undefined])
    for (const path of ['/users/me/watches', '/users/me/favorite-repositories', '/articles?limit=100', '/'])
      await call('GET', path, { token });
  for (const path of ['/users/me/watches', '/articles?limit=100', '/favorites', '/'])
    await call('GET', path, { token: tokens.bea });
  assert.equal(answers.filter((said) => said.includes('canary-renamed')).length, 0);
});

test('when polling a private repository fails, each follower sees the reason that applies to them', async () => {
  const shut = addRepository('shut', {
    visibility: 'private',
    visibleTo: new Set(['eli', 'fay', 'gus', 'hal']),
  });
  const [eli, fay, gus, hal] = [await join('eli'), await join('fay'), await join('gus'), await join('hal')];
  for (const token of [eli, gus, hal])
    await call('POST', '/auth/host-token', { token, body: { accessToken: token } });
  for (const token of [fay, eli, gus, hal]) {
    await follow(token, 'shut');
    app.advance(second);
  }
  shut.visibleTo.delete('gus');
  const script = (refusals: Record<string, number>) =>
    github.script(new RegExp(`^/repositories/${shut.id}`), async (response, pass, { headers }) => {
      const status = refusals[headers.authorization?.replace('Bearer ', '') ?? ''];
      if (status === undefined) return pass();
      response.writeHead(status, { 'retry-after': '60' }).end();
    });
  const reasons = () =>
    Promise.all([eli, fay, gus, hal].map(async (token) => (await watchOf(token, 'shut')).paused?.reason));
  const limits = script({ [eli]: 429, [hal]: 401 });
  await round(minute);
  limits();
  assert.deepEqual(await reasons(), ['hostAway', 'noToken', 'noRights', 'noToken']);
  assert.match((await watchOf(fay, 'shut')).paused.message, /you have no working token saved for github/);
  const away = script({ [eli]: 502, [hal]: 502 });
  await round(hour);
  away();
  assert.deepEqual(await reasons(), ['hostAway', 'noToken', 'noRights', 'hostAway']);
  await round(hour);
  assert.deepEqual(await reasons(), [undefined, undefined, 'noRights', undefined]);
});

test('a follower who has lost access to a private repository does not learn its new name', async () => {
  const den = addRepository('den', { visibility: 'private', visibleTo: new Set(['ann', 'bea']) });
  for (const token of [tokens.ann, tokens.bea]) await follow(token, 'den');
  await round(minute);
  den.visibleTo.delete('bea');
  den.name = 'den-renamed';
  den.formerNames.push('acme/den');
  merge(den, 1);
  // Access confirmed earlier has expired, and the host has not been asked again.
  await round(25 * hour);
  assert.equal((await watchOf(tokens.ann, 'den-renamed')).paused, null);
  assert.equal((await watchOf(tokens.bea, 'den'))?.repo, 'den');
});

test('a new follower gets the last five merges, not all since the last poll', async () => {
  const late = addRepository('late');
  await follow(tokens.ann, 'late', { includeBots: true });
  await round(minute);
  for (let number = 1; number <= 7; number += 1) {
    app.advance(second);
    merge(late, number, { author: 'ghost[bot]' });
  }
  app.advance(second);
  await follow(tokens.bea, 'late', { includeBots: true, language: 'ja' });
  await round(minute);
  assert.deepEqual((await planned('late')).toSorted(), [1, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7]);
});

test('two processes on one database plan each merge once, also after a process died holding the claim', async () => {
  const shared = addRepository('shared');
  const other = await buildTestApp({
    database,
    frozen: true,
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      GITHUB_TOKEN: environment.GITHUB_TOKEN,
      WRITERS: '0',
    },
  });
  const level = () => other.advance(app.now().getTime() - other.now().getTime());
  await follow(tokens.ann, 'shared', { includeBots: true });
  await round(minute);
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const number of numbers) {
    app.advance(second);
    merge(shared, number, { author: 'ghost[bot]' });
    if (number % 10 !== 0) continue;
    app.advance(10 * minute);
    level();
    // The claim of a dead process expires after some minutes.
    const until = new Date(app.now().getTime() + minute);
    if (number === 20)
      await app.database.query(
        sql`UPDATE watched_repositories SET claim = claim + 1, claimed_until = ${until}`,
      );
    await Promise.all([app.watching.run(), other.watching.run()]);
    // Polling stops only when the host pauses it or the process fails.
    const { paused } = await watchOf(tokens.ann, 'shared');
    const failed = [app, other]
      .flatMap(({ logLines }) => logLines())
      .filter(({ msg }) => String(msg).startsWith('polling for merges failed'));
    assert.deepEqual({ paused, failed }, { paused: null, failed: [] });
    assert.equal((await planned('shared')).length, number === 20 ? 10 : number);
  }
  assert.deepEqual(await planned('shared'), numbers);
});

test('a process that writes no articles does not poll hosts', async () => {
  addRepository('left');
  await follow(tokens.ann, 'left');
  const askers: (string | undefined)[] = [];
  github.script(/\/pulls\?state=closed/, (_response, pass, { headers }) => {
    askers.push(headers.authorization);
    pass();
  });
  const begin = async (name: string, writers: string): Promise<string> => {
    const token = `ghp_tokenOf${name}`;
    github.state.accounts.push(account(900 + Number(writers), name, token));
    const other = await buildTestApp({
      database,
      environment: {
        CODE_HOST: 'github',
        GITHUB_URL: github.url,
        NODE_EXTRA_CA_CERTS: standInCertificate,
        GITHUB_TOKEN: token,
        WRITERS: writers,
      },
    });
    other.advance(app.now().getTime() + hour - other.now().getTime());
    other.startBackgroundJobs();
    return token;
  };
  const idle = await begin('Idle', '0');
  const worker = await begin('Worker', '1');
  // Polls that the first process began earlier may still end now.
  await waitUntil('a host is asked by the one that writes', () => askers.includes(`Bearer ${worker}`));
  assert.ok(!askers.includes(`Bearer ${idle}`));
});
