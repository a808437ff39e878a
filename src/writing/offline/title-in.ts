import { longestTitle, type Sentence } from '../draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { shorten } from '../plain-text.ts';
import { shortenTitle } from '../words/shorten-title.ts';
import type { AuthorTitle, Outline, TitleFacts, Told } from './outline.ts';
import type { PhraseBook } from './phrase-book.ts';
import { phraseBooks } from './phrases.ts';
import { factsIn } from './stated-facts.ts';
import { sayWith } from './statements.ts';
import { complementsOf } from './title-complements.ts';

/** What a title says in each language: somebody's words, with what the lines show where these say too little. */
export function titlesOf(outline: Outline): Record<OfflineLanguage, Sentence> {
  const complement = complementsOf(outline).find((one) =>
    offlineLanguages.every((language) => joined(phraseBooks[language], outline, one) !== null),
  );
  const titles = offlineLanguages.map((language) => {
    const phrases = phraseBooks[language];
    const longer = complement ? joined(phrases, outline, complement) : null;
    return [language, longer ?? titleIn(phrases, outline)] as const;
  });
  return Object.fromEntries(titles) as Record<OfflineLanguage, Sentence>;
}

/** In its author's words alone, which stand in for what the lines add to them. */
export const ownTitleIn = (phrases: PhraseBook, outline: Outline): string =>
  plainTitle(phrases, { ...outline, titleFacts: outline.authorTitle && outline.titleFacts });

/** Without anything that is told below it. */
function titleIn(phrases: PhraseBook, outline: Outline): Sentence {
  const { authorTitle, titleWord, titleFacts } = outline;
  const { evidence = [], facts = [] } = titleFacts ?? {};
  const shown = plainTitle(phrases, { ...outline, authorTitle: null });
  const spoken = authorTitle ?? titleWord;
  const text = spoken && plainTitle(phrases, { ...outline, authorTitle: spoken });
  const isBetter =
    titleFacts !== null && (authorTitle ? addsTo(titleFacts, authorTitle) : titleWord !== null);
  const both = text !== null && isBetter ? fit(text, shown) : null;
  const words = spoken ? [spoken.whole] : [];
  if (both !== null) return { text: both, basis: 'diff', quote: null, evidence, words, facts };
  return authorTitle && text !== null
    ? { text, basis: 'words', quote: null, evidence: [], words, facts: [] }
    : { text: shown, basis: 'diff', quote: null, evidence, words: [], facts };
}

/** That a file changes says less than that something is new, or than a title that names it, and of several it says nothing. */
const addsTo = ({ action, subject, hasMore }: TitleFacts, title: AuthorTitle): boolean =>
  title.isWeak &&
  title.prefix !== 'FEAT' &&
  !title.text.includes(subject.split('/').at(-1) ?? '') &&
  !(hasMore && (action === 'changed' || action === 'tested' || action === 'documented'));

const plainTitle = (phrases: PhraseBook, outline: Outline): string =>
  shortenTitle(phrases.tidy(phrases.title(outline)), longestTitle);

/** Somebody's title, if there is one, and something that is told of the change; null where that is too long. */
function joined(
  phrases: PhraseBook,
  outline: Outline,
  { statement, evidence, words }: Told,
): Sentence | null {
  const spoken = outline.authorTitle ?? outline.titleWord;
  const title = spoken && plainTitle(phrases, { ...outline, authorTitle: spoken });
  const said =
    statement.say === 'changelog'
      ? entryBehind(phrases, title ?? '', statement.quote)
      : phrases
          .tidy(sayWith(phrases.say, statement))
          .replace(/[.。]$/, '')
          .replace(/^It (?=defines)/, '');
  const text = title === null ? fitting(said) : fit(title, said);
  return text === null
    ? null
    : {
        text,
        basis: 'diff',
        quote: null,
        evidence,
        words: [...(spoken ? [spoken.whole] : []), ...words],
        facts: factsIn(statement),
      };
}

/** Less of an entry than this tells nothing. */
const leastOfEntry = 30;

/** As much of an entry as there is room for behind a title; more than that where it is too little. */
function entryBehind(phrases: PhraseBook, title: string, entry: string): string {
  const room = longestTitle - [...title].length - 4;
  return phrases.quote(room < leastOfEntry ? entry : shorten(entry, room));
}

function fit(title: string, rest: string): string | null {
  const said = /^[A-Z][a-z]+ /.test(rest) ? rest.charAt(0).toLowerCase() + rest.slice(1) : rest;
  return fitting(`${title}: ${said}`);
}

const fitting = (text: string): string | null => ([...text].length <= longestTitle ? text : null);
