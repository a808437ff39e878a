import type { ArticleSummary } from '../contract/articles.ts';
import type { FeedEntry } from '../contract/following.ts';
import type { LikedArticleInfo, RankedArticleInfo } from '../contract/likes.ts';
import { changeTypes } from '../domain/articles.ts';
import { type RankingPeriod, rankingPeriodNames } from '../domain/time.ts';
import { problemNote } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import {
  accountPage,
  buttonForm,
  dated,
  languageTabs,
  layout,
  notice,
  type PageContext,
  type Pages,
  pagesAround,
  wayTo,
} from './layout.ts';
import {
  articleLink,
  listLink,
  type Narrowing,
  newestFeed,
  type RepositoryPlace,
  rankingFeed,
  signInLink,
  withQuery,
} from './links.ts';
import { importProgress } from './progress.ts';
import { articleRow, botsLine, type ListedArticle, leadArticle, repositoryName } from './rows.ts';

export interface Home extends Pages {
  period: RankingPeriod | null;
  language: string | null;
  chosen: string | undefined;
  lead: ListedArticle | null;
  fresh: NewForMe | null;
  articles: (ListedArticle | RankedArticleInfo)[];
  hidden: number;
  byBots: number;
  offset: number;
  offered: UnwrittenRepository[];
}

export function homePage(context: PageContext, home: Home): Html {
  const { words } = context;
  const { period, language, chosen, articles, lead, offset } = home;
  const within = { language: chosen };
  const heading = period === null ? words.home.newestTitle : words.home.periodTitles[period];
  const ofLanguage = { language: language ?? undefined };
  const rows = html`<ol class="rows" start="${offset + 1}">${articles.map((article) => articleRow(context, article, { isMain: true, within }))}</ol>`;
  return layout(context, {
    title: period === null ? `Pullquote · ${words.home.title}` : `${heading} · Pullquote`,
    description: words.tagline,
    feed: {
      address: period === null ? newestFeed(ofLanguage) : rankingFeed(period, ofLanguage),
      title: heading,
    },
    ...scriptsToOffer(context, home.offered),
    main: isFirstRun(home)
      ? firstRun(context, home)
      : html`<div class="home">
<h1 class="unseen">${heading}</h1>
${!context.viewer && period === null && offset === 0 && html`<p class="what">${words.tagline}</p>`}
${home.fresh && newAbove(context, home.fresh)}
<div class="tabs">${tabs(context, home)}${languageTabs(context, language, (code) => homeAddress({ period, chosen: code }), home.hidden)}</div>
${lead && leadArticle(context, lead, within)}
${articles.length > 0 ? rows : !lead && home.byBots === 0 && emptyHome(context, home)}
${botsLine(context, home.byBots)}
${pagesAround(context, home, {
  path: '/',
  query: { period: period ?? undefined, language: chosen },
  isByTime: period === null,
})}
</div>`,
  });
}

const homeAddress = ({ period, chosen }: Pick<Home, 'period' | 'chosen'>): string =>
  withQuery('/', { period: period ?? undefined, language: chosen });

function tabs({ words }: PageContext, home: Home): Html {
  const tab = (period: RankingPeriod | null, word: string): Html =>
    html`<a href="${homeAddress({ ...home, period })}"${period === home.period && html` aria-current="page"`}>${word}</a> `;
  return html`<nav aria-label="${words.home.title}">${tab(null, words.home.newest)}</nav>
<nav aria-labelledby="most-liked"><span class="most-liked" id="most-liked">${words.home.mostLiked}</span> ${rankingPeriodNames.map(
    (period) => tab(period, words.home.periods[period]),
  )}</nav>
`;
}

function emptyHome({ words: { home } }: PageContext, { period }: Home): Html {
  return period === null
    ? notice(home.emptyLanguage, wayTo('/?language=all', home.toAll))
    : notice(home.emptyPeriod, wayTo('/', home.toAll));
}

const isFirstRun = ({ period, language, lead, articles, fresh, byBots, offset }: Home): boolean =>
  period === null &&
  language === null &&
  lead === null &&
  articles.length === 0 &&
  !fresh?.total &&
  byBots === 0 &&
  offset === 0;

