import type { ArticleSummary } from '../contract/articles.ts';
import type { Answer } from '../contract/questions.ts';
import type { PullRequestFilter } from '../domain/pull-requests.ts';
import { problemNote } from './failure.ts';
import { type Html, html, nothing } from './html.ts';
import {
  buttonForm,
  dated,
  layout,
  noIndex,
  notice,
  type PageContext,
  type Pages,
  pagesAround,
  wayTo,
} from './layout.ts';
import {
  findLink,
  hostNamed,
  operatorOf,
  type Query,
  type RepositoryPlace,
  releaseLink,
  repositoryFeed,
  repositoryLink,
  repositoryPath,
  signInLink,
} from './links.ts';
import { importProgress, languageToWriteIn, type OfferedImport, refreshWhile } from './progress.ts';
import { questionScripts, questionStyles, questions } from './questions.ts';
import { releaseForm } from './releases.ts';
import { articleRow, botsLine, type ListedPullRequest, pullRequestList } from './rows.ts';
import { fileName } from './text.ts';

export const repositoryTabs = ['articles', 'pulls', 'releases', 'files'] as const;
type RepositoryTab = (typeof repositoryTabs)[number];

export interface ShownTag {
  tag: string;
  before: string | null;
  committedAt: string | null;
  /** Null for the first release, and if counting would need calls to the host. */
  counts: { pullRequests: number; commits: number; breaking: number } | null;
}

export interface ShownReleases extends Pages {
  listed: ShownTag[];
  names: string[];
  /** The address at which to load the page again for counts that are missing now; null if none will follow. */
  againAt: string | null;
}

interface ShownFile {
  fileName: string;
  articles: number;
  lastMonth: number;
  newestAt: string;
}

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
  isMissing: boolean;
  hostName: string;
  confirmedMinutes: number | null;
  favoriteId: string | null;
  /** The number of articles being written because the reader follows the repository; null before they are counted. */
  arriving: number | null;
  tab: RepositoryTab;
  articles: ArticleSummary[];
  articleTotal: number;
  byBots: number;
  pulls: ShownPullRequests | null;
  pullTotal: number | null;
  offered: OfferedImport | null;
  /** Offers to write articles without a model with it. */
  rewriting: OfferedImport | null;
  releases: ShownReleases | null;
  files: ShownFile[];
  /** The answered questions about the repository; null if questions are not shown. */
  answers: Answer[] | null;
  /** Whether a question sent without scripts is being answered. */
  isAnswering: boolean;
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
    head: html`${refreshWhile(shown.isAnswering)}${shown.releases?.againAt && html`<meta http-equiv="refresh" content="3; url=${shown.releases.againAt}">\n`}${refreshWhile(isUser && shown.arriving !== 0 && !shown.isAnswering, lookAgainSeconds)}${
      shown.isPrivate
        ? noIndex
        : html`${publicUrl && html`<link rel="canonical" href="${publicUrl}${repositoryLink(shown, firstHost)}">\n`}`
    }`,
    ...(isUser && {
      scripts: ['follow.js', 'imports.js', ...(shown.answers ? questionScripts : [])],
      styles: ['doing.css', ...questionStyles],
    }),
    main: html`<div class="home">
<div class="repository-head"><div><h1 class="repository-name"><bdi>${name}</bdi></h1>
<p class="meta">${howItIsRead(context, shown)}</p></div>
<div class="head-actions">${feeds(context, shown)}${isUser ? followPanel(context, shown) : !context.viewer && html`<a class="follow" href="${signInLink(context.address)}">${words.doing.follow}</a>`}</div></div>
${isUser && problemNote(context, { CANCELLED: words.doing.cancelled, FORBIDDEN: words.favorites.tooMany })}
${isUser && html`<p class="quiet" id="arriving" role="status"${shown.arriving === 0 && html` hidden`}>${shown.arriving !== 0 && words.repository.arriving(shown.arriving)}</p>`}
${shown.isMissing && html`<p class="problem">${words.repository.missing}</p>`}
${tabs(context, shown)}
${tabContent(context, shown)}
</div>`,
  });
}

function tabContent(context: PageContext, shown: ShownRepository): Html {
  if (shown.tab === 'pulls' && shown.pulls) return pullRequests(context, shown, shown.pulls);
  if (shown.tab === 'releases' && shown.releases) return releases(context, shown, shown.releases);
  if (shown.tab === 'files') return files(context, shown);
  const { answers, isAnswering, isPrivate } = shown;
  const language = languageToWriteIn(context);
  const asked = { answers: answers ?? [], isAnswering, isPrivate, language };
  return html`${articles(context, shown)}${answers && questions(context, shown, asked)}`;
}

function releases(
  context: PageContext,
  shown: ShownRepository,
  { listed, names, ...around }: ShownReleases,
): Html {
  const { repository, release } = context.words;
  const { language } = shown;
  const query = { ...hostNamed(shown.host, context.firstHost), language, tab: 'releases' };
  const row = ({ tag, before, committedAt, counts }: ShownTag): Html => {
    const when = html`<span>${committedAt && dated(context, committedAt)}</span>`;
    if (before === null) return html`<li><bdi>${tag}</bdi> ${when} <span>${release.first}</span></li>`;
    const address = releaseLink(shown, context.firstHost, { from: before, to: tag, language });
    return html`<li><a href="${address}"><bdi>${tag}</bdi></a> ${when} <span>${counts && counted(context, counts)}</span> ${
      counts &&
      counts.breaking > 0 &&
      html`<a class="breaking-count" href="${address}#breaking">${release.breakingChanges(counts.breaking)}</a>`
    }</li>`;
  };
  return html`<section><h2 class="unseen">${repository.releases}</h2>
${
  listed.length > 0
    ? html`<p class="quiet">${repository.releasesHint}</p>
<ul class="repositories columns versions-list">${listed.map(row)}</ul>
${pagesAround(context, around, { path: repositoryPath(shown), query, isByTime: true })}`
    : notice(repository.noReleases)
}
<h2>${release.choose}</h2>
${releaseForm(context, shown, { tags: names.slice(0, mostSuggested), language })}</section>`;
}

