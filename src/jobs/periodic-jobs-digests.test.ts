import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { buildDigestApp, day, hour, publicUrl } from '../../test/build-digest-app.ts';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { repository } from '../../test/github/state.ts';
import { makeMergedArticles } from '../../test/make-merges.ts';
import { claimDigest } from '../db/digests.ts';
import { sql } from '../db/sql.ts';
import { lastPeriod } from '../domain/digests.ts';

const { app, server, root, ask, choose, chosenBy, confirmPath, join, endDay, sentTo, states } =
  await buildDigestApp({ METRICS_TOKEN: 'a-token-of-sixteen-letters' });

test("a confirmed address gets each digest once, in its user's language, with counts in the subject and no remote content", async () => {
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
  assert.equal(ann?.headers.get('subject'), 'Your day: 2 merged, 2 to read');
  assert.match(bob?.headers.get('subject') ?? '', /^=\?UTF-8\?/);
  assert.match(bob?.html ?? '', /<html lang="ja">[\s\S]*マージ：「/);
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

test('a digest that is turned on again begins with the next period', async () => {
  await join('una');
  await endDay();
  await choose('una', { period: 'off' });
  await endDay();
  server.mails.length = 0;
  await choose('una', { period: 'daily' });
  await app.digests.run();
  assert.deepEqual(sentTo(), []);
  await endDay();
  assert.deepEqual(sentTo(), ['una@example.org']);
});

test('while the mail server is down, digests are retried with growing delays for a day, then given up', async () => {
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
  assert.ok(app.logLines().some(({ msg }) => /giving up/.test(String(msg))));
  assert.equal(server.mails.length, 2);
});

test('an address rejected with 550 ends its digest, which the page says; a 450 is retried', async () => {
  await join('jo');
  await join('kim');
  server.mails.length = 0;
  server.answers
    .set('jo@example.org', '550 5.1.1 <jo@example.org>: User unknown')
    .set('kim@example.org', 450);
  await endDay();
  assert.deepEqual(sentTo(), []);
  const { period, confirmed, endedBecause } = await chosenBy('jo');
  assert.deepEqual([period, confirmed, endedBecause], ['off', false, 'refused']);
  const logged = JSON.stringify(app.logLines());
  assert.match(logged, /answered 550 5\.1\.1 to RCPT TO/);
  assert.doesNotMatch(logged, /jo@example|User unknown/, 'no log has the address');
  const page = await ask('jo', 'GET', '/my/digest');
  assert.match(page.text, /rejected jo@example\.org/);
  server.answers.clear();
  app.advance(hour);
  await app.digests.run();
  assert.deepEqual(sentTo(), ['kim@example.org']);
  server.answers.set('kim@example.org', 550);
  server.beforeAnswer = async () => {
    await app.database.query(
      sql`UPDATE digests SET email = 'kim@example.net' WHERE email = 'kim@example.org'`,
    );
  };
  await endDay();
  server.beforeAnswer = () => {};
  const kim = await chosenBy('kim');
  assert.deepEqual([kim.period, kim.email], ['daily', 'kim@example.net'], 'not that of another address');
  server.answers.set('jo@example.org', 550);
  assert.equal((await choose('jo', { period: 'daily', email: 'jo@example.org' })).status, 400);
});

test('a digest that was being sent when its process died is logged and not resent; one only claimed is sent', async () => {
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
    const held = await claimDigest(app.database, { now, until, to: { users: true, webhook: false } });
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

test('a digest is not resent if the connection breaks after the data, is retried on 451, and dropped if turned off', async () => {
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

test('a digest leaves out repositories that its user can no longer see, and a deleted account has none', async () => {
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

test('before a digest with a private repository is sent, access is checked again; without access it is not sent', async () => {
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
  await on.app.call('POST', confirmPath(), { raw: '' });
  for (const isShown of [true, false]) {
    server.mails.length = 0;
    if (!isShown) hidden.visibleTo.clear();
    await makeMergedArticles(on.app, { fullName: 'acme/hidden', count: 1, mergedAt: on.app.now() });
    const { to } = lastPeriod('weekly', on.app.now());
    on.app.advance(to.getTime() + 7 * day + 2 * hour - on.app.now().getTime());
    await on.app.digests.run();
    assert.deepEqual(sentTo(), isShown ? ['olga@example.org'] : []);
  }
  // Access was confirmed ten minutes ago, which is still enough for lists but not for a digest.
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

test('two processes on one database send each digest once', async () => {
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
