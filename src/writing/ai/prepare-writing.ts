import type { ArticleSource } from '../article-source.ts';
import { citedHunks } from '../cited-hunk.ts';
import { countChange } from '../count-change.ts';
import type { Draft } from '../draft.ts';
import { isOfflineLanguage } from '../languages.ts';
import { spokenWords } from '../spoken-words.ts';
import { draftTour, rowsBeside } from '../tour/draft-tour.ts';
import { Ground } from '../verify/ground.ts';
import { verifyDrafts } from '../verify/verify-drafts.ts';
import { readAuthorWords } from '../words/read-author-words.ts';
import type { AuthorQuote, CheckedDraft, Counts } from '../written-article.ts';
import { checkFreeWriting } from './check-free-writing.ts';
import type { Ground as KnownGround } from './draft-from-answer.ts';
import { findFindings } from './find-findings.ts';
import type { MaterialSource } from './material.ts';
import { spokenSentences } from './spoken-sentences.ts';
import type { CheckedSentence } from './telling.ts';

export interface ModelSource extends ArticleSource {
  linkedIssues: { number: number; title: string; body: string | null }[];
}

/** What writing with a model needs, made from what is known of a pull request. */
export interface PreparedWriting {
  /** What there is to read. */
  material: MaterialSource;
  known: KnownGround;
  check: (draft: Draft) => CheckedSentence[];
  /** What was kept, as it is published. */
  publish: (draft: Draft) => { article: CheckedDraft; quote: AuthorQuote | null; counts: Counts };
}

export function prepareWriting(source: ModelSource, languageCode: string): PreparedWriting {
  const { title, author, facts, diff, commits, comments, linkedIssues } = source;
  const { description } = facts;
  const sentences = spokenSentences({
    title,
    authorLogin: author,
    commits,
    comments,
    linkedIssues,
    description,
  });
  const words = [
    ...spokenWords(source),
    { speaker: author, where: 'description' as const, text: description.text },
    ...sentences.map(({ isUnseen: _, ...spoken }) => spoken),
  ];
  const ground = new Ground({
    diff,
    words,
    ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
  });
  const authorWords = readAuthorWords(source);
  const offline = draftTour(source, authorWords, ground).en;
  const findings = findFindings(offline, ground, facts);
  return {
    material: { findings, facts, diff, sentences },
    known: {
      title: offline.ownTitle,
      changeTypes: offline.changeTypes,
    },
    check: checkFreeWriting({ ground, diff, words, findings }),
    publish(draft) {
      const told = new Set(draft.mainChanges.map(({ fileName }) => fileName));
      const language = isOfflineLanguage(languageCode) ? languageCode : 'en';
      const also = rowsBeside(source, told, ground, language);
      const { articles } = verifyDrafts([{ ...draft, also }], ground);
      const [article] = articles;
      if (!article) throw new Error('A draft was checked, and nothing came of it.');
      const hunks = citedHunks(article.mainChanges, diff, facts.files);
      const mainChanges = article.mainChanges.map((change, index) => ({
        ...change,
        hunk: change.hunk ?? hunks[index] ?? null,
      }));
      const { quote } = authorWords;
      const isRepeated = quote !== null && article.background.some(({ text }) => text.includes(quote.text));
      return {
        article: { ...article, mainChanges },
        counts: countChange(facts.files, commits.length),
        quote: isRepeated ? null : quote,
      };
    },
  };
}
