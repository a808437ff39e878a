import { Failure } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-request-bounds.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest, PullRequestGlance } from '../code-host.ts';
import { type Clone, calledClone } from '../git-runner/clone.ts';
import { diffBetween, fileSummariesBetween } from '../git-runner/print-diff.ts';
import { readFileTexts } from '../git-runner/read-file-texts.ts';
import { UnreadableClone } from '../git-runner/run-git.ts';
import { type Commit, readCommits } from './commit.ts';
import { mergeBases } from './merge-bases.ts';
import { keptOfMessages, type ReadTogether } from './read-ahead.ts';
import { readHead, readShallow } from './read-clone-file.ts';
import {
  type IndexedPullRequest,
  type Parts,
  type Summary,
  summarize,
  unreadablePullRequest,
} from './summarize-pull-requests.ts';

/** The tree without files. Git knows it without having stored it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Reads a pull request; what of it was read together with others is not read again. */
export async function readPullRequest(
  parts: Parts,
  pullRequest: IndexedPullRequest,
  known: ReadTogether | null = null,
): Promise<HostPullRequest> {
  const { git, clone } = parts;
  const { shown, mergedBy, baseSha, commits } = await readParts(parts, pullRequest, known);
  const headSha = pullRequest.merge?.sha ?? pullRequest.branch.head;
  return {
    ...shown,
    version: null,
    labels: [],
    baseRef: await defaultBranch(clone),
    headRef: branchName(mergedBy) ?? `pull/${pullRequest.number}/head`,
    headSha,
    baseSha,
    commits,
    comments: [],
    linkedIssues: linkedIssues({
      repository: `${clone.owner}/${clone.name}`,
      title: shown.title,
      body: shown.body,
      commitMessages: commits.map(({ message }) => message),
    }).map((issue) => ({ number: issue, title: '', body: null })),
    diff: () => diffBetween(git, clone, baseSha, headSha),
    fileSummaries: () => fileSummariesBetween(git, clone, baseSha, headSha),
    fileTexts: (wanted) => readFileTexts(git, clone, { base: baseSha, head: headSha, wanted }),
  };
}

/** What is known of a pull request without its commits and its lines. */
export async function glanceAt(parts: Parts, pullRequest: IndexedPullRequest): Promise<PullRequestGlance> {
  const { git, clone } = parts;
  const [[summary = unreadablePullRequest(clone, pullRequest.number)], baseSha] = await Promise.all([
    summarize(parts, [pullRequest]),
    baseOf(parts, pullRequest),
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

async function readParts(parts: Parts, pullRequest: IndexedPullRequest, known: ReadTogether | null) {
  try {
    const [summary, baseSha, commits] = await Promise.all([
      known?.summary ?? summarizeOne(parts, pullRequest),
      baseOf(parts, pullRequest),
      known?.commits ?? commitsOf(parts, pullRequest),
    ]);
    if (summary instanceof Failure) throw summary;
    return { ...summary, baseSha, commits: commits.map(asShown) };
  } catch (error) {
    throw error instanceof UnreadableClone
      ? unreadablePullRequest(parts.clone, pullRequest.number, error)
      : error;
  }
}

async function summarizeOne(parts: Parts, pullRequest: IndexedPullRequest): Promise<Summary | Failure> {
  const [summary] = await summarize(parts, [pullRequest]);
  return summary ?? unreadablePullRequest(parts.clone, pullRequest.number);
}

/** Where the diff begins. */
async function baseOf(
  { git, clone, index }: Parts,
  { number, merge, branch }: IndexedPullRequest,
): Promise<string> {
  const base = merge
    ? merge.base
    : (await mergeBases(git, clone, [{ one: index.tip, other: branch.head }]))[0]?.[0];
  if (base) return base;
  // Without its older history a clone looks as if everything in it were new.
  if ((await readShallow(clone)) !== '') {
    throw new Failure(
      'HOST_ERROR',
      `The clone of ${calledClone(clone)} lacks the commit at which pull request ${number} begins. ` +
        'Run git fetch --unshallow in it, then try again.',
    );
  }
  return emptyTree;
}

/** The oldest first. */
async function commitsOf(
  { git, clone }: Parts,
  { branch: { head, base } }: IndexedPullRequest,
): Promise<Commit[]> {
  const range = ['--topo-order', `--max-count=${mostCommits}`, head, ...(base ? [`^${base}`] : [])];
  const own = await readCommits(git, clone, range, keptOfMessages);
  const commits = own.length > 0 ? own : await readCommits(git, clone, ['--no-walk', head], keptOfMessages);
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
