import type { RankedArticleInfo } from '../contract/article-lists.ts';
import type { ChangedFile } from '../contract/pull-request.ts';
import { type RankingPeriod, rankingPeriodNames } from '../domain/time.ts';
import { articleRow, type ListedArticle, leadArticle } from './article-row.ts';
import { type FeedAddress, newestFeed, rankingFeed } from './feed-links.ts';
import { type Html, html, nothing } from './html.ts';
import { languageTabs } from './language-tabs.ts';
import { layout } from './layout.ts';
import { withQuery } from './links.ts';
import { type NewForMe, newAbove } from './new-for-me.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';
import { offeredRepositories, scriptsToOffer, type UnwrittenRepository } from './repositories.ts';

export interface Home extends Pages {
  period: RankingPeriod | null;
  /** The language that the articles are in; null for all of them. */
  language: string | null;
  /** The one that was asked for in the address. */
  asked: string | undefined;
  lead: ListedArticle | null;
  /** What the lead's pull request changes; empty where that is not known. */
  leadFiles: ChangedFile[];
  /** What is new for the reader; null for visitors, and behind the first page. */
  fresh: NewForMe | null;
  articles: (ListedArticle | RankedArticleInfo)[];
  offset: number;
  /** What could be written about, where nothing is written yet. */
  offered: UnwrittenRepository[];
}

/** The newest articles, or those that people liked most. */
export function homePage(context: PageContext, home: Home): Html {
  const { words } = context;
  const within = { language: home.asked };
  const heading = home.period === null ? words.home.newestTitle : words.home.periodTitles[home.period];
  return layout(context, {
    title: home.period === null ? `Pullquote · ${words.home.title}` : `${heading} · Pullquote`,
    description: words.tagline,
    feed: { address: feedOf(home), title: heading },
    ...scriptsToOffer(context, home.offered),
    main: html`<div class="home">
<h1 class="unseen">${heading}</h1>
${home.fresh && newAbove(context, home.fresh)}
<div class="tabs">${tabs(context, home)}${languageTabs(context, home.language, (asked) => addressOf({ ...home, asked }))}</div>
${home.lead && leadArticle(context, home.lead, { files: home.leadFiles, within })}
${
  home.articles.length > 0
    ? html`<ol class="rows" start="${home.offset + 1}">${home.articles.map((article) => articleRow(context, article, { isMain: true, within }))}</ol>`
    : home.lead
      ? nothing
      : emptiness(context, home)
}
${pagesAround(context, home, {
  path: '/',
  query: { period: home.period ?? undefined, language: home.asked },
  isByTime: home.period === null,
})}
</div>`,
  });
}

const feedOf = ({ period, language }: Home): FeedAddress => {
  const query = { language: language ?? undefined };
  return period === null ? newestFeed(query) : rankingFeed(period, query);
};

const addressOf = ({ period, asked }: Pick<Home, 'period' | 'asked'>): string =>
  withQuery('/', { period: period ?? undefined, language: asked });

function tabs({ words }: PageContext, home: Home): Html {
  const tab = (period: RankingPeriod | null, word: string): Html =>
    html`<a href="${addressOf({ ...home, period })}"${period === home.period && html` aria-current="page"`}>${word}</a> `;
  return html`<nav aria-label="${words.home.title}">${tab(null, words.home.newest)}<a href="/repositories">${words.repositories.title}</a></nav>
<nav aria-labelledby="most-liked"><span class="most-liked" id="most-liked">${words.home.mostLiked}</span> ${rankingPeriodNames.map(
    (period) => tab(period, words.home.periods[period]),
  )}</nav>
`;
}

function emptiness(context: PageContext, { period, language, offered }: Home): Html {
  const { home } = context.words;
  if (period !== null)
    return html`<div class="notice"><p class="said">${home.emptyPeriod}</p><p><a href="/">${home.toAll}</a></p></div>`;
  if (language !== null)
    return html`<div class="notice"><p class="said">${home.emptyLanguage}</p><p><a href="/?language=all">${home.toAll}</a></p></div>`;
  return html`<div class="notice" id="nothing-written"><p class="said">${home.empty}</p><p>${home.wayOn}</p></div>
${offeredRepositories(context, offered)}`;
}
