import assert from 'node:assert/strict';
import { test } from 'node:test';
import { descriptions } from '../../../test/gitea/describe.ts';
import { openGitea } from '../../../test/gitea/open-gitea.ts';
import { startGitea } from '../../../test/gitea/stand-in.ts';
import { account, tokenOf } from '../../../test/gitea/state.ts';
import { type ScriptedAnswer, standInCertificate } from '../../../test/github/stand-in.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { RangeCommitPayload, TagPayload } from '../http/pull-payloads.ts';
import * as payloads from './gitea-api.ts';
import { examineGitea, giteaLinesUrl, judgeGitea } from './gitea-host.ts';
import { isGiteaToken } from './gitea-settings.ts';

const gitea = await startGitea({ folder: '/gitea' });
const { state } = gitea;
const host = await openGitea(gitea.url, { giteaClientId: 'ours', giteaClientSecret: 'secret-of-ours' });
state.accounts.push(account(1, 'ann', tokenOf('ann')));
const signal = new AbortController().signal;

/** The properties of a schema, as dotted paths. */
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

test('every field that is read is in the API descriptions of Gitea 1.21 and 1.27, or optional and known to be added later', () => {
  const read: Record<string, { properties: object; required?: string[] }> = {
    User: payloads.AccountPayload,
    UserSettings: payloads.AccountSettingsPayload,
    Repository: payloads.RepositoryPayload,
    PullRequest: payloads.PullRequestPayload,
    Reference: payloads.ReferencePayload,
    Commit: RangeCommitPayload,
    Comment: payloads.CommentPayload,
    PullReview: payloads.ReviewPayload,
    PullReviewComment: payloads.ReviewCommentPayload,
    Issue: payloads.IssuePayload,
    TimelineComment: payloads.EventPayload,
    Tag: TagPayload,
  };
  const addedLater = new Set(['changed_files', 'additions', 'deletions', 'has_code']);
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

test('`identify` returns the account without an email that it hides, and rejects a token with missing scopes by naming the scopes needed', async () => {
  state.accounts.push({ ...account(2, 'bea', tokenOf('bea'), tokenOf('public')), hidesEmail: false });
  const refused = JSON.stringify({ message: 'this endpoint is not available for public-only tokens' });
  const emails = [];
  const refuse: ScriptedAnswer = (response) =>
    void response.writeHead(403, { 'content-type': 'application/json' }).end(refused);
  for (const login of ['ann', 'bea', 'public']) {
    const stop = login === 'public' ? gitea.script(/^\/user\/settings$/, refuse) : null;
    const proven = await host.identify(tokenOf(login));
    stop?.();
    emails.push([proven?.identity.host, proven?.identity.hostUserId, proven?.identity.email]);
  }
  assert.deepEqual(emails, [
    ['gitea', 1, '1+ann@users.noreply.localhost'],
    ['gitea', 2, 'bea@inbox.example'],
    ['gitea', 2, '2+bea@users.noreply.localhost'],
  ]);
  assert.equal((await host.findAccount(2, signal))?.email, '2+bea@users.noreply.localhost');
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
  const asked = new URL(host.app?.authorizeUrl({ redirectUri: '', state: 'x', challenge: 'x' }) ?? '');
  assert.equal(asked.searchParams.get('scope'), 'read:user read:repository read:issue');
  assert.equal((await host.findAccount(1, signal))?.hostUsername, 'ann');
  assert.equal(await host.findAccount(99, signal), null);
});

test('`linesUrl` returns the address of lines in a diff, or null without a page', () => {
  const lines = { fileName: 'foobar', startLine: 3, endLine: 5, side: 'old' } as const;
  const url = giteaLinesUrl('https://gitea.example/a/b/pulls/1', 'x', lines);
  assert.equal(
    url,
    'https://gitea.example/a/b/pulls/1/files#diff-8843d7f92416211de9ebb963ff4ce28125932878L3',
  );
  assert.equal(giteaLinesUrl(null, 'x', lines), null);
});

test('`judgeGitea` reports a server that is too old, rejects the token or is not Gitea', async () => {
  const web = 'https://gitea.example';
  const judged: [number, string | null, boolean, RegExp][] = [
    [200, '1.21.0', true, /^ok .* is Gitea 1\.21\.0 and accepts GITEA_TOKEN\.$/],
    [200, '7.0.1+gitea-1.21.11', false, /^ok .* is Forgejo 7\.0\.1\. GITEA_TOKEN is not set\.$/],
    [200, '1.20.5', false, /^failure .*too old/],
    [200, '6.9.0+gitea-1.21.1', false, /^failure .*too old/],
    [401, null, true, /^failure .*rejects GITEA_TOKEN/],
    [403, null, false, /^warning .*requires everyone to sign in/],
    [200, null, false, /^failure .*does not look like Gitea/],
  ];
  for (const [status, version, hasToken, expected] of judged) {
    const { state: how, sentence } = judgeGitea({ web, hasToken }, { status, version });
    assert.match(`${how} ${sentence}`, expected);
  }
  const settings = { giteaUrl: new URL(gitea.url), giteaToken: tokenOf('ann') };
  const network = { extraCaFile: standInCertificate };
  const { findings } = await examineGitea(settings, (rules) => createEgressClient(network, rules));
  assert.deepEqual(
    findings.map(({ state: how, remedy }) => [how, remedy]),
    [['ok', null]],
  );
});
