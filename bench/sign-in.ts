// What happens to people who have saved tokens when those expire and when keys are replaced, and what made-up keys cost an
// identity provider. Run with node bench/sign-in.ts [REQUESTS] [KEYS].
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import postgres from 'postgres';
import { buildTestApp } from '../test/build-app.ts';
import { giveToken } from '../test/github/answer-apps.ts';
import { type GitHubStandIn, standInCertificate, startGitHub } from '../test/github/stand-in.ts';
import { account, type StandInApp, standInApp } from '../test/github/state.ts';
import { databaseOn, freePort, startPostgres } from '../test/postgres.ts';
import { startIssuer } from '../test/start-issuer.ts';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const requests = Number(process.argv[2] ?? 50);
const madeUpKeys = Number(process.argv[3] ?? 10_000);
const rounds = 5;
const fiveMinutes = 300;
const day = 86_400;

const entry = (version: number) => `${version}:${randomBytes(32).toString('base64url')}`;
const [key1, key2] = [entry(1), entry(2)];
/** What each process is started with, one after the other, so that no process meets a token that it cannot open. */
const rotation = [`${key1},${key2}`, `${key2},${key1}`, key2];

const personal = 'ghp_tokenOfalice';
const path = '/repos/acme/vault/pulls';

type Ask = (path: string, init?: { method?: string; token?: string; body?: object }) => Promise<string>;

async function standIn(): Promise<{
  github: GitHubStandIn;
  app: StandInApp;
  environment: Record<string, string>;
}> {
  const github = await startGitHub();
  const app = standInApp('Iv1.ours', { expiresIn: day });
  github.state.apps.push(app);
  github.state.accounts.push(account(1, 'alice', personal));
  // Holding every answer against GitHub's description would take longer than a request waits for GitHub.
  const vault = { id: 1, name: 'vault', owner: { login: 'acme' }, private: true, visibility: 'private' };
  github.script(/^\/repos\/acme\/vault/, (response, _pass, request) => {
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const isKnown = github.state.accounts.some(({ tokens }) => tokens.has(token));
    const answer = request.url?.includes('/pulls') ? [] : vault;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? answer : { message: 'Bad credentials' }));
  });
  const environment = {
    CODE_HOST: 'github',
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    PUBLIC_URL: 'https://pullquote.example.org',
    GITHUB_CLIENT_ID: app.clientId,
    GITHUB_CLIENT_SECRET: app.clientSecret,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'silent',
    SECRET_KEYS: key1,
  };
  return { github, app, environment };
}

