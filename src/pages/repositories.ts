import { type Html, html } from './html.ts';
import { importProgress } from './import-progress.ts';
import { layout } from './layout.ts';
import { type RepositoryPlace, repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';
import { problem } from './problem.ts';

/** A repository without an article. */
export interface UnwrittenRepository extends RepositoryPlace {
  isPrivate: boolean;
  /** How many merged pull requests it has; null where that is not known. */
  merged: number | null;
}

/** A repository that is written about. */
interface WrittenRepository extends RepositoryPlace {
  isPrivate: boolean;
  articles: number;
  newestAt: string;
}

const nameLink = ({ firstHost }: PageContext, place: RepositoryPlace): Html =>
  html`<a class="repository" href="${repositoryLink(place, firstHost)}"><bdi>${place.owner}/${place.repo}</bdi></a>`;

/** The repositories that a reader may see: those with articles, newest article first, then the others. */
export function repositoriesPage(
  context: PageContext,
  {
    written,
    unwritten,
    ...pages
  }: Pages & { written: WrittenRepository[]; unwritten: UnwrittenRepository[] },
): Html {
  const { words } = context;
  const { repositories } = words;
  const row = ({ isPrivate, articles, newestAt, ...place }: WrittenRepository): Html =>
    html`<li>${nameLink(context, place)} <span>${repositories.articles(articles)}</span> <time datetime="${newestAt}">${repositories.newest(words.date(newestAt))}</time>${isPrivate && html` <span>${words.article.private}</span>`}</li>`;
  return layout(context, {
    title: `${repositories.title} · Pullquote`,
    description: repositories.description,
    ...scriptsToOffer(context, unwritten),
    main: html`<div class="home">
<h1 class="repository-name">${repositories.title}</h1>
${context.viewer?.language && unwritten.length > 0 && problem(context)}
${
  written.length + unwritten.length > 0
    ? html`<ul class="repositories">${written.map(row)}${unwritten.map((one) => unwrittenRow(context, one))}</ul>`
    : html`<div class="notice"><p class="said">${repositories.none}</p><p><a href="/">${words.failure.home}</a></p></div>`
}
${pagesAround(context, pages, { path: '/repositories', isByTime: false })}
</div>`,
  });
}

/** What users who have signed up can have written about each of them at once. */
const latest = 10;

/** What a page needs on which users have something written about them. */
export const scriptsToOffer = ({ viewer }: PageContext, unwritten: UnwrittenRepository[]) =>
  viewer?.language && unwritten.length > 0 ? { scripts: ['import.js'], styles: ['doing.css'] } : {};

function unwrittenRow(context: PageContext, { merged, isPrivate, ...place }: UnwrittenRepository): Html {
  const { repositories, importing, article } = context.words;
  const count = Math.min(latest, merged ?? latest);
  const offered = { label: importing.latest(count), wish: { last: latest }, job: null };
  return html`<li>${nameLink(context, place)}${merged !== null && html` <span>${repositories.merged(merged)}</span>`}${isPrivate && html` <span>${article.private}</span>`}${
    context.viewer?.language && count > 0 && importProgress(context, place, offered)
  }</li>`;
}

/** Repositories of which nothing is written yet, on a page without articles. */
export function offeredRepositories(context: PageContext, offered: UnwrittenRepository[]): Html | null {
  if (offered.length === 0) return null;
  return html`<section><h2>${context.words.repositories.title}</h2>
<ul class="repositories">${offered.map((one) => unwrittenRow(context, one))}</ul>
${context.viewer?.language && problem(context)}</section>`;
}
