import type { ArticleSummary } from '../contract/articles.ts';
import type { FeedEntry } from '../contract/following.ts';
import type { RankedArticleInfo } from '../contract/likes.ts';
import type { PullRequestSummary } from '../contract/pull-requests.ts';
import type { ChangeType } from '../domain/articles.ts';
import { authorTitle, headlineOf } from '../domain/titles.ts';
import { type Html, html, nothing } from './html.ts';
import { buttonForm, dated, type PageContext } from './layout.ts';
import {
  articleLink,
  listLink,
  type Narrowing,
  type RepositoryPlace,
  repositoryLink,
  webAddress,
} from './links.ts';
import { languageToWriteIn, selectionForm } from './progress.ts';
import { isQuotedAlready, languageAttribute, said, text, within } from './text.ts';

export type ListedArticle = Omit<ArticleSummary, 'summaryGeneratedAt' | 'likeCount'> & { likeCount?: number };

export const typeLinks = (
  { firstHost, words }: PageContext,
  types: ChangeType[],
  within: Narrowing = {},
): Html =>
  types.length === 0
    ? nothing
    : html`<span class="types">${types.map(
        (type) =>
          html`<a class="type ${type}" href="${listLink({ ...within, type }, firstHost)}">${words.inArticle.types[type]}</a> `,
      )}</span> `;

export const inOwnLanguage = ({ language }: PageContext, { languageCode }: ListedArticle): Html =>
  languageCode === language ? nothing : languageAttribute(languageCode);

export const repositoryName = ({ firstHost }: PageContext, place: RepositoryPlace): Html =>
  html`<a class="repository" href="${repositoryLink(place, firstHost)}"><bdi>${place.owner}/${place.repo}</bdi></a>`;

export const authorLink = ({ firstHost }: PageContext, login: string, host: string, within: Narrowing = {}) =>
  html`<a class="author" href="${listLink({ ...within, author: { host, login } }, firstHost)}"><bdi>${login}</bdi></a>`;

const stateLabel = (
  context: PageContext,
  state: 'open' | 'closed' | 'merged',
  mergedAt?: string | null,
): Html =>
  mergedAt
    ? html`<span>${dated(context, context.words.article.state.merged(mergedAt))}</span>`
    : html`<span>${context.words.repository.state[state]}</span>`;

export const head = (
  context: PageContext,
  article: ListedArticle,
  { isNamed = true, reason }: { isNamed?: boolean; reason?: string } = {},
): Html =>
  html`<p class="meta">${isNamed && html`${repositoryName(context, article)} `}<span>#${article.prNumber}</span> ${stateLabel(context, article.state, article.mergedAt)}${article.isBreaking && html` ${breakingMark(context)}`}${article.isExample && html` <span>${context.words.home.example}</span>`}${reason && html` <b class="reason">${reason}</b>`}</p>`;

export function titleLink(context: PageContext, article: ListedArticle): Html {
  const address = articleLink(article, context.firstHost, { language: article.languageCode });
  return html`<a href="${address}"${inOwnLanguage(context, article)}>${said(article.languageCode, headlineOf(article.title, article))}</a>`;
}

export function secondLine(context: PageContext, article: ListedArticle): Html {
  const { secondLine: line, languageCode } = article;
  if (!line) return nothing;
  const own = inOwnLanguage(context, article);
  if (line.from === 'author')
    return html`<blockquote class="standfirst${isQuotedAlready(line.text) && ' own-marks'}"${own}><p><bdi>${text(line.text)}</bdi></p></blockquote>`;
  return html`<p class="standfirst"${own}>${said(languageCode, line.text)}</p>`;
}

export function about(context: PageContext, article: ListedArticle, within: Narrowing): Html {
  const { words } = context;
  const { host, authorLogin, readingMinutes, likeCount = 0, changeTypes, additions, deletions } = article;
  const onHost = webAddress(article.hostPrUrl);
  const likes = html`<span class="likes"><span aria-hidden="true">♥</span> <span class="unseen">${words.home.likes(likeCount)}</span><span aria-hidden="true">${words.number(likeCount)}</span></span> `;
  return html`<p class="meta">${authorLink(context, authorLogin, host, within)} <span>${words.article.minutes(readingMinutes)}</span> ${additions + deletions > 0 && lineCounts(context, article)}${likeCount > 0 && likes}${typeLinks(context, changeTypes, within)}${onHost && html`<a class="quiet" href="${onHost}" rel="noreferrer">${words.article.onHost}</a>`}</p>`;
}

