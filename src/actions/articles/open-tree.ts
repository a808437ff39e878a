import type { Tree } from '../../code-hosts/code-host.ts';
import { findUser } from '../../db/accounts.ts';
import type { HeldJob } from '../../db/job-queue.ts';
import { findJobRequester } from '../../db/jobs.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { Deps } from '../deps.ts';
import { anonymousCaller } from '../repositories/find-repository.ts';
import type { TreeSource } from './tree-source.ts';

type TreeDeps = Pick<Deps, 'database' | 'codeHosts' | 'callerOn'>;

/** The host is called when a writer first wants to look. If that fails, the article is written without looking. */
export function openTreeSource(
  deps: TreeDeps,
  job: HeldJob,
  pullRequest: PullRequestToWriteAbout,
  signal: AbortSignal,
): { source: TreeSource; close: () => Promise<void> } {
  let opened: Promise<Tree | null> | null = null;
  const look = async <Found>(at: (tree: Tree) => Promise<Found>): Promise<Found | null> => {
    opened ??= openTree(deps, job, pullRequest, signal);
    const tree = await opened.catch(() => null);
    return tree && at(tree).catch(() => null);
  };
  return {
    source: {
      changedPaths: () => look((tree) => tree.changedPaths()),
      findInTree: (side, texts) => look((tree) => tree.find(side, texts)),
      readFromTree: (side, paths) => look((tree) => tree.read(side, paths)),
      readReleased: (paths) => look((tree) => tree.readReleased(paths)),
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

async function openTree(
  deps: TreeDeps,
  job: HeldJob,
  { host, hostRepoId, owner, repo: name, isPrivate, baseSha: base, headSha: head }: PullRequestToWriteAbout,
  signal: AbortSignal,
): Promise<Tree | null> {
  const codeHost = deps.codeHosts.find(({ id }) => id === host);
  if (!codeHost?.openTree) return null;
  const caller =
    isPrivate && !codeHost.isLocal
      ? await callerForPrivate(deps, job, codeHost, signal)
      : anonymousCaller(signal);
  return caller && codeHost.openTree({ hostRepoId, owner, name, isPrivate }, { base, head }, caller);
}

/** Uses a saved token of a user who requested the job. */
async function callerForPrivate(
  { database, callerOn }: TreeDeps,
  { id }: HeldJob,
  codeHost: Deps['codeHosts'][number],
  signal: AbortSignal,
) {
  const userId = await findJobRequester(database, id);
  const found = userId ? await findUser(database, userId) : null;
  const caller = found && (await callerOn(codeHost, { ...found, credential: { kind: 'saved' } }, signal));
  return caller?.token ? caller : null;
}
