import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { giveToken } from '../../../test/github/answer-apps.ts';
import { buildGitHubApp } from '../../../test/github/build-github-app.ts';
import { placesOfTokens } from '../../../test/github/find-tokens.ts';
import { followToGitHub } from '../../../test/github/follow-to-github.ts';
import { account, pull, repository, standInApp } from '../../../test/github/state.ts';
import { hostilePaths } from '../../../test/hostile-paths.ts';
import { serveBeside } from '../../../test/serve-beside.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { sql } from '../../db/sql.ts';

const minute = 60_000;
const publicUrl = 'https://pullquote.example.org';
const { app, github, answers, join } = await buildGitHubApp({
  logLevel: 'trace',
  patience: { hostMs: 8_000 },
  environment: {
    PUBLIC_URL: publicUrl,
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
  },
});
const ours = standInApp('Iv1.ours', { expiresIn: 8 * 60 * 60 });
github.state.apps.push(ours);
await join('alice');
github.state.accounts.push(account(2_000, 'newcomer'), account(2_001, 'mallory'));

let attacks = 0;
let succeeded = 0;
after(() => console.log(`attacks on signing in: ${succeeded} of ${attacks} succeeded`));

/** A browser that keeps cookies and follows no redirects. */
class Browser {
  readonly cookies = new Map<string, string>();
  #header = () => [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async visit(address: string, headers: Record<string, string> = {}) {
    const reply = await app.call('GET', address, { headers: { ...headers, cookie: this.#header() } });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }

  get session(): string | undefined {
    return this.cookies.get('__Host-pullquote_session');
  }
}

/** Accepts or declines on GitHub; returns the address that the browser is sent to. */
async function askGitHub(location: string, login: string | null): Promise<string> {
  ours.consents = login;
  const back = (await followToGitHub(location)) ?? assert.fail('GitHub sends nobody back.');
  assert.equal(back.origin, publicUrl);
  return back.pathname + back.search;
}

async function begin(browser: Browser, login: string | null, returnTo = '/r/acme/rocket/1') {
  const { status, headers } = await browser.visit(`/auth/login?returnTo=${encodeURIComponent(returnTo)}`);
  assert.equal(status, 302);
  return askGitHub(headers.get('location') ?? '', login);
}

const stored = async () => {
  const [row] = await app.database.query<{ sessions: number; tokens: number }>(sql`
    SELECT (SELECT count(*) FROM sessions) AS sessions, (SELECT count(*) FROM host_tokens) AS tokens`);
  return [row?.sessions, row?.tokens];
};

/** Asserts that a visit shows an error page, signs in no user and stores no session or token. */
async function refused(visit: () => Promise<Awaited<ReturnType<Browser['visit']>>>, status = 400) {
  const before = await stored();
  const reply = await visit();
  attacks += 1;
  const setsSession = reply.headers
    .getSetCookie()
    .some((cookie) => /^(?:__Host-)?pullquote_session=[^;]/.test(cookie));
  if (setsSession || reply.status < 400) succeeded += 1;
  assert.equal(reply.status, status, reply.text);
  assert.equal(setsSession, false);
  assert.match(reply.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(reply.text, /[Ss]tart again|Try again|administrator|operator/);
  assert.match(reply.text, /<h1>You are not signed in<\/h1>[\s\S]*<footer class="foot">/);
  assert.doesNotMatch(reply.text, /code=|state=/);
  assert.match(reply.headers.get('content-security-policy') ?? '', /trusted-types 'none'$/);
  assert.deepEqual(await stored(), before);
}

// Started first and checked last, because it takes the whole timeout of the host.
const silent = new Browser();
const silentAnswer = await begin(silent, 'alice');
const { promise: never } = Promise.withResolvers<void>();
let isSilent = true;
github.script(/access_token$/, (_response, pass) => {
  if (!isSilent) return pass();
  isSilent = false;
  return never;
});
const silence = silent.visit(silentAnswer);
while (isSilent) await new Promise((resolve) => setImmediate(resolve));

test('a user who accepts on GitHub gets a session cookie, returns to the page they came from, and sees private repositories', async () => {
  const visibleTo = new Set(['alice']);
  const vault = repository(1, 'acme/vault', { visibility: 'private', visibleTo, pulls: [pull(1, 'vault')] });
  github.state.repositories.push(vault);
  const browser = new Browser();
  const login = await browser.visit('/auth/login?returnTo=/r/acme/rocket/1');
  const location = new URL(login.headers.get('location') ?? '');
  const { client_id, redirect_uri, code_challenge_method, scope } = Object.fromEntries(location.searchParams);
  assert.deepEqual(
    [location.origin, client_id, redirect_uri, code_challenge_method, scope],
    [github.url, 'Iv1.ours', `${publicUrl}/auth/callback`, 'S256', undefined],
  );
  const [cookie = ''] = login.headers.getSetCookie();
  for (const part of [/^__Host-/, /; HttpOnly/, /; SameSite=Lax/, /; Secure/, /; Max-Age=600/])
    assert.match(cookie, part);
  const back = await browser.visit(await askGitHub(location.href, 'alice'));
  assert.deepEqual([back.status, back.headers.get('location')], [302, '/r/acme/rocket/1']);
  assert.equal(browser.cookies.size, 1, 'what the sign-in was begun with is gone');
  const me = await browser.visit('/users/me');
  assert.equal(me.body.data.hostUsername, 'alice');
  const ingested = await app.call('POST', '/repos/acme/vault/pulls/1/ingest', { token: browser.session });
  assert.equal(ingested.status, 201, ingested.text);
});

test('a new user is sent to sign-up, with the page they came from', async () => {
  const browser = new Browser();
  const back = await browser.visit(await begin(browser, 'newcomer'));
  assert.equal(back.headers.get('location'), '/sign-up?back=%2Fr%2Facme%2Frocket%2F1');
  assert.equal((await browser.visit('/users/me')).body.error.code, 'USER_NOT_FOUND');
});

test('50 forms of open redirect end at "/"', async () => {
  for (const path of hostilePaths) {
    const browser = new Browser();
    const back = await browser.visit(await begin(browser, 'alice', path));
    attacks += 1;
    if (back.headers.get('location') !== '/') succeeded += 1;
    assert.equal(back.headers.get('location'), '/', JSON.stringify(path));
  }
});

test('the callback address sent to GitHub cannot be changed by request headers', async () => {
  attacks += 1;
  const misled = await new Browser().visit('/auth/login', { host: 'evil.example' });
  if (misled.headers.has('location')) succeeded += 1;
  assert.deepEqual([misled.status, misled.headers.get('location')], [421, null]);
  for (const headers of [
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
    { forwarded: 'host=evil.example' },
    { origin: 'https://evil.example', referer: 'https://evil.example/' },
  ]) {
    const { headers: answered } = await new Browser().visit('/auth/login', headers);
    const uri = new URL(answered.get('location') ?? '').searchParams.get('redirect_uri');
    attacks += 1;
    if (uri !== `${publicUrl}/auth/callback`) succeeded += 1;
    assert.equal(uri, `${publicUrl}/auth/callback`);
  }
});

test('login CSRF, swapped cookies and injected codes sign in no user', async () => {
  const [victim, attacker] = [new Browser(), new Browser()];
  const attackers = await begin(attacker, 'mallory');
  await refused(() => victim.visit(attackers));
  const victims = await begin(victim, 'alice');
  await refused(() => victim.visit(attackers));
  const codeOf = (address: string) => new URL(address, publicUrl).searchParams.get('code') ?? '';
  // The attacker has the victim's code, but not the verifier.
  await refused(() => attacker.visit(attackers.replace(codeOf(attackers), codeOf(victims))));
  const kept = [...victim.cookies][0] ?? assert.fail('there is no cookie');
  const thief = new Browser();
  thief.cookies.set(...kept);
  await refused(() => thief.visit(attackers));
  const other = new Browser();
  await begin(other, 'mallory');
  other.cookies.set(kept[0], `${kept[1].slice(0, -4)}AAAA`);
  await refused(() => other.visit(victims));
  other.cookies.set(kept[0], 'nonsense');
  await refused(() => other.visit(victims));
});

test('a callback works once, within ten minutes, only in the browser that started it, on any process', async () => {
  const browser = new Browser();
  const answer = await begin(browser, 'alice');
  const [name = '', kept = ''] = [...browser.cookies][0] ?? [];
  const beside = await serveBeside(app, { clock: app.now });
  const headers = { cookie: `${name}=${kept}` };
  const all = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      index % 2 === 0
        ? (await app.call('GET', answer, { headers })).status
        : (await beside.inject({ url: answer, headers })).statusCode,
    ),
  );
  attacks += all.length - 1;
  succeeded += all.filter((status) => status === 302).length - 1;
  assert.equal(all.filter((status) => status === 302).length, 1, all.join(' '));
  await refused(() => browser.visit(answer));

  await refused(async () => new Browser().visit(await begin(new Browser(), 'alice')));
  await refused(async () => {
    const late = new Browser();
    const address = await begin(late, 'alice');
    app.advance(11 * minute);
    return late.visit(address);
  });
  for (const query of [
    '',
    '?code=x',
    '?state=x',
    '?state=&code=',
    '?error=access_denied',
    '?state[]=x&code=y',
    '?state=x&state=y&code=z',
    '?state=x&code=y&code=z',
  ]) {
    const lost = new Browser();
    await begin(lost, 'alice');
    await refused(() => lost.visit(`/auth/callback${query}`));
  }
  const made = new Browser();
  const forged = new URL(await begin(made, 'alice'), publicUrl);
  forged.searchParams.set('code', 'code_of_nobody');
  await refused(() => made.visit(forged.pathname + forged.search));
});

test('a declined sign-in and failures of GitHub are shown on a page, with 403 and 502', async () => {
  const declining = new Browser();
  const answer = await begin(declining, null);
  await refused(() => declining.visit(answer), 403);
  const broken = new Browser();
  const address = await begin(broken, 'alice');
  const stop = github.script(/access_token$/, (response) => void response.writeHead(500).end('gho_leaked'));
  await refused(() => broken.visit(address), 502);
  stop();
  const misled = new Browser();
  const last = await begin(misled, 'alice');
  ours.clientSecret = 'another';
  await refused(() => misled.visit(last), 502);
  ours.clientSecret = 'secret-of-Iv1.ours';
});

test("a session cookie planted before sign-in is replaced, and stays its owner's", async () => {
  const session = await app.call('POST', '/auth/session', { token: 'ghp_tokenOfalice' });
  const planted = session.body.data.accessToken;
  const browser = new Browser();
  browser.cookies.set('pullquote_session', planted);
  await browser.visit(await begin(browser, 'newcomer'));
  attacks += 1;
  if (browser.session === planted) succeeded += 1;
  assert.notEqual(browser.session, planted);
  const who = (await app.call('GET', '/users/me', { token: planted })).body.data.hostUsername;
  assert.equal(who, 'alice', 'it is whose it was');
});

test('a token of another GitHub app is refused, and one of the configured app is accepted', async () => {
  const foreign = standInApp('Iv1.foreign');
  github.state.apps.push(foreign);
  const { access_token: theirs } = giveToken(github.state, foreign, 'alice', app.now().getTime());
  const { access_token: own } = giveToken(github.state, ours, 'alice', app.now().getTime());
  for (const [method, path] of [
    ['POST', '/auth/session'],
    ['GET', '/users/me'],
    ['POST', '/auth/signup'],
  ] as const) {
    const reply = await app.call(method, path, { token: theirs });
    attacks += 1;
    if (reply.status !== 401) succeeded += 1;
    assert.equal(reply.status, 401);
    assert.match(reply.body.error.message, /gh auth token/);
  }
  const session = await app.call('POST', '/auth/session', { token: own });
  assert.equal(session.status, 201, session.text);
});

test('/meta lists the sign-in methods, and a silent host gives 504', async () => {
  const { hosts, signIn } = (await app.call('GET', '/meta')).body.data;
  assert.deepEqual(signIn, ['githubToken', 'browser']);
  assert.equal(hosts[0].clientId, 'Iv1.ours');
  const begin = (host: string) => app.call('GET', `/auth/login?host=${host}`);
  assert.deepEqual([(await begin('github')).status, (await begin('unheard')).status], [302, 400]);
  const { status, text } = await silence;
  assert.equal(status, 504);
  assert.match(text, /did not answer in time/);
});

test('/auth/login for a host without browser sign-in is 404 and names the hosts that have it', async () => {
  const { app: both } = await buildGitHubApp({
    environment: {
      CODE_HOST: 'git,github',
      GIT_REPOS: temporaryFolder(),
      PUBLIC_URL: publicUrl,
      GITHUB_CLIENT_ID: 'Iv1.ours',
      GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
    },
  });
  const asked = await both.call('GET', '/auth/login?host=git');
  assert.equal(asked.status, 404);
  assert.match(asked.body.error.message, /^Browser sign-in is available for github\./);
});

test('no code, verifier, token or secret is in the log, the database, a page or a redirect', async () => {
  const verifiers = ours.verifiers.filter((verifier) => verifier !== '');
  assert.ok(verifiers.length > 50);
  assert.deepEqual(await placesOfTokens(app, answers, verifiers), []);
});
