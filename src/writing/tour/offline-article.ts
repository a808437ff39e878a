import type { ArticleSource } from '../article-source.ts';
import { countChange } from '../count-change.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { spokenWords } from '../spoken-words.ts';
import { Ground } from '../verify/ground.ts';
import { verifyDrafts } from '../verify/verify-drafts.ts';
import { readAuthorWords } from '../words/read-author-words.ts';
import type { Coverage, WrittenArticle } from '../written-article.ts';
import { draftTour } from './draft-tour.ts';

export type OfflineArticles = Record<OfflineLanguage, WrittenArticle>;

/** Decides what there is to show and proves what is said of it, once for all languages. */
export function writeOffline(source: ArticleSource, coverage: Coverage): OfflineArticles {
  const { facts, diff, commits, author } = source;
  const words = readAuthorWords(source);
  const ground = new Ground({
    diff,
    words: [...spokenWords(source), { speaker: author, where: 'description', text: facts.description.text }],
    ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
  });
  const drafts = draftTour(source, words, ground);
  const { articles, verification } = verifyDrafts(
    offlineLanguages.map((language) => drafts[language]),
    ground,
  );
  const counts = countChange(facts.files, commits.length);
  const written = articles.map((article, index) => [
    offlineLanguages[index],
    { ...article, quote: words.quote, counts, writer: { kind: 'offline' }, coverage, verification },
  ]);
  return Object.fromEntries(written);
}
