import { Failure } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-requests.ts';
import { revertedBy } from '../../domain/releases.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest, PullRequestGlance } from '../code-host.ts';
import {
  diffBetween,
  diffsBetween,
  fileSummariesBetween,
  readFileTexts,
} from '../git-runner/read-objects.ts';
import { type Clone, calledClone, UnreadableClone } from '../git-runner/run-git.ts';
import { readHead, readShallow } from './pull-request-index.ts';
import { type Commit, mergeBases, ownCommits, readCommits } from './read-commits.ts';
import {
  type CloneSource,
  findIndexed,
  type IndexedPullRequest,
  noteFirstCommits,
  type Summary,
  summarize,
  unreadablePullRequest,
} from './summarize-pull-requests.ts';

/** The base of a diff in which everything is new. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export async function readPullRequest(
  source: CloneSource,
  pullRequest: IndexedPullRequest,
  known: Known | null = null,
): Promise<HostPullRequest> {
  const { git, clone } = source;
  const { shown, mergedBy, baseSha, commits } = await readOverview(source, pullRequest, known);
  const headSha = pullRequest.merge?.sha ?? pullRequest.branch.head;
  const discussion = source.discussions?.[pullRequest.number];
  return {
    ...shown,
    ...(discussion && { discussion }),
    version: null,
    labels: [],
    baseRef: known?.baseRef ?? (await defaultBranch(clone)),
    headRef: branchName(mergedBy) ?? `pull/${pullRequest.number}/head`,
    headSha,
    baseSha,
    commits,
    comments: [],
    linkedIssues: [
      ...linkedIssues({
        repository: `${clone.owner}/${clone.name}`,
        title: shown.title,
        body: shown.body,
        commitMessages: commits.map(({ message }) => message),
      }).map((issue) => ({ number: issue, title: '', body: null })),
      ...(await readReverted(source, shown)),
    ],
    diff: () => diffBetween(git, clone, baseSha, headSha),
    fileSummaries: () => fileSummariesBetween(git, clone, baseSha, headSha),
    fileTexts: (wanted) => readFileTexts(git, clone, { base: baseSha, head: headSha, wanted }),
  };
}

/** The pull requests that this one reverts, because their purpose explains the revert. */
async function readReverted(
  source: CloneSource,
  shown: Pick<Summary['shown'], 'number' | 'title' | 'body'>,
): Promise<HostPullRequest['linkedIssues']> {
  const { numbers, shas } = revertedBy(shown, source.clone);
  const named = [...source.index.merged].flatMap(([number, { sha }]) =>
    shas.some((start) => sha.startsWith(start)) ? [number] : [],
  );
  const reverted = [...new Set([...numbers, ...named])].filter((number) => number !== shown.number);
  const found = reverted.flatMap((number) => findIndexed(source.index, number) ?? []);
  const summaries = await summarize(source, found);
  return summaries.flatMap((one) =>
    one instanceof Failure
      ? []
      : [{ number: one.shown.number, title: one.shown.title, body: one.shown.body }],
  );
}

export async function glanceAt(
  source: CloneSource,
  pullRequest: IndexedPullRequest,
): Promise<PullRequestGlance> {
  const { git, clone } = source;
  const [[summary = unreadablePullRequest(clone, pullRequest.number)], baseSha] = await Promise.all([
    summarize(source, [pullRequest]),
    mergeBaseOf(source, pullRequest),
  ]);
  if (summary instanceof Failure) throw summary;
  const { number, title, authorLogin, state, createdAt } = summary.shown;
  const headSha = pullRequest.merge?.sha ?? pullRequest.branch.head;
  const files = await fileSummariesBetween(git, clone, baseSha, headSha);
  const sum = (side: 'additions' | 'deletions') => files.reduce((before, file) => before + file[side], 0);
  const lines = { additions: sum('additions'), deletions: sum('deletions') };
  const mergedAt = summary.mergedBy?.committedAt ?? null;
  return { number, title, authorLogin, state, createdAt, mergedAt, changedFiles: files.length, lines };
}

async function readOverview(source: CloneSource, pullRequest: IndexedPullRequest, known: Known | null) {
  try {
    const [summary, baseSha, commits] = await Promise.all([
      known?.summary ?? summarizeOne(source, pullRequest),
      mergeBaseOf(source, pullRequest),
      known?.commits ?? commitsOnBranch(source, pullRequest),
    ]);
    if (summary instanceof Failure) throw summary;
    return { ...summary, baseSha, commits: commits.map(asShown) };
  } catch (error) {
    throw error instanceof UnreadableClone
      ? unreadablePullRequest(source.clone, pullRequest.number, error)
      : error;
  }
}