const counted = (
  { words: { release, inArticle } }: PageContext,
  { pullRequests, commits }: NonNullable<ShownTag['counts']>,
): string =>
  pullRequests === 0 && commits > 0 ? inArticle.commits(commits) : release.notes.pullRequests(pullRequests);

/** The tags that the form suggests. */
const mostSuggested = 50;

/** Each file links to the articles about it. */
function files(context: PageContext, shown: ShownRepository): Html {
  const { words, firstHost } = context;
  const { repository, repositories } = words;
  const of = operatorOf('repo', `${shown.owner}/${shown.repo}`);
  const row = ({ fileName: path, articles, lastMonth, newestAt }: ShownFile): Html =>
    html`<li><a href="${findLink(`${of} ${operatorOf('file', path)}`, hostNamed(shown.host, firstHost))}">${fileName(path)}</a> <span>${repositories.articles(articles)}</span> ${lastMonth > 0 && html`<span>${repository.lastMonth(lastMonth)}</span> `}<span>${dated(context, repositories.newest(newestAt))}</span></li>`;
  return html`<section><h2 class="unseen">${repository.files}</h2>
${
  shown.files.length > 0
    ? html`<p class="quiet">${repository.filesHint}</p>
<ul class="repositories columns">${shown.files.map(row)}</ul>`
    : notice(repository.noArticles)
}</section>`;
}

function feeds(context: PageContext, shown: ShownRepository): Html {
  if (shown.isPrivate || shown.articleTotal === 0) return nothing;
  const address = repositoryFeed(shown, context.firstHost, { language: shown.language });
  return html`<a href="${address('atom')}" type="application/atom+xml">Atom</a> <a href="${address('json')}" type="application/feed+json">JSON</a> `;
}

function howItIsRead({ words }: PageContext, shown: ShownRepository): Html {
  const { repository, article } = words;
  const from = shown.isClone ? repository.readFromClone : repository.readFrom(shown.hostName);
  const { confirmedMinutes: minutes } = shown;
  return html`${shown.isPrivate && html`<span class="badge">${article.private}</span> `}<span>${from}</span>${
    minutes !== null && !shown.isClone && html` <span>${repository.confirmed(minutes)}</span>`
  }`;
}

function followPanel(context: PageContext, shown: ShownRepository): Html {
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
    shown.pulls
      ? tab('pulls', repository.pullRequests, shown.pullTotal)
      : !context.viewer &&
        html`<a href="${signInLink(link(context, shown, { tab: 'pulls' }))}">${repository.pullRequests}</a> `
  }${tab('releases', repository.releases, null)}${tab('files', repository.files, null)}</nav></div>`;
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
${shown.rewriting && importProgress(context, shown, shown.rewriting)}
<div id="listed">${
    shown.articles.length > 0
      ? html`<ul class="rows">${shown.articles.map((article) => articleRow(context, article, { isNamed: false }))}</ul>`
      : shown.byBots === 0 &&
        notice(
          repository.noArticles,
          !context.viewer && wayTo(signInLink(context.address), repository.signIn),
        )
  }
${botsLine(context, shown.byBots)}
${pagesAround(context, shown, { path: repositoryPath(shown), query, isByTime: true })}</div></section>`;
}

const filterQuery = ({ state, article, bots }: PullRequestFilter): Query => ({
  state: state === 'merged' ? undefined : state,
  article: article === 'all' ? undefined : article,
  bots: bots === 'with' ? undefined : bots,
});

function pullRequests(context: PageContext, shown: ShownRepository, pulls: ShownPullRequests): Html {
  const { words } = context;
  const { repository } = words;
  const isNarrowed = Object.values(filterQuery(pulls.filter)).some((choice) => choice !== undefined);
  return html`<section><h2 class="unseen">${repository.pullRequests}</h2>
${filters(context, shown, pulls.filter)}
${importProgress(context, shown, { ...pulls.offered, isSelectable: true })}
<div id="listed">${
    pulls.listed.length > 0
      ? pullRequestList(context, shown, pulls.listed, { isSelectable: true })
      : noPullRequests(context, shown, isNarrowed || pulls.newer !== null)
  }</div>
${around(context, shown, pulls)}</section>`;
}

function noPullRequests(context: PageContext, shown: ShownRepository, areThereOthers: boolean): Html {
  const { repository } = context.words;
  const wayOn = areThereOthers
    ? wayTo(link(context, shown, { tab: 'pulls', state: 'all' }), repository.allPullRequests)
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
  return html`<nav class="filters" aria-label="${words.label}"><span>${word({ state: 'merged' }, words.merged)}${word({ state: 'open' }, words.open)}${word({ state: 'all' }, words.all)}</span>
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
  return html`<nav class="pages" aria-label="${home.pages}">${
    newer !== null &&
    html`<a rel="prev" href="${link(context, shown, { ...query, until: newer })}">${home.previousPage}</a> `
  }${older !== null && html`<a rel="next" href="${link(context, shown, { ...query, from: older })}">${home.nextPage}</a> `}</nav>`;
}
