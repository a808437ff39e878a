import { buildTestApp, type TestApp } from '../build-app.ts';
import { type GitHubStandIn, standInCertificate, startGitHub } from './stand-in.ts';
import { account } from './state.ts';

export interface GitHubApp {
  app: TestApp;
  github: GitHubStandIn;
  /** Everything that the service has answered. */
  answers: string[];
  /** Makes an account on GitHub and signs it up here; returns its token. */
  join: (login: string) => Promise<string>;
}

type Options = Parameters<typeof buildTestApp>[0];

/** A service that reads from a stand-in of GitHub, with a clock that the test moves. */
export async function buildGitHubApp({ environment, ...options }: Options = {}): Promise<GitHubApp> {
  let now = Date.now;
  const github = await startGitHub(() => now());
  const app = await buildTestApp({
    frozen: true,
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: github.url,
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
    github,
    answers,
    async join(login) {
      const token = `ghp_tokenOf${login}`;
      github.state.accounts.push(account(1_000 + github.state.accounts.length, login, token));
      const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
      if (status !== 201) throw new Error(`Signing ${login} up answered ${status}: ${text}`);
      return token;
    },
  };
}

/** Another process on the same database, by the same clock. */
export async function buildBeside(
  { app, github }: GitHubApp,
  { database, environment }: { database: Record<string, string>; environment: Record<string, string> },
): Promise<TestApp> {
  const beside = await buildTestApp({
    database,
    frozen: true,
    environment: {
      CODE_HOST: 'github',
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
      ...environment,
    },
  });
  const { advance } = app;
  app.advance = (ms) => {
    advance(ms);
    beside.advance(ms);
  };
  return beside;
}