export const lineCounts = (
  { words }: PageContext,
  { additions, deletions }: { additions: number; deletions: number },
): Html =>
  html`<span class="counts"><span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span></span> `;

export const breakingMark = ({ words }: PageContext): Html =>
  html`<span class="breaking">${words.home.breaking}</span>`;

/** The first article of a list, larger. It is the newest one, unless its likes or its breaking mark say why it is first. */
export function leadArticle(context: PageContext, article: ListedArticle, within: Narrowing = {}): Html {
  const reason = 'rank' in article ? { reason: context.words.home.periodTitles.weekly } : {};
  return html`<article class="lead">
${head(context, article, reason)}
<h2>${titleLink(context, article)}</h2>
${secondLine(context, article)}
${about(context, article, within)}
</article>`;
}

/** `within` are the filters of the list, which links to authors and types keep. */
export function articleRow(
  context: PageContext,
  article: ListedArticle | RankedArticleInfo | FeedEntry,
  {
    isMain = false,
    isNamed = true,
    within = {},
    below,
  }: { isMain?: boolean; isNamed?: boolean; within?: Narrowing; below?: Html } = {},
): Html {
  const { words } = context;
  const isRanked = 'rank' in article;
  const read = 'read' in article ? article.read : null;
  return html`<li class="row${read && ` read-${read}`}">
${isRanked && html`<p class="rank"><b>${words.number(article.rank)}</b> <span>${words.home.likes(article.likeCount)}</span></p>`}
<div>${read === 'no' && html`<span class="unseen">${words.home.isUnread}</span>`}${head(context, article, { isNamed })}
${isMain ? html`<h2>${titleLink(context, article)}</h2>` : html`<h3>${titleLink(context, article)}</h3>`}
${secondLine(context, article)}
${about(context, isRanked ? { ...article, likeCount: 0 } : article, within)}${read === 'changed' && html`\n<p class="meta since">${words.home.isChanged}</p>`}${below}</div>
</li>`;
}

/** Counts what bots wrote, which lists leave out unless the reader has chosen otherwise. */
export const botsLine = ({ words: { home }, showsBots }: PageContext, count: number): Html =>
  count === 0
    ? nothing
    : html`<form class="bots meta" method="post" action="/bots"><span>${home.byBots(count)}</span> <button class="plain" name="bots" value="${showsBots ? 'hide' : 'show'}">${showsBots ? home.hideBots : home.showBots}</button></form>`;

export interface ListedPullRequest extends PullRequestSummary {
  articleTitle?: { languageCode: string; text: string };
  mergedAt?: string | null;
  pending?: string;
}

export function pullRequestList(
  context: PageContext,
  place: RepositoryPlace,
  listed: ListedPullRequest[],
  { isSelectable = false } = {},
): Html {
  const { words, firstHost, viewer } = context;
  const { repository } = words;
  return html`<ul class="pulls">${listed.map((pull) => {
    const { prNumber, title, articleTitle, state, authorLogin, articleExists, mergedAt, pending } = pull;
    const link = articleLink({ ...place, prNumber }, firstHost);
    const called = articleTitle
      ? html`<span class="title"${within(context.language, articleTitle.languageCode)}>${said(articleTitle.languageCode, articleTitle.text)}</span>`
      : html`<span class="title"><bdi>${text(authorTitle(title, context.language))}</bdi></span>`;
    const canWrite = !articleExists && Boolean(viewer?.language);
    const write = buttonForm(
      articleLink({ ...place, prNumber }, firstHost, {}, '/write'),
      { language: languageToWriteIn(context) },
      html`<button class="plain" aria-label="${repository.write} #${prNumber}"${pending !== undefined && html` hidden`}>${repository.write}</button>`,
    );
    const choose = html`<input type="checkbox" name="numbers" value="${prNumber}" form="${selectionForm}" aria-label="${repository.choose} #${prNumber}">`;
    return html`<li data-number="${prNumber}">${isSelectable && html`<span class="choose">${canWrite && state === 'merged' && choose}</span> `}<span class="number">#${prNumber}</span> ${called} <span class="meta"><bdi>${authorLogin}</bdi> ${stateLabel(context, state, mergedAt)}</span> <a href="${link}"${(canWrite || pending !== undefined) && html` hidden`}>${articleExists ? repository.read : repository.write}<span class="unseen"> #${prNumber}</span></a>${canWrite && write}<span class="pending"${pending === undefined && html` hidden`}>${pending}</span></li>`;
  })}</ul>`;
}
