import { giveToken } from '../github/answer-apps.ts';
import { signatureOf, webhookSecret } from '../github/deliver.ts';
import { startGitHub } from '../github/stand-in.ts';
import { account, pull, repository, standInApp } from '../github/state.ts';
import { type FailingHost, say } from './failing-host.ts';

const day = '2026-03-02T10:00:00Z';

export async function failingGitHub(now: () => number): Promise<FailingHost> {
  const { url, state, script, takeCalls } = await startGitHub(now);
  const ours = standInApp('Iv1.ours', { expiresIn: 8 * 60 * 60 });
  const other = standInApp('Iv1.other', { expiresIn: 8 * 60 * 60 });
  state.apps.push(ours, other);
  const stopClosing: (() => void)[] = [];
  return {
    id: 'github',
    name: 'GitHub',
    url,
    environment: {
      GITHUB_URL: url,
      GITHUB_CLIENT_ID: ours.clientId,
      GITHUB_CLIENT_SECRET: ours.clientSecret,
      GITHUB_WEBHOOK_SECRETS: `an-older-secret-of-github, ${webhookSecret}`,
    },
    owner: 'acme',
    script,
    takeCalls,
    secrets: () => [],
    addAccount(login) {
      const token = `ghp_tokenOf${login}`;
      state.accounts.push(account(1_000 + state.accounts.length, login, token));
      return token;
    },
    addRepository(id, name, visibleTo) {
      const shown = visibleTo && { visibility: 'private' as const, visibleTo: new Set(visibleTo) };
      const said = { author: 'rin', body: 'Well.', createdAt: day };
      const pulls = [
        pull(1, name, {
          comments: [said],
          reviews: [{ author: 'rin', body: 'Good.', state: 'APPROVED', submittedAt: day }],
          reviewComments: [{ ...said, path: 'src/file-0.ts', line: 1 }],
          closingIssues: [{ number: 3, title: 'It lacks words', body: '', repositoryId: id }],
        }),
      ];
      state.repositories.push(repository(id, `acme/${name}`, { pulls, ...shown }));
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
      if (!isClosed) for (const stop of stopClosing.splice(0)) stop();
      else
        stopClosing.push(
          script(/^\/repos/, (response, pass, request) =>
            request.headers.authorization
              ? pass()
              : say(401, { message: 'Requires authentication' })(response, pass, request),
          ),
        );
    },
    pathsOf: (name) => ({
      repository: new RegExp(`^/repos/acme/${name}$`),
      pullRequest: new RegExp(`^/repos/acme/${name}/pulls/1$`),
    }),
    paths: { account: /^\/user$/, grant: /access_token$/ },
    limits: 'x-ratelimit-',
    answers: [
      {
        name: '403 for a secondary limit without a time',
        answer: say(403, { message: 'You have exceeded a secondary rate limit.' }),
        status: 503,
        code: 'HOST_RATE_LIMITED',
        seconds: 60,
      },
      {
        name: '403 for want of single sign-on',
        answer: say(403, {}, { 'x-github-sso': 'required; url=https://github.com/sso' }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'HOST_ERROR',
        says: /single sign-on/,
      },
      {
        name: '403 for want of a permission',
        answer: say(403, { message: 'Resource not accessible by personal access token' }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'absent',
      },
    ],
    shutOut: say(403, { message: 'Sorry. Your account was suspended.' }),
    lookalikes: ['ghs_x', 'ghr_x', 'ghp-x'],
    app: {
      clientId: ours.clientId,
      consents(login) {
        ours.consents = login;
      },
      give(login, isOurs) {
        const given = giveToken(state, isOurs ? ours : other, login, now());
        return {
          accessToken: given.access_token,
          refreshToken: 'refresh_token' in given ? given.refresh_token : '',
        };
      },
      minutes: 8 * 60,
      changeSecret(secret) {
        ours.clientSecret = secret;
      },
      refusals: {
        grant: say(200, { error: 'bad_refresh_token' }),
        app: say(200, { error: 'incorrect_client_credentials' }),
      },
    },
    deliveries: {
      proofs: [
        {
          name: 'X-Hub-Signature-256',
          prove: (body, secret) => ({ 'x-hub-signature-256': signatureOf(body, secret) }),
          isSignature: true,
        },
      ],
      merged: (id) => ({
        headers: { 'x-github-event': 'pull_request', 'x-github-delivery': crypto.randomUUID() },
        body: JSON.stringify({
          action: 'closed',
          number: 1,
          repository: { id },
          pull_request: { merged: true },
        }),
      }),
      discussed(id) {
        const of = (event: string, about: object) => ({
          headers: { 'x-github-event': event, 'x-github-delivery': crypto.randomUUID() },
          body: JSON.stringify({ action: 'edited', repository: { id }, ...about }),
        });
        return {
          onPullRequest: [
            of('issue_comment', { issue: { number: 1, pull_request: {} } }),
            of('pull_request_review', { pull_request: { number: 1 } }),
            of('pull_request_review_comment', { pull_request: { number: 1 } }),
          ],
          onIssue: of('issue_comment', { issue: { number: 1 } }),
        };
      },
      names: { event: ['x-github-event'], delivery: ['x-github-delivery'] },
      wrong: { action: 'closed', number: '1; DROP', repository: { id: -1 } },
    },
  };
}
