import { Failure } from '../../domain/errors.ts';
import {
  type HostPullRequest,
  type HostPullRequestSummary,
  MovedMeanwhile,
  type PullRequestGlance,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { timeOf } from '../host-times.ts';
import type { HostApi, HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { readAround } from '../http/read-around.ts';
import { type FindPull, type FoundPull, headRef } from './find-pull.ts';
import type { PullRequestSummaryPayload } from './payloads.ts';
import { isUnchanged, pathOf, repositoryOf } from './read-repository.ts';
import { ghost, readTexts } from './read-texts.ts';

export interface Parts {
  api: HostApi;
  client: HostClient;
  findPull: FindPull;
  fetchByGit: FetchByGit;
  /** Where people see pull requests. */
  web: string;
}

/** Its address is made of what it is called: one that is told might lead anywhere. */
export function summaryOf(pull: PullRequestSummaryPayload, web: string): HostPullRequestSummary {
  const { owner, name } = pull.base.repo;
  return {
    number: pull.number,
    title: pull.title,
    authorLogin: pull.user?.login || ghost,
    url: `${web}/${owner.login}/${name}/pulls/${pull.number}`,
    state: pull.merged_at ? 'merged' : pull.state,
    createdAt: timeOf(pull.created_at),
    mergedAt: pull.merged_at ? timeOf(pull.merged_at) : null,
    updatedAt: timeOf(pull.updated_at),
  };
}

/** What Gitea counts, it counts up to where the branch is now; older ones count nothing with the pull request itself. */
export async function glanceOf(
  { client, web }: Pick<Parts, 'client' | 'web'>,
  { pull, head }: FoundPull,
  caller: HostCaller,
): Promise<PullRequestGlance> {
  const { url: _, updatedAt: __, ...summary } = summaryOf(pull, web);
  const { additions, deletions, changed_files: counted } = pull;
  const isCounted = head === pull.head.sha && typeof counted === 'number';
  const path = `${pathOf(repositoryOf(pull.base.repo))}/pulls/${pull.number}/files?limit=1`;
  const changedFiles = isCounted ? counted : await client.count(path, caller);
  const hasLines = isCounted && typeof additions === 'number' && typeof deletions === 'number';
  return { ...summary, changedFiles, lines: hasLines ? { additions, deletions } : null };
}

/** Commits of the base change nothing of a pull request until its merge base moves. */
export const versionOf = ({ pull, head }: FoundPull): string =>
  [pull.updated_at, head, pull.base.ref, pull.merge_base].join(' ');

/** Everything about a pull request. Its diff is fetched by git, and given away only as long as it is still the same. */
export async function readGiteaPullRequest(
  parts: Parts,
  found: FoundPull,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const { api, client, web, findPull, fetchByGit } = parts;
  const { pull, head } = found;
  const repository = repositoryOf(pull.base.repo);
  if (pull.merge_base === '' || head === '') throw withoutBase();
  const requireSame = () => requireUnchanged(findPull, found, caller);
  const texts = await readAround({ api, caller, requireSame }, (asker) =>
    readTexts(client, repository, pull, asker),
  );
  // What leads to the head leads to the merge base too, whatever has become of the branch that it was for.
  const refs = [headRef(pull.number)];
  const range = { owner: repository.owner, name: repository.name, base: pull.merge_base, head, refs };
  const byGit = fetchByGit(range, caller);
  return {
    ...summaryOf(pull, web),
    ...texts,
    version: versionOf(found),
    body: pull.body || null,
    labels: (pull.labels ?? []).map(({ name }) => name),
    baseRef: pull.base.ref,
    baseSha: pull.merge_base,
    headRef: pull.head.ref,
    headSha: head,
    ...byGit,
    diff: (reader) => byGit.diff(requireSame, reader),
    requireSame,
  };
}

/** What was fetched is that of these commits, and visible as the repository was at that time. */
async function requireUnchanged(findPull: FindPull, before: FoundPull, caller: HostCaller): Promise<void> {
  const repository = repositoryOf(before.pull.base.repo);
  const now = await findPull(repository, before.pull.number, caller);
  const isSame =
    now !== null &&
    now.head === before.head &&
    now.pull.base.ref === before.pull.base.ref &&
    now.pull.merge_base === before.pull.merge_base &&
    isUnchanged(repository, repositoryOf(now.pull.base.repo));
  if (!isSame) throw new MovedMeanwhile();
}

function withoutBase(): Failure {
  return new Failure(
    'UNREADABLE',
    'Gitea tells of no commit that this pull request and its base have in common, so that it has no diff.',
  );
}