function firstRun(context: PageContext, { offered }: Home): Html {
  const { words, viewer, address } = context;
  const { home, repositories, bar } = words;
  const signIn =
    !viewer &&
    html`<p><a class="primary" href="${signInLink(address)}">${bar.signIn}</a></p>
<p class="quiet">${words.signIn.printed}</p>`;
  return html`<div class="home first-run">
<h1>${words.tagline}</h1>
<div id="nothing-written"><p class="said">${home.empty}</p>
${!viewer ? html`<p>${home.firstSignIn}</p>` : offered.length > 0 && html`<p>${home.firstArticles}</p>`}</div>
${signIn}
${
  offered.length > 0 &&
  html`<section><h2>${repositories.title}</h2>
<ul class="repositories">${offered.map((one, index) => unwrittenRow(context, one, index === 0))}</ul>
${viewer?.language && problemNote(context)}</section>`
}
${addButton(context, offered.length > 0 ? 'follow' : 'primary')}
<p class="quiet">${home.wayOn}</p>
</div>`;
}

const addButton = ({ viewer, words }: PageContext, look: 'follow' | 'primary'): Html =>
  viewer?.mayAdd
    ? html`<p class="head-actions"><a class="${look}" href="/add">${words.adding.title}</a></p>`
    : nothing;

interface NarrowedList extends Pages {
  narrowing: Narrowing;
  language: string | null;
  hidden: number;
  byBots: number;
  articles: ArticleSummary[];
}

export function narrowedPage(context: PageContext, shown: NarrowedList): Html {
  const { words, publicUrl, firstHost } = context;
  const { narrowing } = shown;
  const { author, type } = narrowing;
  const ofAuthor = author && words.narrowed.byAuthor(author.login);
  const ofType = type && words.inArticle.types[type];
  const heading = [ofAuthor, ofAuthor ? ofType : words.narrowed.ofType(ofType ?? '')]
    .filter(Boolean)
    .join(words.inArticle.colon);
  const address = (changed: Narrowing): string => listLink({ ...narrowing, ...changed }, firstHost);
  const [path = '/', query = ''] = address({}).split('?');
  return layout(context, {
    title: `${heading} · Pullquote`,
    description: heading,
    head: html`${publicUrl && html`<link rel="canonical" href="${publicUrl}${address({ language: undefined })}">\n`}`,
    main: html`<div class="home">
<h1 class="repository-name">${author ? html`<bdi>${author.login}</bdi>` : heading}</h1>
<div class="tabs narrowed">${author && html`<nav aria-label="${words.narrowed.authors}"><a href="${address({ author: undefined })}">${words.narrowed.allAuthors}</a></nav>`}
<nav aria-label="${words.find.ofType}"><a href="${address({ type: undefined })}"${type === undefined && html` aria-current="true"`}>${words.narrowed.allTypes}</a> ${changeTypes.map(
      (one) =>
        html`<a href="${address({ type: one })}"${one === type && html` aria-current="true"`}>${words.inArticle.types[one]}</a> `,
    )}</nav>
${languageTabs(context, shown.language, (language) => address({ language }), shown.hidden)}</div>
${
  shown.articles.length > 0
    ? html`<ul class="rows">${shown.articles.map((article) => articleRow(context, article, { isMain: true, within: narrowing }))}</ul>`
    : shown.byBots === 0 && notice(words.narrowed.empty, wayTo('/', words.home.toAll))
}
${botsLine(context, shown.byBots)}
${pagesAround(context, shown, { path, query: Object.fromEntries(new URLSearchParams(query)), isByTime: true })}
</div>`,
  });
}

export interface NewForMe {
  entries: FeedEntry[];
  total: number;
  unread: number;
  changed: number;
  /** Marking all as read leaves out articles written after this time. */
  asOf: string;
}

export const mostAbove = 5;

function newAbove(context: PageContext, fresh: NewForMe): Html {
  if (fresh.total === 0) return nothing;
  const { home } = context.words;
  return html`<section class="new-for-me" aria-labelledby="new-for-me">
${newHeading(context, fresh, html`<h2 id="new-for-me">${home.newForMe}</h2>`)}
<ul class="rows">${fresh.entries.map((entry) => articleRow(context, entry))}</ul>
${fresh.total > fresh.entries.length && html`<p class="pages"><a href="/new">${home.allNewForMe}</a></p>`}
</section>`;
}

