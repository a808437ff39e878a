import { Failure } from '../../domain/errors.ts';
import { mostComments } from '../../domain/pull-request-bounds.ts';
import type { FileStatus } from '../../reading/file-diff.ts';
import {
  type HostFileSummary,
  type HostPullRequest,
  type HostPullRequestSummary,
  MovedMeanwhile,
  type PullRequestGlance,
} from '../code-host.ts';
import type { FetchByGit } from '../fetched/fetch-by-git.ts';
import { timeOf } from '../host-times.ts';
import type { HostCaller } from '../http/host-api.ts';
import { readAround } from '../http/read-around.ts';
import { ghost } from '../texts.ts';
import { askForFiles } from './ask-for-files.ts';
import { discussionOf } from './discussion.ts';
import type { GitHubClient } from './github-client.ts';
import {
  ComparisonPayload,
  FilePayload,
  PullRequestPayload,
  type PullRequestSummaryPayload,
} from './payloads.ts';
import { isUnchanged, repositoryOf } from './read-repository.ts';
import { readTexts } from './read-texts.ts';

interface Parts {
  client: GitHubClient;
  fetchByGit: FetchByGit;
  /** Where people see pull requests. */
  web: string;
}

/** As many as GitHub lists, and as much as their names can be. */
const filesKept = { atMost: 3_000, mostText: 16 * 1024 * 1024 };

export const pullRequestPath = (owner: string, name: string, number: number): string =>
  `/repos/${owner}/${name}/pulls/${number}`;

/** Its address is made of what it is called: one that is told might lead anywhere. */
export function summaryOf(pull: PullRequestSummaryPayload, web: string): HostPullRequestSummary {
  const { owner, name } = pull.base.repo;
  return {
    number: pull.number,
    title: pull.title,
    authorLogin: pull.user?.login ?? ghost,
    url: `${web}/${owner.login}/${name}/pull/${pull.number}`,
    state: pull.merged_at ? 'merged' : pull.state,
    createdAt: timeOf(pull.created_at),
    mergedAt: pull.merged_at ? timeOf(pull.merged_at) : null,
    updatedAt: timeOf(pull.updated_at),
  };
}

/** What GitHub tells with the pull request itself. */
export function glanceOf(pull: PullRequestPayload, web: string): PullRequestGlance {
  const { url: _, ...summary } = summaryOf(pull, web);
  const { additions, deletions, changed_files: changedFiles, merged_at: merged } = pull;
  const isCounted = additions !== undefined && deletions !== undefined;
  return {
    ...summary,
    mergedAt: merged ? timeOf(merged) : null,
    changedFiles,
    lines: isCounted ? { additions, deletions } : null,
  };
}

/** Stars and pushes change the repository that comes with a pull request, and say nothing about it. */
export const versionOf = ({ updated_at, head, base }: PullRequestPayload): string =>
  [updated_at, head.sha, base.ref, base.sha].join(' ');

/** Everything about a pull request. Its diff is fetched when it is wanted, and only as long as it is still the same. */
export async function readGitHubPullRequest(
  { client, fetchByGit, web }: Parts,
  pull: PullRequestPayload,
  caller: HostCaller,
): Promise<HostPullRequest> {
  const repository = repositoryOf(pull.base.repo);
  const path = pullRequestPath(repository.owner, repository.name, pull.number);
  const requireSame = () => requireUnchanged(client, path, pull, caller);
  const [texts, baseSha] = await readAround({ api: client.api, caller, requireSame }, (asker) =>
    Promise.all([readTexts(client, pull, asker), mergeBase(client, pull, asker, requireSame)]),
  );
  const { commits, comments, reviews, reviewComments, linkedIssues } = texts;
  const byGit = fetchByGit({ ...repository, base: baseSha, head: pull.head.sha }, caller);
  let isByGit = false;
  return {
    ...summaryOf(pull, web),
    version: versionOf(pull),
    body: pull.body,
    labels: pull.labels.flatMap(({ name: label }) => label ?? []),
    baseRef: pull.base.ref,
    baseSha,
    headRef: pull.head.ref,
    headSha: pull.head.sha,
    commits,
    comments: discussionOf(comments, reviews, reviewComments).slice(0, mostComments),
    linkedIssues,
    async *diff(reader) {
      const printed = await client.diff(path, caller);
      isByGit = printed === null || filesIn(printed) < pull.changed_files;
      if (isByGit || printed === null) return yield* byGit.diff(requireSame, reader);
      await requireSame();
      yield* chunksOf(printed);
    },
    async fileSummaries() {
      if (isByGit) return byGit.fileSummaries();
      const summaries = await readFileSummaries(client, path, caller);
      await requireSame();
      return summaries;
    },
    fileTexts: (wanted) =>
      isByGit
        ? byGit.fileTexts(wanted)
        : askForFiles(client, { repository, base: baseSha, head: pull.head.sha, wanted }, caller),
    requireSame,
  };
}

/** The diff is that of whichever commits it has when it is asked for, and visible as the repository is at that time. */
async function requireUnchanged(
  client: GitHubClient,
  path: string,
  { head, base }: PullRequestPayload,
  caller: HostCaller,
): Promise<void> {
  const now = await client.get(path, PullRequestPayload, caller);
  if (now?.head.sha !== head.sha || now.base.ref !== base.ref || now.base.sha !== base.sha)
    throw new MovedMeanwhile();
  if (!isUnchanged(repositoryOf(base.repo), repositoryOf(now.base.repo))) throw new MovedMeanwhile();
}

async function mergeBase(
  client: GitHubClient,
  { base, head }: PullRequestPayload,
  caller: HostCaller,
  requireSame: () => Promise<void>,
): Promise<string> {
  const { owner, name } = repositoryOf(base.repo);
  // The first page lists all files; the second has the merge base without them.
  const path = `/repos/${owner}/${name}/compare/${base.sha}...${head.sha}?per_page=1&page=2`;
  const compared = await client.get(path, ComparisonPayload, caller, { isCostly: true });
  if (compared) return compared.merge_base_commit.sha;
  await requireSame();
  throw new Failure(
    'UNREADABLE',
    'GitHub tells of no commit that this pull request and its base have in common, so that it has no diff.',
  );
}

/** Lines of files begin with a sign, so that this can only be a heading. */
function filesIn(diff: Buffer): number {
  const heading = Buffer.from('\ndiff --git ');
  let count = diff.subarray(0, heading.length - 1).equals(heading.subarray(1)) ? 1 : 0;
  for (let at = diff.indexOf(heading); at !== -1; at = diff.indexOf(heading, at + 1)) count += 1;
  return count;
}

/** As much as takes no time to hand to another thread. */
const chunkBytes = 256 * 1024;

function* chunksOf(diff: Buffer): Generator<Buffer> {
  for (let at = 0; at < diff.length; at += chunkBytes) {
    // A copy, because the receiver takes the whole underlying ArrayBuffer.
    yield Buffer.from(new Uint8Array(diff.subarray(at, at + chunkBytes)).buffer);
  }
}

const statuses: Record<string, FileStatus> = {
  added: 'added',
  removed: 'removed',
  renamed: 'renamed',
  copied: 'copied',
  changed: 'typeChanged',
};

async function readFileSummaries(
  client: GitHubClient,
  path: string,
  caller: HostCaller,
): Promise<HostFileSummary[]> {
  return client.list(`${path}/files`, FilePayload, caller, {
    ...filesKept,
    keep: ({ filename, previous_filename, status, additions, deletions }) => ({
      path: filename,
      previousPath: previous_filename ?? null,
      status: statuses[status] ?? 'modified',
      additions,
      deletions,
    }),
  });
}
