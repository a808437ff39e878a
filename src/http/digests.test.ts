import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { findAtomProblems, findJsonFeedProblems } from '../../test/feeds/validate-feeds.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Digest } from '../contract/digests.ts';
import { sql } from '../db/sql.ts';
import { saveMerges } from '../db/webhooks.ts';
import { lastPeriod } from '../domain/digests.ts';
import { settledSpanOf } from './digests.ts';

const root = temporaryFolder();
for (const name of ['rocket', 'quiet', 'secret', 'other']) makeClone(root, `acme/${name}`);
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' },
  frozen: true,
});
// Like a host with an API, which would have to be called to list merges.
for (const host of app.codeHosts) delete host.mergedWithin;
const week = lastPeriod('weekly', app.now());
const inWeek = new Date(week.from.getTime() + 60_000);

async function signUp(name: string, ...repos: string[]): Promise<string> {
  const token = await app.signUp(name);
  await app.call('PATCH', '/users/me', { token, body: { language: 'en' } });
  for (const repo of repos) {
    const { status, text } = await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
    assert.ok(status === 201, text);
  }
  return token;
}

async function read(path: string, token?: string): Promise<Digest> {
  const { status, body, text } = await app.call('GET', path, { token });
  assert.equal(status, 200, text);
  const digest: Digest = body.data;
  const sum = (rest: Digest['rest']) => rest.reduce((total, { count }) => total + count, 0);
  for (const counted of [digest, ...digest.repositories])
    assert.equal(counted.shown + sum(counted.rest), counted.merged, 'what is shown and what is not is all');
  assert.equal(digest.items.length, digest.shown);
  const total = (what: 'merged' | 'written' | 'shown') =>
    digest.repositories.reduce((counted, one) => counted + one[what], 0);
  assert.deepEqual(
    [total('merged'), total('written'), total('shown')],
    [digest.merged, digest.written, digest.shown],
  );
  return digest;
}

const rest = ({ rest: told }: Pick<Digest, 'rest'>) =>
  Object.fromEntries(told.map(({ reason, count }) => [reason, count]));

test('daily digests end at midnight UTC, weekly ones on Monday at midnight UTC, and feeds contain one from an hour after its end', () => {
  const span = (period: 'daily' | 'weekly', moment: string) => {
    const { from, to } = lastPeriod(period, new Date(moment));
    return [from.toISOString().slice(0, 10), to.toISOString()];
  };
  assert.deepEqual(span('weekly', '2026-03-02T00:00:00.000Z'), ['2026-02-23', '2026-03-02T00:00:00.000Z']);
  assert.deepEqual(span('weekly', '2026-03-01T23:59:59.999Z'), ['2026-02-16', '2026-02-23T00:00:00.000Z']);
  assert.deepEqual(span('daily', '2026-03-02T13:00:00.000Z'), ['2026-03-01', '2026-03-02T00:00:00.000Z']);
  for (const [moment, ended] of [
    ['2026-03-02T00:59:00Z', '2026-02-23'],
    ['2026-03-02T01:00:00Z', '2026-03-02'],
  ] as const)
    assert.equal(settledSpanOf({}, new Date(moment)).to.toISOString().slice(0, 10), ended, 'in feeds');
});

