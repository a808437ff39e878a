import type { Hunk, Statement } from '../contract/told-parts.ts';
import { otherLanguageOf, risksOf } from '../domain/article-form.ts';
import { afterSentence } from '../domain/join-sentences.ts';
import { type Html, html, nothing } from '../pages/html.ts';
import { inLanguage, said, within } from '../pages/in-language.ts';
import { articleLink, webAddress } from '../pages/links.ts';
import { markdownBlocks } from '../pages/markdown.ts';
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
  const { standfirst, scope, mainChanges, writer, languageCode } = content;
  const lead = standfirst?.text === content.aiGeneratedTitle ? null : standfirst;
  const [first, ...rest] = mainChanges.map((change) => changeOf(voice, change));
  const story =
    writer.kind === 'ai'
      ? html`${why(voice, article)}${first}${risks(voice, article)}${rest}${tests(voice, article)}${also(voice, article)}${authorWords(voice, article)}`
      : html`${risks(voice, article)}${authorWords(voice, article)}${why(voice, article)}${first && heading(voice, voice.words.told.change)}${first}${rest}${tests(voice, article)}${also(voice, article)}`;
  const markup = html`<div${inLanguage(languageCode)}>
${lead && html`<p><em>${said(voice.code, lead.text)}</em></p>\n`}${scope && html`<p><strong>${said(voice.code, scope.statement.text)}</strong></p>\n`}${story}${links(voice, { origin, firstHost }, article)}</div>`;
  return sayable(markup.toString());
}

const sentences = ({ code, words, ours }: Voice, statements: Statement[]): Html =>
  html`${statements.map(({ text, basis }) => {
    const told = html`${said(code, text)}${afterSentence(text)}`;
    return basis === 'judgement'
      ? html`<em${ours}>${words.told.judgement}${words.told.colon}</em> ${told}`
      : told;
  })}`;

const heading = ({ ours }: Voice, words: string): Html => html`<h2${ours}>${words}</h2>\n`;

/** What the author wrote: quoted whole, or one sentence of it where an older article has no more. */
function authorWords(voice: Voice, { content, authorLogin }: FeedArticle): Html {
  const { words, code, ours } = voice;
  const { authorWords: written, quote } = content;
  if (!written && !quote) return nothing;
  const markdown = written?.markdown ?? quote?.text ?? '';
  const isCommitMessage = written?.from !== 'description';
  const where = written
    ? words.told.writtenIn[written.from]
    : words.told.quotedFrom[quote?.from ?? 'description'];
  const other = otherLanguageOf(markdown, code);
  return html`${heading(voice, words.told.authorsWords)}<blockquote dir="auto"${other && within(code, other)}>${markdownBlocks(markdown, { isCommitMessage }).map(({ shown }) => shown)}</blockquote>
<p${ours}>— <bdi>${authorLogin}</bdi>${where}${other && ` · ${words.told.original[other]}`}</p>\n`;
}

const why = (voice: Voice, { content }: FeedArticle): Html =>
  content.background.length === 0 ? nothing : html`<p>${sentences(voice, content.background)}</p>\n`;

/** What nobody should miss. */
const risks = (voice: Voice, { content }: FeedArticle): Html =>
  html`${risksOf(content).map(({ point: { label, statements } }) => {
    const { labels, risk } = voice.words.told;
    return html`<p><strong${voice.ours}>${label ? labels[label] : risk}</strong> ${sentences(voice, statements)}</p>\n`;
  })}`;

const changeOf = (
  voice: Voice,
  { heading: title, statements, hunk }: FeedArticle['content']['mainChanges'][number],
): Html =>
  html`${title && html`<h2>${said(voice.code, title)}</h2>\n`}${
    statements.length > 0 && html`<p>${sentences(voice, statements)}</p>\n`
  }${hunk && hunkOf(voice, hunk)}`;

const signs = { context: ' ', added: '+', removed: '-' };

/** Lines as a diff shows them. */
function hunkOf({ words, ours }: Voice, { fileName, heading: name, lines, moreAfter }: Hunk): Html {
  return html`<p dir="ltr"><code>${fileName}</code>${name && html` › <code>${name}</code>`}</p>
<pre dir="ltr"><code>${lines.map(({ kind, text }) => `${signs[kind]}${oneLine(text)}\n`)}</code></pre>
${moreAfter > 0 && html`<p${ours}>${words.told.moreLines(moreAfter)}</p>\n`}`;
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, '');

function tests(voice: Voice, { content }: FeedArticle): Html {
  const { words, code } = voice;
  if (!content.tests) return nothing;
  const { added, addedTotal, statements } = content.tests;
  const named = words.told.newTests(added, addedTotal - added.length);
  return html`${heading(voice, words.told.tests)}${addedTotal > 0 && html`<p>${said(code, named)}</p>\n`}${statements.length > 0 && html`<p>${sentences(voice, statements)}</p>\n`}`;
}

const also = (voice: Voice, { content }: FeedArticle): Html =>
  content.also.length === 0
    ? nothing
    : html`${heading(voice, voice.words.told.also)}<ul>${content.also.map(({ statement }) => html`<li>${said(voice.code, statement.text)}</li>`)}</ul>\n`;

function links({ words, ours }: Voice, { origin, firstHost }: FeedRoot, article: FeedArticle): Html {
  const address = articleLink(article, firstHost, { language: article.content.languageCode });
  const onHost = webAddress(article.hostPrUrl);
  return html`<p${ours}><a href="${origin}${address}">${words.feeds.readArticle}</a>${
    onHost && html` · <a href="${onHost}">${words.article.onHost}</a>`
  } · <bdi>${article.owner}/${article.repo}</bdi> #${article.prNumber}</p>\n`;
}
