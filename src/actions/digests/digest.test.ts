import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDigestApp, day, publicUrl } from '../../../test/build-digest-app.ts';
import { sql } from '../../db/sql.ts';

const { app, server, ask, choose, chosenBy, unsubscribePath, confirmPath, join, endDay, sentTo } =
  await buildDigestApp();

test('an unsubscribe link ends the digest only when its form is submitted, needs no session, and its secret is in no page, log or digest row', async () => {
  await join('dora');
  await endDay();
  const path = unsubscribePath();
  for (const method of ['GET', 'HEAD']) assert.equal((await app.call(method, path)).status, 200);
  const { text } = await app.call('GET', path);
  assert.match(text, /<form class="form" method="post"><h1>Stop/);
  assert.ok(!text.includes(path.slice(-43)), 'no page has the secret');
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

test('an address gets at most three confirmation mails a day across users, and is confirmed only when the form is submitted', async () => {
  const [eve, fay] = ['eve', 'fay'];
  await app.signUp(eve);
  await app.signUp(fay);
  const body = { period: 'weekly', email: 'Gus@example.org' };
  assert.equal((await choose(eve, body)).status, 200);
  const path = confirmPath();
  for (const method of ['GET', 'HEAD']) assert.equal((await app.call(method, path)).status, 200);
  assert.match(
    (await app.call('GET', path)).text,
    /<form class="form" method="post"><h1>Confirm your address/,
  );
  const confirmed = async () => (await chosenBy(eve)).confirmed;
  assert.equal(await confirmed(), false);
  assert.equal((await choose(fay, { ...body, email: 'gus@example.org' })).status, 200);
  assert.equal((await choose(fay, { ...body, email: 'gus@example.org' })).status, 200);
  const refused = await choose(eve, { ...body, email: 'gus@EXAMPLE.org' });
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'QUOTA_EXHAUSTED']);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
  assert.equal(server.mails.length, 3);
  for (let times = 0; times < 2; times += 1)
    assert.equal((await app.call('POST', path, { raw: '' })).status, 200);
  assert.equal(await confirmed(), true);
  assert.equal(
    (await choose(eve, { period: 'daily' })).body.data.confirmed,
    true,
    'another period needs no mail',
  );
  assert.equal((await choose(eve, { period: 'off', email: null })).body.data.email, null);
  for (const { status } of [await app.call('GET', path), await app.call('POST', path, { raw: '' })])
    assert.equal(status, 404, 'an address that is forgotten is not confirmed');
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

test('the digest form keeps the values its user just submitted, and takes none from a link or from another user', async () => {
  await app.signUp('lou');
  await app.signUp('mia');
  const linked = await ask('lou', 'GET', '/my/digest?problem=address&choice=weekly&email=evil@example.net');
  assert.match(linked.text, / name="email"[^>]* value="" /);
  const sent = await app.call('POST', '/my/digest', {
    token: app.tokenFor('lou'),
    raw: 'period=weekly&email=lou+at@nowhere',
    headers: { origin: publicUrl, 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/my/digest?problem=address#mail']);
  const cookie = (sent.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const shownTo = async (name: string) =>
    (await app.call('GET', '/my/digest?problem=address', { token: app.tokenFor(name), headers: { cookie } }))
      .text;
  assert.match(
    await shownTo('lou'),
    /value="weekly" selected[\s\S]* name="email"[^>]* value="lou at@nowhere" /,
  );
  assert.match(await shownTo('mia'), / name="email"[^>]* value="" /, 'and for no other user');
});

test('an address that the mail server cannot take leaves the previous address in place, and the unsubscribe link already sent still works', async () => {
  await join('ned');
  await endDay();
  const before = await chosenBy('ned');
  assert.equal(before.confirmed, true);
  const path = unsubscribePath();
  server.answers.set('typo@example.org', 550);
  assert.equal((await choose('ned', { period: 'weekly', email: 'typo@example.org' })).status, 400);
  assert.deepEqual(await chosenBy('ned'), before);
  server.isAway = true;
  assert.equal((await choose('ned', { period: 'weekly', email: 'other@example.org' })).status, 503);
  assert.deepEqual(await chosenBy('ned'), before);
  server.isAway = false;
  assert.equal((await app.call('POST', path, { raw: '' })).status, 200);
  assert.equal((await chosenBy('ned')).period, 'off');
});
