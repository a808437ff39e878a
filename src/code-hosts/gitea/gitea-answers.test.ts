import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { giveToken } from '../../../test/gitea/answer-oauth.ts';
import { descriptions } from '../../../test/gitea/describe.ts';
import { repository } from '../../../test/gitea/make-repository.ts';
import { openGitea } from '../../../test/gitea/open-gitea.ts';
import { startGitea } from '../../../test/gitea/stand-in.ts';
import { account, pull, standInApp, tokenOf } from '../../../test/gitea/state.ts';
import { followToGitHub } from '../../../test/github/follow-to-github.ts';
import { type ScriptedAnswer, standInCertificate } from '../../../test/github/stand-in.ts';
import { nobody } from '../../../test/read-from-host.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import type { Caller } from '../code-host.ts';
import { examineGitea, judgeGitea } from './examine-gitea.ts';
import { linesUrl } from './lines-url.ts';
import * as payloads from './payloads.ts';
import { isGiteaToken, isRefreshToken } from './token-shapes.ts';

let now = Date.UTC(2026, 2, 1);
const gitea = await startGitea({ now: () => now, folder: '/gitea' });
const { state } = gitea;
const [app, other] = [standInApp('ours', { consents: 'ann' }), standInApp('other', { consents: 'ann' })];
state.apps.push(app, other);
const host = await openGitea(
  gitea.url,
  { giteaClientId: app.clientId, giteaClientSecret: app.clientSecret },
  () => new Date(now),
);
state.accounts.push(account(1, 'ann', tokenOf('ann')));
state.repositories.push(repository(71, 'acme/rocket', { pulls: [pull(1, 'canary')] }));
const ann: Caller = { ...nobody, token: tokenOf('ann') };
const signal = new AbortController().signal;

/** What a schema demands, as paths of names. */
function demandedBy(schema: object, at = ''): string[] {
  if ('properties' in schema && schema.properties)
    return Object.entries(schema.properties).flatMap(([name, inner]) => [
      `${at}${name}`,
      ...demandedBy(inner, `${at}${name}.`),
    ]);
  if ('items' in schema && schema.items) return demandedBy(schema.items, at);
  if ('anyOf' in schema && Array.isArray(schema.anyOf))
    return schema.anyOf.flatMap((one) => demandedBy(one, at));
  return [];
}

test('what is read of an answer is what Gitea 1.21 and 1.27 describe, but for what may be absent', () => {
  const read: Record<string, { properties: object; required?: string[] }> = {
    User: payloads.AccountPayload,
    Repository: payloads.RepositoryPayload,
    PullRequest: payloads.PullRequestPayload,
    Reference: payloads.ReferencePayload,
    Commit: payloads.RangeCommitPayload,
    Comment: payloads.CommentPayload,
    PullReview: payloads.ReviewPayload,
    PullReviewComment: payloads.ReviewCommentPayload,
    Issue: payloads.IssuePayload,
    Tag: payloads.TagPayload,
  };
  const addedLater = new Set(['changed_files', 'additions', 'deletions']);
  for (const [version, { definitions }] of Object.entries(descriptions))
    for (const [name, schema] of Object.entries(read))
      for (const path of demandedBy(schema)) {
        const [first = ''] = path.split('.');
        const isThere = first in (definitions[name]?.properties ?? {});
        assert.ok(
          isThere || (addedLater.has(first) && !schema.required?.includes(first)),
          `${version} ${name}.${path}`,
        );
      }
});

const json = { 'content-type': 'application/json;charset=utf-8' };
const say =
  (status: number, message: string, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify({ message }));
const page =
  (status: number): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<html><title>Sign in</title>');

