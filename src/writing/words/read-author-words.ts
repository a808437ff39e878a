import type { QuoteSource } from '../../domain/article.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import type { ArticleSource } from '../article-source.ts';
import type { DraftPoint, Sentence, SpokenWords } from '../draft.ts';
import { plainText } from '../plain-text.ts';
import type { AuthorQuote } from '../written-article.ts';
import { bareTitle } from './bare-title.ts';
import { type ChangelogEntry, changelogEntriesOf } from './changelog-entries.ts';
import { capitalise, chooseTitle, isAside, tidiedTitle } from './choose-title.ts';
import { chooseWhy } from './choose-why.ts';
import { findCallouts } from './find-callouts.ts';
import { isAboutOthers, type OwnText, ownCommits, textsSayingWhy } from './own-texts.ts';
import { commitsListedIn, type Passage, passagesOf } from './passages.ts';
import { isQuotable, showsNames } from './quotable.ts';
import { repeats, tellsSomething } from './telling-sentences.ts';
import { isTelling } from './telling-titles.ts';

/** All of an article that comes from what people wrote, word for word and so the same in every language. */
export interface AuthorWords {
  title: Sentence;
  /** The pull request's own title, tidied: it stands in where the other does not hold. */
  ownTitle: string;
  isBreaking: boolean;
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
    isBreaking:
      [source.title, ...ownCommits(source).map(({ subject }) => subject)].some(
        (one) => bareTitle(one).isBreaking,
      ) || callouts.some(({ label }) => label === 'breaking'),
    quote,
    why,
    callouts,
  };
}

/** Where a text stands that is quoted. */
interface Place {
  source: QuoteSource;
  where: SpokenWords['where'];
  speaker: string;
  evidence: Sentence['evidence'];
}

const quoted = (text: string, { source, where, speaker, evidence }: Place): Sentence => ({
  text,
  basis: 'words',
  source,
  quote: null,
  evidence,
  words: [{ speaker, where, text }],
  facts: [],
});

const placeOf = ({ where, speaker }: OwnText): Place => ({ source: where, where, speaker, evidence: [] });

const inChangelog = (author: string, { evidence }: ChangelogEntry): Place => ({
  source: 'changelog',
  where: 'code',
  speaker: author,
  evidence: [evidence],
});

type Told = Pick<AuthorWords, 'quote' | 'why'>;

/** Of the texts that may say why, the first that does; else what an issue or the commits are called. */
function whyOf(
  source: ArticleSource,
  entries: ChangelogEntry[],
  titles: string[],
  isOut: (text: string) => boolean,
): Told {
  for (const text of textsSayingWhy(source)) {
    const isTaken = (said: string): boolean => text.isStep && !showsNames(said, source.diff);
    const { quote, sentences } = chooseWhy(
      passagesOf(text.text),
      titles,
      (said) => isOut(said) || isTaken(said),
      text.isAboutAll,
    );
    if (quote === null && sentences.length === 0) continue;
    return {
      quote: quote === null ? null : { text: quote, from: text.where },
      why: sentences.map((one) => quoted(one, placeOf(text))),
    };
  }
  const entry = entries.find(
    ({ text, isFirst }) =>
      isFirst && isQuotable(text) && !isOut(text) && !titles.some((title) => repeats(text, title)),
  );
  const quote: AuthorQuote | null = entry ? { text: entry.text, from: 'changelog' } : null;
  const issues = issueTitles(source, titles);
  return { quote, why: issues.length > 0 || quote ? issues : commitSubjects(source, titles) };
}

const issueTitles = ({ linkedIssues }: ArticleSource, titles: string[]): Sentence[] =>
  linkedIssues
    .map(({ number, title }) => ({ speaker: `#${number}`, text: bareTitle(title).text }))
    .filter(({ text }) => tellsSomething(text) && !titles.some((one) => repeats(text, one)))
    .slice(0, 1)
    .map(({ speaker, text }) => quoted(text, { source: 'issue', where: 'issue', speaker, evidence: [] }));

/** So many are listed, and only where most commits of the branch say what they do: others went back and forth. */
const mostSubjects = 5;
const leastTelling = 0.75;

/** What the commits are called, where that says more than the title. */
function commitSubjects(source: ArticleSource, titles: string[]): Sentence[] {
  const commits = isAboutOthers(source) ? [] : ownCommits(source);
  const listed = cleanDescription(commits.map(({ subject }) => `* ${subject}`).join('\n\n'));
  const telling = commitsListedIn(listed)
    .map(({ subject }) => capitalise(bareTitle(subject).text, source))
    .filter((subject) => isTelling(subject) && tellsSomething(subject) && showsNames(subject, source.diff));
  const news = telling.filter(
    (subject) => !isAside(subject, source) && !titles.some((title) => repeats(subject, title)),
  );
  const isTold =
    news.length > 1 && news.length <= mostSubjects && telling.length >= commits.length * leastTelling;
  const place: Place = { source: 'commit', where: 'commit', speaker: source.author, evidence: [] };
  return isTold ? news.map((subject) => quoted(subject, place)) : [];
}

/** What the author warns of: in the description, in the only commit, in footers of any, and in the change's own changelog entry. */
function calloutsOf(source: ArticleSource, entries: ChangelogEntry[]): DraftPoint[] {
  if (isAboutOthers(source)) return [];
  const texts = textsSayingWhy(source).filter(({ where, isStep }) => where !== 'issue' && !isStep);
  const spoken = texts.flatMap((text) =>
    passagesOf(text.text).map((passage) => ({ passage, where: placeOf(text) })),
  );
  const footers = ownCommits(source).flatMap(({ author, body }) =>
    passagesOf(footersIn(cleanDescription(body))).map((passage) => ({
      passage,
      where: { source: 'commit', where: 'commit', speaker: author, evidence: [] } satisfies Place,
    })),
  );
  const listed = entries
    .filter(({ isFirst }) => isFirst)
    .map((entry, block) => ({
      passage: { ...asPassage(entry), block },
      where: inChangelog(source.author, entry),
    }));
  return findCallouts<Place>([...spoken, ...footers, ...listed]).map(
    ({ label, categories, text, where }) => ({ label, categories, sentences: [quoted(text, where)] }),
  );
}

const footersIn = (body: string): string =>
  body
    .split(/\n\s*\n|\n(?=BREAKING[- ]CHANGE)/)
    .filter((paragraph) => /^BREAKING[- ]CHANGE/.test(paragraph))
    .join('\n\n');

const asPassage = ({ text, heading }: ChangelogEntry): Omit<Passage, 'block'> => ({
  text,
  heading,
  isItem: true,
  isFirst: true,
  isStep: false,
  isAfterCode: false,
  isWhole: true,
});