async function call(url: string, method = 'GET', token = personal, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function signIn(url: string): Promise<string> {
  await call(`${url}/auth/signup`, 'POST', personal, { language: 'en' });
  const opened = await call(`${url}/auth/session`, 'POST', personal, {});
  const { data } = (await opened.json()) as { data: { accessToken: string } };
  return data.accessToken;
}

/** Saves a token that has a second more than what makes the service ask for another. */
async function saveExpiring(
  url: string,
  session: string,
  { github, app }: Awaited<ReturnType<typeof standIn>>,
) {
  app.expiresIn = fiveMinutes + 1;
  const given = giveToken(github.state, app, 'alice', Date.now());
  app.expiresIn = day;
  if (!('refresh_token' in given)) throw new Error('It does not expire.');
  const body = { accessToken: given.access_token, refreshToken: given.refresh_token };
  const saved = await call(`${url}/auth/host-token`, 'POST', session, body);
  if (!saved.ok) throw new Error(`Saving answered ${saved.status}: ${await saved.text()}`);
  await wait(900);
}

/** Everybody asks from just before the moment on. */
async function atExpiry(name: string, stand: Awaited<ReturnType<typeof standIn>>, url: string, asks: Ask[]) {
  const session = await signIn(url);
  for (let round = 1; round <= rounds; round += 1) {
    await saveExpiring(url, session, stand);
    stand.github.takeCalls();
    const statuses = await Promise.all(
      asks.flatMap((ask) =>
        Array.from({ length: requests }, async (_, index) => {
          await wait((index * 200) / requests);
          return ask(path, { token: session });
        }),
      ),
    );
    const refreshes = stand.github
      .takeCalls()
      .filter((one) => one.endsWith('/login/oauth/access_token')).length;
    const failed = statuses.filter((status) => status !== '200');
    console.log(
      `${name}, round ${round}: ${statuses.length} requests, ${failed.length} failed ${failed}, ${refreshes} refresh`,
    );
  }
  return session;
}

/** Asks without a pause until it is told to stop; returns how many were asked and how many failed. */
function underLoad(pick: () => Ask, session: string) {
  const stopping = new AbortController();
  const counts = { asked: 0, failed: [] as string[] };
  const ask = async () => {
    while (!stopping.signal.aborted) {
      const status = await pick()(path, { token: session }).catch((error: Error) =>
        String(error.cause ?? error),
      );
      counts.asked += 1;
      if (status !== '200') counts.failed.push(status);
    }
  };
  const running = Promise.all(Array.from({ length: 8 }, ask));
  return async () => {
    stopping.abort();
    await running;
    return counts;
  };
}

/** A status, and where it is no success, what the service says. */
const outcomeOf = (status: number, text: string): string =>
  status < 300 ? String(status) : `${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`;

const askOf =
  (url: string): Ask =>
  async (asked, { method, token, body } = {}) => {
    const response = await call(url + asked, method, token, body);
    return outcomeOf(response.status, await response.text());
  };

test('two processes', async () => {
  const server = await startPostgres();
  try {
    const sql = postgres(server.url, { max: 1 });
    await sql.unsafe('CREATE DATABASE signing_in');
    await sql.end();
    const stand = await standIn();
    const start = async (keys: string) => {
      // What a service says its address is, is PUBLIC_URL.
      const port = String(await freePort());
      const environment = { ...stand.environment, PORT: port, SECRET_KEYS: keys };
      const service = await startService({
        environment: { ...environment, DATABASE_URL: databaseOn(server.url, 'signing_in') },
      });
      return { service, ask: askOf(`http://127.0.0.1:${port}`), url: `http://127.0.0.1:${port}` };
    };
    const first = await start(key1);
    const started = [first, await start(key1)];
    const session = await atExpiry(
      'two processes',
      stand,
      first.url,
      started.map(({ ask }) => ask),
    );
    let turn = 0;
    let live = [...started];
    const pick = (): Ask => {
      turn += 1;
      return live[turn % live.length]?.ask ?? first.ask;
    };
    const stop = underLoad(pick, session);
    for (const keys of rotation)
      for (const old of [...live]) {
        live = live.filter((one) => one !== old);
        // A process that is replaced finishes what it was sent.
        await wait(1_000);
        await old.service.stop();
        live = [...live, await start(keys)];
        await wait(300);
      }
    const { asked, failed } = await stop();
    console.log(
      `keys replaced by restarting each of two processes three times: ${failed.length} of ${asked} failed ${failed}`,
    );
    for (const { service } of live) await service.stop();
  } finally {
    await server.stop();
  }
});

test('made-up keys', async () => {
  const stand = await standIn();
  const issuer = await startIssuer([1]);
  const app = await buildTestApp({
    database: { PULLQUOTE_DATA: temporaryFolder() },
    environment: {
      ...stand.environment,
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: issuer.audience,
      OIDC_HOST_USER_CLAIM: '/sub',
    },
  });
  const claims = {
    iss: issuer.url,
    aud: issuer.audience,
    sub: '1',
    exp: Math.floor(Date.now() / 1000) + 3_600,
  };
  const ask = async (kid?: string) =>
    askOf(app.url)('/auth/sessions', { token: await issuer.sign(claims, kid ? { kid } : {}, 'ES256') });
  console.log(`a good token: ${await ask()}`);
  issuer.takeCalls();
  const begun = performance.now();
  const statuses = new Set<string>();
  for (let number = 0; number < madeUpKeys; number += 50)
    for (const status of await Promise.all(
      Array.from({ length: 50 }, (_, index) => ask(`k${number + index}`)),
    ))
      statuses.add(status);
  const seconds = ((performance.now() - begun) / 1000).toFixed(0);
  const calls = issuer.takeCalls().length;
  console.log(
    `${madeUpKeys} made-up keys in ${seconds} s: answered ${[...statuses]}, the issuer was asked ${calls} times`,
  );
  await app.close();
});
