import type { FileDiff } from '../src/reading/file-diff.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import type { Draft } from '../src/writing/draft.ts';
import type { OfflineLanguage } from '../src/writing/languages.ts';
import { spokenWords } from '../src/writing/spoken-words.ts';
import { draftTour } from '../src/writing/tour/draft-tour.ts';
import { Ground } from '../src/writing/verify/ground.ts';
import { readAuthorWords } from '../src/writing/words/read-author-words.ts';
import { nameOf, readMerged } from './read-merged.ts';

export interface DraftedPullRequest {
  name: string;
  diff: FileDiff[];
  drafts: Record<OfflineLanguage, Draft>;
  ground: Ground;
  source: ModelSource;
}

/** Drafts about merged pull requests of a mirror, chosen by chance. */
export async function* draftsFrom(
  mirror: string,
  count: number,
  random: () => number,
): AsyncGenerator<DraftedPullRequest> {
  for await (const { pullRequest, source } of readMerged(mirror, count, random)) {
    const { diff, facts, author } = source;
    const cleaned = { speaker: author, where: 'description' as const, text: facts.description.text };
    const ground = new Ground({
      diff,
      words: [...spokenWords(source), cleaned],
      ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
    });
    yield {
      name: `${nameOf(mirror)} ${pullRequest.title}`,
      diff,
      drafts: draftTour(source, readAuthorWords(source), ground),
      ground,
      source,
    };
  }
}
