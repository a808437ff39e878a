import { after } from 'node:test';
import type { CodeHost } from '../../src/code-hosts/code-host.ts';
import { openGiteaHost } from '../../src/code-hosts/gitea/gitea-host.ts';
import type { GiteaSettings } from '../../src/code-hosts/gitea/gitea-settings.ts';
import { takeExclusiveLock } from '../../src/db/local-server/server-folder.ts';
import { createEgressClient, networkForGit } from '../../src/egress/egress-client.ts';
import { standInCertificate } from '../github/stand-in.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Opens the host as a service does, without a service. */
export async function openGitea(
  url: string,
  settings: Partial<GiteaSettings> = {},
  clock: () => Date = () => new Date(),
): Promise<CodeHost> {
  const network = { extraCaFile: standInCertificate };
  const host = await openGiteaHost(
    {
      giteaUrl: new URL(url),
      giteaToken: undefined,
      giteaClientId: undefined,
      giteaClientSecret: undefined,
      giteaWebhookSecrets: [],
      dataFolder: temporaryFolder(),
      maxDiffBytes: 1024 * 1024,
      gitCloneBytes: 1024 * 1024,
      ...settings,
    },
    {
      searchPath: process.env.PATH ?? '',
      clock,
      connect: (rules) => createEgressClient(network, rules),
      networkForGit: (rules) => networkForGit(network, rules),
      takeLock: takeExclusiveLock,
    },
  );
  after(() => host.close());
  return host;
}