/** What Gitea answers, and what those get for it who ask with a token of their own and with none: a code, or `absent`. */
const table: [string, ScriptedAnswer, string, string][] = [
  ['401', say(401, 'invalid username, password or token'), 'HOST_TOKEN_INVALID', 'absent'],
  [
    '403 for a scope',
    say(403, 'token does not have at least one of required scope(s), required=[read:repository]'),
    'HOST_TOKEN_INVALID',
    'absent',
  ],
  [
    '403 for an account that is shut out',
    say(403, 'This account is prohibited from signing in'),
    'HOST_TOKEN_INVALID',
    'absent',
  ],
  [
    '403 for a part that is for others',
    say(403, 'user should have specific read permission'),
    'absent',
    'absent',
  ],
  ['403 of a proxy', page(403), 'HOST_TOKEN_INVALID', 'absent'],
  ['404', say(404, 'Not found'), 'absent', 'absent'],
  ['451', say(451, 'Gone'), 'absent', 'absent'],
  ['a page for people', page(200), 'HOST_ERROR', 'HOST_ERROR'],
  ['500', say(500, ''), 'HOST_ERROR', 'HOST_ERROR'],
  ['502 of a proxy', page(502), 'HOST_ERROR', 'HOST_ERROR'],
  [
    'another thing',
    (response) => void response.writeHead(200, json).end('{"id":"one"}'),
    'HOST_ERROR',
    'HOST_ERROR',
  ],
  ['where it is not', say(302, '', { location: 'https://127.0.0.1:1/' }), 'HOST_ERROR', 'HOST_ERROR'],
  [
    'that it leads on to itself',
    say(307, '', { location: '/gitea/api/v1/repos/acme/rocket' }),
    'HOST_ERROR',
    'HOST_ERROR',
  ],
  ['429', say(429, 'Slow down', { 'retry-after': '7' }), 'HOST_RATE_LIMITED', 'HOST_RATE_LIMITED'],
  ['503 with a time', say(503, 'Busy', { 'retry-after': '9' }), 'HOST_RATE_LIMITED', 'HOST_RATE_LIMITED'],
];

test('whatever Gitea answers, the user gets a failure that says so or nothing, and no token goes elsewhere', async () => {
  const outcomes = [];
  for (const [name, answer] of table) {
    now += 120_000;
    const stop = gitea.script(/^\/repos\/acme\/rocket$/, answer);
    const [own, none] = await Promise.all(
      [ann, nobody].map((caller) =>
        host.findRepository('acme', 'rocket', caller).then(
          (found) => (found ? 'found' : 'absent'),
          (error) => error.code,
        ),
      ),
    );
    stop();
    outcomes.push([name, own, none]);
  }
  assert.deepEqual(
    outcomes,
    table.map(([name, , own, none]) => [name, own, none]),
  );
  const stop = gitea.script(/^\/repos\/acme\/rocket\/pulls\/1$/, (response, pass) => {
    const { end } = response;
    const forged = (text: string) => text.replace(/"merge_base":"\w+"/, '"merge_base":"--upload-pack=touch"');
    Object.assign(response, { end: (text: string) => Object.assign(response, { end }).end(forged(text)) });
    return pass();
  });
  now += 10_000;
  await assert.rejects(host.findPullRequest('acme', 'rocket', 1, ann), { code: 'HOST_ERROR' });
  stop();
  const limit = gitea.script(/^\/repos\/acme\/rocket$/, say(429, 'Slow down', { 'retry-after': '9' }));
  await assert.rejects(host.findRepository('acme', 'rocket', ann), { code: 'HOST_RATE_LIMITED' });
  limit();
  // What was limited is asked again when the time has come, and not before.
  gitea.takeCalls();
  now += 8_000;
  await assert.rejects(host.findRepository('acme', 'rocket', ann), { code: 'HOST_RATE_LIMITED' });
  assert.deepEqual(gitea.takeCalls(), []);
  now += 2_000;
  assert.equal((await host.findRepository('acme', 'rocket', ann))?.hostRepoId, 71);
});

