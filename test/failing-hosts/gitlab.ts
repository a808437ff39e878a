import { giveToken } from '../gitlab/answer-applications.ts';
import { signatureOf, signingToken, webhookSecret } from '../gitlab/deliver.ts';
import { startGitLab } from '../gitlab/stand-in.ts';
import { account, application, project } from '../gitlab/state.ts';
import { type FailingHost, type Proof, say } from './failing-host.ts';

/** Signs as in Standard Webhooks, for both readings of the key. */
const signedBy = (now: () => number, what: string, key?: string): Proof => ({
  name: `webhook-signature by ${what}`,
  prove(body, secret = key) {
    const said = { id: crypto.randomUUID(), at: String(Math.floor(now() / 1_000)) };
    return {
      'webhook-id': said.id,
      'webhook-timestamp': said.at,
      'webhook-signature': signatureOf(body, said, secret),
    };
  },
  isSignature: true,
});

export async function failingGitLab(now: () => number): Promise<FailingHost> {
  const { url, state, script, takeCalls, tokensSeen } = await startGitLab({ now, below: '/gitlab' });
  const [ours, other] = [application('ours'), application('other')];
  state.applications.push(ours, other);
  return {
    id: 'gitlab',
    name: 'GitLab',
    url,
    environment: {
      GITLAB_URL: `${url}/`,
      GITLAB_CLIENT_ID: ours.clientId,
      GITLAB_CLIENT_SECRET: ours.clientSecret,
      GITLAB_WEBHOOK_SECRETS: `${webhookSecret},${signingToken}`,
    },
    owner: 'acme/inner',
    script,
    takeCalls,
    secrets: () => [...tokensSeen].flatMap((token) => [token, btoa(`oauth2:${token}`)]),
    addAccount(username) {
      const token = `glpat-tokenOf${username}`;
      state.accounts.push(account(1_000 + state.accounts.length, username, token));
      return token;
    },
    addNarrowToken(username) {
      const token = `glpat-fewRightsOf${username}`;
      state.accounts.find((one) => one.username === username)?.tokens.add(token);
      state.ownAccountTokens.add(token);
      return token;
    },
    addRepository(id, name, visibleTo) {
      const shown = visibleTo && {
        visibility: 'private' as const,
        members: new Map(visibleTo.map((username) => [username, 'reporter'] as const)),
      };
      const position = { new_path: 'src/file-0.ts', old_path: 'src/file-0.ts', new_line: 1, old_line: null };
      const change = {
        iid: 1,
        words: name,
        discussions: [
          [{ author: 'rin', body: 'Well.' }],
          [{ type: 'DiffNote' as const, author: 'rin', body: 'Here?', position }],
        ],
        issues: [{ iid: 3, title: 'It lacks words', body: '' }],
      };
      // All projects share the same commits.
      const [made] = state.projects;
      const copy = made && { ...made, id, group: 'acme/inner', path: name, formerPaths: [] };
      state.projects.push(copy ? { ...copy, ...shown } : project(id, `acme/inner/${name}`, [change]));
    },
    reword(id, body) {
      const [discussed] = state.projects.find((one) => one.id === id)?.mergeRequests ?? [];
      if (discussed) discussed.discussions = body === null ? [] : [[{ author: 'rin', body }]];
    },
    move(id, group) {
      const moved = state.projects.find((one) => one.id === id);
      if (moved) Object.assign(moved, { group, formerPaths: [`${moved.group}/${moved.path}`] });
    },
    close(isClosed) {
      state.isClosed = isClosed;
    },
    pathsOf: (name) => ({
      repository: new RegExp(`^/projects/acme%2Finner%2F${name}$`),
      pullRequest: new RegExp(`^/projects/acme%2Finner%2F${name}/merge_requests/1$`),
    }),
    paths: { account: /^\/user$/, grant: /^\/oauth\/token$/ },
    limits: 'ratelimit-',
    answers: [
      {
        name: '403 for want of a scope',
        answer: say(403, { error: 'insufficient_scope' }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'absent',
      },
      {
        name: '403 for a blocked account',
        answer: say(403, { message: '403 Forbidden - Your account has been blocked.' }),
        status: 409,
        code: 'HOST_TOKEN_INVALID',
        nobody: 'absent',
      },
      {
        name: '403 in its own words',
        answer: say(403, { message: '403 Forbidden' }),
        status: 404,
        code: 'PULL_REQUEST_NOT_FOUND',
        nobody: 'absent',
      },
    ],
    shutOut: say(403, { message: '403 Forbidden - Your account has been blocked.' }),
    lookalikes: ['gldt-deployTokenOfSomething', 'glrt-runnerTokenOfSomething', 'a'.repeat(63)],
    app: {
      clientId: ours.clientId,
      consents(username) {
        ours.consents = username;
      },
      give(username, isOurs) {
        const given = giveToken(state, isOurs ? ours : other, username, now());
        return { accessToken: given.access_token, refreshToken: given.refresh_token };
      },
      minutes: 2 * 60,
      changeSecret(secret) {
        ours.clientSecret = secret;
      },
      refusals: {
        grant: say(400, { error: 'invalid_grant' }),
        app: say(401, { error: 'invalid_client' }),
      },
    },
    deliveries: {
      proofs: [
        {
          name: 'X-Gitlab-Token',
          prove: (_body, secret = webhookSecret) => ({ 'x-gitlab-token': secret }),
          isSignature: false,
        },
        signedBy(now, 'the secret', signingToken),
        signedBy(now, 'the key that it holds'),
      ],
      merged: (id) => ({
        headers: { 'x-gitlab-event': 'Merge Request Hook', 'x-gitlab-event-uuid': crypto.randomUUID() },
        body: JSON.stringify({
          object_kind: 'merge_request',
          object_attributes: { iid: 1, target_project_id: id, action: 'merge' },
        }),
      }),
      discussed(id) {
        const of = (about: object) => ({
          headers: { 'x-gitlab-event': 'Note Hook', 'x-gitlab-event-uuid': crypto.randomUUID() },
          body: JSON.stringify({ object_kind: 'note', project_id: id, ...about }),
        });
        return { onPullRequest: [of({ merge_request: { iid: 1 } })], onIssue: of({ issue: { iid: 1 } }) };
      },
      names: { event: ['x-gitlab-event'], delivery: ['x-gitlab-event-uuid', 'webhook-id'] },
      wrong: { object_kind: 'merge_request', object_attributes: { iid: '1; DROP', target_project_id: -1 } },
    },
  };
}
