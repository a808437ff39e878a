import type { AlsoChanged, Excerpt, Statement } from '../contract/told-parts.ts';
import { beatsOf } from '../domain/beats.ts';
import { shownHeading } from '../domain/excerpt-heading.ts';
import { afterSentence } from '../domain/join-sentences.ts';
import { isToldAgain } from '../domain/standfirst.ts';
import { type Html, html, nothing } from '../pages/html.ts';
import { inLanguage, said, within } from '../pages/in-language.ts';
import { articleLink, webAddress } from '../pages/links.ts';
import { interfaceWords, spokenAround } from '../pages/words/interface-languages.ts';
import type { Words } from '../pages/words/words.ts';
import type { FeedArticle, FeedRoot } from './feed.ts';
import { sayable } from './feed-text.ts';

/** What an article is told in: its own language, and the words around it in one that the pages speak. */
interface Voice {
  code: string;
  words: Words;
  /** Attributes of those words where they are of another language. */
  ours: Html;
}

/** An article with all that it says, as markup that readers of feeds keep: no classes, no scripts, whole addresses. */
export function articleContent({ origin, firstHost }: FeedRoot, article: FeedArticle): string {
  const { content } = article;
  const spoken = spokenAround(content.languageCode);
  const voice = {
    code: content.languageCode,
    words: interfaceWords[spoken],
    ours: within(content.languageCode, spoken),
  };
  const { standfirst } = content;
  const markup = html`<div${inLanguage(content.languageCode)}>
${standfirst && !isToldAgain(content) && html`<p><em>${said(voice.code, standfirst.text)}</em></p>\n`}${why(voice, article)}${callouts(voice, article)}${changes(voice, article)}${also(voice, article)}${points(voice, article)}${links(voice, { origin, firstHost }, article)}</div>`;
  return sayable(markup.toString());
}

const sentences = ({ code, words, ours }: Voice, statements: Statement[]): Html =>
  html`${statements.map(({ text, basis }) => {
    const told = html`${said(code, text)}${afterSentence(text)}`;
    return basis === 'judgement' ? html`<em${ours}>${words.article.judgement}:</em> ${told}` : told;
  })}`;

const heading = ({ ours }: Voice, words: string): Html => html`<h2${ours}>${words}</h2>\n`;

/** Why a change was made: the author's own sentences, and what a writer tells of it. */
function why(voice: Voice, { content, authorLogin }: FeedArticle): Html {
  const { words, code, ours } = voice;
  const quoted = [
    ...(content.quote ? [content.quote] : []),
    ...content.background.flatMap(({ text, source }) => (source ? [{ text, from: source }] : [])),
  ];
  const told = content.background.filter(({ source }) => source === undefined);
  const [first] = quoted;
  const quotation =
    first &&
    html`<blockquote>${quoted.map(({ text }) => html`<p>${said(code, text)}</p>`)}</blockquote>
<p${ours}>— <bdi>${authorLogin}</bdi>${words.told.quotedFrom[first.from]}</p>\n`;
  return html`${quotation}${told.length > 0 && html`${heading(voice, words.article.why)}<p>${sentences(voice, told)}</p>\n`}`;
}

/** What nobody should miss. */
const callouts = (voice: Voice, { content }: FeedArticle): Html =>
  html`${content.notablePoints.map(
    ({ label, statements }) =>
      label &&
      html`<p><strong${voice.ours}>${voice.words.told.labels[label]}</strong> ${sentences(voice, statements)}</p>\n`,
  )}`;

function changes(voice: Voice, { content: { mainChanges } }: FeedArticle): Html {
  if (mainChanges.length === 0) return nothing;
  const beats = mainChanges.flatMap(({ statements, excerpts }) =>
    beatsOf<Statement, Excerpt>(statements, excerpts),
  );
  return html`${heading(voice, voice.words.article.whatChanged)}${beats.map(
    (beat) => html`<p>${sentences(voice, beat.statements)}</p>\n${beat.excerpts.map(excerptOf)}`,
  )}`;
}

const signs = { context: ' ', added: '+', removed: '-', gap: ' ' };

/** The lines that sentences speak of, as a diff shows them; where all of them are new, as the code that they are. */
function excerptOf({ fileName, heading: name, lines }: Excerpt): Html {
  const areNew = lines.every(({ kind }) => kind === 'added' || kind === 'gap');
  const around = shownHeading(name);
  return html`<p dir="ltr"><code>${fileName}</code>${around && html` › <code>${around}</code>`}</p>
<pre dir="ltr"><code>${lines.map(({ kind, text }) => `${areNew ? '' : signs[kind]}${kind === 'gap' ? '⋯' : oneLine(text)}\n`)}</code></pre>\n`;
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, '');

const also = (voice: Voice, { content }: FeedArticle): Html =>
  content.also.length === 0
    ? nothing
    : html`${heading(voice, voice.words.article.also)}<ul>${content.also.map((row) => rowOf(voice, row))}</ul>\n`;

/** More names than these are not read. */
const mostNames = 5;

function rowOf({ words, code, ours }: Voice, row: AlsoChanged): Html {
  const { statement, times, files, filesTotal, additions, deletions } = row;
  const named = files.slice(0, mostNames);
  const rest = filesTotal - named.length;
  const counts =
    times === null ? `+${words.number(additions)} −${words.number(deletions)}` : words.told.times(times);
  return html`<li>${said(code, statement.text)} <small${ours}>${named.map((file) => html`<code>${file}</code> `)}${rest > 0 && `${words.told.andMore(rest)} `}(${counts})</small></li>`;
}

function points(voice: Voice, { content }: FeedArticle): Html {
  const listed = content.notablePoints.filter(({ label }) => label === null);
  if (listed.length === 0) return nothing;
  return html`${heading(voice, voice.words.article.watchFor)}<ul>${listed.map(
    ({ statements }) => html`<li>${sentences(voice, statements)}</li>`,
  )}</ul>\n`;
}

function links({ words, ours }: Voice, { origin, firstHost }: FeedRoot, article: FeedArticle): Html {
  const address = articleLink(article, firstHost, { language: article.content.languageCode });
  const onHost = webAddress(article.hostPrUrl);
  return html`<p${ours}><a href="${origin}${address}">${words.feeds.readArticle}</a>${
    onHost && html` · <a href="${onHost}">${words.article.onHost}</a>`
  } · <bdi>${article.owner}/${article.repo}</bdi> #${article.prNumber}</p>\n`;
}
