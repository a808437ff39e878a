import type { Category, PointLabel } from '../../domain/articles.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { ArticleSource, AuthorQuote, OfflineLanguage } from '../articles.ts';
import { type Draft, type DraftPoint, longestTitle, type Sentence } from '../draft.ts';
import { scriptOf } from '../plain-text.ts';
import { authorWordsOf, quoteOf } from './author-words.ts';
import { english } from './english.ts';
import { headlineFactOf } from './headline.ts';
import { japanese } from './japanese.ts';
import { leadsOf, type Quotation, type RiskFact, riskFactsOf, type ShownFact } from './lead.ts';
import { type RulePhrases, sayFact, sayHeadline, type TitleFact } from './phrases.ts';
import { scopeOf } from './scope.ts';
import { bareTitle, titleOf } from './title.ts';

export interface Opening
  extends Pick<
    Draft,
    'title' | 'ownTitle' | 'standfirst' | 'scope' | 'authorWords' | 'background' | 'notablePoints'
  > {
  quote: AuthorQuote | null;
}

export const phrases: Record<OfflineLanguage, RulePhrases> = { en: english, ja: japanese };

const scripts: Record<OfflineLanguage, ReturnType<typeof scriptOf>> = { en: 'latin', ja: 'japanese' };

const plainScopes: ReadonlySet<string> = new Set(['dependencies', 'renames', 'moves', 'formatting']);

export function openingOf(source: ArticleSource): Record<OfflineLanguage, Opening> {
  const leads = leadsOf(source);
  const [lead] = leads;
  const [change] = leads.filter((fact) => fact.kind !== 'changelog');
  const scope = scopeOf(source);
  const risks = riskFactsOf(source);
  const ownTitle = titleOf(source);
  const authorWords = authorWordsOf(source);
  const titleFacts: (TitleFact | null | undefined)[] = [
    change,
    scope && plainScopes.has(scope.kind) ? scope : null,
    headlineFactOf(source),
    scope,
  ];
  const write = (language: OfflineLanguage): Opening => {
    const say = phrases[language];
    const isForeign = scriptOf(ownTitle) !== scripts[language];
    const headline = isForeign ? headlineByRules(titleFacts, { say, title: source.title }) : null;
    const isHeadline = headline !== null && lead !== undefined && lead === change;
    const isSaid = isHeadline || risks.some(({ kind }) => kind === lead?.kind);
    const words: Sentence['words'] = [{ speaker: source.author, where: 'title', text: source.title }];
    return {
      title: headline ?? { ...shownSentence(ownTitle, []), basis: 'words', words },
      ownTitle,
      ...openWith(lead, say, isSaid, language === 'en' && !isHeadline),
      scope: scope && {
        kind: scope.kind,
        sentence: shownSentence(say.beforeScope + sayFact(say, scope), scope.evidence),
      },
      authorWords,
      quote: quoteOf(authorWords, ownTitle),
      notablePoints: risks.map((risk) => pointOf(risk, say)),
    };
  };
  return { en: write('en'), ja: write('ja') };
}

function headlineByRules(
  facts: (TitleFact | null | undefined)[],
  { say, title }: { say: RulePhrases; title: string },
): Sentence | null {
  for (const fact of facts) {
    const text = fact ? sayHeadline(say, fact) : '';
    if (fact && [...text].length <= longestTitle)
      return saysAllOf(title, text) ? shownSentence(text, fact.evidence) : null;
  }
  return null;
}

/** Words of English titles that a headline expresses in another way. */
const ordinary =
  /^(?:an?|the|of|in|to|from|for|on|and|with|by|new|public|unused|obsolete|deprecated|dev|add(?:s|ed|ing)?|introduces?|remov(?:e[sd]?|ing)|delet(?:e[sd]?|ing)|drop(?:s|ped)?|updat(?:e[sd]?|ing)|upgrades?|bump(?:s|ed)?|chang(?:e[sd]?|ing)|mov(?:e[sd]?|ing)|renam(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|typos?|format(?:ted|ting)?|tests?|docs?|documentation|readme|comments?|ci|deps|dependenc(?:y|ies)|versions?|functions?|methods?|class(?:es)?|types?|arguments?|parameters?|param|options?|defaults?|values?|files?|group|exceptions?)$/i;

/** Whether a headline has all words of an English title. Titles in other scripts cannot be compared. */
function saysAllOf(title: string, headline: string): boolean {
  if (scriptOf(title) !== 'latin') return true;
  const said = headline.toLowerCase();
  const words = bareTitle(title).match(/[\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}])?/gu) ?? [];
  return words.every((word) => ordinary.test(word) || said.includes(word.toLowerCase()));
}

function openWith(
  lead: ReturnType<typeof leadsOf>[number] | undefined,
  say: RulePhrases,
  isSaid: boolean,
  quotesInside: boolean,
): Pick<Opening, 'standfirst' | 'background'> {
  if (lead === undefined) return { standfirst: null, background: [] };
  if (lead.kind === 'changelog') {
    const [standfirst = null, ...background] = lead.entries.map(quotedSentence);
    return { standfirst, background };
  }
  const quotation = lead.quotation && quotedSentence(lead.quotation);
  return {
    standfirst: isSaid ? shownSentence('', lead.evidence) : statement(lead, say),
    background: quotation ? [quotesInside ? { ...quotation, text: '' } : quotation] : [],
  };
}

function statement(fact: ShownFact, say: RulePhrases): Sentence {
  const text = sayFact(say, fact, fact.quotation ? `: “${fact.quotation.text}”` : '');
  return shownSentence(/[.!?。”]$/.test(text) ? text : text + say.stop, fact.evidence);
}

const categories: Partial<Record<PointLabel, Category>> = { permission: 'SECURITY' };

const pointOf = (risk: RiskFact, say: RulePhrases): DraftPoint => ({
  label: risk.label,
  severity: null,
  categories: [categories[risk.label] ?? 'RISK'],
  sentences: [risk.kind === 'breaking' ? quotedSentence(risk.quotation) : statement(risk, say)],
});

const quotedSentence = ({ text, source, speaker, evidence }: Quotation): Sentence => ({
  ...shownSentence(text, evidence),
  basis: 'words',
  source,
  words: [{ speaker, where: source === 'changelog' ? 'code' : source, text }],
});

export const shownSentence = (text: string, evidence: Evidence[]): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: [],
});
