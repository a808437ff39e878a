import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileWords } from '../../../test/browser/hostile-words.ts';
import { buildTestApp, type Reply } from '../../../test/build-app.ts';

const app = await buildTestApp({
  environment: {
    WRITERS: '0',
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

test('a pasted pull request or repository redirects to its page, and an unknown address is 404', async () => {
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
  assert.match(nowhere.text, /<h1>This is not a pull request on a supported code host\.<\/h1>/);
  const unknown = await get(`/go?url=${encodeURIComponent('https://github.com/acme')}`);
  assert.doesNotMatch(unknown.text, /CODE_HOST/, 'GitHub is read here');
  for (const path of ['/r/acme/none', '/r/acme/none/7']) {
    const absent = await asAnn(path);
    assert.equal(absent.status, 404);
    assert.match(absent.text, /<h1>リポジトリ acme\/none はこのサービスに存在しない/, path);
    assert.ok(absent.text.includes(`<a href="${path}?host=github">github.com で探す</a>`), path);
    assert.doesNotMatch(absent.text, /CODE_HOST|git clone/, path);
  }
});

test('without a model, the button for a Japanese article says that quotations stay in their language', async () => {
  const { text } = await asAnn('/r/harborline/parcel/10');
  assert.match(text, /<button[^>]*>記事を作成（引用は原文のまま）<\/button>/);
});

test('personal pages redirect visitors to sign-in and back, only to paths of the service', async () => {
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

test('a signed-in visitor without an account chooses a language before other pages', async () => {
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
  assert.match(
    signUp.text,
    /writes without a language model: in Japanese articles, .* quotations stay in their/,
  );
  assert.match(signUp.text, /<option value="en" lang="en" selected>English<\/option>/);
  for (const path of ['/r/acme/none', '/r/acme/none/7'])
    assert.match((await get(path, own)).text, /^(?![\s\S]*>Sign in)[\s\S]*Finish signing up/, path);
  assert.match((await get('/find?q=is%3Aunread', own)).text, /<a href="\/sign-up[^"]*">Finish signing up</);
  assert.equal((await asAnn('/sign-up?back=%2Fliked')).headers.get('location'), '/liked');
});

test('the sign-in page lists the configured sign-in methods', async () => {
  const { text } = await get('/sign-in?back=%2Fliked');
  assert.match(
    text,
    /<a class="filled" href="\/auth\/login\?returnTo=%2Fliked">Sign in with github\.com<\/a>/,
  );
  assert.match(text, /GitHub personal access token/);
  assert.match(text, /pullquote -- token NAME/);
});

test("settings show the user's sessions and tokens, and favorites their latest pull requests", async () => {
  await app.call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  const settings = await asAnn('/settings');
  assert.equal(settings.status, 200);
  assert.match(settings.text, /<b>this session<\/b>|<b>このブラウザ<\/b>/);
  assert.match(settings.text, /data-name="ann"/);
  assert.match(settings.text, /data-host-token="github"/);
  assert.match(settings.headers.get('cache-control') ?? '', /private/);
  const favorites = await asAnn('/favorites');
  assert.equal(favorites.text.match(/class="number"/g)?.length, 3);
  assert.match(favorites.text, /href="\/r\/harborline\/parcel\/16"/);
  assert.match((await asAnn('/liked')).text, /class="said"/);
});

/** Submits a form as a browser does on a page of the service. */
const submit = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.call('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'http://127.0.0.1:8080',
      ...english,
      ...headers,
    },
  });
const cookieOf = (reply: Reply, name: string) =>
  reply.headers
    .getSetCookie()
    .find((one) => one.startsWith(`${name}=`))
    ?.split(';')[0] ?? '';

test('forms follow, write, import, set the language and log out without scripts, and redirect back', async () => {
  const own = { cookie };
  const written = await submit('/r/harborline/parcel/13/write', { language: 'en' }, own);
  assert.deepEqual(
    [written.status, written.headers.get('location')],
    [303, '/r/harborline/parcel/13?language=en'],
  );
  for (const [address, sentence] of [
    ['nobody/nothing', /role="alert"><bdi>リポジトリ nobody\/nothing は存在しないか、閲覧できません。/],
    ['what is this?', /role="alert"><bdi>owner\/repo（例：pallets\/click）/],
  ] as const) {
    const refused = await submit('/favorites', { address, host: 'git' }, own);
    assert.equal(refused.status, 303, refused.text);
    const { text } = await asAnn(refused.headers.get('location')?.replace('#add', '') ?? '');
    assert.match(text, sentence);
    assert.ok(text.includes(`value="${address}"`), 'it is kept');
    assert.match(text, /<option value="git" selected>/);
  }
  const many = await submit('/r/harborline/parcel/import', { numbers: '13,12', language: 'en' }, own);
  assert.deepEqual(
    [many.status, many.headers.get('location')],
    [303, '/r/harborline/parcel?tab=pulls'],
    many.text,
  );
  assert.match(
    (await asAnn('/r/harborline/parcel?tab=pulls')).text,
    /data-job="[0-9a-f-]{36}"|#12<[\s\S]*Read/,
  );
  for (const given of [{ numbers: 'all' }, { numbers: '0' }, { last: '0' }, { last: '201' }, {}]) {
    const wrong = await submit('/r/harborline/parcel/import', { ...given, language: 'en' }, own);
    assert.equal(wrong.status, 400, JSON.stringify(given));
  }
  const followed = await submit('/r/harborline/parcel/follow', {}, own);
  assert.equal(followed.headers.get('location'), '/r/harborline/parcel');
  const { body } = await app.call('GET', '/users/me/favorite-repositories', { token });
  assert.match(
    (await asAnn('/r/harborline/parcel')).text,
    /id="arriving" role="status">新しい記事は「フォロー中の新着」に/,
  );
  const byName = await submit('/favorites', { address: 'parcel', host: 'git' }, own);
  assert.equal(byName.headers.get('location'), '/favorites', 'a name that one repository has is enough');
  const watch = { favorite: body.data.items[0].id, watch: 'yes', language: 'ja' };
  const chosen = await submit('/favorites/watch', { ...watch, bots: 'yes' }, own);
  assert.equal(chosen.headers.get('location'), '/favorites');
  assert.match(
    (await asAnn('/favorites')).text,
    /name="bots" value="yes" checked>[\s\S]*value="ja"|value="ja"[\s\S]*checked/,
  );
  const labelled = await submit('/favorites/watch', { ...watch, labels: 'bug\r\nui' }, own);
  assert.equal(labelled.status, 400);
  assert.match(labelled.text, /where pull requests have no labels/);
  const left = await submit('/favorites/remove', { favorite: body.data.items[0].id }, own);
  assert.equal(left.headers.get('location'), '/favorites');
  assert.match(
    (await asAnn('/favorites')).text,
    /id="empty">(?:You don’t follow|フォロー中のリポジトリはまだありません)/,
  );
  await submit('/settings/language', { language: 'ja' }, own);
  assert.match((await asAnn('/settings?saved=language')).text, /保存しました。/);
  await submit('/settings/language', { language: 'en' }, own);
  const other = await app.call('POST', '/auth/session', { token, body: { cookie: true } });
  const leaving = { cookie: cookieOf(other, 'pullquote_session') };
  assert.equal((await submit('/settings/log-out', {}, leaving)).headers.get('location'), '/');
  assert.equal((await get('/settings', leaving)).headers.get('location'), '/sign-in?back=%2Fsettings');
});

test('forms are accepted only from the same origin, and the API accepts no forms', async () => {
  const writing = ['/r/harborline/parcel/12/write', { language: 'en' }] as const;
  for (const origin of ['https://evil.example', 'null', ''])
    for (const who of [{ cookie }, {}]) {
      const refused = await submit(...writing, { origin, ...who });
      assert.equal(refused.status, 403, origin);
      assert.equal(cookieOf(refused, 'pullquote_intent'), '', origin);
    }
  const json = { 'content-type': 'application/json' };
  const asJson = await app.call('POST', '/settings/log-out', {
    raw: '{"a":1}',
    headers: { cookie, origin: 'http://127.0.0.1:8080', ...json },
  });
  assert.equal(asJson.status, 400);
  const api = await submit('/repos/harborline/parcel/pulls/12/article', { language: 'en' }, { cookie });
  assert.equal(api.status, 415);
  assert.equal(
    (await submit('/favorites', { address: 'harborline/parcel' })).headers.get('location'),
    '/sign-in',
  );
  for (const word of hostileWords) {
    const { status, text } = await submit(
      '/favorites',
      { address: word.slice(0, 2000), [word.slice(0, 50)]: word },
      { cookie },
    );
    assert.equal(status, 400);
    if (/[<"]/.test(word)) assert.ok(!text.includes(word.slice(0, 50)), word);
  }
});

test('an article requested before sign-in is started once on return, within half an hour, and not by a link', async () => {
  const wanted = await submit('/r/harborline/parcel/14/write', { language: 'en' });
  assert.equal(wanted.headers.get('location'), '/sign-in?back=%2Fr%2Fharborline%2Fparcel%2F14');
  const intent = cookieOf(wanted, 'pullquote_intent');
  assert.match(wanted.headers.getSetCookie()[0] ?? '', /HttpOnly; SameSite=Lax/);
  const fromTerminal = await get('/sign-in', { cookie: intent });
  assert.match(fromTerminal.text, /data-back="\/r\/harborline\/parcel\/14"/);
  const comeBack = (number: number, kept = intent) =>
    get(`/r/harborline/parcel/${number}`, { cookie: `${cookie}; ${kept}` });
  const job = async (number: number) => /data-job="([^"]*)"/.exec((await comeBack(number, '')).text)?.[1];
  await comeBack(11);
  assert.equal(await job(11), undefined, 'another pull request');
  const forged = await comeBack(14, 'pullquote_intent=1.AAAA');
  assert.doesNotMatch(forged.text, /data-job/);
  const begun = await comeBack(14);
  assert.match(cookieOf(begun, 'pullquote_intent'), /=$/, 'it is forgotten');
  assert.match(begun.text, /data-job[\s\S]*<noscript><p/);
  assert.doesNotMatch(begun.text, /id="progress"[^>]* hidden/);
  const { id } = JSON.parse(((await job(14)) ?? '').replaceAll('&quot;', '"'));
  await app.call('DELETE', `/jobs/${id}`, { token });
  assert.doesNotMatch((await comeBack(14)).text, /data-job/, 'a cookie that was used begins nothing');
  const late = cookieOf(
    await submit('/r/harborline/parcel/14/write', { language: 'en' }),
    'pullquote_intent',
  );
  app.advance(31 * 60 * 1000);
  assert.doesNotMatch((await comeBack(14, late)).text, /data-job/, 'what was wanted long ago');
});

test('a rate limit page says how many seconds to wait', async () => {
  const limited = await buildTestApp({ environment: { RATE_LIMIT: '3' }, frozen: true });
  let reply = await limited.call('GET', '/', { headers: english });
  for (let turn = 0; turn < 5; turn += 1) reply = await limited.call('GET', '/sign-up', { headers: english });
  assert.equal(reply.status, 429);
  assert.match(
    reply.text,
    /<p lang="en">Too many requests: the limit is a burst of 3, then [^<]*Wait \d+ s\.<\/p>/,
  );
});
