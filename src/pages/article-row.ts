import type { ArticleSummary } from '../contract/article.ts';
import type { RankedArticleInfo } from '../contract/article-info.ts';
import type { ChangedFile } from '../contract/pull-request.ts';
import type { ChangeType } from '../domain/change-types.ts';
import { mapThumb } from './change-map/change-map.ts';
import { type Html, html } from './html.ts';
import { articleLink, mapLink, repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

/** What lists show of an article, whichever list it is. */
export type ListedArticle = Omit<ArticleSummary, 'summaryGeneratedAt' | 'likeCount'>;

/** Change types in the order that an article has them: a small square and the word. */
export const typeLabels = (types: ChangeType[]): Html =>
  html`<span class="types">${types.map((type) => html`<span class="type ${type}">${type}</span> `)}</span>`;

const inOwnLanguage = ({ language }: PageContext, { languageCode }: ListedArticle): Html | null =>
  languageCode === language ? null : html` lang="${languageCode}"`;

function head(context: PageContext, article: ListedArticle): Html {
  const { repositoryFullName, prNumber } = article;
  return html`<p class="meta"><a class="repository" href="${repositoryLink(article, context.firstHost)}"><bdi>${repositoryFullName}</bdi></a> <span>#${prNumber}</span></p>`;
}

function titleLink(context: PageContext, article: ListedArticle): Html {
  const address = articleLink(article, context.firstHost, { language: article.languageCode });
  return html`<a href="${address}"${inOwnLanguage(context, article)}><bdi>${text(article.aiGeneratedTitle)}</bdi></a>`;
}

/** The article that a list begins with; its map is what is seen first, and comes with the page. */
export function leadArticle(context: PageContext, article: ListedArticle, files: ChangedFile[]): Html {
  const { quote, authorLogin, readingMinutes, changeTypes } = article;
  return html`<article class="lead">
${mapThumb(files)}
<div>${head(context, article)}
<h2>${titleLink(context, article)}</h2>
${quote && html`<blockquote${inOwnLanguage(context, article)}><p><bdi>${text(quote.text)}</bdi></p></blockquote>`}
<p class="meta"><bdi>${authorLogin}</bdi> <span>${context.words.article.minutes(readingMinutes)}</span> ${typeLabels(changeTypes)}</p></div>
</article>`;
}

/** One article of a list; in a ranking with its place and its likes. Its heading is below that of the list, or is a main one. */
export function articleRow(
  context: PageContext,
  article: ListedArticle | RankedArticleInfo,
  { isMain = false } = {},
): Html {
  const { authorLogin, readingMinutes, changeTypes } = article;
  const { words } = context;
  return html`<li class="row">
${'rank' in article && html`<p class="rank"><b>${words.number(article.rank)}</b> <span>${words.home.likes(article.likeCount)}</span></p>`}
<img class="thumb" src="${mapLink(article, context.firstHost)}" width="160" height="100" alt="" loading="lazy">
<div>${head(context, article)}
${isMain ? html`<h2>${titleLink(context, article)}</h2>` : html`<h3>${titleLink(context, article)}</h3>`}
<p class="meta"><bdi>${authorLogin}</bdi> <span>${words.article.minutes(readingMinutes)}</span> ${typeLabels(changeTypes)}</p></div>
</li>`;
}
