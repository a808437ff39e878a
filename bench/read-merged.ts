import { outlineDiff, type TextFetcher } from '../src/actions/pull-requests/diff-tasks.ts';
import type { FileText } from '../src/code-hosts/code-host.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { byFile } from '../src/reading/read-facts.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import { readFacts } from '../test/read-facts.ts';
import { commitsOf, type MergedPullRequest, mergedPullRequests, printEach, readTexts } from './mirrors.ts';

export interface ReadPullRequest {
  pullRequest: MergedPullRequest;
  bytes: Buffer;
  source: ModelSource;
}

/** Merged pull requests of a mirror, the last ones or some chosen by chance, and what an article about each is written from. */
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

/** Whole files of a pull request, as a host would bring them. */
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

/** What a mirror's folder says it is of. */
export const nameOf = (mirror: string): string =>
  mirror
    .replace(/\/repo\/?$/, '')
    .split('/')
    .at(-1) ?? mirror;
