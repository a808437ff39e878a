import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest, HostPullRequestSummary, PullRequestState } from '../code-host.ts';
import { type Commit, loginOf, readCommits } from './commit.ts';
import type { Clone } from './find-clone.ts';
import { diffBetween, fileSummariesBetween } from './print-diff.ts';
import { type PullRequestIndex, readHeadRef } from './pull-request-index.ts';
import { type GitRunner, runGit } from './run-git.ts';

/** The tree without files. Git knows it without having stored it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** As many commits as the large hosts list. */
const commitsKept = 250;

interface Parts {
  git: GitRunner;
  clone: Clone;
  index: PullRequestIndex;
  webUrl: string | null;
}

/** The commits that tell about pull requests: those that merged them, and those of their branches. */
interface KnownCommits {
  merges: Map<string, Commit>;
  branches: Map<string, Commit>;
}

/** Reads what there is about some pull requests, with one run of git for all of each kind. */
async function readKnownCommits(parts: Parts, numbers: number[]): Promise<KnownCommits> {
  const { git, clone, index } = parts;
  const shas = numbers.flatMap((number) => index.merged.get(number) ?? []);
  const heads = numbers.flatMap((number) => index.heads.get(number) ?? []);
  const [merges, branches] = await Promise.all([
    shas.length === 0 ? [] : readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], shas.join('\n')),
    heads.length === 0 ? [] : readBranches(parts, heads),
  ]);
  const bySha = (commits: Commit[]) => new Map(commits.map((commit) => [commit.sha, commit]));
  return { merges: bySha(merges), branches: bySha(branches) };
}

/** Summaries of pull requests that the index has, in the order of the numbers given. */
export async function summarizePullRequests(
  parts: Parts,
  numbers: number[],
): Promise<HostPullRequestSummary[]> {
  const known = await readKnownCommits(parts, numbers);
  return numbers.flatMap((number) => summarize(parts, number, known)?.shown ?? []);
}

/** The commits that branches have of their own, following only first parents: not what was merged into them. */
async function readBranches({ git, clone, index }: Parts, heads: string[]): Promise<Commit[]> {
  const own = await readCommits(
    git,
    clone,
    ['--first-parent', '--exclude-first-parent-only', '--stdin'],
    [...heads, `^${index.tip}`].join('\n'),
  );
  const found = new Set(own.map(({ sha }) => sha));
  const onDefaultBranch = heads.filter((head) => !found.has(head));
  if (onDefaultBranch.length === 0) return own;
  return [
    ...own,
    ...(await readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], onDefaultBranch.join('\n'))),
  ];
}

function stateOf(index: PullRequestIndex, number: number): PullRequestState {
  if (index.merged.has(number)) return 'merged';
  return index.open.has(number) ? 'open' : 'closed';
}

/** Where a branch begins: the commit whose first parent is not one of the branches' own. */
function firstOf(head: Commit, branches: Map<string, Commit>): Commit {
  let first = head;
  for (
    let parent = branches.get(first.parents[0] ?? '');
    parent;
    parent = branches.get(first.parents[0] ?? '')
  ) {
    first = parent;
  }
  return first;
}

function summarize(
  { clone, index, webUrl }: Parts,
  number: number,
  { merges, branches }: KnownCommits,
): { shown: HostPullRequestSummary & { body: string | null }; mergedBy: Commit | null } | null {
  const mergedBy = merges.get(index.merged.get(number) ?? '') ?? null;
  const head = branches.get(index.heads.get(number) ?? '');
  const first = head ? firstOf(head, branches) : mergedBy;
  if (!first) return null;
  const { title, body } = mergedBy ? wordsOfMerge(mergedBy) : { title: first.subject, body: first.body };
  const shown = {
    number,
    title,
    body: body || null,
    authorLogin: loginOf(first),
    url: webUrl && `${webUrl}/${clone.owner}/${clone.name}/pull/${number}`,
    state: stateOf(index, number),
    createdAt: first.authoredAt,
  };
  return { shown, mergedBy };
}

