import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, beforeEach, test } from 'node:test';
import { buildTestApp, onPostgres } from '../../test/build-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { repository } from '../../test/github/state.ts';
import { startMailServer } from '../../test/mail-server.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { claimDelivery } from '../db/digest-deliveries.ts';
import { sql } from '../db/sql.ts';
import { lastPeriod } from '../domain/digest.ts';

const hour = 3_600_000;
const day = 24 * hour;
const root = temporaryFolder();
makeClone(root, 'acme/rocket');
makeClone(root, 'acme/secret');
const server = await startMailServer();
const posted: unknown[] = [];
let webhookStatus = 200;
const webhook = createServer((request, response) => {
  Array.fromAsync(request).then((chunks) => {
    if (webhookStatus === 200) posted.push(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(webhookStatus).end();
  });
});
webhook.listen(0, '127.0.0.1');
await once(webhook, 'listening');
after(() => void webhook.close());
const address = webhook.address();
const publicUrl = 'https://pullquote.example.org';
const app = await buildTestApp({
  environment: {
    GIT_REPOS: root,
    GIT_PRIVATE: 'acme/secret=dana',
    PUBLIC_URL: publicUrl,
    SMTP_URL: server.url,
    MAIL_FROM: 'Pullquote <pullquote@example.org>',
    DIGEST_WEBHOOK_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`,
    METRICS_TOKEN: 'a-token-of-sixteen-letters',
  },
  frozen: true,
});

/** By the name of a user: tokens do not last as long as time passes here. */
const ask = (name: string, method: string, path: string, body?: object) =>
  app.call(method, path, { token: app.tokenFor(name), ...(body && { body }) });
const choose = (name: string, body: object) => ask(name, 'PUT', '/users/me/digest', body);
const chosenBy = async (name: string) => (await ask(name, 'GET', '/users/me/digest')).body.data;
const pathOf = (url: string | undefined) => (url ?? '').replace(publicUrl, '');
const unsubscribePath = () =>
  pathOf(/<([^>]+)>/.exec(server.mails.at(-1)?.headers.get('list-unsubscribe') ?? '')?.[1]);
const confirmPath = () =>
  pathOf(/https:\S+\/digest\/confirm\/[\w-]{43}/.exec(server.mails.at(-1)?.text ?? '')?.[0]);

/** One who has confirmed an address, and follows repositories. */
async function join(
  name: string,
  { period = 'daily', language = 'en', repos = ['rocket'] } = {},
): Promise<void> {
  const token = await app.signUp(name);
  await app.call('PATCH', '/users/me', { token, body: { language } });
  for (const repo of repos) await app.call('POST', '/users/me', { token, body: { owner: 'acme', repo } });
  const chosen = await choose(name, { period, email: `${name}@example.org` });
  assert.deepEqual([chosen.status, chosen.body.data.confirmed], [200, false], chosen.text);
  assert.equal((await app.call('GET', confirmPath())).status, 200);
}

/** Lets the day end in which something is merged, and what is due be sent. */
async function endDay(fullName = 'acme/rocket', languages = ['en', 'ja']): Promise<void> {
  await makeMergedArticles(app, { fullName, count: 2, mergedAt: app.now(), languages });
  app.advance(lastPeriod('daily', app.now()).to.getTime() + day + 2 * hour - app.now().getTime());
  await app.lists.run();
  await app.digests.run();
}

const sentTo = () => server.mails.map(({ to }) => to).sort();
const states = async () => {
  const rows = await app.database.query<{ state: string; times: number }>(sql`
    SELECT state, count(*) AS times FROM digest_deliveries WHERE user_id IS NOT NULL GROUP BY state ORDER BY state`);
  return rows.map(({ state, times }) => `${state} ${times}`).join(', ');
};

beforeEach(async () => {
  await app.database.query(sql`DELETE FROM digest_deliveries`);
  await app.database.query(sql`DELETE FROM digests`);
  await app.database.query(sql`DELETE FROM confirmation_mails`);
  server.mails.length = 0;
  server.answers.clear();
  server.isAway = false;
});

test('a confirmed address gets each digest once, in the language of its user, with counts in the subject and nothing to load', async () => {
  await join('ann');
  await join('bob', { language: 'ja' });
  await join('carl', { repos: [] });
  server.mails.length = 0;
  await app.digests.run();
  assert.deepEqual(sentTo(), [], 'what ended before it was chosen is not sent');
  await endDay();
  assert.deepEqual(
    sentTo(),
    ['ann@example.org', 'bob@example.org'],
    'and nothing where there is nothing to read',
  );
  await app.digests.run();
  assert.equal(server.mails.length, 2, 'nothing is sent twice');
  const [ann, bob] = ['ann', 'bob'].map((name) => server.mails.find(({ to }) => to.startsWith(name)));
  assert.equal(ann?.headers.get('subject'), 'Your day: 2 known to be merged, 2 to read');
  assert.match(bob?.headers.get('subject') ?? '', /^=\?UTF-8\?/);
  assert.match(bob?.html ?? '', /<html lang="ja">[\s\S]*マージ 2 件/);
  assert.match(
    ann?.text ?? '',
    /A title\r\n {2}“Nobody knew[^\n]+\n {2}#\d+ · rin\r\n {2}https:\/\/pullquote\.example\.org\/r\/acme\/rocket\/\d+/,
  );
  assert.doesNotMatch(ann?.html ?? '', /<(?:script|img|link|iframe)|src=|url\(/);
  assert.equal(ann?.headers.get('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.notEqual(ann?.headers.get('message-id'), bob?.headers.get('message-id'));
  const { text } = await app.call('GET', '/metrics', { token: 'a-token-of-sixteen-letters' });
  assert.match(text, /digests_total\{to="mail",outcome="sent"\} 2/);
});

test('opening the link that ends a digest ends nothing; sending its form does, without a session, and only once it was sent', async () => {
  await join('dora');
  await endDay();
  const path = unsubscribePath();
  for (const method of ['GET', 'HEAD']) assert.equal((await app.call(method, path)).status, 200);
  assert.match(
    (await app.call('GET', path)).text,
    /<form [^>]*method="post" action="\/digest\/unsubscribe\//,
  );
  const period = async () => (await chosenBy('dora')).period;
  assert.equal(await period(), 'daily');
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  const answer = await fetch(new URL(path, app.url), { method: 'POST', body: form });
  assert.equal(answer.status, 200);
  assert.equal(await period(), 'off');
  assert.equal((await app.call('POST', `${path.slice(0, -3)}abc`, { raw: '' })).status, 404);
  server.mails.length = 0;
  await endDay();
  assert.deepEqual(sentTo(), []);
  assert.doesNotMatch(JSON.stringify(app.logLines()), new RegExp(path.slice(-43)), 'no log has the secret');
  const stored = await app.database.query(
    sql`SELECT secret_hash, confirm_hash FROM digests JOIN digest_deliveries USING (user_id)`,
  );
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(path.slice(-43)));
});

test('an address is asked for its confirmation three times a day, whoever asks, and loading ahead confirms nothing', async () => {
  const [eve, fay] = ['eve', 'fay'];
  await app.signUp(eve);
  await app.signUp(fay);
  const body = { period: 'weekly', email: 'Gus@example.org' };
  assert.equal((await choose(eve, body)).status, 200);
  const path = confirmPath();
  await app.call('GET', path, { headers: { 'sec-purpose': 'prefetch' } });
  await app.call('HEAD', path);
  const confirmed = async () => (await chosenBy(eve)).confirmed;
  assert.equal(await confirmed(), false);
  assert.equal((await choose(fay, { ...body, email: 'gus@example.org' })).status, 200);
  assert.equal((await choose(fay, { ...body, email: 'gus@example.org' })).status, 200);
  const refused = await choose(eve, { ...body, email: 'gus@EXAMPLE.org' });
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'QUOTA_EXHAUSTED']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(server.mails.length, 3);
  for (let times = 0; times < 2; times += 1) assert.equal((await app.call('GET', path)).status, 200);
  assert.equal(await confirmed(), true);
  assert.equal(
    (await choose(eve, { period: 'daily' })).body.data.confirmed,
    true,
    'another period needs no mail',
  );
  assert.equal((await choose(eve, { period: 'off', email: null })).body.data.email, null);
  assert.equal((await app.call('GET', path)).status, 404, 'an address that is forgotten is not confirmed');
  for (const email of [
    'no',
    'a@b@c.org',
    'a@b.org\r\nBcc: x@y.org',
    'Mara <m@example.org>',
    '',
    'a@b.org, c@d.org',
  ])
    assert.equal((await choose(eve, { period: 'daily', email })).status, 400, email);
  app.advance(4 * day);
  assert.equal((await choose(fay, body)).status, 200);
  server.mails.pop();
});

test('while the mail server is away digests wait ever longer for a day, and then are given up; one that comes back gets them', async () => {
  await join('hal');
  await join('ida');
  server.mails.length = 0;
  server.isAway = true;
  await endDay();
  const tries: number[] = [];
  const begun = server.connections;
  for (let minutes = 0; minutes < 20 * 60; minutes += 20) {
    const before = server.connections;
    app.advance(20 * 60_000);
    await app.digests.run();
    if (server.connections > before) tries.push(minutes);
  }
  assert.ok(tries.length >= 5 && tries.length <= 16, `it is asked rarely: ${tries}`);
  assert.ok(server.connections - begun < 40, 'and for all at once');
  server.isAway = false;
  app.advance(4 * hour);
  await app.lists.run();
  await app.digests.run();
  assert.deepEqual(sentTo(), ['hal@example.org', 'ida@example.org']);
  server.isAway = true;
  await endDay();
  for (let hours = 0; hours < 34; hours += 4) {
    app.advance(4 * hour);
    await app.lists.run();
    await app.digests.run();
  }
  assert.match(await states(), /failed 2/);
  assert.ok(app.logLines().some(({ msg }) => /given up/.test(String(msg))));
  assert.equal(server.mails.length, 2);
});

test('an address that the server refuses ends that digest, which its page says; one that it cannot take yet is tried again', async () => {
  await join('jo');
  await join('kim');
  server.mails.length = 0;
  server.answers.set('jo@example.org', 550).set('kim@example.org', 450);
  await endDay();
  assert.deepEqual(sentTo(), []);
  const { period, confirmed, endedBecause } = await chosenBy('jo');
  assert.deepEqual([period, confirmed, endedBecause], ['off', false, 'refused']);
  const page = await ask('jo', 'GET', '/my/digest');
  assert.match(page.text, /takes nothing for jo@example\.org/);
  server.answers.clear();
  app.advance(hour);
  await app.digests.run();
  assert.deepEqual(sentTo(), ['kim@example.org']);
  server.answers.set('jo@example.org', 550);
  assert.equal((await choose('jo', { period: 'daily', email: 'jo@example.org' })).status, 400);
});

test('one that was being sent when its process died is not sent again but told; one that was only claimed is', async () => {
  await join('lea');
  await join('max');
  server.mails.length = 0;
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: app.now() });
  app.advance(lastPeriod('daily', app.now()).to.getTime() + day + 2 * hour - app.now().getTime());
  await app.lists.run();
  server.isAway = true;
  await app.digests.run();
  server.isAway = false;
  app.advance(10 * 60_000);
  const [now, until] = [app.now(), new Date(app.now().getTime() + 60_000)];
  for (const state of ['sending', 'claimed']) {
    const held = await claimDelivery(app.database, { now, until, to: { users: true, webhook: false } });
    await app.database.query(
      sql`UPDATE digest_deliveries SET state = ${state} WHERE recipient = ${held?.recipient ?? ''}`,
    );
  }
  await app.digests.run();
  assert.deepEqual(sentTo(), [], 'whose process may live is left alone');
  app.advance(60_000);
  await app.digests.run();
  assert.equal(server.mails.length, 1);
  await app.digests.run();
  assert.equal(await states(), 'sent 1, unknown 1');
  assert.ok(app.logLines().some(({ msg }) => /may have arrived and is not sent again/.test(String(msg))));
});

test('a mail that the connection breaks on is not sent again, one that is not taken is, and one that is wanted no longer never begins', async () => {
  await join('nat');
  server.mails.length = 0;
  server.beforeTaking = () => server.breakOff();
  await endDay();
  server.beforeTaking = () => {};
  app.advance(hour);
  await app.digests.run();
  assert.deepEqual([sentTo(), await states()], [['nat@example.org'], 'unknown 1'], 'it had arrived');
  server.beforeTaking = () => Promise.reject(Object.assign(new Error('try later'), { responseCode: 451 }));
  await endDay();
  server.beforeTaking = () => {};
  assert.equal(await states(), 'unknown 1, waiting 1');
  await choose('nat', { period: 'off' });
  app.advance(hour);
  await app.digests.run();
  assert.deepEqual([server.mails.length, await states()], [1, 'unknown 1, unwanted 1']);
});

test('a digest has what its user would be shown when it is sent', async () => {
  await join('dana', { repos: ['secret'] });
  server.mails.length = 0;
  await makeMergedArticles(app, { fullName: 'acme/secret', count: 1, mergedAt: app.now() });
  await app.database.query(sql`UPDATE repository_grants SET withdrawn = true`);
  app.advance(lastPeriod('daily', app.now()).to.getTime() + day + 2 * hour - app.now().getTime());
  await app.digests.run();
  assert.deepEqual([sentTo(), await states()], [[], 'nothing 1']);
  assert.equal((await ask('dana', 'DELETE', '/users/me')).status, 200);
  assert.equal((await app.database.query(sql`SELECT FROM digests`)).length, 0);
  assert.equal(await states(), '');
});

test('what is private is asked for with the token that its reader has saved before it is sent, and is left out once they may not see it', async () => {
  const on = await buildGitHubApp({
    environment: { PUBLIC_URL: publicUrl, SMTP_URL: server.url, MAIL_FROM: 'p@example.org' },
  });
  const token = await on.join('olga');
  const hidden = repository(1, 'acme/hidden', { visibility: 'private', visibleTo: new Set(['olga']) });
  on.github.state.repositories.push(hidden);
  await on.app.call('POST', '/auth/host-token', { token, body: { accessToken: token } });
  await on.app.call('POST', '/users/me', { token, body: { owner: 'acme', repo: 'hidden' } });
  await on.app.call('PUT', '/users/me/digest', {
    token,
    body: { period: 'weekly', email: 'olga@example.org' },
  });
  await on.app.call('GET', confirmPath());
  for (const isShown of [true, false]) {
    server.mails.length = 0;
    if (!isShown) hidden.visibleTo.clear();
    await makeMergedArticles(on.app, { fullName: 'acme/hidden', count: 1, mergedAt: on.app.now() });
    const { to } = lastPeriod('weekly', on.app.now());
    on.app.advance(to.getTime() + 7 * day + 2 * hour - on.app.now().getTime());
    await on.app.digests.run();
    assert.deepEqual(sentTo(), isShown ? ['olga@example.org'] : []);
  }
  // Minutes ago it was shown to her; lists still go by that.
  for (const end of ['rights', 'answers'] as const) {
    server.mails.length = 0;
    hidden.visibleTo.add('olga');
    await makeMergedArticles(on.app, { fullName: 'acme/hidden', count: 1, mergedAt: on.app.now() });
    const { to } = lastPeriod('weekly', on.app.now());
    on.app.advance(to.getTime() + 7 * day + 2 * hour - on.app.now().getTime());
    await on.app.database.query(
      sql`UPDATE repository_grants SET withdrawn = false, unreachable_since = NULL, confirmed_at = ${on.app.now()}`,
    );
    on.app.advance(10 * 60_000);
    if (end === 'rights') hidden.visibleTo.clear();
    else on.github.script(/./, (response) => void response.writeHead(503).end());
    await on.app.digests.run();
    assert.deepEqual(sentTo(), [], end);
  }
});

test('a team is told once a week of what is public, and again only where it was not taken', async () => {
  posted.length = 0;
  webhookStatus = 503;
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 3, mergedAt: app.now() });
  await makeMergedArticles(app, { fullName: 'acme/secret', count: 1, mergedAt: app.now() });
  app.advance(lastPeriod('weekly', app.now()).to.getTime() + 7 * day + 2 * hour - app.now().getTime());
  await app.lists.run();
  await app.digests.run();
  assert.deepEqual(posted, []);
  webhookStatus = 200;
  app.advance(hour);
  for (let times = 0; times < 3; times += 1) await app.digests.run();
  assert.equal(posted.length, 1);
  const [told] = posted as { repositories: { repo: string }[]; items: { url: string }[] }[];
  assert.deepEqual(
    told?.repositories.map(({ repo }) => repo),
    ['rocket'],
  );
  assert.match(told?.items[0]?.url ?? '', /^https:\/\/pullquote\.example\.org\/r\/acme\/rocket\/\d+/);
});

test('of two processes on one database each digest is sent by one', {
  skip: !onPostgres && 'one process',
}, async () => {
  for (let index = 0; index < 6; index += 1) await join(`pair-${index}`);
  server.mails.length = 0;
  const { databaseUrl = '', dataFolder } = app.config;
  const beside = await buildTestApp({
    database: { DATABASE_URL: databaseUrl, PULLQUOTE_DATA: dataFolder },
    environment: { GIT_REPOS: root, PUBLIC_URL: publicUrl, SMTP_URL: server.url, MAIL_FROM: 'p@example.org' },
    frozen: true,
  });
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 1, mergedAt: app.now() });
  app.advance(lastPeriod('daily', app.now()).to.getTime() + day + 2 * hour - app.now().getTime());
  beside.advance(app.now().getTime() - beside.now().getTime());
  await app.lists.run();
  await Promise.all([app.digests.run(), beside.digests.run()]);
  assert.deepEqual(sentTo(), [...new Set(sentTo())]);
  assert.equal(server.mails.length, 6);
});
