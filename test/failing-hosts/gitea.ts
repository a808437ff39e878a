import { createHmac } from 'node:crypto';
import { giveToken } from '../gitea/answer-oauth.ts';
import { webhookSecret } from '../gitea/deliver.ts';
import { repository } from '../gitea/make-repository.ts';
import { startGitea } from '../gitea/stand-in.ts';
import { account, pull, standInApp, tokenOf } from '../gitea/state.ts';
import { type FailingHost, type Proof, say } from './failing-host.ts';

/** Gitea signs with its own header and GitHub's; Forgejo adds its own. */
const proofBy = (...names: string[]): Proof => ({
  name: names.join(),
  prove(body, secret = webhookSecret) {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return Object.fromEntries(
      names.map((name) => [name, name.startsWith('x-hub') ? `sha256=${signature}` : signature]),
    );
  },
  isSignature: true,
});

const day = '2026-03-02T10:00:00Z';

export async function failingGitea(now: () => number): Promise<FailingHost> {
  const { url, state, script, takeCalls, takeCredentials } = await startGitea({ now, folder: '/gitea' });
  const [ours, other] = [standInApp('ours'), standInApp('other')];
  state.apps.push(ours, other);
  return {
    id: 'gitea',
    name: 'Gitea',
    url,
    environment: {
      GITEA_URL: url,
      GITEA_CLIENT_ID: ours.clientId,
      GITEA_CLIENT_SECRET: ours.clientSecret,
      GITEA_WEBHOOK_SECRETS: `an-older-secret-of-gitea,${webhookSecret}`,
    },
    owner: 'acme',
    script,
    takeCalls,
    secrets: () => takeCredentials().flatMap((given) => given.split(' ')[1] ?? []),
    addAccount(login) {
      const token = tokenOf(login);
      state.accounts.push(account(1_000 + state.accounts.length, login, token));
      return token;
    },
    addNarrowToken(login) {
      const token = tokenOf(`few-${login}`);
      const owner = state.accounts.find((one) => one.login === login);
      owner?.tokens.add(token);
      owner?.scopes.set(token, ['read:user']);
      return token;
    },
    addRepository(id, name, visibleTo) {
      const shown = visibleTo && { isPrivate: true, visibleTo: new Set(visibleTo) };
      const said = { author: 'rin', body: 'Well.', createdAt: day };
      const comments = [{ ...said, path: 'src/file-0.ts', line: 1 }];
      const told = pull(1, name, {
        body: 'Fixes #3.',
        comments: [said],
        reviews: [{ id: 1, author: 'rin', body: 'Good.', state: 'APPROVED', submittedAt: day, comments }],
      });
      const issues = [{ number: 3, title: 'It lacks words', body: '' }];
      // All repositories share the same commits.
      const [made] = state.repositories;
      const copy = made && { ...made, id, owner: 'acme', name, formerNames: [] };
      state.repositories.push(
        copy ? { ...copy, ...shown } : repository(id, `acme/${name}`, { pulls: [told], issues }),
      );
    },
    reword(id, body) {
      const [discussed] = state.repositories.find((one) => one.id === id)?.pulls ?? [];
      if (discussed) discussed.comments = body === null ? [] : [{ author: 'rin', body, createdAt: day }];
    },
    move(id, owner) {
      const moved = state.repositories.find((one) => one.id === id);
      if (moved) Object.assign(moved, { owner, formerNames: [`${moved.owner}/${moved.name}`] });
    },
    close(isClosed) {
      state.requiresSignIn = isClosed;
    },
    pathsOf: (name) => ({
      repository: new RegExp(`^/repos/acme/${name}$`),
      pullRequest: new RegExp(`^/repos/acme/${name}/pulls/1$`),
    }),
    paths: { account: /^\/user$/, grant: /access_token$/ },
    limits: 'x-ratelimit-',
    answers: [
      {
        name: '403 for a scope',
        answer: say(403, {
          message: 'token does not have at least one of required scope(s), required=[read:repository]',
        }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'absent',
      },
      {
        name: '403 for an account that is shut out',
        answer: say(403, { message: 'This account is prohibited from signing in' }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'absent',
      },
      {
        name: '403 for a part that is for others',
        answer: say(403, { message: 'user should have specific read permission' }),
        status: 404,
        code: 'PULL_REQUEST_NOT_FOUND',
        nobody: 'absent',
      },
    ],
    shutOut: say(403, { message: 'This account is prohibited from signing in' }),
    lookalikes: [tokenOf('x').toUpperCase(), `${tokenOf('x')}0`, 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x'],
    app: {
      clientId: ours.clientId,
      consents(login) {
        ours.consents = login;
      },
      give(login, isOurs) {
        const given = giveToken(state, isOurs ? ours : other, login, now());
        return { accessToken: given.access_token, refreshToken: given.refresh_token };
      },
      minutes: 60,
      changeSecret(secret) {
        ours.clientSecret = secret;
      },
      refusals: {
        grant: say(400, { error: 'unauthorized_client', error_description: 'token was already used' }),
        app: say(400, { error: 'unauthorized_client', error_description: 'invalid client secret' }),
      },
    },
    deliveries: {
      proofs: [
        proofBy('x-gitea-signature'),
        proofBy('x-forgejo-signature'),
        proofBy('x-hub-signature-256'),
        proofBy('x-gitea-signature', 'x-forgejo-signature', 'x-hub-signature-256'),
      ],
      merged: (id) => ({
        headers: { 'x-gitea-event': 'pull_request', 'x-gitea-delivery': crypto.randomUUID() },
        body: JSON.stringify({
          action: 'closed',
          number: 1,
          repository: { id },
          pull_request: { merged: true },
        }),
      }),
      discussed(id) {
        const of = (event: string, about: object) => ({
          headers: { 'x-gitea-event': event, 'x-gitea-delivery': crypto.randomUUID() },
          body: JSON.stringify({ repository: { id }, ...about }),
        });
        const reviewed = { action: 'reviewed', number: 1, pull_request: { number: 1 } };
        return {
          onPullRequest: [
            of('issue_comment', { action: 'edited', issue: { number: 1, pull_request: {} }, is_pull: true }),
            of('pull_request_approved', reviewed),
            of('pull_request_rejected', reviewed),
            of('pull_request_comment', reviewed),
          ],
          onIssue: of('issue_comment', { action: 'deleted', issue: { number: 1, pull_request: null } }),
        };
      },
      names: { event: ['x-gitea-event'], delivery: ['x-gitea-delivery'] },
      wrong: { action: 'closed', number: '1; DROP', repository: { id: -1 }, pull_request: { merged: 7 } },
    },
  };
}
