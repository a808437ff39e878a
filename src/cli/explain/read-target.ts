import { join } from 'node:path';
import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import { programSearchPath, readFromEnvironment } from '../../config.ts';
import { Failure, StartupProblem } from '../../domain/errors.ts';
import { isAddressAt } from '../../domain/parse-pasted-address.ts';
import { SignInNeeded } from '../command.ts';
import { openCacheFolder } from './cache-folder.ts';
import type { Target } from './parse-target.ts';

/** A change that was found, until it is closed. */
export interface FoundChange {
  host: 'git' | 'github';
  owner: string;
  repo: string;
  /** Null for what is no pull request. */
  number: number | null;
  state: HostPullRequest['state'] | null;
  pullRequest: HostPullRequest;
  close: () => Promise<void>;
}

/** Finds what is to be explained. What it takes is loaded when it is known: a patch needs neither git nor the network. */
export async function readTarget(target: Target, input: AsyncIterable<Buffer>): Promise<FoundChange> {
  if (target.kind === 'patch') {
    const [{ readPatch }, { besidePatch }] = await Promise.all([
      import('./read-patch.ts'),
      import('./beside-patch.ts'),
    ]);
    const { textsOf, close } = besidePatch(openGit, process.cwd());
    const change = { host: 'git', owner: '', repo: '', number: null, state: null, close } as const;
    return { ...change, pullRequest: await readPatch(input, textsOf) };
  }
  return target.kind === 'hosted' ? readFromGitHub(target) : readFromClone(target);
}

async function openGit() {
  const { GitSpawner } = await import('../../code-hosts/git-runner/git-spawner.ts');
  const spawner = new GitSpawner();
  spawner.warmUp();
  return { path: programSearchPath(), isolatedFolders: join(await openCacheFolder(), 'git'), spawner };
}

async function readFromClone(target: Target & { kind: 'number' | 'branch' }): Promise<FoundChange> {
  const [git, { findOwnClone }, { readBranch, readNumber }] = await Promise.all([
    openGit(),
    import('../../code-hosts/git/find-own-clone.ts'),
    import('../../code-hosts/git/read-own-clone.ts'),
  ]);
  const close = (): Promise<void> => git.spawner.close();
  try {
    const clone = await findOwnClone(git, process.cwd());
    if (!clone) throw new StartupProblem(noClone);
    const { owner, name: repo } = clone;
    const found = { host: 'git', owner, repo, close } as const;
    if (target.kind === 'branch')
      return { ...found, number: null, state: null, pullRequest: await readBranch(git, clone, target) };
    const { number } = target;
    const change = await readNumber(git, clone, number);
    if (!change) throw new StartupProblem(noSuchNumber(clone, number));
    return { ...found, number, ...change };
  } catch (error) {
    await close();
    throw error;
  }
}

const noClone =
  'This folder lies in no git repository. Go into a clone, name a pull request as OWNER/REPO#NUMBER, or pipe a diff: ' +
  'git diff | pullquote explain -';

const noSuchNumber = (
  { owner, name, origin }: { owner: string; name: string; origin: string | null },
  number: number,
): string =>
  `This clone has no pull request ${number}: no commit of its default branch names it, and it was not fetched. ` +
  (origin && owner && isAddressAt(readFromEnvironment(['githubUrl']).githubUrl.href, origin)
    ? `pullquote explain ${owner}/${name}#${number} reads it from GitHub.`
    : `git fetch origin pull/${number}/head:refs/remotes/origin/pull/${number} fetches it from a GitHub.`);

const network = ['httpsProxy', 'httpProxy', 'noProxy', 'extraCaFile'] as const;

async function readFromGitHub({ owner, repo, number }: Target & { kind: 'hosted' }): Promise<FoundChange> {
  const config = readFromEnvironment(['githubUrl', 'githubToken', 'maxDiffBytes', ...network]);
  const host = await openGitHub(config);
  const token = config.githubToken ?? null;
  const name = `${owner}/${repo}#${number}`;
  try {
    const caller = { identity: null, token, signal: new AbortController().signal };
    const found = await host.findPullRequest(owner, repo, number, caller);
    if (found && !found.pullRequest)
      throw new StartupProblem(`${owner}/${repo} has no pull request ${number}. Check the number.`);
    const pullRequest = await found?.pullRequest?.read();
    if (!pullRequest) throw token ? new StartupProblem(hidden(name)) : new SignInNeeded(closed(name));
    const { state } = pullRequest;
    return { host: 'github', owner, repo, number, state, pullRequest, close: host.close };
  } catch (error) {
    await host.close();
    throw explainFailure(error, token);
  }
}

async function openGitHub(
  config: ReturnType<
    typeof readFromEnvironment<'githubUrl' | 'githubToken' | 'maxDiffBytes' | (typeof network)[number]>
  >,
) {
  const [{ openGitHubHost }, { createEgressClient }, { networkForGit }, { takeExclusiveLock }] =
    await Promise.all([
      import('../../code-hosts/github/open-github-host.ts'),
      import('../../egress/egress-client.ts'),
      import('../../egress/network-for-git.ts'),
      import('../../db/embedded/exclusive-lock.ts'),
    ]);
  const ofServices = {
    githubClientId: undefined,
    githubClientSecret: undefined,
    githubScopes: '',
    githubWebhookSecrets: [],
  };
  return openGitHubHost(
    { ...config, ...ofServices, dataFolder: await openCacheFolder() },
    {
      searchPath: programSearchPath(),
      clock: () => new Date(),
      connect: (rules) => createEgressClient(config, rules),
      networkForGit: (rules) => networkForGit(config, rules),
      takeLock: takeExclusiveLock,
    },
  );
}

const withToken =
  'set GITHUB_TOKEN to a token that may read it, such as: export GITHUB_TOKEN="$(gh auth token)"';

const closed = (name: string): string =>
  `GitHub shows no ${name} to strangers. Check the spelling; if the repository is private, ${withToken}`;

const hidden = (name: string): string =>
  `GitHub shows no ${name} to the owner of GITHUB_TOKEN. Check the spelling, and what the token may read.`;

/** What the service says of tokens is for those who present them to it. */
function explainFailure(error: unknown, token: string | null): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'HOST_RATE_LIMITED' && token === null)
    return new SignInNeeded(
      `GitHub answers strangers few questions an hour, and those are used up: wait, or ${withToken}`,
    );
  if (error.code !== 'HOST_TOKEN_INVALID' && error.code !== 'UNAUTHORIZED') return error;
  return new SignInNeeded(
    `GitHub does not accept GITHUB_TOKEN for this: it has expired, was revoked or lacks a permission. To go on, ${withToken}`,
  );
}