async function summarizeOne(
  source: CloneSource,
  pullRequest: IndexedPullRequest,
): Promise<Summary | Failure> {
  const [summary] = await summarize(source, [pullRequest]);
  return summary ?? unreadablePullRequest(source.clone, pullRequest.number);
}

async function mergeBaseOf(
  { git, clone, index }: CloneSource,
  { number, merge, branch }: IndexedPullRequest,
): Promise<string> {
  const base = merge
    ? merge.base
    : (await mergeBases(git, clone, [{ one: index.tip, other: branch.head }]))[0]?.[0];
  if (base) return base;
  // In a clone without history everything would look new.
  if ((await readShallow(clone)) !== '') {
    throw new Failure(
      'HOST_ERROR',
      `The clone of ${calledClone(clone)} lacks the commit where pull request ${number} begins. ` +
        'Run git fetch --unshallow in it, then try again.',
    );
  }
  return emptyTree;
}

async function commitsOnBranch(
  { git, clone }: CloneSource,
  { branch: { head, base } }: IndexedPullRequest,
): Promise<Commit[]> {
  const range = ['--topo-order', `--max-count=${mostCommits}`, head, ...(base ? [`^${base}`] : [])];
  const own = await readCommits(git, clone, range, messageLimit);
  const commits = own.length > 0 ? own : await readCommits(git, clone, ['--no-walk', head], messageLimit);
  return commits.reverse();
}

const asShown = ({ sha, subject, body, authorName }: Commit): HostPullRequest['commits'][number] => ({
  sha,
  message: body ? `${subject}\n\n${body}` : subject,
  author: authorName,
});

async function defaultBranch(clone: Clone): Promise<string> {
  return /^refs\/heads\/(.+)$/.exec((await readHead(clone)).ref ?? '')?.[1] ?? 'HEAD';
}

function branchName(mergedBy: Commit | null): string | null {
  return /^Merge pull request #\d+ from [^/\s]+\/(\S+)$/.exec(mergedBy?.subject ?? '')?.[1] ?? null;
}

const messageLimit = { mostOfBody: 4_000 };

interface Known {
  summary: Summary;
  commits: Commit[] | null;
  baseRef: string;
}

export async function readTogether(
  source: CloneSource,
  pullRequests: IndexedPullRequest[],
  maxDiffBytes: number,
): Promise<{ onHost: HostPullRequest; diff: Buffer }[]> {
  const { git, clone, index } = source;
  // Merges at the beginning of the history have no parent and are left out.
  const ranges = pullRequests.flatMap(({ merge }) =>
    merge?.base ? { base: merge.base, head: merge.sha } : [],
  );
  const wanted = pullRequests.filter(({ merge }) => merge?.base);
  // Without commits in its input, `git log` would print those of HEAD.
  if (wanted.length === 0) return [];
  const own = await ownCommits(
    source,
    wanted.map(({ branch }) => branch),
  );
  noteFirstCommits(index, wanted, own);
  const lines = wanted.map(({ branch: { head } }, place) =>
    own[place]?.length ? own[place].slice(0, mostCommits) : [head],
  );
  const [summaries, commits, diffs, baseRef] = await Promise.all([
    summarize(source, wanted),
    readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], {
      input: [...new Set(lines.flat())].join('\n'),
      ...messageLimit,
    }),
    diffsBetween(git, clone, ranges, maxDiffBytes),
    defaultBranch(clone),
  ]);
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const read = wanted.map(async (one, place) => {
    const summary = summaries[place];
    const diff = diffs[place];
    if (!summary || summary instanceof Failure || !diff) return [];
    const line = lines[place]?.flatMap((sha) => bySha.get(sha) ?? []) ?? [];
    // The first parents are all commits of a branch only if nothing was merged into it.
    const isWhole = line.length === lines[place]?.length && !(own[place] ?? []).some(isMergeIn(bySha));
    const known = { summary, commits: isWhole ? line.toReversed() : null, baseRef };
    return [{ onHost: await readPullRequest(source, one, known), diff }];
  });
  return (await Promise.all(read)).flat();
}

const isMergeIn =
  (bySha: Map<string, Commit>) =>
  (sha: string): boolean =>
    (bySha.get(sha)?.parents.length ?? 2) > 1;
