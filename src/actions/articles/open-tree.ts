import type { Tree } from '../../code-hosts/code-host.ts';
import { findUser } from '../../db/accounts.ts';
import type { HeldJob } from '../../db/job-queue.ts';
import { findJobRequester } from '../../db/jobs.ts';
import type { PullRequestToWriteAbout } from '../../db/pull-requests.ts';
import type { Deps } from '../deps.ts';
import { anonymousCaller } from '../repositories/find-repository.ts';
import { treeSource } from './tree-source.ts';

type TreeDeps = Pick<Deps, 'database' | 'codeHosts' | 'callerOn'>;

/** The tree of a pull request on its host. */
export const openTreeSource = (
  deps: TreeDeps,
  job: HeldJob,
  pullRequest: PullRequestToWriteAbout,
  signal: AbortSignal,
): ReturnType<typeof treeSource> => treeSource(() => openTree(deps, job, pullRequest, signal));

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
