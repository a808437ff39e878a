import { join } from 'node:path';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import type { CodeHost } from '../code-host.ts';
import { announceBorrowers, announcePassedOver } from './announce-passed-over.ts';
import { findClone } from './find-clone.ts';
import { createGitHost } from './git-host.ts';
import { misplacedRoot } from './misplaced-root.ts';
import type { PrivateRepository } from './privacy.ts';
import { samplePullRequest, samplesIn, writeSamples } from './write-sample.ts';

/** The settings that are about the git host. */
export interface GitSettings {
  /** The folder of clones; undefined to show the samples. */
  gitRepos: string | undefined;
  gitPrivate: PrivateRepository[];
  gitWebUrl: URL | undefined;
  dataFolder: string;
}

interface Surroundings {
  /** Where to look for git. */
  searchPath: string;
  secretKeys: SecretKeys;
  clock: () => Date;
  announce: (sentence: string) => void;
}

/** The git host as the settings want it, with samples to show where they name no clones. */
export async function openGitHost(settings: GitSettings, surroundings: Surroundings): Promise<CodeHost> {
  const { gitRepos, gitPrivate, gitWebUrl, dataFolder } = settings;
  const { searchPath, secretKeys, clock, announce } = surroundings;
  const root = gitRepos ?? samplesIn(dataFolder);
  if (!gitRepos) await writeSamples(root, searchPath);
  const misplaced = gitRepos && (await misplacedRoot(gitRepos).catch(() => null));
  if (misplaced) announce(`${misplaced.why} ${misplaced.remedy}`);
  for (const { fullName } of gitPrivate) {
    const [owner = '', name = ''] = fullName.split('/');
    if (!(await findClone(root, owner, name)))
      announce(`GIT_PRIVATE lists ${fullName}, which is not in ${root}.`);
  }
  const onPassedOver = announcePassedOver(announce);
  await announceBorrowers(root, onPassedOver, announce);
  const host = createGitHost({
    root,
    onPassedOver,
    git: { path: searchPath, isolatedFolders: join(dataFolder, 'git') },
    webUrl: gitWebUrl?.href.replace(/\/$/, '') ?? null,
    privateRepositories: gitPrivate,
    secretKeys,
    clock,
  });
  return gitRepos ? host : { ...host, suggestPullRequest: async () => samplePullRequest };
}
