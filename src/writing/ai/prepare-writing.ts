import type { ArticleSource } from '../article-source.ts';
import { citedHunks } from '../cited-hunk.ts';
import { countChange } from '../count-change.ts';
import type { Draft } from '../draft.ts';
import { isOfflineLanguage } from '../languages.ts';
import { draftByRules } from '../rules/write.ts';
import { spokenWords } from '../spoken-words.ts';
import { Ground } from '../verify/ground.ts';
import { asWritten, verifyDraft } from '../verify/verify-drafts.ts';
import type { AuthorQuote, CheckedDraft, Counts } from '../written-article.ts';
import type { Ground as KnownGround } from './draft-from-answer.ts';
import { findFindings } from './find-findings.ts';
import type { MaterialSource } from './material.ts';
import { checkFreeWriting } from './sentence-rules.ts';
import { spokenSentences } from './spoken-sentences.ts';
import { headedByLead } from './summaries.ts';
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
  const definitions = new Map(facts.files.map(({ path, definitions: own }) => [path, own]));
  const ground = new Ground({
    diff,
    words,
    definitions,
    ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
    repository: source.repository,
  });
  const rules = draftByRules(source);
  const { ownTitle, changeTypes, authorWords } = rules.en;
  const findings = findFindings(rules.en, facts, ground);
  return {
    material: { findings, facts, diff, sentences },
    known: { title: ownTitle, changeTypes },
    check: checkFreeWriting({ ground, diff, words, findings, definitions }),
    publish(draft) {
      const { scope, title: certain } = rules[isOfflineLanguage(languageCode) ? languageCode : 'en'];
      const headed = headedByLead(verifyDraft(draft, ground), languageCode);
      const article = asWritten({ ...headed, ownTitle: certain.text, scope, authorWords, also: [] });
      const hunks = citedHunks(article.mainChanges, diff, facts.files);
      const mainChanges = article.mainChanges.map((change, index) => ({
        ...change,
        hunk: hunks[index] ?? null,
      }));
      return {
        article: { ...article, mainChanges },
        counts: countChange(facts.files, commits.length),
        quote: rules.en.quote,
      };
    },
  };
}
