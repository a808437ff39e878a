import { Failure } from '../../domain/errors.ts';
import { pullRequestUrl } from '../../domain/pull-request-url.ts';
import { commitTitle } from '../../domain/release/commit-title.ts';
import { isBotLogin, type MergedPullRequest } from '../../domain/watching.ts';
import { detachText } from '../../reading/detach-text.ts';
import type { HostPullRequestSummary, PullRequestState } from '../code-host.ts';
import { type Clone, calledClone, type GitRunner, runGit, UnreadableClone } from '../git-runner/run-git.ts';
import { numberNamedBy } from '../sort-range.ts';
import type { Merge, PullRequestIndex } from './pull-request-index.ts';
import {
  type Branch,
  type Commit,
  loginOf,
  ownCommits,
  readCommits,
  readLog,
  subjectField,
} from './read-commits.ts';

export interface Parts {
  git: GitRunner;
  clone: Clone;
  index: PullRequestIndex;
  webUrl: string | null;
}

/** Where a pull request is in the history of a clone. */
export interface IndexedPullRequest {
  number: number;
  merge: Merge | null;
  branch: Branch;
}

export interface Summary {
  shown: HostPullRequestSummary & { body: string | null };
  /** The commit that brought it in. */
  mergedBy: Commit | null;
}

/** Null for a number that the index does not have. */
export function findIndexed(index: PullRequestIndex, number: number): IndexedPullRequest | null {
  const merge = index.merged.get(number) ?? null;
  const head = merge?.head ?? index.heads.get(number) ?? merge?.sha;
  return head ? { number, merge, branch: { head, base: merge ? merge.base : index.tip } } : null;
}

/**
 * In the order of the pull requests given, with a few runs of git for all of them; for what cannot be told, why. Where git fails
 * for all together, halves are tried, so that one that is broken spoils no other.
 */
export async function summarize(
  parts: Parts,
  pullRequests: IndexedPullRequest[],
): Promise<(Summary | Failure)[]> {
  if (pullRequests.length === 0) return [];
  try {
    return await summarizeTogether(parts, pullRequests);
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    const [pullRequest] = pullRequests;
    if (pullRequests.length === 1 && pullRequest)
      return [unreadablePullRequest(parts.clone, pullRequest.number, error)];
    const middle = pullRequests.length >> 1;
    const before = await summarize(parts, pullRequests.slice(0, middle));
    return [...before, ...(await summarize(parts, pullRequests.slice(middle)))];
  }
}

export function unreadablePullRequest(clone: Clone, number: number, cause?: unknown): Failure {
  return new Failure(
    'HOST_ERROR',
    `Pull request ${number} of ${calledClone(clone)} could not be read: the clone lacks commits of it, or has something else in ` +
      'their place. Run git fetch and git fsck in the clone, then try again.',
    { cause },
  );
}

async function summarizeTogether(
  parts: Parts,
  pullRequests: IndexedPullRequest[],
): Promise<(Summary | Failure)[]> {
  const { git, clone } = parts;
  const firsts = await firstCommits(parts, pullRequests);
  const shas = new Set([...firsts.values(), ...pullRequests.flatMap(({ merge }) => merge?.sha ?? [])]);
  const input = [...shas].join('\n');
  const commits = await readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], { input });
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  return pullRequests.map((pullRequest) => {
    const first = bySha.get(firsts.get(pullRequest) ?? '');
    const mergedBy = bySha.get(pullRequest.merge?.sha ?? '') ?? null;
    return first
      ? summaryOf(parts, pullRequest.number, first, mergedBy)
      : unreadablePullRequest(clone, pullRequest.number);
  });
}

/** A few MB for each clone. */
const firstCommitsKept = 20_000;

const keyOf = ({ branch: { head, base } }: IndexedPullRequest): string => `${head} ${base}`;

/** Remembers the first commit of each, once it is known which commits are its own. */
export function noteFirstCommits(
  { firstCommits: known }: PullRequestIndex,
  pullRequests: IndexedPullRequest[],
  own: string[][],
): void {
  for (const [position, pullRequest] of pullRequests.entries())
    known.set(keyOf(pullRequest), detachText(own[position]?.at(-1) ?? pullRequest.branch.head));
}

/** The first commit that each has of its own; its head, where it has none. It is found once for a head and a base. */
async function firstCommits(
  parts: Parts,
  pullRequests: IndexedPullRequest[],
): Promise<Map<IndexedPullRequest, string>> {
  const known = parts.index.firstCommits;
  if (known.size > firstCommitsKept) known.clear();
  const firsts = new Map<IndexedPullRequest, string>();
  for (const pullRequest of pullRequests) {
    const first = known.get(keyOf(pullRequest));
    if (first) firsts.set(pullRequest, first);
  }
  const unknown = pullRequests.filter((pullRequest) => !firsts.has(pullRequest));
  // Those that are not merged have one base, and nothing to do with the bases of the others.
  const groups = [unknown.filter(({ merge }) => merge), unknown.filter(({ merge }) => !merge)];
  await Promise.all(
    groups.map(async (group) => {
      const branches = group.map(({ branch }) => branch);
      noteFirstCommits(parts.index, group, await ownCommits(parts, branches));
      for (const pullRequest of group) firsts.set(pullRequest, known.get(keyOf(pullRequest)) ?? '');
    }),
  );
  return firsts;
}

