import type { FileFacts } from '../../reading/facts.ts';
import type { Draft, Sentence } from '../draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { shorten } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
import { type Outline, type Told, tell } from './outline.ts';
import { outlineArticle } from './outline-article.ts';
import { type PhraseBook, sayWith } from './phrase-book.ts';
import { phraseBooks } from './phrases.ts';
import { factsIn, isJudgement } from './stated-facts.ts';

const longestTitle = 80;

/** Decides what there is to say, once, and puts it into the words of each language. */
export function draftOffline(source: ArticleSource): Record<OfflineLanguage, Draft> {
  const outline = outlineArticle(source);
  const files = new Map(source.facts.files.map((file) => [file.path, file]));
  const drafts = offlineLanguages.map((language) => [language, draftIn(language, outline, files)] as const);
  return Object.fromEntries(drafts) as Record<OfflineLanguage, Draft>;
}

function draftIn(language: OfflineLanguage, outline: Outline, files: Map<string, FileFacts>): Draft {
  const phrases = phraseBooks[language];
  const say = (told: Told): Sentence => sentenceIn(phrases, told);
  return {
    title: titleIn(phrases, outline),
    ownTitle: shorten(phrases.title({ ...outline, titleFacts: null }), longestTitle),
    changeTypes: [outline.changeType],
    background: outline.background.map(say),
    mainChanges: outline.changes.map(({ told, ...change }) => {
      const file = files.get(change.fileName);
      return { ...change, sentences: told.map(say), fallback: file ? say(countLines(file)) : null };
    }),
    notablePoints: outline.points.map(({ categories, told }) => ({ categories, sentences: told.map(say) })),
  };
}

/** What is said of a file where nothing else holds: passing over it would leave a hole in the article. */
const countLines = ({ path, additions, deletions, place }: FileFacts): Told =>
  tell({ say: 'reworked', path, names: [], additions, deletions }, place ? [place] : []);

function sentenceIn(phrases: PhraseBook, { statement, evidence, words }: Told): Sentence {
  const basis = isJudgement(statement) ? 'judgement' : words.length > 0 ? 'words' : 'diff';
  const quote = 'quote' in statement ? statement.quote : null;
  const text = phrases.tidy(sayWith(phrases.say, statement));
  return { text, basis, quote, evidence, words, facts: factsIn(statement) };
}

function titleIn(phrases: PhraseBook, outline: Outline): Sentence {
  const { authorTitle, titleFacts } = outline;
  return {
    text: shorten(phrases.title(outline), longestTitle),
    basis: 'words',
    quote: null,
    evidence: titleFacts?.evidence ?? [],
    words: [authorTitle.whole],
    facts: [],
  };
}
