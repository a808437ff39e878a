import { Failure } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-request-bounds.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest } from '../code-host.ts';
import { type Commit, readCommits } from './commit.ts';
import type { Clone } from './find-clone.ts';
import { mergeBases } from './merge-bases.ts';
import { diffBetween, fileSummariesBetween } from './print-diff.ts';
import { readHead, readShallow } from './read-clone-file.ts';
import { readFileTexts } from './read-file-texts.ts';
import { UnreadableClone } from './run-git.ts';
import {
  type IndexedPullRequest,
  type Parts,
  summarize,
  unreadablePullRequest,
} from './summarize-pull-requests.ts';

/** The tree without files. Git knows it without having stored it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Messages are listed 250 at a time, for as many pull requests as are read at once; few are half as long. */
const mostOfMessage = 4_000;

export async function readPullRequest(
  parts: Parts,
  pullRequest: IndexedPullRequest,
): Promise<HostPullRequest> {
  const { git, clone } = parts;
  const { shown, mergedBy, baseSha, commits } = await readParts(parts, pullRequest);
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

async function readParts(parts: Parts, pullRequest: IndexedPullRequest) {
  try {
    const [[summary = unreadablePullRequest(parts.clone, pullRequest.number)], baseSha, commits] =
      await Promise.all([
        summarize(parts, [pullRequest]),
        baseOf(parts, pullRequest),
        commitsOf(parts, pullRequest),
      ]);
    if (summary instanceof Failure) throw summary;
    return { ...summary, baseSha, commits };
  } catch (error) {
    throw error instanceof UnreadableClone
      ? unreadablePullRequest(parts.clone, pullRequest.number, error)
      : error;
  }
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
      `The clone of ${clone.owner}/${clone.name} lacks the commit at which pull request ${number} begins. ` +
        'Run git fetch --unshallow in it, then try again.',
    );
  }
  return emptyTree;
}

async function commitsOf(
  { git, clone }: Parts,
  { branch: { head, base } }: IndexedPullRequest,
): Promise<HostPullRequest['commits']> {
  const range = ['--topo-order', `--max-count=${mostCommits}`, head, ...(base ? [`^${base}`] : [])];
  const kept = { mostOfBody: mostOfMessage };
  const own = await readCommits(git, clone, range, kept);
  const commits = own.length > 0 ? own : await readCommits(git, clone, ['--no-walk', head], kept);
  return commits.reverse().map(({ sha, subject, body, authorName }) => ({
    sha,
    message: body ? `${subject}\n\n${body}` : subject,
    author: authorName,
  }));
}

async function defaultBranch(clone: Clone): Promise<string> {
  return /^refs\/heads\/(.+)$/.exec((await readHead(clone)).ref ?? '')?.[1] ?? 'HEAD';
}

function branchName(mergedBy: Commit | null): string | null {
  return /^Merge pull request #\d+ from [^/\s]+\/(\S+)$/.exec(mergedBy?.subject ?? '')?.[1] ?? null;
}