test('a token says whose it is by its account; without the scope for that it is told what it lacks', async () => {
  const proven = await host.identify(tokenOf('ann'));
  assert.deepEqual(
    [proven?.identity.host, proven?.identity.hostUserId, proven?.identity.email],
    ['gitea', 1, 'ann@noreply.localhost'],
  );
  const bound = tokenOf('bound');
  state.accounts[0]?.tokens.add(bound);
  state.accounts[0]?.scopes.set(bound, ['read:repository', 'read:issue']);
  await assert.rejects(host.identify(bound), {
    code: 'UNAUTHORIZED',
    message: /read:user, read:repository, read:issue/,
  });
  state.accounts.push(account(-2, 'gitea-actions', tokenOf('task')));
  assert.equal(await host.identify(tokenOf('task')), null, 'what runs workflows is nobody');
  assert.equal(await host.identify(tokenOf('nobodys')), null);
  const shapes = { [tokenOf('x')]: true, [tokenOf('x').toUpperCase()]: false, [`${tokenOf('x')}0`]: false };
  const others = { ghp_x: false, 'pql_x.y': false, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x': false };
  for (const [token, isOne] of Object.entries({ ...shapes, ...others }))
    assert.equal(isGiteaToken(token), isOne, token);
  assert.equal((await host.findAccount(1, signal))?.hostUsername, 'ann');
  assert.equal(await host.findAccount(99, signal), null);
});

test('an application gets tokens for codes and renews them; those of other applications prove nothing', async () => {
  const hostApp = host.app ?? assert.fail();
  const asked = {
    redirectUri: app.callback,
    state: 'x',
    challenge: createHash('sha256').update('test-verifier').digest('base64url'),
  };
  const authorize = new URL(hostApp.authorizeUrl(asked));
  assert.ok(authorize.href.startsWith(`${gitea.url}/login/oauth/authorize?`));
  const back = (await followToGitHub(authorize.href)) ?? assert.fail();
  assert.deepEqual(app.scopes, ['read:user read:repository read:issue']);
  const exchanged = {
    code: back.searchParams.get('code') ?? '',
    verifier: 'test-verifier',
    redirectUri: app.callback,
  };
  const granted = (await hostApp.exchangeCode(exchanged, signal)) ?? assert.fail();
  assert.deepEqual(granted.expiresAt, new Date(now + 3_600_000));
  assert.equal(await hostApp.exchangeCode(exchanged, signal), null, 'a code works once');
  const { accessToken, refreshToken } = granted;
  assert.ok(
    isGiteaToken(accessToken) && isRefreshToken(refreshToken ?? '') && !isGiteaToken(refreshToken ?? ''),
  );
  const proven = await host.identify(accessToken);
  assert.deepEqual([proven?.identity.hostUsername, proven?.expiresAt], ['ann', granted.expiresAt]);
  const renewed = (await hostApp.refresh(refreshToken ?? '', signal)) ?? assert.fail();
  assert.equal((await hostApp.confirm(renewed.accessToken, signal))?.hostUserId, 1);
  assert.equal(await hostApp.refresh(refreshToken ?? '', signal), null);
  const foreign = giveToken(state, other, 'ann', now);
  await assert.rejects(host.identify(foreign.access_token), { code: 'UNAUTHORIZED' });
  app.clientSecret = 'another';
  await assert.rejects(hostApp.refresh(renewed.refreshToken ?? '', signal), {
    code: 'HOST_ERROR',
    message: /GITEA_CLIENT_SECRET/,
  });
});

test('lines of a diff have addresses of their own', () => {
  const lines = { fileName: 'foobar', startLine: 3, endLine: 5, side: 'old' } as const;
  const url = linesUrl('https://gitea.example/a/b/pulls/1', 'x', lines);
  assert.equal(
    url,
    'https://gitea.example/a/b/pulls/1/files#diff-8843d7f92416211de9ebb963ff4ce28125932878L3',
  );
  assert.equal(linesUrl(null, 'x', lines), null);
});

test('the doctor finds what is too old, refuses the token, has a certificate of its own, or is no Gitea', async () => {
  const web = 'https://gitea.example';
  const judged: [number, string | null, boolean, RegExp][] = [
    [200, '1.21.0', true, /^ok .* is Gitea 1\.21\.0, and takes GITEA_TOKEN\.$/],
    [200, '7.0.1+gitea-1.21.11', false, /^ok .* is Forgejo 7\.0\.1, and answers without GITEA_TOKEN\.$/],
    [200, '1.20.5', false, /^failure .*too old/],
    [200, '6.9.0+gitea-1.21.1', false, /^failure .*too old/],
    [401, null, true, /^failure .*refuses GITEA_TOKEN/],
    [403, null, false, /^warning .*without signing in/],
    [200, null, false, /^failure .*not as Gitea does/],
  ];
  for (const [status, version, hasToken, expected] of judged) {
    const { state: how, sentence } = judgeGitea({ web, hasToken }, { status, version });
    assert.match(`${how} ${sentence}`, expected);
  }
  const settings = { giteaUrl: new URL(gitea.url), giteaToken: tokenOf('ann') };
  const trusted = { extraCaFile: standInCertificate };
  const examine = async (network: object) => {
    const { findings } = await examineGitea(settings, (rules) => createEgressClient(network, rules));
    return findings.map(({ state: how, remedy }) => [how, remedy]);
  };
  assert.deepEqual(await examine(trusted), [['ok', null]]);
  assert.deepEqual(await examine({}), [
    ['failure', 'Name the certificate of your proxy or server in NODE_EXTRA_CA_CERTS.'],
  ]);
});
