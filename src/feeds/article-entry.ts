import type { Hunk, Statement } from '../contract/article-parts.ts';
import {
  authorPlaceOf,
  firstDependencies,
  headingOfRest,
  judgementWord,
  sayLabel,
  sayTurn,
  sayUnchanged,
} from '../domain/article-words.ts';
import {
  blockBelow,
  otherLanguageOf,
  paragraphsOf,
  printsAuthorWords,
  risksAfterSections,
  risksOf,
} from '../domain/articles.ts';
import { afterSentence } from '../domain/text.ts';
import { headlineOf } from '../domain/titles.ts';
import type { Room } from '../pages/html.ts';
import { type Html, html, nothing } from '../pages/html.ts';
import { articleLink, webAddress } from '../pages/links.ts';
import { markdownBlocks } from '../pages/markdown.ts';
import { languageAttribute, said, within } from '../pages/text.ts';
import { interfaceLanguageFor, interfaceWords, type Words } from '../pages/words/words.ts';
import { type FeedArticle, type FeedEntry, type FeedRoot, line, sayable, stableId } from './feed.ts';

interface Voice {
  code: string;
  words: Words;
  ours: Html;
}

/**
 * The article in markup that feed readers keep: without classes and scripts, with absolute URLs. If the feed is full,
 * only the lead and links.
 */
function articleContent({ origin, firstHost }: FeedRoot, article: FeedArticle, room: Room): string {
  const { content } = article;
  const spoken = interfaceLanguageFor(content.languageCode);
  const voice = {
    code: content.languageCode,
    words: interfaceWords[spoken],
    ours: within(content.languageCode, spoken),
  };
  const { standfirst, scope, languageCode } = content;
  const lead = standfirst?.text === content.aiGeneratedTitle ? null : standfirst;
  const story = room.isUsedUp ? nothing : storyOf(voice, article);
  const markup = html`<div${languageAttribute(languageCode)}>
${lead && html`<p><em>${said(voice.code, lead.text)}</em></p>\n`}${scope && html`<p><strong>${said(voice.code, scope.statement.text)}</strong></p>\n`}${room.take(story) && story}${links(voice, { origin, firstHost }, article)}</div>`;
  return sayable(markup.toString().replace(/<span class="(?:whole|kept)">([^<]*)<\/span>/g, '$1'));
}

function storyOf(voice: Voice, article: FeedArticle): Html {
  const { content } = article;
  const { mainChanges, writer } = content;
  const sections = mainChanges.map((change) => changeOf(voice, content, change));
  const after = risksAfterSections(content);
  return writer.kind === 'ai'
    ? html`${why(voice, article)}${sections.map((section, at) => html`${section}${risks(voice, after[at] ?? [])}`)}${dependencies(voice, article)}${tests(voice, article)}${review(voice, article)}${also(voice, article)}${printsAuthorWords(content) && authorWords(voice, article)}`
    : html`${risks(voice, risksOf(content))}${authorWords(voice, article)}${why(voice, article)}${sections.length > 0 && heading(voice, voice.words.inArticle.change)}${sections}${dependencies(voice, article)}${tests(voice, article)}${review(voice, article)}${also(voice, article)}`;
}

const sentences = ({ code, words, ours }: Voice, statements: Statement[]): Html =>
  html`${statements.map((statement) => {
    const { text } = statement;
    const word = judgementWord(words.inArticle, statement);
    return html`${word && html`<em${ours}>${word}</em>${words.inArticle.colon}`}${said(code, text)}${afterSentence(text)}`;
  })}`;

const heading = ({ ours }: Voice, words: string): Html => html`<h2${ours}>${words}</h2>\n`;

/** Older articles have only one sentence of the author. */
function authorWords(voice: Voice, { content, authorLogin, hostPrUrl }: FeedArticle): Html {
  const { words, code, ours } = voice;
  const { authorWords: written, quote } = content;
  if (!written && !quote) return nothing;
  const markdown = written?.markdown ?? quote?.text ?? '';
  const isCommitMessage = written?.from !== 'description';
  const { isNamed, place, notes } = authorPlaceOf(words.inArticle, content);
  const by = html`— ${isNamed && html`<bdi>${authorLogin}</bdi>`}${[place, ...notes].join(' · ')}`;
  const other = otherLanguageOf(markdown, code);
  return html`${heading(voice, words.inArticle.authorsWords[written?.from ?? 'description'])}<blockquote dir="auto"${other && within(code, other)}>${markdownBlocks(markdown, { isCommitMessage, hostPrUrl }).map(({ shown }) => shown)}</blockquote>
<p${ours}>${by}</p>\n`;
}

/** Requests of reviewers, and the lines that show their outcome. */
function review(voice: Voice, { content, hostPrUrl }: FeedArticle): Html {
  const { words, code, ours } = voice;
  const { points = [], rest = null } = content.review ?? {};
  if (points.length === 0) return nothing;
  return html`${heading(voice, words.inArticle.review.heading)}${points.map(
    ({ fileName, words: quoted, statements, hunk }) =>
      html`${points.length > 1 && html`<p${ours}>${said(code, words.inArticle.review.on(fileName))}</p>\n`}${quoted.map(
        ({ author, markdown, cut, url }) => {
          const other = otherLanguageOf(markdown, code);
          const address = webAddress(url);
          return html`<blockquote dir="auto"${other && within(code, other)}>${markdownBlocks(markdown, { hostPrUrl }).map(({ shown }) => shown)}</blockquote>
<p${ours}>— ${address ? html`<a href="${address}">${author}</a>` : html`<bdi>${author}</bdi>`}${cut && ` · ${words.inArticle.shortened}`}</p>\n`;
        },
      )}${statements.length > 0 && html`<p>${sentences(voice, statements)}</p>\n`}${hunk && hunkOf(voice, hunk)}`,
  )}${rest && html`<p>${sentences(voice, [rest])}</p>\n`}`;
}

