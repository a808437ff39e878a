import { GrammarLibrary } from '../src/grammars.ts';
import { classifyFile } from '../src/reading/classify-file.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import { parseGitAttributes } from '../src/reading/git-attributes.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { readFacts } from '../src/reading/read-facts.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import type { Draft } from '../src/writing/draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../src/writing/languages.ts';
import { draftOffline } from '../src/writing/offline/draft-offline.ts';
import { spokenWords } from '../src/writing/spoken-words.ts';
import { Ground } from '../src/writing/verify/ground.ts';
import { type MergedPullRequest, mergedPullRequests, printEach } from './mirrors.ts';

/** Numbers that look random and are the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface DraftedPullRequest {
  name: string;
  diff: FileDiff[];
  drafts: Record<OfflineLanguage, Draft>;
  ground: Ground;
  source: ModelSource;
}

const grammars = new GrammarLibrary();

/** Drafts about merged pull requests of a mirror, chosen by the seed. */
export async function* draftsFrom(mirror: string, count: number, random: () => number) {
  const chosen = mergedPullRequests(mirror)
    .map((pullRequest) => ({ pullRequest, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, count)
    .map(({ pullRequest }) => pullRequest);
  const diffs = printEach(mirror, chosen);
  for (const [index, pullRequest] of chosen.entries()) {
    const bytes = diffs[index];
    if (bytes) yield await draft(mirror, pullRequest, bytes);
  }
}

async function draft(
  mirror: string,
  pullRequest: MergedPullRequest,
  bytes: Buffer,
): Promise<DraftedPullRequest> {
  const diff = parseDiff(bytes);
  const attributes = parseGitAttributes(diff);
  const loaded = await grammars.loadFor(
    diff.map((file) => ({ path: file.path, ...classifyFile(file, attributes) })),
  );
  const isMerge = pullRequest.title.startsWith('Merge pull request #');
  const [first = '', ...rest] = pullRequest.body.split('\n');
  const title = isMerge && first ? first : pullRequest.title.replace(/\s*\(#\d+\)$/, '');
  const body = isMerge ? rest.join('\n').trim() : pullRequest.body;
  const text = { title, body, labels: [], commitMessages: [] };
  const facts = readFacts(text, diff, loaded);
  const source = {
    ...text,
    author: 'ada',
    isClone: true,
    commits: [],
    comments: [],
    linkedIssues: [],
    facts,
    diff,
  };
  const cleaned = { speaker: 'ada', where: 'description' as const, text: facts.description.text };
  return {
    name: `${mirror
      .replace(/\/repo\/?$/, '')
      .split('/')
      .at(-1)} ${pullRequest.title}`,
    diff,
    drafts: draftOffline(source),
    ground: new Ground({ diff, words: [...spokenWords(source), cleaned] }),
    source,
  };
}

export { offlineLanguages };
