import { Failure } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-request-bounds.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { HostPullRequest, PullRequestGlance } from '../code-host.ts';
import { diffBetween, fileSummariesBetween, readFileTexts } from '../git-runner/read-objects.ts';
import { type Clone, calledClone, UnreadableClone } from '../git-runner/run-git.ts';
import { readHead, readShallow } from './pull-request-index.ts';
import { type Commit, mergeBases, ownCommits, readCommits } from './read-commits.ts';
import {
  type IndexedPullRequest,
  noteFirstCommits,
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

/** Messages are listed 250 at a time, for as many pull requests as are read at once; few are half as long. */
export const keptOfMessages = { mostOfBody: 4_000 };

/** What a few runs of git tell of many pull requests. It follows from the ids of commits alone. */
export interface ReadTogether {
  summary: Summary;
  /** The oldest first; null where only a run of git for this one tells them. */
  commits: Commit[] | null;
}

/** As many as one run of git reads in a moment. */
const atOnce = 32;

/** What is expected and never read is forgotten when there is so much of it. */
const mostKept = 200;

/** Reads together what is expected to be read one by one soon. */
export class ReadAhead {
  readonly #known = new Map<string, Promise<ReadTogether | null>>();

  expect(parts: Parts, pullRequests: IndexedPullRequest[]): void {
    const isNew = (one: IndexedPullRequest) => one.merge && !this.#known.has(keyOf(parts.clone, one));
    const wanted = pullRequests.filter(isNew).slice(0, mostKept);
    for (let from = 0; from < wanted.length; from += atOnce) {
      const some = wanted.slice(from, from + atOnce);
      // What cannot be read together is read alone, which tells why.
      const reading = readTogether(parts, some).catch(() => []);
      for (const [place, one] of some.entries())
        this.#known.set(
          keyOf(parts.clone, one),
          reading.then((read) => read[place] ?? null),
        );
    }
    for (const key of this.#known.keys()) {
      if (this.#known.size <= mostKept) break;
      this.#known.delete(key);
    }
  }

  /** What was read of one already, which is not kept any longer; null where nothing was. */
  async take(clone: Clone, pullRequest: IndexedPullRequest): Promise<ReadTogether | null> {
    const key = keyOf(clone, pullRequest);
    const known = this.#known.get(key);
    this.#known.delete(key);
    return (await known) ?? null;
  }
}

const keyOf = ({ gitFolder }: Clone, { number, merge, branch }: IndexedPullRequest): string =>
  [gitFolder, number, merge?.sha, merge?.base, branch.head, branch.base].join('\n');

async function readTogether(
  parts: Parts,
  pullRequests: IndexedPullRequest[],
): Promise<(ReadTogether | null)[]> {
  const { git, clone, index } = parts;
  const own = await ownCommits(
    parts,
    pullRequests.map(({ branch }) => branch),
  );
  noteFirstCommits(index, pullRequests, own);
  const lines = pullRequests.map(({ branch: { head } }, place) =>
    own[place]?.length ? own[place].slice(0, mostCommits) : [head],
  );
  const [summaries, commits] = await Promise.all([
    summarize(parts, pullRequests),
    readCommits(git, clone, ['--no-walk=unsorted', '--stdin'], {
      input: [...new Set(lines.flat())].join('\n'),
      ...keptOfMessages,
    }),
  ]);
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  return summaries.map((summary, place) => {
    if (summary instanceof Failure) return null;
    const line = lines[place]?.flatMap((sha) => bySha.get(sha) ?? []) ?? [];
    // Along first parents is all that a branch has of its own only where nothing was merged into it.
    const isWhole = line.length === lines[place]?.length && !(own[place] ?? []).some(isMergeIn(bySha));
    return { summary, commits: isWhole ? line.toReversed() : null };
  });
}

const isMergeIn =
  (bySha: Map<string, Commit>) =>
  (sha: string): boolean =>
    (bySha.get(sha)?.parents.length ?? 2) > 1;
