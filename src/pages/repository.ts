import type { ArticleSummary } from '../contract/article.ts';
import type { PullRequestFilter } from '../domain/pull-requests.ts';
import { problem } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import {
  buttonForm,
  layout,
  noIndex,
  notice,
  type PageContext,
  type Pages,
  pagesAround,
  wayTo,
} from './layout.ts';
import {
  hostNamed,
  type Query,
  type RepositoryPlace,
  releaseLink,
  repositoryFeed,
  repositoryLink,
  repositoryPath,
  signInLink,
} from './links.ts';
import { importProgress, type OfferedImport, refreshWhile } from './progress.ts';
import { releaseForm } from './release.ts';
import { articleRow, type ListedPullRequest, pullRequestList } from './rows.ts';

type RepositoryTab = 'articles' | 'pulls';

export interface ShownPullRequests {
  filter: PullRequestFilter;
  listed: ListedPullRequest[];
  newer: number | null;
  older: number | null;
  offered: OfferedImport;
}

export interface ShownRepository extends RepositoryPlace, Pages {
  isPrivate: boolean;
  isClone: boolean;
  hostName: string;
  confirmedMinutes: number | null;
  favoriteId: string | null;
  /** Articles that are being written because the reader follows it; null before they are counted. */
  arriving: number | null;
  tab: RepositoryTab;
  articles: ArticleSummary[];
  articleTotal: number;
  pulls: ShownPullRequests | null;
  pullTotal: number | null;
  offered: OfferedImport | null;
  tags: string[] | null;
  language: string | undefined;
}

const lookAgainSeconds = 15;

export function repositoryPage(context: PageContext, shown: ShownRepository): Html {
  const { words, firstHost, publicUrl } = context;
  const name = `${shown.owner}/${shown.repo}`;
  const isUser = Boolean(context.viewer?.language);
  return layout(context, {
    title: `${words.repository.title(name)} · Pullquote`,
    ...(!shown.isPrivate && { description: words.repository.title(name) }),
    ...(!shown.isPrivate &&
      shown.articleTotal > 0 && {
        feed: {
          address: repositoryFeed(shown, firstHost, { language: shown.language }),
          title: words.repository.title(name),
        },
      }),
    head: html`${refreshWhile(isUser && shown.arriving !== 0, lookAgainSeconds)}${
      shown.isPrivate
        ? noIndex
        : html`${publicUrl && html`<link rel="canonical" href="${publicUrl}${repositoryLink(shown, firstHost)}">\n`}`
    }`,
    inLanguage: (code) => repositoryLink(shown, firstHost, { language: code }),
    ...(isUser && { scripts: ['follow.js', 'import.js'], styles: ['doing.css'] }),
    main: html`<div class="home">
<div class="repository-head"><div><h1 class="repository-name"><bdi>${name}</bdi></h1>
<p class="meta">${howItIsRead(context, shown)}</p></div>
${isUser && follow(context, shown)}</div>
${isUser && problem(context, { CANCELLED: words.doing.cancelled, FORBIDDEN: words.favorites.tooMany })}
${isUser && html`<p class="quiet" id="arriving" role="status"${shown.arriving === 0 && html` hidden`}>${shown.arriving !== 0 && words.repository.arriving(shown.arriving)}</p>`}
${tabs(context, shown)}
${shown.tab === 'pulls' && shown.pulls ? pullRequests(context, shown, shown.pulls) : articles(context, shown)}
${versions(context, shown)}
</div>`,
  });
}

function versions(context: PageContext, shown: ShownRepository): Html {
  const { choose } = context.words.release;
  const { tags, language } = shown;
  if (tags?.length === 0) return nothing;
  return html`<section class="releases">${
    tags
      ? html`<h2>${choose}</h2>\n${releaseForm(context, shown, { tags, language })}`
      : html`<p class="pages"><a href="${releaseLink(shown, context.firstHost, { language })}">${choose}</a></p>`
  }</section>`;
}

function howItIsRead({ words }: PageContext, shown: ShownRepository): Html {
  const { repository, article } = words;
  const from = shown.isClone ? repository.readFromClone : repository.readFrom(shown.hostName);
  const { confirmedMinutes: minutes } = shown;
  return html`${shown.isPrivate && html`<span class="badge">${article.private}</span> `}<span>${from}</span>${
    minutes !== null && html` <span>${repository.confirmed(minutes)}</span>`
  }`;
}

function follow(context: PageContext, shown: ShownRepository): Html {
  const { host, owner, repo, favoriteId } = shown;
  const { follow: offered, following } = context.words.doing;
  return buttonForm(
    repositoryLink(shown, context.firstHost, {}, '/follow'),
    { favorite: favoriteId ?? undefined },
    html`<button class="follow" data-follow="${favoriteId}" data-host="${host}" data-owner="${owner}" data-repo="${repo}" data-no="${offered}" data-yes="${following}" aria-pressed="${String(favoriteId !== null)}">${favoriteId === null ? offered : following}</button>`,
  );
}

