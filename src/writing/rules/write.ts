import type { ArticleSource } from '../article-source.ts';
import type { Draft } from '../draft.ts';
import type { OfflineLanguage } from '../languages.ts';
import { spokenWords } from '../spoken-words.ts';
import { draftTour } from '../tour/draft-tour.ts';
import { Ground } from '../verify/ground.ts';
import { readAuthorWords } from '../words/read-author-words.ts';

/** What rules alone write about a change, in each language. */
export function draftByRules(source: ArticleSource): Record<OfflineLanguage, Draft> {
  const { facts, diff } = source;
  const ranges = new Map(facts.files.map(({ path, ranges }) => [path, ranges]));
  const ground = new Ground({ diff, words: spokenWords(source), ranges });
  return draftTour(source, readAuthorWords(source), ground);
}
