import { buildHostedApp, type HostedApp } from '../build-hosted-app.ts';
import { type GitLabStandIn, startGitLab } from './stand-in.ts';
import { account } from './state.ts';

interface GitLabApp extends HostedApp {
  gitlab: GitLabStandIn;
}

/** A service that reads from a stand-in of GitLab below a folder, with a clock that the test advances. */
export async function buildGitLabApp(options: Parameters<typeof buildHostedApp>[1] = {}): Promise<GitLabApp> {
  let now = Date.now;
  const gitlab = await startGitLab({ now: () => now(), below: '/lab' });
  const hosted = await buildHostedApp(
    {
      environment: { CODE_HOST: 'gitlab', GITLAB_URL: `${gitlab.url}/` },
      addAccount(username) {
        const token = `glpat-tokenOf${username}`;
        gitlab.state.accounts.push(account(1_000 + gitlab.state.accounts.length, username, token));
        return token;
      },
    },
    options,
  );
  now = () => hosted.app.now().getTime();
  return { ...hosted, gitlab };
}
