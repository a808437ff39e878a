import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { openBrowser } from '../../../test/visit-page.ts';
import { waitUntil } from '../../../test/wait-until.ts';

const app = await buildTestApp();

test('a sign-in link leads a new user to signing up, and then to the start', async () => {
  const visit = openBrowser(app);
  const token = app.tokenFor('zoe', { singleUse: true });
  const signIn = await visit(`/sign-in#token=${token}`, 'sign-in.js');
  await waitUntil('the form shows', () => !signIn.element('sign-up').hidden);
  assert.deepEqual(signIn.happened, ['is now at /sign-in', 'POST /auth/session', 'GET /users/me']);
  assert.ok(signIn.element('by-token').hidden && signIn.element('problem').hidden);
  signIn.element('language').value = 'en';
  signIn.element('sign-up').fire('submit');
  await waitUntil('the visitor is sent home', () => signIn.happened.includes('goes to /'));
});

test('what goes wrong is told on the page', async () => {
  const visit = openBrowser(app);
  const page = await visit('/sign-in#token=pql_wrong', 'sign-in.js');
  await waitUntil('the form shows', () => !page.element('by-token').hidden);
  assert.equal(page.element('problem').hidden, false);
  assert.match(page.element('problem').textContent, /token/);
  page.element('token').value = ` ${app.tokenFor('yan')} `;
  page.element('by-token').fire('submit');
  await waitUntil('the form shows', () => !page.element('sign-up').hidden);
  assert.equal(page.element('problem').hidden, true);
});

test('an empty service has a page with a sentence and a way on, in the language of its reader', async () => {
  const english = await app.call('GET', '/', { headers: { 'accept-language': 'en' } });
  assert.equal(english.status, 200);
  assert.match(english.text, /Nothing has been written here yet\./);
  assert.match(english.text, /<html lang="en">/);
  const japanese = await app.call('GET', '/', { headers: { 'accept-language': 'ja-JP,ja;q=0.9,en;q=0.8' } });
  assert.match(japanese.text, /<html lang="ja">/);
  assert.match(japanese.text, /まだ記事がありません。/);
});

test('what pages load is served compressed, to be kept for ever, at addresses that change with it', async () => {
  const { text } = await app.call('GET', '/');
  const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
    ([, address = '']) => address,
  );
  assert.ok(addresses.length >= 6);
  for (const address of addresses) {
    const reply = await app.call('GET', address, { headers: { 'accept-encoding': 'br' } });
    assert.equal(reply.status, 200, address);
    assert.equal(reply.headers.get('cache-control'), 'public, max-age=31536000, immutable', address);
    if (/style\.css$/.test(address)) assert.equal(reply.headers.get('content-encoding'), 'br', address);
  }
  const [first = ''] = addresses;
  const other = await app.call('GET', first.replace(/assets\/[^/]+/, 'assets/another'));
  assert.equal(other.headers.get('cache-control'), 'public, no-cache');
});
