import assert from 'node:assert/strict';
import { test } from 'node:test';
import { giveToken } from '../../../test/gitea/answer-oauth.ts';
import { repository } from '../../../test/gitea/make-repository.ts';
import { openGitea } from '../../../test/gitea/open-gitea.ts';
import { startGitea } from '../../../test/gitea/stand-in.ts';
import { account, standInApp, tokenOf } from '../../../test/gitea/state.ts';
import { standInCertificate } from '../../../test/github/stand-in.ts';
import { nobody } from '../../../test/read-from-host.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { examineGitea } from './gitea-host.ts';

const gitea = await startGitea({ folder: '/gitea' });
const { state } = gitea;
const [ours, other] = [standInApp('ours'), standInApp('other')];
state.apps.push(ours, other);
state.accounts.push(account(1, 'ann', tokenOf('ann')));
state.repositories.push(repository(71, 'acme/rocket', {}));
const app = { giteaClientId: ours.clientId, giteaClientSecret: ours.clientSecret };
const host = await openGitea(gitea.url, { ...app, giteaToken: tokenOf('service') });
const ann = { ...nobody, token: tokenOf('ann') };

const answer =
  (status: number, message: string, headers = {}) =>
  () =>
    gitea.script(/./, (response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify({ message }));
    });

/** Responses of Gitea, with the outcome for a user and for the service. */
const refusals: [() => () => void, string, string][] = [
  [
    answer(403, 'user should have specific read permission or be a repo admin or a site admin'),
    'absent',
    'absent',
  ],
  [
    answer(403, 'You must change your password. Change it at: https://x/user/change_password'),
    'HOST_TOKEN_INVALID',
    'HOST_ERROR',
  ],
  [
    answer(403, 'This account is prohibited from signing in, please contact your site administrator.'),
    'HOST_TOKEN_INVALID',
    'HOST_ERROR',
  ],
  [answer(403, 'This account is not activated.'), 'HOST_TOKEN_INVALID', 'HOST_ERROR'],
  [answer(403, 'What no Gitea says yet.'), 'HOST_TOKEN_INVALID', 'HOST_ERROR'],
  [answer(302, '', { location: '/other-app/login' }), 'HOST_ERROR', 'HOST_ERROR'],
];

test('each refusal of Gitea has its own outcome for users and for the service, and a redirect outside Gitea is not followed', async () => {
  const known = { hostRepoId: 71, owner: 'acme', name: 'rocket' };
  for (const [begin, own, services] of refusals) {
    const stop = begin();
    const [first, second] = await Promise.all(
      [ann, nobody].map((caller) =>
        host.findRepositoryById(known, caller).then(
          (found) => (found ? 'found' : 'absent'),
          (error) => error.code,
        ),
      ),
    );
    stop();
    assert.deepEqual([first, second], [own, services], begin.toString());
  }
  assert.ok(!gitea.takeCalls().includes('GET /outside'));
  const stop = answer(403, 'You must change your password. Change it at: x')();
  const turnedAway = { code: 'UNAUTHORIZED', message: /change its password/ };
  await assert.rejects(host.identify(tokenOf('ann')), turnedAway);
  stop();
});

test('an invalid or foreign OAuth token is UNAUTHORIZED in every introspection form of Gitea, and a wrong client secret is HOST_ERROR', async () => {
  for (const isUpTo122 of [true, false])
    for (const takesTokensInForms of [true, false]) {
      Object.assign(state, { isUpTo122, takesTokensInForms });
      const how = JSON.stringify({ isUpTo122, takesTokensInForms });
      const now = Date.now();
      const [alive, foreign] = [ours, other].map((one) => giveToken(state, one, 'ann', now).access_token);
      assert.equal((await host.identify(alive ?? ''))?.identity.hostUserId, 1, how);
      for (const token of [`${alive}x`, foreign ?? ''])
        await assert.rejects(host.identify(token), { code: 'UNAUTHORIZED' }, how);
    }
  ours.clientSecret = 'another';
  const { access_token: token } = giveToken(state, ours, 'ann', Date.now());
  await assert.rejects(host.identify(token), { code: 'HOST_ERROR', message: /GITEA_CLIENT_SECRET/ });
});

test('`examineGitea` names the scopes that GITEA_TOKEN lacks, and the steps that its account needs', async () => {
  const examine = async () => {
    const settings = { giteaUrl: new URL(gitea.url), giteaToken: tokenOf('ann') };
    const network = { extraCaFile: standInCertificate };
    const { findings } = await examineGitea(settings, (rules) => createEgressClient(network, rules));
    return findings.map(({ state: how, sentence, remedy }) => `${how}: ${sentence} ${remedy}`).join('\n');
  };
  const scopes: [string[], RegExp][] = [
    [['read:repository', 'read:issue'], /^ok: .* accepts GITEA_TOKEN/],
    [['read:repository'], /^failure: .* lacks read:issue\. Create another one, with the scopes/],
    [['read:user'], /^failure: .* lacks read:repository and read:issue\./],
  ];
  for (const [given, expected] of scopes) {
    state.accounts[0]?.scopes.set(tokenOf('ann'), given);
    assert.match(await examine(), expected);
  }
  for (const [message, expected] of [
    [
      'You must change your password. Change it at: x',
      /^failure: .*password.* Sign in there once .*must-change-password=false/,
    ],
    ['This account is not activated.', /^failure: .*rejects .*not activated/],
  ] as const) {
    const stop = answer(403, message)();
    assert.match(await examine(), expected);
    stop();
  }
});
