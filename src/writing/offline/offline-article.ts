import type { FileDiff } from '../../reading/file-diff.ts';
import type { ArticleSource } from '../article-source.ts';
import { chooseQuote } from '../choose-quote.ts';
import { countChange } from '../count-change.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { spokenWords } from '../spoken-words.ts';
import { verifyDrafts } from '../verify/verify-drafts.ts';
import type { Coverage, WrittenArticle } from '../written-article.ts';
import { draftOffline } from './draft-offline.ts';
import { wholeWords } from './plan-background.ts';

export type OfflineArticles = Record<OfflineLanguage, WrittenArticle>;

/** Decides what there is to say and proves it, once for all languages. */
export function writeOffline(source: ArticleSource, diff: FileDiff[], coverage: Coverage): OfflineArticles {
  const drafts = draftOffline(source);
  const { description } = source.facts;
  const cleaned = { speaker: source.author, where: 'description' as const, text: description.text };
  const { articles, citedComments, verification } = verifyDrafts(
    offlineLanguages.map((language) => drafts[language]),
    { diff, words: [...spokenWords(source), cleaned] },
  );
  const quote = chooseQuote({
    ...wholeWords(source),
    comments: citedComments,
    diff,
    background: articles.flatMap(({ background }) => background.map(({ text }) => text)),
  });
  const counts = countChange(source.facts.files, source.commits.length);
  const written = articles.map((article, index) => [
    offlineLanguages[index],
    { ...article, quote, counts, writer: { kind: 'offline' }, coverage, verification },
  ]);
  return Object.fromEntries(written);
}