/** Title and description, from a squashed commit or from a merge commit, whose body begins with the title. */
function wordsOfMerge({ subject, body }: Commit): { title: string; body: string } {
  if (!/^Merge pull request #/.test(subject)) return { title: subject.replace(/ ?\(#\d+\)$/, ''), body };
  const [title = '', ...rest] = body.split('\n');
  return { title: title.trim() || subject, body: rest.join('\n').trim() };
}

export async function readPullRequest(parts: Parts, number: number): Promise<HostPullRequest | null> {
  const { git, clone, index } = parts;
  const known = await readKnownCommits(parts, [number]);
  const summary = summarize(parts, number, known);
  if (!summary) return null;
  const { shown, mergedBy } = summary;
  const headSha = mergedBy?.sha ?? index.heads.get(number) ?? '';
  const baseSha = mergedBy ? (mergedBy.parents[0] ?? emptyTree) : await mergeBase(parts, headSha);
  const branchHead = index.heads.get(number) ?? mergedBy?.parents[1] ?? headSha;
  const commits = await commitsOf(parts, mergedBy?.parents[0] ?? index.tip, branchHead, known);
  return {
    ...shown,
    labels: [],
    baseRef: await defaultBranch(clone),
    headRef: branchName(mergedBy) ?? `pull/${number}/head`,
    headSha,
    baseSha,
    mergedAt: mergedBy?.committedAt ?? null,
    commits,
    comments: [],
    linkedIssues: linkedIssues(
      shown.title,
      shown.body,
      commits.map(({ message }) => message),
    ).map((issue) => ({ number: issue, title: '', body: null })),
    diff: () => diffBetween(git, clone, baseSha, headSha),
    fileSummaries: () => fileSummariesBetween(git, clone, baseSha, headSha),
  };
}

async function mergeBase({ git, clone, index }: Parts, head: string): Promise<string> {
  try {
    return (await runGit(git, clone, ['merge-base', index.tip, head])).trim();
  } catch {
    // Histories that share nothing: all of it is new.
    return emptyTree;
  }
}

async function commitsOf(
  { git, clone }: Parts,
  base: string,
  head: string,
  { merges, branches }: KnownCommits,
): Promise<HostPullRequest['commits']> {
  const known = new Map([...merges, ...branches]);
  const range = ['--topo-order', `--max-count=${commitsKept}`, head, `^${base}`];
  const commits = straightLine(base, head, known) ?? (await readCommits(git, clone, range));
  if (commits.length === 0) {
    const only = known.get(head);
    commits.push(...(only ? [only] : await readCommits(git, clone, ['--no-walk', head])));
  }
  return commits.reverse().map((commit) => ({
    sha: commit.sha,
    message: commit.body ? `${commit.subject}\n\n${commit.body}` : commit.subject,
    author: commit.authorName,
  }));
}

/**
 * What git would list between two commits, newest first, where known commits with a single parent each lead from one to
 * the other; null where git has to be asked.
 */
function straightLine(base: string, head: string, known: Map<string, Commit>): Commit[] | null {
  const line: Commit[] = [];
  for (let commit = known.get(head); commit?.parents.length === 1; ) {
    line.push(commit);
    const [parent = ''] = commit.parents;
    if (parent === base) return line.slice(0, commitsKept);
    commit = known.get(parent);
  }
  return null;
}

async function defaultBranch(clone: Clone): Promise<string> {
  return /^refs\/heads\/(.+)$/.exec((await readHeadRef(clone)) ?? '')?.[1] ?? 'HEAD';
}

function branchName(mergedBy: Commit | null): string | null {
  return /^Merge pull request #\d+ from [^/\s]+\/(\S+)$/.exec(mergedBy?.subject ?? '')?.[1] ?? null;
}
