import type { PointLabel } from '../../domain/article.ts';
import type { Category } from '../../domain/change-types.ts';
import type { ArticleSource } from '../article-source.ts';
import { type Draft, type DraftPoint, longestTitle, type Sentence } from '../draft.ts';
import type { OfflineLanguage } from '../languages.ts';
import { scriptOf } from '../plain-text.ts';
import type { AuthorQuote } from '../written-article.ts';
import { authorWordsOf, quoteOf } from './author-words.ts';
import { english } from './english.ts';
import { japanese } from './japanese.ts';
import { type ChangeFact, leadsOf, type Quotation, type RiskFact, risksOf } from './lead.ts';
import { countsOf, type DiffCounts, type LargestFact, largestOf, type RulePhrases } from './phrases.ts';
import { type ScopeFact, scopeOf } from './scope.ts';
import { titleOf } from './title.ts';

/** What an article says before it shows the change. */
export interface Opening
  extends Pick<
    Draft,
    'title' | 'ownTitle' | 'standfirst' | 'scope' | 'authorWords' | 'background' | 'notablePoints'
  > {
  quote: AuthorQuote | null;
}

/** The words of each language. */
export const phrases: Record<OfflineLanguage, RulePhrases> = { en: english, ja: japanese };

/** In which letters a title of each language is written. */
const scripts: Record<OfflineLanguage, ReturnType<typeof scriptOf>> = { en: 'latin', ja: 'japanese' };

type HeadlineFact = ChangeFact | ScopeFact | LargestFact;

/** Title, lead, scope, risks and the author's words; the same facts in each language, in the same places. */
export function openingOf(
  source: ArticleSource,
  edits: Parameters<typeof scopeOf>[1],
): Record<OfflineLanguage, Opening> {
  const leads = leadsOf(source);
  const scope = scopeOf(source, edits);
  const changes = leads.filter((fact) => fact.kind !== 'changelog');
  const known: Known = {
    source,
    lead: leads[0] ?? null,
    scope,
    headline: changes[0] ?? (scope?.kind === 'noPublicChange' ? null : scope) ?? largestOf(source),
    risks: risksOf(source),
    ownTitle: titleOf(source),
    authorWords: authorWordsOf(source),
    counts: countsOf(source.diff),
  };
  return { en: write('en', known), ja: write('ja', known) };
}

interface Known {
  source: ArticleSource;
  lead: ReturnType<typeof leadsOf>[number] | null;
  scope: ScopeFact | null;
  /** What a headline says where the author's title is in another language. */
  headline: HeadlineFact | null;
  risks: RiskFact[];
  ownTitle: string;
  authorWords: Opening['authorWords'];
  counts: DiffCounts;
}

function write(language: OfflineLanguage, known: Known): Opening {
  const { source, lead, scope, risks, ownTitle, authorWords } = known;
  const { author } = source;
  const say = phrases[language];
  const isForeign = scriptOf(ownTitle) !== scripts[language];
  const headline = isForeign && known.headline ? headlineOf(known.headline, say, known.counts) : null;
  const words: Sentence['words'] = [{ speaker: author, where: 'title', text: source.title }];
  const title: Sentence = { text: ownTitle, basis: 'words', quote: null, evidence: [], words, facts: [] };
  const isHeadline = headline !== null && lead === known.headline;
  const isSaid = isHeadline || risks.some((risk) => risk.kind === lead?.kind);
  const opened = openWith(lead, say, isSaid, language === 'en' && !isHeadline);
  return {
    title: headline ?? title,
    ownTitle,
    ...opened,
    scope: scope && { kind: scope.kind, sentence: shown(say.scope(scope), scope) },
    authorWords,
    quote: quoteOf(authorWords),
    notablePoints: risks.map((risk) => pointOf(risk, say)),
  };
}

/** Null where it does not fit. */
function headlineOf(fact: HeadlineFact, say: RulePhrases, counts: DiffCounts): Sentence | null {
  const text = say.headline(fact, counts);
  return text === null || [...text].length > longestTitle ? null : shown(text, fact);
}

/** The lead, unless the headline has said it, and what is quoted of the code where the lead does not quote it itself. */
function openWith(
  lead: Known['lead'],
  say: RulePhrases,
  isSaid: boolean,
  quotesInside: boolean,
): Pick<Opening, 'standfirst' | 'background'> {
  if (lead === null) return { standfirst: null, background: [] };
  if (lead.kind === 'changelog') {
    const [standfirst = null, ...background] = lead.entries.map(quoted);
    return { standfirst, background };
  }
  const text = isSaid ? '' : stopped(say.lead(lead), say);
  const quotation = lead.quotation && quoted(lead.quotation);
  return {
    standfirst: shown(text, lead),
    background: quotation ? [quotesInside ? { ...quotation, text: '' } : quotation] : [],
  };
}

const stopped = (text: string, { stop }: RulePhrases): string =>
  /[.!?。”]$/.test(text) ? text : text + stop;

const categories: Partial<Record<PointLabel, Category>> = { permission: 'SECURITY' };

function pointOf(risk: RiskFact, say: RulePhrases): DraftPoint {
  const sentence =
    risk.kind === 'breaking' ? quoted(risk.quotation) : shown(stopped(say.risk(risk), say), risk);
  return {
    label: risk.label,
    severity: null,
    categories: [categories[risk.label] ?? 'RISK'],
    sentences: [sentence],
  };
}

function quoted({ text, source, speaker, evidence }: Quotation): Sentence {
  const where = source === 'changelog' ? 'code' : source;
  return {
    text,
    basis: 'words',
    source,
    quote: null,
    evidence,
    words: [{ speaker, where, text }],
    facts: [],
  };
}

const shown = (text: string, { evidence }: { evidence: Sentence['evidence'] }): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: [],
});