const link = (context: PageContext, shown: ShownRepository, query: Query): string =>
  repositoryLink(shown, context.firstHost, { language: shown.language, ...query });

function tabs(context: PageContext, shown: ShownRepository): Html {
  const { repository, number } = context.words;
  const tab = (name: RepositoryTab, word: string, total: number | null): Html =>
    html`<a href="${link(context, shown, { tab: name })}"${name === shown.tab && html` aria-current="page"`}>${word}${total !== null && html` <span class="total">${number(total)}</span>`}</a> `;
  return html`<div class="tabs" id="tabs"><nav aria-label="${repository.parts}">${tab('articles', repository.articles, shown.articleTotal)}${
    shown.pulls && tab('pulls', repository.pullRequests, shown.pullTotal)
  }</nav></div>`;
}

function articles(context: PageContext, shown: ShownRepository): Html {
  const { repository } = context.words;
  const query = {
    ...hostNamed(shown.host, context.firstHost),
    language: shown.language,
    ...(shown.pulls && { tab: 'articles' }),
  };
  return html`<section><h2 class="unseen">${repository.articles}</h2>
${shown.offered && importProgress(context, shown, shown.offered)}
<div id="listed">${
    shown.articles.length > 0
      ? html`<ul class="rows">${shown.articles.map((article) => articleRow(context, article))}</ul>`
      : notice(
          repository.noArticles,
          !context.viewer && wayTo(signInLink(context.address), repository.signIn),
        )
  }
${pagesAround(context, shown, { path: repositoryPath(shown), query, isByTime: true })}</div></section>`;
}

const filterQuery = ({ state, article, bots }: PullRequestFilter): Query => ({
  state: state === 'all' ? undefined : state,
  article: article === 'all' ? undefined : article,
  bots: bots === 'with' ? undefined : bots,
});

function pullRequests(context: PageContext, shown: ShownRepository, pulls: ShownPullRequests): Html {
  const { words } = context;
  const { repository } = words;
  const isNarrowed = Object.values(filterQuery(pulls.filter)).some((choice) => choice !== undefined);
  return html`<section><h2 class="unseen">${repository.pullRequests}</h2>
${filters(context, shown, pulls.filter)}
${importProgress(context, shown, pulls.offered)}
<div id="listed">${
    pulls.listed.length > 0
      ? pullRequestList(context, shown, pulls.listed)
      : noPullRequests(context, shown, isNarrowed || pulls.newer !== null)
  }</div>
${around(context, shown, pulls)}</section>`;
}

function noPullRequests(context: PageContext, shown: ShownRepository, areThereOthers: boolean): Html {
  const { repository } = context.words;
  const wayOn = areThereOthers
    ? wayTo(link(context, shown, { tab: 'pulls' }), repository.allPullRequests)
    : shown.isClone && html`<p>${repository.whatCounts}</p>`;
  return notice(areThereOthers ? repository.noneOfThese : repository.noPullRequests, wayOn);
}

function filters(context: PageContext, shown: ShownRepository, filter: PullRequestFilter): Html {
  const { filters: words } = context.words.repository;
  const word = (choice: Partial<PullRequestFilter>, said: string): Html => {
    const chosen = { ...filter, ...choice };
    const isCurrent = JSON.stringify(chosen) === JSON.stringify(filter);
    return html`<a href="${link(context, shown, { tab: 'pulls', ...filterQuery(chosen) })}"${isCurrent && html` aria-current="true"`}>${said}</a> `;
  };
  return html`<nav class="filters" aria-label="${words.label}"><span>${word({ state: 'all' }, words.all)}${word({ state: 'merged' }, words.merged)}${word({ state: 'open' }, words.open)}</span>
<span>${word({ article: 'all' }, words.any)}${word({ article: 'written' }, words.written)}${word({ article: 'unwritten' }, words.unwritten)}</span>
<span>${word({ bots: 'with' }, words.withBots)}${word({ bots: 'without' }, words.withoutBots)}</span></nav>`;
}

function around(
  context: PageContext,
  shown: ShownRepository,
  { filter, newer, older }: ShownPullRequests,
): Html {
  const { home } = context.words;
  const query = { tab: 'pulls', ...filterQuery(filter) };
  if (newer === null && older === null) return nothing;
  return html`<nav class="pages" aria-label="${home.older}">${
    newer !== null &&
    html`<a rel="prev" href="${link(context, shown, { ...query, until: newer })}">${home.newer}</a> `
  }${older !== null && html`<a rel="next" href="${link(context, shown, { ...query, from: older })}">${home.older}</a> `}</nav>`;
}
