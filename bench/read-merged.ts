import { GrammarLibrary } from '../src/grammars.ts';
import { classifyFile } from '../src/reading/classify-file.ts';
import { parseGitAttributes } from '../src/reading/git-attributes.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { readFacts } from '../src/reading/read-facts.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import { type MergedPullRequest, mergedPullRequests, printEach } from './mirrors.ts';

const grammars = new GrammarLibrary();

export interface ReadPullRequest {
  pullRequest: MergedPullRequest;
  bytes: Buffer;
  source: ModelSource;
}

/** Merged pull requests of a mirror, chosen by chance, and what an article about each is written from. */
export async function* readMerged(
  mirror: string,
  count: number,
  random: () => number,
  isWanted: (pullRequest: MergedPullRequest) => boolean = () => true,
): AsyncGenerator<ReadPullRequest> {
  const chosen = mergedPullRequests(mirror)
    .filter(isWanted)
    .map((pullRequest) => ({ pullRequest, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ pullRequest }) => pullRequest);
  const diffs = printEach(mirror, chosen);
  for (const [index, pullRequest] of chosen.entries()) {
    const bytes = diffs[index];
    if (bytes) yield { pullRequest, bytes, source: await sourceOf(pullRequest, bytes) };
  }
}

async function sourceOf(pullRequest: MergedPullRequest, bytes: Buffer): Promise<ModelSource> {
  const diff = parseDiff(bytes);
  const attributes = parseGitAttributes(diff);
  const loaded = await grammars.loadFor(
    diff.map((file) => ({ path: file.path, ...classifyFile(file, attributes) })),
  );
  const text = { repository: 'some/where', ...wordsOf(pullRequest), labels: [], commitMessages: [] };
  const facts = readFacts(text, diff, loaded);
  const nobodyElse = { commits: [], comments: [], linkedIssues: [] };
  return { ...text, ...nobodyElse, author: 'ada', isClone: true, facts, diff };
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
