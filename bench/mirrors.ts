import { execFileSync } from 'node:child_process';
import { outlineDiff, type TextFetcher } from '../src/actions/pull-requests/diff-tasks.ts';
import type { FileText } from '../src/code-hosts/code-host.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { byFile } from '../src/reading/read-facts.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import { readFacts } from '../test/read-facts.ts';

export interface MergedPullRequest {
  sha: string;
  /** The parent of the commit; null for the first one. */
  parent: string | null;
  title: string;
  body: string;
}

export function runGit(mirror: string, parameters: string[], input = ''): Buffer {
  return execFileSync('git', ['-C', mirror, ...parameters], {
    input: Buffer.from(input),
    maxBuffer: 2 ** 32,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** Merged pull requests of a mirror, newest first: the commits of the default branch that name one. */
export function mergedPullRequests(mirror: string): MergedPullRequest[] {
  const format = '--format=%H%x00%P%x00%s%x00%b%x00';
  const fields = runGit(mirror, ['log', '--first-parent', format, 'HEAD']).toString().split('\0');
  const merged: MergedPullRequest[] = [];
  for (let index = 0; index + 4 < fields.length; index += 4) {
    const [sha = '', parents = '', title = '', body = ''] = fields.slice(index, index + 4);
    if (!/\(#\d+\)$|^Merge pull request #\d+/.test(title)) continue;
    merged.push({ sha: sha.trim(), parent: parents.split(' ')[0] || null, title, body });
  }
  return merged;
}

/** The pull request number in the title of a merge or squash commit. */
export const numberOf = ({ title }: MergedPullRequest): number =>
  Number(/\(#(\d+)\)$|^Merge pull request #(\d+)/.exec(title)?.slice(1).find(Boolean) ?? 0);

/** The commits of a branch, oldest first, if the mirror has them; otherwise the squashed one. */
export function commitsOf(
  mirror: string,
  pullRequest: MergedPullRequest,
): { author: string; message: string }[] {
  const { sha, parent } = pullRequest;
  const options = ['--reverse', '--no-merges', '--max-count=250', '--format=%an%x00%B%x00'];
  for (const head of [`refs/pull/${numberOf(pullRequest)}/head`, `${sha}^2`, sha]) {
    try {
      const printed = runGit(mirror, ['log', ...options, head, ...(parent ? [`^${parent}`] : [])]);
      const fields = printed.toString().split('\0');
      const commits = Array.from({ length: fields.length >> 1 }, (_, index) => ({
        author: (fields[index * 2] ?? '').trim(),
        message: (fields[index * 2 + 1] ?? '').trim(),
      }));
      if (commits.length > 0) return commits;
    } catch {
      // The mirror lacks this head, but may have the next one.
    }
  }
  return [];
}

/** The contents of names such as COMMIT:PATH; null if the mirror lacks one. */
export function readTexts(mirror: string, names: string[]): (string | null)[] {
  const printed = runGit(mirror, ['cat-file', '--batch'], names.map((name) => `${name}\n`).join(''));
  let position = 0;
  return names.map(() => {
    const end = printed.indexOf('\n', position);
    const size = / blob (\d+)$/.exec(printed.toString('utf8', position, end))?.[1];
    position = end + 1;
    if (size === undefined) return null;
    const begin = position;
    position += Number(size) + 1;
    return printed.toString('utf8', begin, begin + Number(size));
  });
}

/** The output of git for many pull requests in one run: for each, its commit on a line and then its diff. */
export function printAll(mirror: string, pullRequests: MergedPullRequest[], ...options: string[]): Buffer {
  const input = pullRequests.map(({ sha, parent }) => (parent ? `${sha} ${parent}` : sha)).join('\n');
  return runGit(mirror, ['diff-tree', '--stdin', '--root', '-r', '-M', ...options], `${input}\n`);
}

/** The output of one run, cut into a piece for each pull request; those without changes are empty. */
function cut(printed: Buffer, pullRequests: MergedPullRequest[]): Buffer[] {
  let position = 0;
  const starts = pullRequests.map(({ sha }) => {
    const line = `${sha}\n`;
    const found = printed.indexOf(line, position);
    if (found < 0) return null;
    position = found + line.length;
    return { from: found, to: position };
  });
  return starts.map((start, index) => {
    if (!start) return Buffer.alloc(0);
    const next = starts.slice(index + 1).find((other) => other !== null);
    return printed.subarray(start.to, next?.from ?? printed.length);
  });
}

/** The diff of each pull request; null if the mirror lacks parts of it, such as large files. */
export function printEach(mirror: string, pullRequests: MergedPullRequest[]): (Buffer | null)[] {
  try {
    return cut(printAll(mirror, pullRequests, '-p', '-U3'), pullRequests);
  } catch (error) {
    if (pullRequests.length === 1) return [null];
    if (pullRequests.length === 0) throw error;
    const middle = Math.ceil(pullRequests.length / 2);
    return [
      ...printEach(mirror, pullRequests.slice(0, middle)),
      ...printEach(mirror, pullRequests.slice(middle)),
    ];
  }
}

export interface ReadPullRequest {
  pullRequest: MergedPullRequest;
  bytes: Buffer;
  source: ModelSource;
}

/** Merged pull requests of a mirror, the last ones or random ones, with the sources of their articles. */
export async function* readMerged(
  mirror: string,
  count: number,
  random: () => number = () => 0,
): AsyncGenerator<ReadPullRequest> {
  const chosen = mergedPullRequests(mirror)
    .map((pullRequest) => ({ pullRequest, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ pullRequest }) => pullRequest);
  const diffs = printEach(mirror, chosen);
  for (const [index, pullRequest] of chosen.entries()) {
    const bytes = diffs[index];
    if (bytes) yield { pullRequest, bytes, source: await sourceOf(mirror, pullRequest, bytes) };
  }
}

/** The merged pull request of one commit; null if the mirror lacks it. */
export async function readCommit(mirror: string, commit: string): Promise<ReadPullRequest | null> {
  const pullRequest = mergedPullRequests(mirror).find(({ sha }) => sha.startsWith(commit));
  const bytes = pullRequest && printEach(mirror, [pullRequest])[0];
  return pullRequest && bytes
    ? { pullRequest, bytes, source: await sourceOf(mirror, pullRequest, bytes) }
    : null;
}

async function sourceOf(mirror: string, pullRequest: MergedPullRequest, bytes: Buffer): Promise<ModelSource> {
  const diff = parseDiff(bytes);
  const commits = commitsOf(mirror, pullRequest);
  const text = {
    repository: nameOf(mirror).replace('+', '/'),
    ...wordsOf(pullRequest),
    labels: [],
    commitMessages: commits.map(({ message }) => message),
  };
  const outlines = await outlineDiff(diff, textsOf(mirror, pullRequest));
  const facts = readFacts(text, diff, byFile(outlines));
  const author = commits[0]?.author ?? 'ada';
  return { ...text, commits, comments: [], linkedIssues: [], author, isClone: true, facts, diff };
}

/** Whole files of a pull request, as a host returns them. */
function textsOf(mirror: string, { sha, parent }: MergedPullRequest): TextFetcher {
  const texts: FileText[] = [];
  return {
    async wantTexts(wanted) {
      const names = wanted.map(({ path, side }) => `${side === 'new' ? sha : parent}:${path}`);
      for (const [place, text] of readTexts(mirror, names).entries())
        if (text !== null) texts.push({ place, text });
    },
    nextText: async () => texts.shift() ?? null,
  };
}

/** A merge commit has the title in its body. */
function wordsOf({ title, body }: MergedPullRequest): { title: string; body: string } {
  if (!title.startsWith('Merge pull request #')) return { title: title.replace(/\s*\(#\d+\)$/, ''), body };
  const [first = '', ...rest] = body.split('\n');
  return { title: first || title, body: rest.join('\n').trim() };
}

/** The repository of a mirror, by its folder. */
export const nameOf = (mirror: string): string =>
  mirror
    .replace(/\/repo\/?$/, '')
    .split('/')
    .at(-1) ?? mirror;