test('a digest counts each merge once, shows articles by likes and lines, and its numbers add up', async () => {
  const ann = await signUp('ann', 'rocket', 'quiet');
  const ids = await makeMergedArticles(app, { fullName: 'acme/rocket', count: 12, mergedAt: inWeek });
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 2, mergedAt: inWeek, languages: ['ja'] });
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 3, mergedAt: week.to });
  const eve = await signUp('eve', 'other');
  await makeMergedArticles(app, { fullName: 'acme/other', count: 4, mergedAt: inWeek });
  await app.call('POST', `/articles/${ids[0]}/language/en/like`, { token: ann });
  const [rocket] = await app.database.query<{ id: string }>(
    sql`SELECT id FROM repositories WHERE name = 'rocket'`,
  );
  const told = (number: number, more: object = {}) => ({
    ...{ number, mergedAt: inWeek, authorLogin: 'rin', isBot: false, isDraft: false, labels: [] },
    ...more,
  });
  const [first] = await app.database.query<{ number: number }>(sql`
    SELECT number FROM pull_requests JOIN articles ON articles.pull_request_id = pull_requests.id WHERE articles.id = ${ids[0]}`);
  const merges = [
    ...[told(900), told(901, { isBot: true }), told(902, { isBot: true }), told(903, { isDraft: true })],
    ...[told(first?.number ?? 0), told(904, { mergedAt: week.to }), told(905)],
  ];
  for (let times = 0; times < 2; times += 1)
    await app.database.transaction((tx) => saveMerges(tx, rocket?.id ?? '', merges));
  await app.database.query(sql`
    INSERT INTO removals (host, host_repo_id, owner, name, number, removed_at)
    SELECT host, host_repo_id, owner, name, 905, now() FROM repositories WHERE name = 'rocket'`);

  const digest = await read('/digest?period=weekly', ann);
  assert.deepEqual([digest.from, digest.to], [week.from.toISOString(), week.to.toISOString()]);
  assert.deepEqual([digest.merged, digest.written, digest.shown], [18, 12, 10]);
  assert.deepEqual(rest(digest), { beyond: 2, otherLanguage: 2, notWritten: 1, bot: 2, draft: 1 });
  assert.deepEqual(
    digest.items.map(({ articleId }) => articleId),
    [ids[0], ...ids.slice(3).reverse()],
    'the liked one, then those of most lines',
  );
  assert.deepEqual(
    digest.repositories.map(({ repo, merged }) => [repo, merged]),
    [
      ['rocket', 18],
      ['quiet', 0],
    ],
  );
  assert.deepEqual(rest(await read('/digest?language=ja', ann)), {
    ...{ otherLanguage: 12, notWritten: 1, bot: 2, draft: 1 },
  });
  const day = await read(`/digest?period=daily&until=${inWeek.toISOString()}`, ann);
  assert.deepEqual([day.merged, day.to], [0, lastPeriod('daily', inWeek).to.toISOString()]);
  const other = await read('/digest', eve);
  assert.deepEqual([other.merged, other.written], [4, 4]);
  await app.database.query(sql`
    INSERT INTO told_merges (repository_id, pr_number, merged_at, is_bot, is_draft)
    SELECT repository_id, number, merged_at, false, false FROM pull_requests
    WHERE repository_id = (SELECT id FROM repositories WHERE name = 'other')`);
  await app.database.query(sql`
    UPDATE pull_requests SET state = 'open', merged_at = NULL
    WHERE repository_id = (SELECT id FROM repositories WHERE name = 'other')`);
  const toldLater = await read('/digest', eve);
  assert.deepEqual([toldLater.merged, toldLater.written], [4, 4], 'written while it was open');
  assert.equal(
    (await read('/digest?owner=ACME&repo=rocket')).merged,
    18,
    'of a public repository to anybody',
  );
});

test('"No merges" is shown only for repositories that were followed during the whole period', async () => {
  const uma = await signUp('uma', 'rocket', 'quiet');
  const page = async (query: string) =>
    (await app.call('GET', `/my/digest${query}`, { token: uma, headers: { accept: 'text/html' } })).text;
  const empty = '?owner=acme&repo=quiet';
  assert.doesNotMatch(await page(''), /No merges this week|18 merged/);
  assert.match(
    await page(''),
    /18 known merges[\s\S]*not followed for the whole period[\s\S]*acme\/quiet[\s\S]*Not followed for the whole period/,
  );
  assert.match(
    await page(empty),
    /No merges recorded this week[\s\S]*Not followed[\s\S]*Follow a repository/,
  );
  const watch = (since: Date, seen: Date) =>
    app.database.query(sql`
      INSERT INTO watches (favorite_id, repository_id, user_id, owner, name, language_code, labels, include_bots, since, last_seen_at)
      SELECT favorites.id, repositories.id, favorites.user_id, owner, name, 'en', '{}', false, ${since}, ${seen}
      FROM favorite_repositories AS favorites JOIN repositories ON repositories.id = favorites.repository_id WHERE name = 'quiet'
      ON CONFLICT (favorite_id) DO UPDATE SET since = excluded.since, last_seen_at = excluded.last_seen_at`);
  const isComplete = async () =>
    (await read('/digest', uma)).repositories.map(({ repo, isComplete }) => [repo, isComplete]);
  for (const [since, seen, known] of [
    [inWeek, week.to, false],
    [week.from, inWeek, false],
    [week.from, week.to, true],
  ] as const) {
    await watch(since, seen);
    assert.deepEqual(Object.fromEntries(await isComplete()), { rocket: false, quiet: known });
  }
  assert.match(await page(''), /18 known merges[\s\S]*acme\/quiet[\s\S]*No merges\./);
  assert.match(await page(empty), /No merges this week/);
  await app.database.query(sql`DELETE FROM watches`);
});

