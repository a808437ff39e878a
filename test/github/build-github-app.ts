import { buildTestApp, type TestApp } from '../build-app.ts';
import { buildHostedApp, type HostedApp } from '../build-hosted-app.ts';
import { type GitHubStandIn, standInCertificate, startGitHub } from './stand-in.ts';
import { account } from './state.ts';

export interface GitHubApp extends HostedApp {
  github: GitHubStandIn;
}

/** A service that reads from a stand-in of GitHub, with a clock that the test moves. */
export async function buildGitHubApp(options: Parameters<typeof buildHostedApp>[1] = {}): Promise<GitHubApp> {
  let now = Date.now;
  const github = await startGitHub(() => now());
  const hosted = await buildHostedApp(
    {
      environment: { CODE_HOST: 'github', GITHUB_URL: github.url },
      addAccount(login) {
        const token = `ghp_tokenOf${login}`;
        github.state.accounts.push(account(1_000 + github.state.accounts.length, login, token));
        return token;
      },
    },
    options,
  );
  now = () => hosted.app.now().getTime();
  return { ...hosted, github };
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
