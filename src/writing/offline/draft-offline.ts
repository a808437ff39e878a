import type { FileFacts } from '../../reading/facts.ts';
import type { ArticleSource } from '../article-source.ts';
import type { Draft, Sentence } from '../draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { createNarrowing, type Narrow } from './narrow-evidence.ts';
import type { Outline, Told } from './outline.ts';
import { outlineArticle } from './outline-article.ts';
import type { PhraseBook } from './phrase-book.ts';
import { phraseBooks } from './phrases.ts';
import { counts } from './plan-file.ts';
import { factsIn, isJudgement } from './stated-facts.ts';
import { sayWith } from './statements.ts';
import { ownTitleIn, titlesOf } from './title-in.ts';

/** Decides what there is to say, once, and puts it into the words of each language. */
export function draftOffline(source: ArticleSource): Record<OfflineLanguage, Draft> {
  const outline = withFewestLines(outlineArticle(source), createNarrowing(source.diff));
  const titles = titlesOf(outline);
  const drafts = offlineLanguages.map(
    (language) => [language, draftIn(language, outline, titles[language])] as const,
  );
  return Object.fromEntries(drafts) as Record<OfflineLanguage, Draft>;
}

/** What is cited, cut down to the lines that show it. */
function withFewestLines(outline: Outline, narrow: Narrow): Outline {
  const each = (told: Told[]) =>
    told.map((one) => ({ ...one, evidence: narrow(one.evidence, factsIn(one.statement)) }));
  return {
    ...outline,
    changes: outline.changes.map((change) => ({
      ...change,
      told: each(change.told),
      fallback: change.fallback && (each([change.fallback])[0] ?? null),
    })),
    points: outline.points.map((point) => ({ ...point, told: each(point.told) })),
    background: each(outline.background),
  };
}

function draftIn(language: OfflineLanguage, outline: Outline, title: Sentence): Draft {
  const phrases = phraseBooks[language];
  const say = (told: Told): Sentence => sentenceIn(phrases, told);
  return {
    title,
    ownTitle: ownTitleIn(phrases, outline),
    standfirst: null,
    changeTypes: [outline.changeType],
    background: outline.background.map(say),
    mainChanges: outline.changes.map(({ told, fallback, ...change }) => ({
      ...change,
      sentences: told.map(say),
      fallback: fallback && say(fallback),
      excerpts: [],
    })),
    notablePoints: outline.points.map(({ categories, told }) => ({
      categories,
      label: null,
      sentences: told.map(say),
    })),
    also: [],
  };
}

/** What can be counted of a file, for where nothing else holds. */
export function sayCounts(language: OfflineLanguage, file: FileFacts): Sentence {
  return sentenceIn(phraseBooks[language], counts({ ...file, symbols: [] }));
}

function sentenceIn(phrases: PhraseBook, { statement, evidence, words }: Told): Sentence {
  const basis = isJudgement(statement) ? 'judgement' : words.length > 0 ? 'words' : 'diff';
  const quote = 'quote' in statement ? statement.quote : null;
  const text = phrases.tidy(sayWith(phrases.say, statement));
  return { text, basis, quote, evidence, words, facts: factsIn(statement) };
}
