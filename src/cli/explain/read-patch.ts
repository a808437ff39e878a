import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { asGitDiff, startOfGitDiff } from './as-git-diff.ts';
import { wordsOfPatches } from './words-of-patch.ts';

/** More is not held in memory, and no text can be longer. */
const mostBytes = 500 * 1024 * 1024;

/** As much as is handed over at a time. */
const chunkBytes = 1024 * 1024;

/** Reads a diff that is piped, with what stands above it; the files around it are known by what is handed in. */
export async function readPatch(
  input: AsyncIterable<Buffer>,
  textsOf?: (files: FileDiff[]) => HostPullRequest['fileTexts'],
): Promise<HostPullRequest> {
  const given = await readAll(input);
  const bytes = asGitDiff(given);
  const files = parseDiff(bytes);
  requireDiff(given, files);
  const patches = wordsOfPatches(startOfGitDiff(bytes) > 0 ? bytes : given);
  const [first = nobody] = patches;
  // The first of several patches does not tell what all of them are about.
  const { title, body } = patches.length > 1 ? nobody : first;
  const author = patches.every((patch) => patch.author === first.author) ? first.author : '';
  const commits = patches.map((words) => ({
    sha: '',
    message: [words.title, words.body].filter(Boolean).join('\n\n'),
    author: words.author,
  }));
  const fileTexts = textsOf?.(files);
  const words = { title, body, commitMessages: commits.map(({ message }) => message) };
  return {
    ...nothingKnown,
    title,
    body: body || null,
    authorLogin: author,
    commits,
    ...(fileTexts && { fileTexts }),
    linkedIssues: linkedIssues({ repository: '', ...words }).map((number) => ({
      number,
      title: '',
      body: null,
    })),
    async *diff() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    fileSummaries: async () =>
      files.map(({ path, previousPath, status, additions, deletions }) => ({
        path,
        previousPath,
        status,
        additions,
        deletions,
      })),
  };
}

const nobody = { title: '', body: '', author: '' };

const nothingKnown = {
  number: 0,
  url: null,
  state: 'open' as const,
  createdAt: new Date(0),
  mergedAt: null,
  updatedAt: null,
  version: null,
  labels: [],
  baseRef: '',
  headRef: '',
  headSha: '',
  baseSha: '',
  comments: [],
};

async function readAll(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes)
      throw new StartupProblem(
        `This diff has more than ${mostBytes / 1024 / 1024} MiB. Pipe a part of it, such as git diff -- src.`,
      );
  }
  return Buffer.concat(chunks);
}

function requireDiff(given: Buffer, files: FileDiff[]): void {
  if (files.length === 0) throw new StartupProblem(whyNone(given));
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path))
      throw new StartupProblem(
        `This changes ${path} more than once, as a series of patches does. Pipe one patch at a time, or the whole as git diff ` +
          'BASE...HEAD prints it.',
      );
    paths.add(path);
  }
}

function whyNone(given: Buffer): string {
  if (given.every((byte) => byte <= 0x20)) return 'The diff is empty: there is nothing to explain.';
  if (/^diff --(?:cc|combined) /m.test(given.toString('latin1', 0, 1_000_000)))
    return 'This is the diff of a merge against several commits at once. Pipe git diff MERGE^1 MERGE instead.';
  return 'What was piped is no diff. Pipe what git diff, git format-patch --stdout, svn diff or hg diff prints.';
}
