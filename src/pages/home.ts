import type { RankedArticleInfo } from '../contract/article-info.ts';
import type { ChangedFile } from '../contract/pull-request.ts';
import { type RankingPeriod, rankingPeriodNames } from '../domain/ranking-periods.ts';
import { articleRow, type ListedArticle, leadArticle } from './article-row.ts';
import { type Html, html, nothing } from './html.ts';
import { layout } from './layout.ts';
import { withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { olderAndNewer, type Pages } from './pages-around.ts';
import { interfaceLanguages, languageName } from './words/interface-languages.ts';

export interface Home extends Pages {
  period: RankingPeriod | null;
  /** The language that the articles are in; null for all of them. */
  language: string | null;
  /** The one that was asked for in the address. */
  asked: string | undefined;
  lead: ListedArticle | null;
  /** What the lead's pull request changes; empty where that is not known. */
  leadFiles: ChangedFile[];
  articles: (ListedArticle | RankedArticleInfo)[];
  offset: number;
}

/** The newest articles, or those that people liked most. */
export function homePage(context: PageContext, home: Home): Html {
  const { words } = context;
  return layout(context, {
    title: `Pullquote · ${words.home.title}`,
    description: words.tagline,
    main: html`<div class="home">
<h1 class="unseen">${words.home.title}</h1>
<div class="tabs">${tabs(context, home)}${languages(context, home)}</div>
${home.lead && leadArticle(context, home.lead, home.leadFiles)}
${
  home.articles.length > 0
    ? html`<ol class="rows" start="${home.offset + 1}">${home.articles.map((article) => articleRow(context, article, { isMain: true }))}</ol>`
    : home.lead
      ? nothing
      : emptiness(context, home)
}
${olderAndNewer(context, '/', home, { period: home.period ?? undefined, language: home.asked })}
</div>`,
  });
}

const addressOf = ({ period, asked }: Pick<Home, 'period' | 'asked'>): string =>
  withQuery('/', { period: period ?? undefined, language: asked });

function tabs({ words }: PageContext, home: Home): Html {
  const tab = (period: RankingPeriod | null, word: string): Html =>
    period === home.period
      ? html`<a href="${addressOf({ ...home, period })}" aria-current="page">${word}</a> `
      : html`<a href="${addressOf({ ...home, period })}">${word}</a> `;
  return html`<nav aria-label="${words.home.title}">${tab(null, words.home.newest)}<span class="most-liked">${words.home.mostLiked}</span> ${rankingPeriodNames.map(
    (period) => tab(period, words.home.periods[period]),
  )}</nav>`;
}

function languages({ words }: PageContext, home: Home): Html {
  const codes = new Set<string>([...interfaceLanguages, ...(home.language === null ? [] : [home.language])]);
  const link = (asked: string, isCurrent: boolean, word: string, code?: string): Html =>
    html`<a href="${addressOf({ ...home, asked })}"${isCurrent && html` aria-current="true"`}${code && html` lang="${code}" hreflang="${code}"`}>${word}</a> `;
  return html`<nav class="languages" aria-label="${words.home.languages}">${[...codes].map((code) =>
    link(code, code === home.language, languageName(code), code),
  )}${link('all', home.language === null, words.home.allLanguages)}</nav>`;
}

function emptiness({ words }: PageContext, { period, language }: Home): Html {
  const { home } = words;
  if (period !== null)
    return html`<div class="notice"><p class="said">${home.emptyPeriod}</p><p><a href="/">${home.toAll}</a></p></div>`;
  if (language !== null)
    return html`<div class="notice"><p class="said">${home.emptyLanguage}</p><p><a href="/?language=all">${home.toAll}</a></p></div>`;
  return html`<div class="notice"><p class="said">${home.empty}</p><p>${home.wayOn}</p></div>`;
}
