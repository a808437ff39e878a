import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys } from '../../src/data-folder.ts';
import { webhookSecret } from '../../test/github/deliver.ts';
import { type GitHubStandIn, standInCertificate } from '../../test/github/stand-in.ts';
import { filledHosts } from '../fill-likes.ts';
import { makePullRequests } from '../make-pull-requests.ts';
import { Processes } from '../topology/processes.ts';
import { asked, fillPair, pullRequests } from './people.ts';

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** Fills a database for processes that read clones and a stand-in of GitHub. */
export async function setStage(folder: string, { url, github }: { url: string; github: GitHubStandIn }) {
  const root = join(folder, 'repositories');
  mkdirSync(root);
  for (const name of Object.values(asked)) makePullRequests(root, `acme/${name}`, pullRequests);
  const environment: Record<string, string> = {
    ...filledHosts,
    GITHUB_URL: github.url,
    GITHUB_TOKEN: 'ghp_tokenOfservice',
    GITHUB_WEBHOOK_SECRETS: webhookSecret,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    GIT_REPOS: root,
    PULLQUOTE_DATA: join(folder, 'data'),
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
  };
  const keys = loadSecretKeys(parseConfig(environment));
  return { environment, keys, github, liked: await fillPair(url) };
}

/** Two processes that serve and one that writes, which end with the work. */
export async function withProcesses<Result>(
  environment: Record<string, string>,
  work: (processes: Processes) => Promise<Result>,
  urlOf?: (name: string) => string,
): Promise<Result> {
  const processes = new Processes();
  try {
    await processes.start(
      environment,
      { api: 2, writers: 1 },
      (name): Record<string, string> => (urlOf ? { DATABASE_URL: urlOf(name) } : {}),
    );
    return await work(processes);
  } finally {
    await processes.stop();
  }
}