test('/digest is 401 without a user, 404 without an account or for a hidden repository, and 400 for invalid parameters', async () => {
  const status = async (path: string, token?: string) => (await app.call('GET', path, { token })).status;
  const bob = await signUp('bob');
  assert.equal(await status('/digest'), 401);
  assert.equal(await status('/digest?until=9x'), 401);
  assert.equal(await status('/digest', app.tokenFor('nobody')), 404);
  for (const query of [
    'period=yearly',
    'until=tomorrow',
    'until=9999-01-01',
    'until=0001-01-01',
    'until=1969-12-31',
    'until=2026-02-30',
    'owner=acme',
    'repo=x',
    'a=b',
  ])
    assert.equal(await status(`/digest?${query}`, bob), 400, query);
  assert.equal(await status('/digest?owner=acme&repo=rocket&until=0001-01-01'), 400);
  assert.equal((await read('/digest?owner=acme&repo=rocket&until=1970-01-01')).merged, 0);
  assert.equal(await status('/digest?owner=acme&repo=secret', bob), 404);
  assert.equal(await status('/digest?owner=acme&repo=nothing'), 404);
  const none = await read('/digest', bob);
  assert.deepEqual([none.merged, none.repositories], [0, []]);
});

test('a private repository is only in the digests of users who may see it', async () => {
  const ann = app.tokenFor('ann');
  await app.call('POST', '/users/me', { token: ann, body: { owner: 'acme', repo: 'secret' } });
  await makeMergedArticles(app, { fullName: 'acme/secret', count: 1, mergedAt: inWeek });
  assert.equal((await read('/digest?owner=acme&repo=secret', ann)).merged, 1);
  assert.ok((await read('/digest', ann)).repositories.some(({ repo }) => repo === 'secret'));
  await app.database.query(sql`UPDATE repository_grants SET withdrawn = true`);
  assert.ok(!(await read('/digest', ann)).repositories.some(({ repo }) => repo === 'secret'));
});

