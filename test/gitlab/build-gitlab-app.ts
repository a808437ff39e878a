import { buildTestApp, type TestApp } from '../build-app.ts';
import { standInCertificate } from '../github/stand-in.ts';
import { type GitLabStandIn, startGitLab } from './stand-in.ts';
import { account } from './state.ts';

export interface GitLabApp {
  app: TestApp;
  gitlab: GitLabStandIn;
  /** Everything that the service has answered. */
  answers: string[];
  /** Makes an account on GitLab and signs it up here; returns its token. */
  join: (username: string) => Promise<string>;
}

type Options = Parameters<typeof buildTestApp>[0];

/** A service that reads from a stand-in of GitLab, which lies below a folder, with a clock that the test moves. */
export async function buildGitLabApp({ environment, ...options }: Options = {}): Promise<GitLabApp> {
  let now = Date.now;
  const gitlab = await startGitLab({ now: () => now(), below: '/lab' });
  const app = await buildTestApp({
    frozen: true,
    environment: {
      CODE_HOST: 'gitlab',
      GITLAB_URL: `${gitlab.url}/`,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      ...environment,
    },
    ...options,
  });
  now = () => app.now().getTime();
  const answers: string[] = [];
  const { call } = app;
  app.call = async (...asked) => {
    const reply = await call(...asked);
    answers.push(reply.text, JSON.stringify([...reply.headers]));
    return reply;
  };
  return {
    app,
    gitlab,
    answers,
    async join(username) {
      const token = `glpat-tokenOf${username}`;
      gitlab.state.accounts.push(account(1_000 + gitlab.state.accounts.length, username, token));
      const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
      if (status !== 201) throw new Error(`Signing ${username} up answered ${status}: ${text}`);
      return token;
    },
  };
}
