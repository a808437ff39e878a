import { buildHostedApp, type HostedApp } from '../build-hosted-app.ts';
import { type GiteaStandIn, startGitea } from './stand-in.ts';
import { account, tokenOf } from './state.ts';

interface GiteaApp extends HostedApp {
  gitea: GiteaStandIn;
}

/** A service that reads from a stand-in of Gitea below a folder, with a clock that the test advances. */
export async function buildGiteaApp(options: Parameters<typeof buildHostedApp>[1] = {}): Promise<GiteaApp> {
  let now = Date.now;
  const gitea = await startGitea({ now: () => now(), folder: '/gitea' });
  const hosted = await buildHostedApp(
    {
      environment: { CODE_HOST: 'gitea', GITEA_URL: gitea.url },
      addAccount(login) {
        const token = tokenOf(login);
        gitea.state.accounts.push(account(1_000 + gitea.state.accounts.length, login, token));
        return token;
      },
    },
    options,
  );
  now = () => hosted.app.now().getTime();
  return { ...hosted, gitea };
}