test("digest feeds have an entry for each ended period, for public repositories and at a user's secret address", async () => {
  const until = `until=${week.to.toISOString()}`;
  const get = (path: string, headers: Record<string, string> = {}) => app.call('GET', path, { headers });
  const itemsOf = ({ text, status }: Reply) => {
    assert.equal(status, 200, text);
    assert.deepEqual(findJsonFeedProblems(text), []);
    return JSON.parse(text).items;
  };
  const before = new Date(week.from.getTime() - 60_000);
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: before });
  const address = (format: string) => `/feeds/r/acme/rocket/digest.${format}`;
  const items = itemsOf(await get(`${address('json')}?${until}`, { 'accept-language': 'en' }));
  assert.deepEqual(
    items.map((item: Record<string, string>) => [item.date_published, item.summary]),
    [
      [week.to.toISOString(), 'Merged: “A title”, “A title” and “A title”.'],
      [week.from.toISOString(), 'Merged: “A title”.'],
    ],
  );
  assert.match(
    items[0].content_html,
    /Some repositories were not followed[\s\S]*<h2>[\s\S]*href="http:[^"]+\/r\/acme\/rocket\/\d+\?/,
  );
  assert.match(items[0].url, /\/my\/digest\?period=weekly&host=git&owner=acme&repo=rocket&until=/);
  const atom = await get(`${address('atom')}?${until}&period=daily&language=ja`);
  assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const known = { 'if-none-match': atom.headers.get('etag') ?? '' };
  assert.equal((await get(`${address('atom')}?${until}&period=daily&language=ja`, known)).status, 304);
  const quiet = await get(`/feeds/r/acme/quiet/digest.atom?${until}`);
  assert.doesNotMatch(quiet.text, /<entry|1970/);
  assert.deepEqual([...(await findAtomProblems({ 'daily.atom': atom.text, 'quiet.atom': quiet.text }))], []);
  for (const name of ['secret', 'nothing'])
    assert.equal((await get(`/feeds/r/acme/${name}/digest.atom`)).status, 404, name);
  const ann = app.tokenFor('ann');
  const page = async (repo: string) =>
    (await app.call('GET', `/my/digest?owner=acme&repo=${repo}`, { token: ann })).text;
  assert.ok((await page('rocket')).includes(`href="${address('atom')}?period=weekly">`), 'the page names it');

  await app.database.query(sql`UPDATE repository_grants SET withdrawn = false`);
  assert.doesNotMatch(await page('secret'), /rel="alternate" type="application\/atom/);
  const made = await app.call('POST', '/users/me/feed-address', { token: ann });
  const own = new URL(made.body.data.digestJsonUrl).pathname;
  const mine = await get(`${own}?${until}`);
  assert.equal(mine.headers.get('cache-control'), 'private, no-cache');
  assert.match(itemsOf(mine)[0].content_html, /acme\/secret/);
  assert.ok(!mine.text.includes('pqf_'));
  await app.database.query(sql`UPDATE repository_grants SET withdrawn = true`);
  assert.doesNotMatch(itemsOf(await get(`${own}?${until}`))[0].content_html, /secret/);
  await app.call('DELETE', '/users/me/feed-address', { token: ann });
  assert.equal((await get(own)).status, 404);
});

test('without mail settings, choosing a digest by mail is refused with the settings to set, and its page is readable', async () => {
  const token = app.tokenFor('bob');
  const put = (body: object) => app.call('PUT', '/users/me/digest', { token, body });
  const refused = await put({ period: 'weekly', email: 'bob@example.org' });
  assert.equal(refused.status, 403);
  assert.match(refused.body.error.message, /SMTP_URL, MAIL_FROM and PUBLIC_URL/);
  const stranger = { token: app.tokenFor('stranger'), body: { period: 'weekly', email: 'not an email' } };
  assert.equal(
    (await app.call('PUT', '/users/me/digest', stranger)).status,
    400,
    'before signing up is asked for',
  );
  const off = await put({ period: 'off' });
  const unchosen = { period: 'off', email: null, confirmed: false, endedBecause: null };
  assert.deepEqual([off.status, off.body.data], [200, unchosen]);
  assert.deepEqual((await app.call('GET', '/users/me/digest', { token })).body.data, unchosen);
  const page = await app.call('GET', '/my/digest', { token, headers: { accept: 'text/html' } });
  assert.match(page.text, /<code>SMTP_URL<\/code>/);
  assert.match((await app.call('GET', '/my/digest')).headers.get('location') ?? '', /^\/sign-in\?back=/);
  const asStranger = (query: string) => app.call('GET', `/my/digest?owner=acme&${query}`);
  const open = await asStranger('repo=rocket');
  assert.match(open.text, /The week in acme\/rocket[\s\S]*18 known merges/, 'a public one is for strangers');
  assert.doesNotMatch(open.text, /"\/settings"|"\/favorites"/);
  assert.equal((await asStranger('repo=secret')).status, 404);
  const sunday = await asStranger(`repo=rocket&period=daily&until=${week.to.toISOString()}`);
  const dayAfter = new Date(week.from.getTime() + 86_400_000).toISOString().slice(0, 10);
  assert.match(sunday.text, new RegExp(`until=${dayAfter}[^"]*">Go to the last merge before, on `));
});