export function newForMePage(context: PageContext, fresh: NewForMe & Pages): Html {
  const { home } = context.words;
  return layout(context, {
    title: `${home.newForMe} · Pullquote`,
    main: html`<div class="home">
<section class="new-for-me">${newHeading(context, fresh, html`<h1>${home.newForMe}</h1>`)}
${
  fresh.entries.length > 0
    ? html`<ul class="rows">${fresh.entries.map((entry) => articleRow(context, entry, { isMain: true }))}</ul>`
    : notice(home.nothingForMe, wayTo('/favorites', home.toFavorites))
}
${pagesAround(context, fresh, { path: '/new', isByTime: true })}</section>
</div>`,
  });
}

function newHeading(
  { words: { home } }: PageContext,
  { total, unread, changed, asOf }: NewForMe,
  title: Html,
): Html {
  return html`<div class="heading">${title} ${
    total > 0 &&
    html`<span class="meta">${home.unread(unread, changed)}</span>
<form method="post" action="/new/read"><input type="hidden" name="until" value="${asOf}"><button class="tool">${home.markAllRead}</button></form>`
  }</div>`;
}

export function likedPage(context: PageContext, liked: LikedArticleInfo[], pages: Pages): Html {
  const { words, firstHost } = context;
  const unlike = (article: LikedArticleInfo): Html => {
    const { articleId, languageCode } = article;
    return buttonForm(
      articleLink(article, firstHost, {}, '/like'),
      { article: articleId, language: languageCode, like: 'no' },
      html`<button class="plain">${words.liked.remove}</button>`,
    );
  };
  return accountPage(context, {
    path: '/liked',
    title: words.liked.title,
    main: html`${
      liked.length > 0
        ? html`<ul class="rows">${liked.map((article) => articleRow(context, article, { isMain: true, below: unlike(article) }))}</ul>`
        : html`<p class="said">${words.liked.empty}</p>${wayTo('/', words.failure.home)}`
    }
${pagesAround(context, pages, { path: '/liked', isByTime: true })}`,
  });
}

interface UnwrittenRepository extends RepositoryPlace {
  isPrivate: boolean;
  merged: number | null;
}

interface WrittenRepository extends RepositoryPlace {
  isPrivate: boolean;
  articles: number;
  newestAt: string;
}

export function repositoriesPage(
  context: PageContext,
  shown: Pages & { written: WrittenRepository[]; unwritten: UnwrittenRepository[] },
): Html {
  const { written, unwritten } = shown;
  const { words } = context;
  const { repositories } = words;
  const row = ({ isPrivate, articles, newestAt, ...place }: WrittenRepository): Html =>
    html`<li>${repositoryName(context, place)} <span>${repositories.articles(articles)}</span> <span>${dated(context, repositories.newest(newestAt))}</span>${isPrivate && html` <span>${words.article.private}</span>`}</li>`;
  return layout(context, {
    title: `${repositories.title} · Pullquote`,
    description: repositories.description,
    ...scriptsToOffer(context, unwritten),
    main: html`<div class="home">
<div class="repository-head"><h1 class="repository-name">${repositories.title}</h1>
${addButton(context, 'follow')}</div>
${context.viewer?.language && unwritten.length > 0 && problemNote(context)}
${
  written.length + unwritten.length > 0
    ? html`<ul class="repositories${unwritten.length === 0 && ' columns'}">${written.map(row)}${unwritten.map((one) => unwrittenRow(context, one, false))}</ul>`
    : notice(repositories.none, wayTo('/', words.failure.home))
}
${pagesAround(context, shown, { path: '/repositories', isByTime: false })}
</div>`,
  });
}

const latest = 10;

const scriptsToOffer = ({ viewer }: PageContext, unwritten: UnwrittenRepository[]) =>
  viewer?.language && unwritten.length > 0 ? { scripts: ['imports.js'], styles: ['doing.css'] } : {};

function unwrittenRow(
  context: PageContext,
  { merged, isPrivate, ...place }: UnwrittenRepository,
  isPrimary: boolean,
): Html {
  const { repositories, importing, article } = context.words;
  const count = Math.min(latest, merged ?? latest);
  const offered = { label: importing.latest(count), wish: { last: latest }, job: null, isPrimary };
  return html`<li>${repositoryName(context, place)}${merged !== null && html` <span>${repositories.merged(merged)}</span>`}${isPrivate && html` <span>${article.private}</span>`}${
    context.viewer?.language && count > 0 && importProgress(context, place, offered)
  }</li>`;
}
