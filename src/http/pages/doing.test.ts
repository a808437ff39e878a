import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';

const app = await buildTestApp({
  environment: {
    CODE_HOST: 'git,github',
    PUBLIC_URL: 'http://127.0.0.1:8080',
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'hush',
  },
});
const token = await app.signUp('ann');
const opened = await app.call('POST', '/auth/session', { token, body: { cookie: true } });
const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const english = { 'accept-language': 'en' };
const get = (path: string, headers: Record<string, string> = {}) =>
  app.call('GET', path, { headers: { ...english, ...headers } });
const asAnn = (path: string) => get(path, { cookie });

test('what is pasted leads to the page about it, and what leads nowhere says so', async () => {
  for (const [url, to] of [
    ['harborline/parcel#13', '/r/harborline/parcel/13'],
    ['harborline/parcel', '/r/harborline/parcel'],
    ['https://github.com/acme/rocket/pull/7/files#diff', '/r/acme/rocket/7?host=github'],
    ['https://github.com/acme/rocket', '/r/acme/rocket?host=github'],
    [' ', '/'],
  ] as const) {
    const reply = await get(`/go?url=${encodeURIComponent(url)}`);
    assert.deepEqual([reply.status, reply.headers.get('location')], [303, to], url);
  }
  const nowhere = await get(`/go?url=${encodeURIComponent('https://evil.example/<script>')}`);
  assert.equal(nowhere.status, 404);
  assert.match(nowhere.text, /<h1>This names no pull request of a code host that is read here\.<\/h1>/);
  const unknown = await get(`/go?url=${encodeURIComponent('https://github.com/acme')}`);
  assert.doesNotMatch(unknown.text, /CODE_HOST/, 'GitHub is read here');
});

test("what is a reader's own leads strangers to signing in and back, by paths of the service only", async () => {
  for (const path of ['/settings', '/favorites?offset=10', '/liked']) {
    const reply = await get(path);
    assert.equal(reply.status, 303, path);
    assert.equal(reply.headers.get('location'), `/sign-in?back=${encodeURIComponent(path)}`);
  }
  const ended = await get('/settings', { cookie: 'pullquote_session=pq_ended' });
  assert.deepEqual([ended.status, ended.headers.get('location')], [303, '/sign-in?back=%2Fsettings']);
  assert.match((await get('/sign-in?back=%2Fliked')).text, /data-back="\/liked"/);
  for (const elsewhere of ['https://evil.example', '//evil.example', '/\\evil.example', '/\t/evil.example']) {
    const { text } = await get(`/sign-in?back=${encodeURIComponent(elsewhere)}`);
    assert.match(text, /data-back="\/"/, elsewhere);
    const signedIn = await asAnn(`/sign-in?back=${encodeURIComponent(elsewhere)}`);
    assert.match(signedIn.text, /<a id="next" href="\/">/, elsewhere);
  }
});

test('who has signed in and not signed up chooses a language before anything else', async () => {
  const session = await app.call('POST', '/auth/session', {
    token: app.tokenFor('new'),
    body: { cookie: true },
  });
  const own = { cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  const reply = await get('/liked', own);
  assert.equal(reply.headers.get('location'), '/sign-up?back=%2Fliked');
  const signIn = await get('/sign-in?back=%2Fliked', own);
  assert.match(signIn.text, /<a id="next" href="\/sign-up\?back=%2Fliked">/);
  const signUp = await get('/sign-up?back=%2Fliked', own);
  assert.match(signUp.text, /<option value="en" lang="en" selected>English<\/option>/);
  assert.equal((await asAnn('/sign-up?back=%2Fliked')).headers.get('location'), '/liked');
});

test('the sign-in page names the ways there are', async () => {
  const { text } = await get('/sign-in?back=%2Fliked');
  assert.match(
    text,
    /<a class="filled" href="\/auth\/login\?returnTo=%2Fliked">Sign in with github\.com<\/a>/,
  );
  assert.match(text, /personal access token of GitHub/);
  assert.match(text, /pullquote -- token NAME/);
});

test('settings show the reader and their sessions, and favorites their latest pull requests', async () => {
  await app.call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  const settings = await asAnn('/settings');
  assert.equal(settings.status, 200);
  assert.match(settings.text, /<b>this one<\/b>|<b>このブラウザ<\/b>/);
  assert.match(settings.text, /data-name="ann"/);
  assert.match(settings.text, /data-host-token="github"/);
  assert.match(settings.headers.get('cache-control') ?? '', /private/);
  const favorites = await asAnn('/favorites');
  assert.equal(favorites.text.match(/class="number"/g)?.length, 3);
  assert.match(favorites.text, /href="\/r\/harborline\/parcel\/16"/);
  assert.match((await asAnn('/liked')).text, /class="said"/);
});
