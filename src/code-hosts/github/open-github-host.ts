import { join } from 'node:path';
import type { CodeHost } from '../code-host.ts';
import { createFetchByGit, type GitNetwork } from '../fetched/fetch-by-git.ts';
import { type TakeLock, TemporaryFolders } from '../fetched/temporary-folders.ts';
import { GitSpawner } from '../git-runner/git-spawner.ts';
import { addressesOf } from './addresses.ts';
import { createGitHubApp } from './github-app.ts';
import { createGitHubHost } from './github-host.ts';

/** The settings that are about GitHub. */
export interface GitHubSettings {
  githubUrl: URL;
  githubToken: string | undefined;
  githubClientId: string | undefined;
  githubClientSecret: string | undefined;
  githubScopes: string;
  githubWebhookSecrets: string[];
  dataFolder: string;
  maxDiffBytes: number;
}

interface EgressRules {
  origins: string[];
  mayBePrivate: boolean;
  patienceMs: number;
  mostBytes: number;
  mostRedirects: number;
}

interface Surroundings {
  /** Where to look for git. */
  searchPath: string;
  clock: () => Date;
  /** Opens a way to some origins and nowhere else. */
  connect: (rules: EgressRules) => { fetch: typeof globalThis.fetch; close: () => Promise<void> };
  /** The same way, for git. */
  networkForGit: (rules: { origin: string; mayBePrivate: boolean }) => Promise<GitNetwork>;
  takeLock: TakeLock;
}

/** Diffs that GitHub prints have 20,000 lines at most, and a page of its lists a hundred texts. */
const mostBytes = 24 * 1024 * 1024;

/** A server that is silent for longer is given up anyway. */
const patienceMs = 10_000;

/** A code or refresh token works once: the caller decides how long to wait, and an answer given up is lost. */
const appPatienceMs = 30_000;

/** Files are fetched whole, on both sides, and packed; a diff shows little of most of them. */
const fetchedPerDiff = 8;

/** A repository that was renamed leads on, and one that was renamed again once more. */
const mostRedirects = 3;

/** GitHub as the settings want it, with a way out to it alone. */
export async function openGitHubHost(
  settings: GitHubSettings,
  surroundings: Surroundings,
): Promise<CodeHost> {
  const { githubUrl, githubToken, githubClientId, githubClientSecret, githubScopes } = settings;
  const { dataFolder, maxDiffBytes } = settings;
  const { searchPath, clock, connect, networkForGit, takeLock } = surroundings;
  const addresses = addressesOf(githubUrl);
  const { web, api, isOwn: mayBePrivate } = addresses;
  const rules = { origins: [...new Set([web, new URL(api).origin])], mayBePrivate, mostBytes, mostRedirects };
  const way = connect({ ...rules, patienceMs });
  const wayOfApp = connect({ ...rules, patienceMs: appPatienceMs });
  const folders = new TemporaryFolders(join(dataFolder, 'fetched'), takeLock);
  await folders.removeLeft();
  const spawner = new GitSpawner();
  return createGitHubHost({
    addresses,
    webhookSecrets: settings.githubWebhookSecrets,
    token: githubToken ?? null,
    app:
      githubClientId && githubClientSecret
        ? createGitHubApp({
            addresses,
            clientId: githubClientId,
            clientSecret: githubClientSecret,
            scopes: githubScopes,
            fetch: wayOfApp.fetch,
            clock,
          })
        : null,
    fetch: way.fetch,
    fetchByGit: createFetchByGit({
      searchPath,
      folders,
      clock,
      mostBytes: fetchedPerDiff * maxDiffBytes,
      web,
      spawner,
      network: () => networkForGit({ origin: web, mayBePrivate }),
    }),
    clock,
    close: async () => {
      await Promise.all([way.close(), wayOfApp.close(), spawner.close()]);
      await folders.close();
    },
  });
}
