import { Failure } from '../../domain/errors.ts';
import { isBotLogin, type MergedPullRequest } from '../../domain/pull-requests.ts';
import { commitTitle } from '../../domain/releases.ts';
import type { Discussion } from '../../domain/reviews.ts';
import { detachText } from '../../domain/text.ts';
import type { HostPullRequestSummary, MergesOfPeriod, PullRequestState } from '../code-host.ts';
import { type Clone, calledClone, type GitRunner, runGit, UnreadableClone } from '../git-runner/run-git.ts';
import { numberNamedBy } from '../sort-range.ts';
import type { Merge, PullRequestIndex } from './pull-request-index.ts';
import { type Branch, type Commit, ownCommits, readCommits, readLog, subjectField } from './read-commits.ts';

export interface CloneSource {
  git: GitRunner;
  clone: Clone;
  index: PullRequestIndex;
  /** The address of a pull request on the host that the clone comes from; null if it is unknown. */
  urlOf: (number: number) => string | null;
  /** The address of the repository there. */
  repositoryUrl: string | null;
  discussions?: Record<number, Discussion>;
}

export interface IndexedPullRequest {
  number: number;
  merge: Merge | null;
  branch: Branch;
}

export interface Summary {
  shown: HostPullRequestSummary & { body: string | null };
  mergedBy: Commit | null;
}

export function findIndexed(index: PullRequestIndex, number: number): IndexedPullRequest | null {
  const merge = index.merged.get(number) ?? null;
  const head = merge?.head ?? index.heads.get(number) ?? merge?.sha;
  return head ? { number, merge, branch: { head, base: merge ? merge.base : index.tip } } : null;
}

/**
 * Summaries or failures in the given order. If git fails, halves are tried, so that a broken pull request affects no
 * other.
 */
export async function summarize(
  source: CloneSource,
  pullRequests: IndexedPullRequest[],
): Promise<(Summary | Failure)[]> {
  if (pullRequests.length === 0) return [];
  try {
    return await summarizeTogether(source, pullRequests);
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    const [pullRequest] = pullRequests;
    if (pullRequests.length === 1 && pullRequest)
      return [unreadablePullRequest(source.clone, pullRequest.number, error)];
    const middle = pullRequests.length >> 1;
    const before = await summarize(source, pullRequests.slice(0, middle));
    return [...before, ...(await summarize(source, pullRequests.slice(middle)))];
  }
}

export function unreadablePullRequest(clone: Clone, number: number, cause?: unknown): Failure {
  return new Failure(
    'HOST_ERROR',
    `Pull request ${number} of ${calledClone(clone)} could not be read: some of its commits are missing from the clone or damaged. ` +
      'Run git fetch and git fsck in the clone, then try again.',
    { cause },
  );
}

async function summarizeTogether(
  source: CloneSource,
  pullRequests: IndexedPullRequest[],
): Promise<(Summary | Failure)[]> {
  const { git, clone } = source;
  const firsts = await firstCommits(source, pullRequests);
  const shas = new Set([...firsts.values(), ...pullRequests.flatMap(({ merge }) => merge?.sha ?? [])]);
  const input = [...shas].join('\n');
  const commits = await readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], { input });
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  return pullRequests.map((pullRequest) => {
    const first = bySha.get(firsts.get(pullRequest) ?? '');
    const mergedBy = bySha.get(pullRequest.merge?.sha ?? '') ?? null;
    return first
      ? summaryInClone(source, pullRequest.number, first, mergedBy)
      : unreadablePullRequest(clone, pullRequest.number);
  });
}

const firstCommitsKept = 20_000;

const branchKey = ({ branch: { head, base } }: IndexedPullRequest): string => `${head} ${base}`;

export function noteFirstCommits(
  { firstCommits: known }: PullRequestIndex,
  pullRequests: IndexedPullRequest[],
  own: string[][],
): void {
  for (const [position, pullRequest] of pullRequests.entries())
    known.set(branchKey(pullRequest), detachText(own[position]?.at(-1) ?? pullRequest.branch.head));
}

async function firstCommits(
  source: CloneSource,
  pullRequests: IndexedPullRequest[],
): Promise<Map<IndexedPullRequest, string>> {
  const known = source.index.firstCommits;
  if (known.size > firstCommitsKept) known.clear();
  const firsts = new Map<IndexedPullRequest, string>();
  for (const pullRequest of pullRequests) {
    const first = known.get(branchKey(pullRequest));
    if (first) firsts.set(pullRequest, first);
  }
  const unknown = pullRequests.filter((pullRequest) => !firsts.has(pullRequest));
  const groups = [unknown.filter(({ merge }) => merge), unknown.filter(({ merge }) => !merge)];
  await Promise.all(
    groups.map(async (group) => {
      const branches = group.map(({ branch }) => branch);
      noteFirstCommits(source.index, group, await ownCommits(source, branches));
      for (const pullRequest of group) firsts.set(pullRequest, known.get(branchKey(pullRequest)) ?? '');
    }),
  );
  return firsts;
}

function summaryInClone(
  { clone, index, urlOf }: CloneSource,
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
    authorLogin: first.authorLogin,
    url: urlOf(number),
    state: stateInClone(index, number),
    createdAt: first.authoredAt,
    mergedAt: mergedBy?.committedAt ?? null,
    updatedAt: mergedBy?.committedAt ?? null,
  };
  return { shown, mergedBy };
}

