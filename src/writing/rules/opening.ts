import type { PointLabel } from '../../domain/article.ts';
import type { Category } from '../../domain/change-types.ts';
import type { SameEdit } from '../../reading/same-edits.ts';
import type { ArticleSource } from '../article-source.ts';
import { type Draft, type DraftPoint, longestTitle, type Sentence } from '../draft.ts';
import type { OfflineLanguage } from '../languages.ts';
import { scriptOf } from '../plain-text.ts';
import type { AuthorQuote } from '../written-article.ts';
import { authorWordsOf, quoteOf } from './author-words.ts';
import { english } from './english.ts';
import { type HeadlineFact, headlineFactOf } from './headline.ts';
import { japanese } from './japanese.ts';
import { type ChangeFact, leadsOf, type Quotation, type RiskFact, risksOf } from './lead.ts';
import type { RulePhrases } from './phrases.ts';
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

/** Title, lead, scope, risks and the author's words; the same facts in each language, in the same places. */
export function openingOf(source: ArticleSource, edits: SameEdit[]): Record<OfflineLanguage, Opening> {
  const leads = leadsOf(source);
  const scope = scopeOf(source, edits);
  const changes = leads.filter((fact) => fact.kind !== 'changelog');
  // What these scopes say is more than what one line of them says.
  const isPlain = scope !== null && ['dependencies', 'renames', 'moves', 'formatting'].includes(scope.kind);
  const known: Known = {
    source,
    lead: leads[0] ?? null,
    scope,
    headlines: [
      ...changes.slice(0, 1),
      ...(isPlain ? [scope] : []),
      headlineFactOf(source, edits),
      scope,
    ].filter((fact) => fact !== null),
    risks: risksOf(source),
    ownTitle: titleOf(source),
    authorWords: authorWordsOf(source),
  };
  return { en: write('en', known), ja: write('ja', known) };
}

interface Known {
  source: ArticleSource;
  lead: ReturnType<typeof leadsOf>[number] | null;
  scope: ScopeFact | null;
  /** What a headline says where the author's title is in another language, the best first. */
  headlines: (ChangeFact | ScopeFact | HeadlineFact)[];
  risks: RiskFact[];
  ownTitle: string;
  authorWords: Opening['authorWords'];
}

function write(language: OfflineLanguage, known: Known): Opening {
  const { source, lead, scope, risks, ownTitle, authorWords } = known;
  const { author } = source;
  const say = phrases[language];
  const isForeign = scriptOf(ownTitle) !== scripts[language];
  const headline = isForeign ? headlineOf(known.headlines, say) : null;
  const words: Sentence['words'] = [{ speaker: author, where: 'title', text: source.title }];
  const title: Sentence = { text: ownTitle, basis: 'words', quote: null, evidence: [], words, facts: [] };
  const isHeadline = headline !== null && lead === known.headlines[0];
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

/** The first that fits. */
function headlineOf(facts: Known['headlines'], say: RulePhrases): Sentence | null {
  for (const fact of facts) {
    const text = say.headline(fact);
    if (text !== null && [...text].length <= longestTitle) return shown(text, fact);
  }
  return null;
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
