import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { standInCertificate } from '../../test/github/stand-in.ts';
import { standInApp } from '../../test/github/state.ts';
import { runToEnd } from '../../test/start-service.ts';
import { sql } from '../db/sql.ts';
import { runDeviceFlow } from './device-flow.ts';

const { app, github, join } = await buildGitHubApp({
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

test('signing in with a device prints a session token and nothing else, and saves the token of GitHub', async () => {
  ours.deviceAnswers.push('authorization_pending');
  const { code, stdout, stderr } = await runToEnd({
    command: [process.execPath, 'bin/pullquote.cjs', 'login', '--server', app.url],
    environment: { NODE_EXTRA_CA_CERTS: standInCertificate },
  });
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

/** What the flow comes to when GitHub answers these, and how long it waits between its questions. */
async function play(...answers: object[]) {
  const waits: number[] = [];
  const said: string[] = [];
  const begun = {
    device_code: 'x',
    user_code: 'ABCD-1234',
    verification_uri: 'https://g.example',
    interval: 5,
  };
  const replies = 'error' in (answers[0] ?? {}) && answers.length === 1 ? answers : [begun, ...answers];
  const outcome = await runDeviceFlow({
    fetch: async () => Response.json(replies.shift() ?? {}),
    webUrl: 'https://g.example',
    clientId: 'Iv1.ours',
    scopes: '',
    tell: (sentence) => said.push(sentence),
    wait: async (seconds) => void waits.push(seconds),
  }).then(
    ({ accessToken }) => accessToken,
    (error: Error) => error.message,
  );
  return { outcome, waits };
}

test('the device asks as often as GitHub says, and slower when it says so', async () => {
  const pending = { error: 'authorization_pending' };
  const slow = { error: 'slow_down', interval: 10 };
  const { outcome, waits } = await play(pending, slow, pending, slow, { access_token: 'gho_x' });
  assert.deepEqual([outcome, waits], ['gho_x', [5, 5, 10, 10, 15]]);
});

test('whatever ends it is said in a sentence', async () => {
  const pending = { error: 'authorization_pending' };
  const cases: [object[], RegExp][] = [
    [[pending, { error: 'expired_token' }], /^Nobody entered the code in time\./],
    [[pending, { error: 'access_denied' }], /^You have not allowed it\./],
    [[{ error: 'device_flow_disabled' }], /has to enable the device flow/],
    [[{ error: 'incorrect_client_credentials' }], /has to check GITHUB_CLIENT_ID/],
    [[pending, { error: 'toString' }], /something unexpected/],
    [[pending, {}], /something unexpected/],
  ];
  for (const [answers, sentence] of cases) assert.match((await play(...answers)).outcome, sentence);
});

test('a server that is none, or no app on GitHub, is said to be', async () => {
  const run = (...parameters: string[]) =>
    runToEnd({ command: [process.execPath, 'bin/pullquote.cjs', 'login', ...parameters] });
  for (const [server, sentence, expected] of [
    [github.url, /cannot be reached/, 1],
    ['nonsense', /is no address of a server/, 2],
  ] as const) {
    const { code, stdout, stderr } = await run('--server', server);
    assert.deepEqual([code, stdout], [expected, ''], stderr);
    assert.match(stderr, sentence);
  }
});
