import type { ArticleSummary } from '../contract/article.ts';
import type { FeedEntry, RankedArticleInfo } from '../contract/article-lists.ts';
import type { ChangedFile } from '../contract/pull-request.ts';
import type { ChangeType } from '../domain/article.ts';
import { mapLegend, mapThumb } from './change-map/change-map.ts';
import { mostFilesOnMap } from './change-map/folder-map.ts';
import { type Html, html, nothing } from './html.ts';
import { inLanguage, said } from './in-language.ts';
import { articleLink, listLink, mapLink, type Narrowing, repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { isQuotedAlready } from './quotation.ts';
import { text } from './text.ts';

/** What lists show of an article, whichever list it is; what is liked comes without its likes. */
export type ListedArticle = Omit<ArticleSummary, 'summaryGeneratedAt' | 'likeCount'> & { likeCount?: number };

/** Change types in the order that an article has them, each leading to the articles that are of it too. */
export const typeLinks = ({ firstHost }: PageContext, types: ChangeType[], within: Narrowing = {}): Html =>
  types.length === 0
    ? nothing
    : html`<span class="types">${types.map(
        (type) =>
          html`<a class="type ${type}" href="${listLink({ ...within, type }, firstHost)}">${type}</a> `,
      )}</span> `;

export const inOwnLanguage = ({ language }: PageContext, { languageCode }: ListedArticle): Html =>
  languageCode === language ? nothing : inLanguage(languageCode);

export function head({ words, firstHost }: PageContext, article: ListedArticle): Html {
  const { repositoryFullName, prNumber, state, mergedAt } = article;
  const when =
    mergedAt === null
      ? html`<span>${words.repository.state[state]}</span>`
      : html`<time datetime="${mergedAt}">${words.article.state.merged(words.date(mergedAt))}</time>`;
  return html`<p class="meta"><a class="repository" href="${repositoryLink(article, firstHost)}"><bdi>${repositoryFullName}</bdi></a> <span>#${prNumber}</span> ${when}</p>`;
}

export function titleLink(context: PageContext, article: ListedArticle): Html {
  const address = articleLink(article, context.firstHost, { language: article.languageCode });
  return html`<a href="${address}"${inOwnLanguage(context, article)}>${said(article.languageCode, article.aiGeneratedTitle)}</a>`;
}

/** What changes for whom; where that is not said, the author's own sentence. */
export function standfirst(context: PageContext, article: ListedArticle): Html {
  const { quote, standfirst: first, languageCode } = article;
  if (first !== null)
    return html`<p class="standfirst"${inOwnLanguage(context, article)}>${said(languageCode, first)}</p>`;
  return quote
    ? html`<blockquote class="standfirst${isQuotedAlready(quote.text) && ' own-marks'}"${inOwnLanguage(context, article)}><p><bdi>${text(quote.text)}</bdi></p></blockquote>`
    : nothing;
}

export function about(context: PageContext, article: ListedArticle, within: Narrowing): Html {
  const { words, firstHost } = context;
  const { host, authorLogin, readingMinutes, likeCount = 0, changeTypes, isBreaking } = article;
  const author = listLink({ ...within, author: { host, login: authorLogin } }, firstHost);
  const likes = html`<span class="likes"><span aria-hidden="true">♥</span> <span class="unseen">${words.home.likes(likeCount)}</span><span aria-hidden="true">${words.number(likeCount)}</span></span> `;
  return html`<p class="meta"><a class="author" href="${author}"><bdi>${authorLogin}</bdi></a> <span>${words.article.minutes(readingMinutes)}</span> ${likeCount > 0 && likes}${typeLinks(context, changeTypes, within)}${isBreaking && html`<span class="breaking">${words.home.breaking}</span>`}</p>`;
}

/** The article that a list begins with; its map is what is seen first, and comes with the page. */
export function leadArticle(
  context: PageContext,
  article: ListedArticle,
  { files, within = {} }: { files: ChangedFile[]; within?: Narrowing },
): Html {
  const { home } = context.words;
  const hasMap = files.length > 0 && files.length <= mostFilesOnMap;
  return html`<article class="lead">
${hasMap && html`<div>${mapThumb(files)}\n${mapLegend(context)}</div>\n`}<div><p class="leads meta">${'rank' in article ? home.periodTitles.weekly : home.newest}</p>${head(context, article)}
<h2>${titleLink(context, article)}</h2>
${standfirst(context, article)}
${about(context, article, within)}</div>
</article>`;
}

/**
 * One article of a list; in a ranking with its place and its likes. Its heading is below that of the list, or is a main
 * one. Its author and types lead to more of the same, within what the list is narrowed to.
 */
export function articleRow(
  context: PageContext,
  article: ListedArticle | RankedArticleInfo | FeedEntry,
  { isMain = false, within = {}, below }: { isMain?: boolean; within?: Narrowing; below?: Html } = {},
): Html {
  const { words, firstHost } = context;
  const isRanked = 'rank' in article;
  const read = 'read' in article ? article.read : null;
  return html`<li class="row${read && ` read-${read}`}">
${isRanked && html`<p class="rank"><b>${words.number(article.rank)}</b> <span>${words.home.likes(article.likeCount)}</span></p>`}
<picture><source media="(max-width: 40rem)" srcset="${mapLink(article, firstHost, { shape: 'strip' })}"><img class="thumb" src="${mapLink(article, firstHost)}" width="160" height="100" alt="" loading="lazy"></picture>
<div>${read === 'no' && html`<span class="unseen">${words.home.isUnread}</span>`}${head(context, article)}
${isMain ? html`<h2>${titleLink(context, article)}</h2>` : html`<h3>${titleLink(context, article)}</h3>`}
${standfirst(context, article)}
${about(context, isRanked ? { ...article, likeCount: 0 } : article, within)}${read === 'changed' && html`\n<p class="meta since">${words.home.isChanged}</p>`}${below}</div>
</li>`;
}