function summaryOf(
  { clone, index, webUrl }: Parts,
  number: number,
  first: Commit,
  mergedBy: Commit | null,
): Summary | Failure {
  if (!first.authoredAt || (mergedBy && !mergedBy.committedAt)) return undated(clone, number);
  const { title, body } = mergedBy ? wordsOfMerge(mergedBy) : { title: first.subject, body: first.body };
  const shown = {
    number,
    title,
    body: body || null,
    authorLogin: loginOf(first),
    url: pullRequestUrl(webUrl, clone, number),
    state: stateOf(index, number),
    createdAt: first.authoredAt,
    mergedAt: mergedBy?.committedAt ?? null,
    updatedAt: null,
  };
  return { shown, mergedBy };
}

function undated(clone: Clone, number: number): Failure {
  return new Failure(
    'HOST_ERROR',
    `Pull request ${number} of ${calledClone(clone)} cannot be shown: a commit of it has no date, or one outside the years 1970 ` +
      'to 9999. Give the commit a date and push it again.',
  );
}

export function stateOf(index: PullRequestIndex, number: number): PullRequestState {
  if (index.merged.has(number)) return 'merged';
  return index.open.has(number) ? 'open' : 'closed';
}

/** Title and description, from a squashed commit or from a merge commit, whose body begins with the title. */
function wordsOfMerge({ subject, body }: Commit): { title: string; body: string } {
  if (!/^Merge pull request #/.test(subject)) return { title: subject.replace(/ ?\(#\d+\)$/, ''), body };
  const [, ...rest] = body.split('\n');
  return { title: commitTitle({ subject, body }), body: rest.join('\n').trim() };
}

/** How many of the highest numbers are looked at for those that were merged last. */
const lookedAt = 200;

/** So many of the last ones are told of where the commit is gone at which the branch stood, so that what is new cannot be told apart. */
const toldAfterLoss = 20;

/**
 * What the default branch has got since it stood at a commit, or since it had none, whatever dates its commits bear: a clone
 * is fetched when its operator likes.
 */
export async function mergedAfter(parts: Parts, tip: string | null): Promise<MergedPullRequest[]> {
  const { git, clone, index } = parts;
  if (tip === index.tip) return [];
  if (tip === null) return tellMerged(parts, [...index.merged.keys()]);
  const moved = await movedFrom(git, clone, { from: tip, to: index.tip });
  if (!moved) return lastMergedInClone(parts, { most: toldAfterLoss, isWanted: () => true });
  const numbers = [...index.merged].flatMap(([number, merge]: [number, Merge]) =>
    moved.added.has(merge.sha) && !moved.told.has(number) ? number : [],
  );
  return tellMerged(parts, numbers);
}

export async function lastMergedInClone(
  parts: Parts,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
): Promise<MergedPullRequest[]> {
  const newest = [...parts.index.merged.keys()].sort((one, other) => other - one).slice(0, lookedAt);
  const merged = await tellMerged(parts, newest);
  return merged
    .filter(isWanted)
    .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
    .slice(0, most);
}

/**
 * The commits that the branch has got, and the pull requests that were merged into what it no longer has: a branch that was
 * rewritten names them again. Null where the commit at which it stood is gone.
 */
async function movedFrom(
  git: GitRunner,
  clone: Clone,
  { from, to }: { from: string; to: string },
): Promise<{ added: Set<string>; told: Set<number> } | null> {
  try {
    const told = new Set<number>();
    for await (const [subject = ''] of readLog(
      git,
      clone,
      [subjectField],
      ['--first-parent', `${to}..${from}`],
    ))
      told.add(numberNamedBy(subject) ?? 0);
    const added = await runGit(git, clone, ['rev-list', `${from}..${to}`]);
    return { added: new Set(added.split('\n').filter(Boolean)), told };
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    return null;
  }
}

/** What cannot be read is left out: whoever asks for it is told why. */
async function tellMerged(parts: Parts, numbers: number[]): Promise<MergedPullRequest[]> {
  const indexed = numbers.flatMap((number) => findIndexed(parts.index, number) ?? []);
  const summaries = await summarize(parts, indexed);
  return summaries.flatMap((summary) => ('shown' in summary ? mergedOf(summary) : []));
}

function mergedOf({ shown, mergedBy }: Summary): MergedPullRequest[] {
  const mergedAt = mergedBy?.committedAt;
  if (!mergedAt) return [];
  const { number, authorLogin } = shown;
  return [{ number, mergedAt, authorLogin, isBot: isBotLogin(authorLogin), isDraft: false, labels: [] }];
}
