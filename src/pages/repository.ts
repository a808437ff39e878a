import type { ArticleSummary } from '../contract/article.ts';
import type { PullRequestSummary } from '../contract/pull-request.ts';
import { articleRow } from './article-row.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { hostNamed, type RepositoryPlace, repositoryLink, repositoryPath, withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { olderAndNewer, type Pages } from './pages-around.ts';
import { problem } from './problem.ts';
import { pullRequestList } from './pull-request-list.ts';

export interface ShownRepository extends RepositoryPlace, Pages {
  isPrivate: boolean;
  /** Whether it is a clone, in which not everything counts as a pull request. */
  isClone: boolean;
  /** The favorite that it is of the reader; null where it is none. */
  favoriteId: string | null;
  articles: ArticleSummary[];
  /** Only for users who have signed up. */
  pullRequests: PullRequestSummary[] | null;
  /** The one that was asked for in the address. */
  language: string | undefined;
}

/** A repository: its articles, and its pull requests for users who can have them written about. */
export function repositoryPage(context: PageContext, shown: ShownRepository): Html {
  const { words, firstHost, publicUrl } = context;
  const name = `${shown.owner}/${shown.repo}`;
  return layout(context, {
    title: `${words.repository.title(name)} · Pullquote`,
    ...(!shown.isPrivate && { description: words.repository.title(name) }),
    head: shown.isPrivate
      ? html`<meta name="robots" content="noindex">\n`
      : html`${publicUrl && html`<link rel="canonical" href="${publicUrl}${repositoryLink(shown, firstHost)}">\n`}`,
    inLanguage: (code) => repositoryLink(shown, firstHost, { language: code }),
    ...(context.viewer?.language && { scripts: ['follow.js'], styles: ['doing.css'] }),
    main: html`<div class="home">
<h1 class="repository-name"><bdi>${name}</bdi></h1>
${context.viewer?.language && follow(context, shown)}
<section><h2>${words.repository.articles}</h2>
${
  shown.articles.length > 0
    ? html`<ul class="rows">${shown.articles.map((article) => articleRow(context, article))}</ul>`
    : html`<p class="said">${words.repository.noArticles}</p>`
}
${olderAndNewer(context, repositoryPath(shown), shown, { ...hostNamed(shown.host, firstHost), language: shown.language })}</section>
${shown.pullRequests && pullRequests(context, shown, shown.pullRequests)}
</div>`,
  });
}

function follow(context: PageContext, shown: ShownRepository): Html {
  const { host, owner, repo, favoriteId } = shown;
  const { follow: offered, following } = context.words.doing;
  const action = withQuery(`${repositoryPath(shown)}/follow`, hostNamed(host, context.firstHost));
  return html`<form class="do" method="post" action="${action}">${favoriteId && html`<input type="hidden" name="favorite" value="${favoriteId}">`}<button class="follow" data-follow="${favoriteId}" data-host="${host}" data-owner="${owner}" data-repo="${repo}" data-no="${offered}" data-yes="${following}" aria-pressed="${String(favoriteId !== null)}">${favoriteId === null ? offered : following}</button></form>
${problem(context)}`;
}

function pullRequests(context: PageContext, shown: ShownRepository, listed: PullRequestSummary[]): Html {
  const { repository } = context.words;
  return html`<section><h2>${repository.pullRequests}</h2>
${
  listed.length > 0
    ? pullRequestList(context, shown, listed)
    : html`<p class="said">${repository.noPullRequests}</p>${shown.isClone && html`<p>${repository.whatCounts}</p>`}`
}</section>`;
}
