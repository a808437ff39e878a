import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { holdsSecret, placesOfTokens } from '../../test/github/find-tokens.ts';
import { standInCertificate } from '../../test/github/stand-in.ts';
import { standInApp } from '../../test/github/state.ts';
import { program, runToEnd } from '../../test/start-service.ts';
import { sql } from '../db/sql.ts';
import { runDeviceFlow } from './login.ts';

const { app, github, answers, join } = await buildGitHubApp({
  logLevel: 'trace',
  environment: {
    PUBLIC_URL: 'https://pullquote.example.org',
    GITHUB_CLIENT_ID: 'Iv1.ours',
    GITHUB_CLIENT_SECRET: 'secret-of-Iv1.ours',
    GITHUB_SCOPES: 'repo',
  },
});
const ours = standInApp('Iv1.ours', { expiresIn: 8 * 60 * 60, consents: 'alice' });
github.state.apps.push(ours);
await join('alice');

const logIn = () =>
  runToEnd({
    command: [process.execPath, program, 'login', '--server', app.url],
    environment: { NODE_EXTRA_CA_CERTS: standInCertificate },
  });

test('`pullquote login` prints only a session token on standard output, and saves the GitHub token', async () => {
  const { code, stdout, stderr } = await logIn();
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^pq_[\w-]{43}\n$/);
  assert.match(stderr, /^Open https:\/\/github\.example\/login\/device and enter the code WDJB-MJHT\n$/);
  const me = await app.call('GET', '/users/me', { token: stdout.trim() });
  assert.equal(me.body.data.hostUsername, 'alice');
  const [row] = await app.database.query<{ expires: Date }>(
    sql`SELECT expires_at AS expires FROM host_tokens`,
  );
  assert.ok(row?.expires, 'with what it is renewed by');
});

test('a failed `pullquote login` prints, logs and stores no code, token or secret, and leaves no session open', async () => {
  const sessions = async () =>
    (await app.database.query(sql`SELECT 1 FROM sessions WHERE revoked_at IS NULL`)).length;
  const before = await sessions();
  const fail = async (what: () => () => unknown, sentence: RegExp) => {
    const mend = what();
    const { code, stdout, stderr } = await logIn();
    mend();
    assert.deepEqual([code, stdout], [1, ''], stderr);
    assert.match(stderr, sentence);
    assert.equal(holdsSecret(stderr), false, stderr);
  };
  const broken = () =>
    github.script(/^\/applications\//, (response, _pass, request) => {
      const told = request.headers.authorization?.replace(/^Basic /, '') ?? '';
      response.writeHead(500).end(Buffer.from(told, 'base64').toString());
    });
  await fail(broken, /GitHub sent a response that is not valid/);
  let confirmed = 0;
  await fail(
    () =>
      github.script(/^\/applications\//, async (response, pass) => {
        confirmed += 1;
        // The session is open now, and the remembered check of the token is too old to save it.
        if (confirmed > 1) return void response.writeHead(404).end('{}');
        await pass();
        app.advance(6 * 60_000);
      }),
    /belongs to another app/,
  );
  assert.equal(await sessions(), before);
  assert.deepEqual(await placesOfTokens(app, answers), []);
});

const begun = {
  device_code: 'x',
  user_code: 'ABCD-1234',
  verification_uri: 'https://g.example',
  interval: 5,
};

/** Runs the device flow against scripted responses, and records its outcome and its waits. */
async function play(...answers: object[]) {
  const waits: number[] = [];
  const said: string[] = [];
  const first = answers[0] ?? {};
  const isBeginning = 'user_code' in first || ('error' in first && answers.length === 1);
  const replies = isBeginning ? answers : [begun, ...answers];
  const outcome = await runDeviceFlow({
    fetch: async () => {
      const reply = replies.shift() ?? {};
      if ('status' in reply) return new Response('', { status: Number(reply.status) });
      return Response.json(reply);
    },
    host: {
      name: 'GitHub',
      webUrl: 'https://g.example',
      codePath: '/login/device/code',
      tokenPath: '/login/oauth/access_token',
      clientIdSetting: 'GITHUB_CLIENT_ID',
    },
    clientId: 'Iv1.ours',
    scopes: '',
    tell: (sentence) => said.push(sentence),
    wait: async (seconds) => void waits.push(seconds),
  }).then(
    ({ accessToken }) => accessToken,
    (error: Error) => error.message,
  );
  return { outcome, waits, said };
}

test('`runDeviceFlow` polls at the interval that GitHub gives, and slower after `slow_down`', async () => {
  const pending = { error: 'authorization_pending' };
  const slow = { error: 'slow_down', interval: 10 };
  const { outcome, waits } = await play(pending, slow, pending, slow, { access_token: 'gho_x' });
  assert.deepEqual([outcome, waits], ['gho_x', [5, 5, 10, 10, 15]]);
});

test('`runDeviceFlow` asks again after a failed response, until the code expires', async () => {
  const broken = { status: 502 };
  const { outcome, waits } = await play(broken, { status: 200 }, { access_token: 'gho_x' });
  assert.deepEqual([outcome, waits], ['gho_x', [5, 10, 15]]);
  const ended = await play(...Array.from({ length: 100 }, () => broken));
  assert.match(ended.outcome, /^The code was not entered in time\./);
});

test('`runDeviceFlow` does not show a user code with control characters', async () => {
  const { said } = await play({ ...begun, user_code: '\u001b[2J' }, { access_token: 'gho_x' });
  assert.deepEqual(said, []);
});

test('`runDeviceFlow` turns each GitHub error into a sentence, and an unknown one into "unexpected response"', async () => {
  const pending = { error: 'authorization_pending' };
  const cases: [object[], RegExp][] = [
    [[pending, { error: 'expired_token' }], /^The code was not entered in time\./],
    [[pending, { error: 'access_denied' }], /^You did not grant access\./],
    [[{ error: 'device_flow_disabled' }], /The device flow is not enabled/],
    [[{ error: 'incorrect_client_credentials' }], /to check GITHUB_CLIENT_ID/],
    [[pending, { error: 'toString' }], /unexpected response/],
    [[pending, {}], /unexpected response/],
  ];
  for (const [answers, sentence] of cases) assert.match((await play(...answers)).outcome, sentence);
});

test('`pullquote login` exits 1 for a server that it cannot reach and 2 for a malformed URL, with a message', async () => {
  const run = (...parameters: string[]) =>
    runToEnd({ command: [process.execPath, program, 'login', ...parameters] });
  for (const [server, sentence, expected] of [
    [github.url, /^Cannot reach /, 1],
    ['nonsense', /is not a server URL/, 2],
  ] as const) {
    const { code, stdout, stderr } = await run('--server', server);
    assert.deepEqual([code, stdout], [expected, ''], stderr);
    assert.match(stderr, sentence);
  }
});
