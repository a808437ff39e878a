import type { QuoteSource } from '../../domain/article.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import type { ArticleSource } from '../article-source.ts';
import type { DraftPoint, Sentence, SpokenWords } from '../draft.ts';
import { holdsKey } from '../key-shapes.ts';
import { plainText } from '../plain-text.ts';
import type { AuthorQuote } from '../written-article.ts';
import { bareTitle, saysBreaking } from './bare-title.ts';
import { type ChangelogEntry, changelogEntriesOf, withoutReferences } from './changelog-entries.ts';
import { capitalise, chooseTitle, isAside, tidiedTitle } from './choose-title.ts';
import { chooseWhy } from './choose-why.ts';
import { findCallouts, type Warning } from './find-callouts.ts';
import { isAboutOthers, ownCommits, textsSayingWhy } from './own-texts.ts';
import { commitsListedIn, passagesOf } from './passages.ts';
import { isQuotable, showsNames } from './quotable.ts';
import { repeats, tellsSomething } from './telling-sentences.ts';
import { isTelling } from './telling-titles.ts';

/** All of an article that comes from what people wrote, word for word and so the same in every language. */
export interface AuthorWords {
  title: Sentence;
  /** The pull request's own title, tidied: it stands in where the other does not hold. */
  ownTitle: string;
  quote: AuthorQuote | null;
  /** Why the change was made, beside what the quotation says of it. */
  why: Sentence[];
  callouts: DraftPoint[];
}

export function readAuthorWords(source: ArticleSource): AuthorWords {
  const entries = changelogEntriesOf(source);
  const title = chooseTitle(source, entries);
  const callouts = calloutsOf(source, entries);
  const titles = [title.text, bareTitle(source.title).text];
  const out = new Set([
    ...callouts.flatMap(({ sentences }) => sentences.map(({ text }) => text)),
    // What the diff does not show is told apart, and not as the author's reason.
    ...source.facts.description.unseen.map(({ sentence }) => plainText(sentence)),
  ]);
  const { quote, why } = whyOf(source, entries, titles, (text) => out.has(text));
  return {
    title,
    ownTitle: tidiedTitle(source),
    quote,
    why,
    callouts,
  };
}

/** Where a text stands that is quoted. */
interface Place {
  source: QuoteSource;
  speaker: string;
  evidence?: Sentence['evidence'];
}

function quoted(text: string, { source, speaker, evidence = [] }: Place): Sentence {
  const words: SpokenWords[] = [{ speaker, where: source === 'changelog' ? 'code' : source, text }];
  return { text, basis: 'words', source, quote: null, evidence, words, facts: [] };
}

/** Of the texts that may say why, the first that does; else what a changelog says, or what an issue or the commits are called. */
function whyOf(
  source: ArticleSource,
  entries: ChangelogEntry[],
  titles: string[],
  isOut: (text: string) => boolean,
): Pick<AuthorWords, 'quote' | 'why'> {
  for (const { text, isStep, isAboutAll, ...place } of textsSayingWhy(source)) {
    const isUnfit = (said: string): boolean => isOut(said) || (isStep && !showsNames(said, source.diff));
    const { quote, sentences } = chooseWhy(passagesOf(text), titles, isUnfit, isAboutAll);
    if (quote === null && sentences.length === 0) continue;
    const why = sentences.map((one) => quoted(one, place));
    return { quote: quote === null ? null : { text: quote, from: place.source }, why };
  }
  const isNews = (text: string): boolean => !isOut(text) && !titles.some((title) => repeats(text, title));
  const entry = entries.find(({ text, isFirst }) => isFirst && isQuotable(text) && isNews(text));
  const issue = source.linkedIssues
    .map(({ number, title }) => quoted(bareTitle(title).text, { source: 'issue', speaker: `#${number}` }))
    .find(({ text }) => tellsSomething(text) && isNews(text));
  if (entry) return { quote: { text: entry.text, from: 'changelog' }, why: issue ? [issue] : [] };
  return { quote: null, why: issue ? [issue] : commitSubjects(source, isNews) };
}

/** So many are listed, and only where most commits of the branch say what they do: others went back and forth. */
const mostSubjects = 5;
/** Fewer are steps on the way, and no story. */
const fewestSubjects = 3;
const leastTelling = 0.75;

/** What the commits are called, where that says more than the title. */
function commitSubjects(source: ArticleSource, isNews: (text: string) => boolean): Sentence[] {
  const commits = isAboutOthers(source) ? [] : ownCommits(source);
  const listed = cleanDescription(commits.map(({ subject }) => `* ${subject}`).join('\n\n'));
  const telling = commitsListedIn(listed)
    .map(({ subject }) => capitalise(bareTitle(subject).text, source))
    .filter((subject) => isTelling(subject) && tellsSomething(subject) && showsNames(subject, source.diff));
  const news = telling.filter((subject) => !isAside(subject, source) && isNews(subject));
  const isTold = telling.length >= commits.length * leastTelling && news.length >= fewestSubjects;
  return isTold && news.length <= mostSubjects
    ? news.map((subject) => quoted(subject, { source: 'commit', speaker: source.author }))
    : [];
}

/** What the author warns of: in the description, in the only commit, in footers of any, and in the change's own changelog entry. */
function calloutsOf(source: ArticleSource, entries: ChangelogEntry[]): DraftPoint[] {
  const footers = ownCommits(source).map(({ author, body }) => ({
    text: footersIn(cleanDescription(body)),
    source: 'commit' as const,
    speaker: author,
  }));
  const texts = textsSayingWhy(source).filter(({ source: from, isStep }) => from !== 'issue' && !isStep);
  const spoken = [...texts, ...(isAboutOthers(source) ? [] : footers)].flatMap(({ text, ...place }) =>
    passagesOf(text).map((passage) => ({ ...passage, place })),
  );
  const listed = entries
    .filter(({ isFirst }) => isFirst)
    .map(({ text, heading, evidence }) => ({
      ...{ text, heading, isWhole: true, isStep: false },
      place: { source: 'changelog' as const, speaker: source.author, evidence: [evidence] },
    }));
  const found = findCallouts<Warning & { place: Place }>([...spoken, ...listed]).map(
    ({ label, categories, text, from }): DraftPoint => ({
      label,
      severity: null,
      categories,
      sentences: [quoted(text, from.place)],
    }),
  );
  return found.some(({ label }) => label === 'breaking') ? found : [...markOf(source), ...found];
}

/** A title that is marked as breaking, where nothing says what breaks: as it is written, with its mark. */
function markOf({ title, author }: ArticleSource): DraftPoint[] {
  const text = withoutReferences(plainText(title));
  if (!saysBreaking(title) || holdsKey(text)) return [];
  const sentences = [quoted(text, { source: 'title', speaker: author })];
  return [{ label: 'breaking', severity: null, categories: ['RISK'], sentences }];
}

const footersIn = (body: string): string =>
  body
    .split(/\n\s*\n|\n(?=BREAKING[- ]CHANGE)/)
    .filter((paragraph) => /^BREAKING[- ]CHANGE/.test(paragraph))
    .join('\n\n');
