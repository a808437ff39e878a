import { buildHostedApp, type HostedApp } from '../build-hosted-app.ts';
import { type GitHubStandIn, startGitHub } from './stand-in.ts';
import { account } from './state.ts';

export interface GitHubApp extends HostedApp {
  github: GitHubStandIn;
}

/** A service that reads from a stand-in of GitHub, with a clock that the test advances. */
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
