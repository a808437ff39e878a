import { buildTestApp, type TestApp } from '../build-app.ts';
import { standInCertificate } from '../github/stand-in.ts';
import { type GiteaStandIn, startGitea } from './stand-in.ts';
import { account, tokenOf } from './state.ts';

export interface GiteaApp {
  app: TestApp;
  gitea: GiteaStandIn;
  /** Everything that the service has answered. */
  answers: string[];
  /** Makes an account on Gitea and signs it up here; returns its token. */
  join: (login: string) => Promise<string>;
}

/** A service that reads from a stand-in of Gitea below a folder, with a clock that the test moves. */
export async function buildGiteaApp({
  environment,
  ...options
}: Parameters<typeof buildTestApp>[0] = {}): Promise<GiteaApp> {
  let now = Date.now;
  const gitea = await startGitea({ now: () => now(), folder: '/gitea' });
  const app = await buildTestApp({
    frozen: true,
    environment: {
      CODE_HOST: 'gitea',
      GITEA_URL: gitea.url,
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
    gitea,
    answers,
    async join(login) {
      const token = tokenOf(login);
      gitea.state.accounts.push(account(1_000 + gitea.state.accounts.length, login, token));
      const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
      if (status !== 201) throw new Error(`Signing ${login} up answered ${status}: ${text}`);
      return token;
    },
  };
}