function undated(clone: Clone, number: number): Failure {
  return new Failure(
    'HOST_ERROR',
    `Pull request ${number} of ${calledClone(clone)} cannot be shown: one of its commits has no date, or a date outside the years 1970 ` +
      'to 9999. Give the commit a date and push it again.',
  );
}

export function stateInClone(index: PullRequestIndex, number: number): PullRequestState {
  if (index.merged.has(number)) return 'merged';
  return index.open.has(number) ? 'open' : 'closed';
}

/** The title and description in a squash commit, or in a merge commit, whose body begins with the title. */
function wordsOfMerge({ subject, body }: Commit): { title: string; body: string } {
  if (!/^Merge pull request #/.test(subject)) return { title: subject.replace(/ ?\(#\d+\)$/, ''), body };
  const [, ...rest] = body.split('\n');
  return { title: commitTitle({ subject, body }), body: rest.join('\n').trim() };
}

const lookedAt = 200;

/** If the known commit is gone, new merges cannot be recognized, and this many are returned. */
const mostAfterLoss = 20;

/**
 * Pull requests merged since the branch was at a commit, by history and not by date, because operators fetch clones at
 * any time.
 */
export async function mergedAfter(source: CloneSource, tip: string | null): Promise<MergedPullRequest[]> {
  const { git, clone, index } = source;
  if (tip === index.tip) return [];
  if (tip === null) return readMergedInClone(source, [...index.merged.keys()]);
  const moved = await movedFrom(git, clone, { from: tip, to: index.tip });
  if (!moved) return lastMergedInClone(source, { most: mostAfterLoss, isWanted: () => true });
  const numbers = [...index.merged].flatMap(([number, merge]: [number, Merge]) =>
    moved.added.has(merge.sha) && !moved.known.has(number) ? number : [],
  );
  return readMergedInClone(source, numbers);
}

export async function lastMergedInClone(
  source: CloneSource,
  { most, isWanted }: { most: number; isWanted: (pullRequest: MergedPullRequest) => boolean },
): Promise<MergedPullRequest[]> {
  const newest = [...source.index.merged.keys()].sort((one, other) => other - one).slice(0, lookedAt);
  const merged = await readMergedInClone(source, newest);
  return merged
    .filter(isWanted)
    .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
    .slice(0, most);
}

/** Whether the author of a merge is a bot, by number, as long as the index is that of the clone. */
const botsKnown = new WeakMap<PullRequestIndex, Map<number, boolean>>();

/** The most whose authors one call reads, the newest first; later calls read the others. */
const mostAuthorsRead = 2_000;

/**
 * All merges within a time: their numbers and times are in the index, and authors are read once, a few together,
 * because the time to read them grows with the square of their number.
 */
export function mergedWithin(source: CloneSource, { from, to }: { from: Date; to: Date }): MergesOfPeriod {
  const { index } = source;
  const known = botsKnown.get(index) ?? new Map<number, boolean>();
  botsKnown.set(index, known);
  const merged = [...index.merged].flatMap(([number, { at }]) => {
    const mergedAt = new Date(at * 1000);
    return mergedAt >= from && mergedAt < to ? { number, mergedAt } : [];
  });
  return {
    merged,
    async findBots() {
      const unread = merged
        .filter(({ number }) => !known.has(number))
        .sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime())
        .slice(0, mostAuthorsRead);
      for (let at = 0; at < unread.length; at += lookedAt) {
        const some = unread.slice(at, at + lookedAt).map(({ number }) => number);
        const read = await readMergedInClone(source, some);
        const bots = new Set(read.flatMap(({ number, isBot }) => (isBot ? number : [])));
        // A broken pull request has no author, and is not read again.
        for (const number of some) known.set(number, bots.has(number));
      }
      return new Set(merged.flatMap(({ number }) => (known.get(number) ? number : [])));
    },
  };
}

/** The new commits, and the pull requests that a rewritten branch has lost. Null if the known commit is gone. */
async function movedFrom(
  git: GitRunner,
  clone: Clone,
  { from, to }: { from: string; to: string },
): Promise<{ added: Set<string>; known: Set<number> } | null> {
  try {
    const known = new Set<number>();
    for await (const [subject = ''] of readLog(
      git,
      clone,
      [subjectField],
      ['--first-parent', `${to}..${from}`],
    ))
      known.add(numberNamedBy(subject) ?? 0);
    const added = await runGit(git, clone, ['rev-list', `${from}..${to}`]);
    return { added: new Set(added.split('\n').filter(Boolean)), known };
  } catch (error) {
    if (!(error instanceof UnreadableClone)) throw error;
    return null;
  }
}

/** Leaves out broken pull requests; a request for one of them says what is wrong. */
async function readMergedInClone(source: CloneSource, numbers: number[]): Promise<MergedPullRequest[]> {
  const indexed = numbers.flatMap((number) => findIndexed(source.index, number) ?? []);
  const summaries = await summarize(source, indexed);
  return summaries.flatMap((summary) => ('shown' in summary ? mergedInClone(summary) : []));
}

function mergedInClone({ shown, mergedBy }: Summary): MergedPullRequest[] {
  const mergedAt = mergedBy?.committedAt;
  if (!mergedAt) return [];
  const { number, authorLogin } = shown;
  return [{ number, mergedAt, authorLogin, isBot: isBotLogin(authorLogin), isDraft: false, labels: [] }];
}