const why = (voice: Voice, { content }: FeedArticle): Html =>
  content.background.length === 0 ? nothing : html`<p>${sentences(voice, content.background)}</p>\n`;

const risks = (voice: Voice, some: { point: FeedArticle['content']['notablePoints'][number] }[]): Html =>
  html`${some.map(({ point: { label, statements } }) => {
    const { labels, risk, afterLabel } = voice.words.inArticle;
    return html`<p><strong${voice.ours}>${label ? labels[label] : risk}</strong>${afterLabel}${sentences(voice, statements)}</p>\n`;
  })}`;

const changeOf = (
  voice: Voice,
  content: FeedArticle['content'],
  { heading: title, statements, hunk }: FeedArticle['content']['mainChanges'][number],
): Html =>
  html`${title && html`<h2>${said(voice.code, title)}</h2>\n`}${paragraphsOf(content, statements).map(
    (paragraph) => {
      const { label, statements: own } = sayLabel(voice.words.inArticle, paragraph);
      return html`<p>${label && html`<strong${voice.ours}>${label}${voice.words.inArticle.colon}</strong>`}${sentences(voice, own)}</p>\n`;
    },
  )}${callers(voice, blockBelow(content, statements))}${hunk && hunkOf(voice, hunk)}`;

function callers({ words, ours }: Voice, block: FeedArticle['content']['beforeAfter']): Html {
  if (!block) return nothing;
  const { before, after } = words.inArticle;
  const side = (name: string, code: string): Html =>
    html`<p${ours}>${name}</p>\n<pre dir="ltr"><code>${code}</code></pre>\n`;
  return html`${side(before, block.before)}${side(after, block.after)}`;
}

const signs = { context: ' ', added: '+', removed: '-' };

function hunkOf({ words, ours }: Voice, { fileName, heading: name, lines, moreAfter }: Hunk): Html {
  return html`<p dir="ltr"><code>${fileName}</code>${name && html` › <code>${name}</code>`}</p>
<pre dir="ltr"><code>${lines.map(({ kind, text }) => `${signs[kind]}${oneLine(text)}\n`)}</code></pre>
${moreAfter > 0 && html`<p${ours}>${words.inArticle.moreLines(moreAfter)}</p>\n`}${sayUnchanged(words.inArticle, lines).map((said) => html`<p${ours}>${said}</p>\n`)}`;
}

const oneLine = (text: string): string => text.replace(/[\r\n]/g, '');

function dependencies(voice: Voice, { content }: FeedArticle): Html {
  const { inArticle } = voice.words;
  const table = content.dependencies;
  if (!table) return nothing;
  const { shown, more } = firstDependencies(table);
  return html`${heading(voice, inArticle.dependencies)}<ul>${shown.map((item) => html`<li><code>${item.name}</code> ${sayTurn(inArticle, item)}</li>`)}${more > 0 && html`<li${voice.ours}>${inArticle.moreDependencies(more)}</li>`}</ul>\n`;
}

function tests(voice: Voice, { content }: FeedArticle): Html {
  const { words, code } = voice;
  if (!content.tests) return nothing;
  const { added, addedTotal, statements } = content.tests;
  const named = words.inArticle.newTests(added, addedTotal - added.length);
  return html`${heading(voice, words.inArticle.tests)}${addedTotal > 0 && html`<p>${said(code, named)}</p>\n`}${statements.length > 0 && html`<p>${sentences(voice, statements)}</p>\n`}`;
}

const also = (voice: Voice, { content }: FeedArticle): Html =>
  content.also.length === 0
    ? nothing
    : html`${heading(voice, headingOfRest(voice.words.inArticle, content))}<ul>${content.also.map(({ statement }) => html`<li>${said(voice.code, statement.text)}</li>`)}</ul>\n`;

function links({ words, ours }: Voice, { origin, firstHost }: FeedRoot, article: FeedArticle): Html {
  const address = articleLink(article, firstHost, { language: article.content.languageCode });
  const onHost = webAddress(article.hostPrUrl);
  return html`<p${ours}><a href="${origin}${address}">${words.feeds.readArticle}</a>${
    onHost && html` · <a href="${onHost}">${words.article.onHost}</a>`
  } · <bdi>${article.owner}/${article.repo}</bdi> #${article.prNumber}</p>\n`;
}

/** The id stays the same when the article is rewritten. */
export function articleEntry(root: FeedRoot, article: FeedArticle, room: Room): FeedEntry {
  const { articleId, owner, repo, prNumber, authorLogin, listedAt, generatedAt, content, secondLine } =
    article;
  const { languageCode: language, changeTypes, notablePoints } = content;
  const name = line(`${owner}/${repo}`);
  const isBreaking = notablePoints.some(({ label }) => label === 'breaking');
  return {
    id: stableId('article', articleId, language),
    title: line(headlineOf(article.title, content)) || `${name}#${prNumber}`,
    summary: secondLine && line(secondLine.text),
    author: line(authorLogin) || name,
    tags: [name, ...changeTypes, ...(isBreaking ? ['BREAKING'] : [])],
    url: root.origin + articleLink(article, root.firstHost, { language }),
    hostUrl: webAddress(article.hostPrUrl),
    language,
    published: listedAt,
    // A clock may be wrong, and `updated` must not be before `published`.
    updated: generatedAt > listedAt ? generatedAt : listedAt,
    html: articleContent(root, article, room),
  };
}
