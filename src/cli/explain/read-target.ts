import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CodeHost,
  githubLinesUrl,
  type HostPullRequest,
  type Tree,
} from '../../code-hosts/code-host.ts';
import type { OwnClone } from '../../code-hosts/git/own-clone.ts';
import type { GitRunner } from '../../code-hosts/git-runner/run-git.ts';
import { cacheFolder, programSearchPath, readHostAccess } from '../../config.ts';
import { makeFolder } from '../../data-folder.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { clonesHost } from '../../domain/repositories.ts';
import { hostAt, type Target, webHosts } from './parse-target.ts';

export interface FoundChange {
  host: string;
  owner: string;
  repo: string;
  number: number | null;
  state: HostPullRequest['state'] | null;
  pullRequest: HostPullRequest;
  /** Whether the commits were squashed into one, so that their number is unknown. */
  isSquashed?: boolean;
  range?: { from: string; to: string; commits: number; isUncommitted: boolean };
  linesUrl: CodeHost['linesUrl'];
  /** All files of both sides, if they are commits of a clone. */
  tree?: Tree;
  close: () => Promise<void>;
}

/** Finds the change to be explained. Modules are loaded as needed: a patch needs neither git nor the network. */
export async function readTarget(
  target: Target,
  input: AsyncIterable<Buffer>,
  isCommittedOnly = false,
): Promise<FoundChange> {
  if (target.kind === 'patch') {
    const { readPatch, besidePatch } = await import('./patch.ts');
    const { textsOf, close } = besidePatch(openGit, process.cwd());
    const change = { host: clonesHost, owner: '', repo: '', number: null, state: null };
    return { ...change, linesUrl: githubLinesUrl, close, pullRequest: await readPatch(input, textsOf) };
  }
  if (target.kind !== 'hosted') return readFromClone(target, openGit, process.cwd(), isCommittedOnly);
  return (await import('./read-hosted.ts')).readHosted(target, openCacheFolder);
}

/** The folder for cached data. If there is none, such as without a home, a temporary folder is used. */
function openCacheFolder(): string {
  const folder = cacheFolder();
  try {
    makeFolder(folder);
    return folder;
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'pullquote-'));
    process.on('exit', () => rmSync(passing, { recursive: true, force: true }));
    return passing;
  }
}

async function openGit(): Promise<GitRunner> {
  const { GitSpawner } = await import('../../code-hosts/git-runner/git-spawner.ts');
  const spawner = new GitSpawner();
  spawner.warmUp();
  return { path: programSearchPath(), isolatedFolders: join(openCacheFolder(), 'git'), spawner };
}

export async function readFromClone(
  target: Target & { kind: 'number' | 'branch' },
  openGit: () => Promise<GitRunner>,
  folder: string,
  isCommittedOnly = false,
): Promise<FoundChange> {
  const [git, { findOwnClone, readNumber }, { readTree }] = await Promise.all([
    openGit(),
    import('../../code-hosts/git/own-clone.ts'),
    import('../../code-hosts/git-runner/read-tree.ts'),
  ]);
  const close = (): Promise<void> => git.spawner.close();
  try {
    const clone = await findOwnClone(git, folder);
    if (!clone) throw new StartupProblem(noClone);
    const { owner, name: repo } = clone;
    const found = { host: clonesHost, owner, repo, linesUrl: githubLinesUrl, close };
    const treeOf = ({ baseSha: base, headSha: head }: HostPullRequest) =>
      readTree(git, clone, { base, head });
    if (target.kind === 'branch') {
      const read = await readOwnBranch(git, clone, target, isCommittedOnly);
      const tree = read.range?.isUncommitted ? {} : { tree: treeOf(read.pullRequest) };
      return { ...found, ...tree, ...read, number: null, state: null };
    }
    const { number } = target;
    const change = await readNumber(git, clone, number);
    if (!change) throw new StartupProblem(noSuchNumber(clone, number));
    return { ...found, number, ...change, tree: treeOf(change.pullRequest) };
  } catch (error) {
    await close();
    throw error;
  }
}

async function readOwnBranch(
  git: GitRunner,
  clone: OwnClone,
  target: Target & { kind: 'branch' },
  isCommittedOnly: boolean,
): Promise<Pick<FoundChange, 'pullRequest' | 'range'>> {
  const { diffUncommitted, findBranch, readBranch } = await import('../../code-hosts/git/own-clone.ts');
  const branch = await findBranch(git, clone, target);
  const isCheckedOut = target.base === null && target.head === null;
  const diff = isCheckedOut && !isCommittedOnly ? await diffUncommitted(git, clone, branch) : null;
  const range = { ...branch, isUncommitted: diff !== null };
  if (!diff) return { range, pullRequest: await readBranch(git, clone, branch) };
  const { readPatch, besidePatch } = await import('./patch.ts');
  const patch = await readPatch(diff, besidePatch(async () => git, clone.root).textsOf);
  const read = branch.commits > 0 ? await readBranch(git, clone, branch) : null;
  const { commits, authorLogin, linkedIssues } = read ?? patch;
  return { range, pullRequest: { ...patch, commits, authorLogin, linkedIssues } };
}

const noClone =
  'This folder is not in a git repository. Change to a clone, pass a pull request as OWNER/REPO#NUMBER, or pipe a diff: ' +
  'git diff | pullquote explain -';

function noSuchNumber(
  { owner, name, origin }: { owner: string; name: string; origin: string | null },
  number: number,
): string {
  const hosts = webHosts(readHostAccess());
  const host = origin && owner ? hostAt(hosts, origin) : undefined;
  const choice = host === hosts[0] ? '' : ` --host ${host?.id}`;
  return (
    `Pull request ${number} was not found in this clone: no commit on the default branch mentions it, and it was not fetched. ` +
    (host
      ? `To read it from ${host.name}, run: pullquote explain ${owner}/${name}#${number}${choice}`
      : `If origin is on GitHub, fetch it with: git fetch origin pull/${number}/head:refs/remotes/origin/pull/${number}`)
  );
}
