import { longestTitle, type Sentence } from '../draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { shorten } from '../plain-text.ts';
import type { AuthorTitle, Outline, TitleFacts, Told } from './outline.ts';
import type { PhraseBook } from './phrase-book.ts';
import { phraseBooks } from './phrases.ts';
import { shortenTitle } from './shorten-title.ts';
import { factsIn } from './stated-facts.ts';
import { type Statement, sayWith } from './statements.ts';

/** Statements that say what a change does, and not only to how much. */
const complementing = new Set<Statement['say']>(['defines', 'dependencies', 'renames', 'sections']);

/** Those that show lines, which say what a change is about where they are all of it. */
const showing = new Set<Statement['say']>(['lines', 'replaced', 'replacedOften', 'rewordsText']);

/** How many of its files are looked at for what else a title could say. */
const mostChanges = 2;

/** What a title says in each language: somebody's words, with what the lines show where these say too little. */
export function titlesOf(outline: Outline): Record<OfflineLanguage, Sentence> {
  const entry = outline.background.filter(({ statement }) => statement.say === 'changelog');
  const told = [...entry, ...outline.changes.slice(0, mostChanges).flatMap((change) => change.told)];
  const complement = told.find((one) =>
    offlineLanguages.every((language) => joined(phraseBooks[language], outline, one) !== null),
  );
  const titles = offlineLanguages.map(
    (language) => [language, titleIn(phraseBooks[language], outline, complement)] as const,
  );
  return Object.fromEntries(titles) as Record<OfflineLanguage, Sentence>;
}

/** In its author's words alone, which stand in for what the lines add to them. */
export const ownTitleIn = (phrases: PhraseBook, outline: Outline): string =>
  outline.authorTitle ? plainTitle(phrases, outline) : shortenTitle(outline.ownTitle, longestTitle);

function titleIn(phrases: PhraseBook, outline: Outline, complement: Told | undefined): Sentence {
  const { authorTitle, titleFacts } = outline;
  const { evidence = [], facts = [] } = titleFacts ?? {};
  const text = plainTitle(phrases, outline);
  if (!authorTitle) return { text, basis: 'diff', quote: null, evidence, words: [], facts };
  const words = [authorTitle.whole];
  const alone: Sentence = { text, basis: 'words', quote: null, evidence: [], words, facts: [] };
  if (!authorTitle.isWeak) return alone;
  const longer = complement ? joined(phrases, outline, complement) : null;
  if (complement && longer !== null)
    return {
      ...alone,
      text: longer,
      basis: 'diff',
      evidence: complement.evidence,
      words: [...words, ...complement.words],
      facts: factsIn(complement.statement),
    };
  const shown = fit(text, plainTitle(phrases, { ...outline, authorTitle: null }));
  return titleFacts === null || shown === null || saysNoMore(titleFacts, authorTitle)
    ? alone
    : { ...alone, text: shown, basis: 'diff', evidence, facts };
}

/** That a file changes says less than that something is new, or than a title that names it, and of several it says nothing. */
const saysNoMore = ({ action, subject, hasMore }: TitleFacts, { text, prefix }: AuthorTitle): boolean =>
  prefix === 'FEAT' ||
  text.includes(subject.split('/').at(-1) ?? '') ||
  (hasMore && (action === 'changed' || action === 'tested' || action === 'documented'));

const plainTitle = (phrases: PhraseBook, outline: Outline): string =>
  shortenTitle(phrases.tidy(phrases.title(outline)), longestTitle);

/** Less of an entry than this tells nothing. */
const leastOfEntry = 30;

/** A title and something that is told of the change; null where that is nothing for a title, or too long. */
function joined(phrases: PhraseBook, outline: Outline, { statement }: Told): string | null {
  const title = plainTitle(phrases, outline);
  if (statement.say === 'changelog') {
    const room = longestTitle - [...title].length - 4;
    return room < leastOfEntry ? null : fit(title, phrases.quote(shorten(statement.quote, room)));
  }
  const isAll = outline.changes.length === 1 && outline.changes[0]?.told.length === 1;
  if (!complementing.has(statement.say) && !(isAll && showing.has(statement.say))) return null;
  const said = phrases.tidy(sayWith(phrases.say, statement)).replace(/[.。]$/, '');
  return fit(title, said.replace(/^It (?=defines)/, ''));
}

function fit(title: string, rest: string): string | null {
  const said = /^[A-Z][a-z]+ /.test(rest) ? rest.charAt(0).toLowerCase() + rest.slice(1) : rest;
  const whole = `${title}: ${said}`;
  return [...whole].length <= longestTitle ? whole : null;
}
