import { type Html, html } from './html.ts';
import { importProgress } from './import-progress.ts';
import { layout } from './layout.ts';
import { type RepositoryPlace, repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { type Pages, pagesAround } from './pages-around.ts';
import { problem } from './problem.ts';

/** A repository that could be written about. */
export interface OfferedPlace extends RepositoryPlace {
  /** How many merged pull requests it has; null where that is not known. */
  merged: number | null;
}

/** A repository that is written about. */
export interface WrittenRepository extends RepositoryPlace {
  isPrivate: boolean;
  articles: number;
  newestAt: string;
}

const nameLink = ({ firstHost }: PageContext, place: RepositoryPlace): Html =>
  html`<a class="repository" href="${repositoryLink(place, firstHost)}"><bdi>${place.owner}/${place.repo}</bdi></a>`;

/** The repositories that are written about, by the merge date of their newest article; where there is none, those that could be. */
export function repositoriesPage(
  context: PageContext,
  { listed, offered, ...pages }: Pages & { listed: WrittenRepository[]; offered: OfferedPlace[] },
): Html {
  const { words } = context;
  const row = ({ isPrivate, articles, newestAt, ...place }: WrittenRepository): Html =>
    html`<li>${nameLink(context, place)} <span>${words.repositories.articles(articles)}</span> <span>${words.repositories.newest(words.date(newestAt))}</span>${isPrivate && html` <span>${words.article.private}</span>`}</li>`;
  return layout(context, {
    title: `${words.repositories.title} · Pullquote`,
    description: words.repositories.description,
    ...scriptsToOffer(context, offered),
    main: html`<div class="home">
<h1 class="repository-name">${words.repositories.title}</h1>
${
  listed.length > 0
    ? html`<ul class="repositories">${listed.map(row)}</ul>`
    : html`<div class="notice"><p class="said">${words.home.empty}</p><p><a href="/">${words.failure.home}</a></p></div>
${offeredRepositories(context, offered)}`
}
${pagesAround(context, pages, { path: '/repositories', isByTime: false })}
</div>`,
  });
}

/** What users who have signed up can have written about each of them at once. */
const latest = 10;

/** What a page needs on which users have something written about them. */
export const scriptsToOffer = ({ viewer }: PageContext, offered: OfferedPlace[]) =>
  viewer?.language && offered.length > 0 ? { scripts: ['import.js'], styles: ['doing.css'] } : {};

/** Repositories of which nothing is written yet. */
export function offeredRepositories(context: PageContext, offered: OfferedPlace[]): Html | null {
  const { repositories, importing } = context.words;
  if (offered.length === 0) return null;
  const write = (place: OfferedPlace): Html | false => {
    const count = Math.min(latest, place.merged ?? latest);
    if (!context.viewer?.language || count === 0) return false;
    return importProgress(context, place, {
      label: importing.latest(count),
      wish: { last: latest },
      job: null,
    });
  };
  return html`<section><h2>${repositories.title}</h2>
<ul class="repositories">${offered.map(
    (place) =>
      html`<li>${nameLink(context, place)}${place.merged !== null && html` <span>${repositories.merged(place.merged)}</span>`}${write(place)}</li>`,
  )}</ul>
${context.viewer?.language && problem(context)}</section>`;
}
