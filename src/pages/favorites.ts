import type { FavoriteRepository } from '../contract/favorite-repository.ts';
import type { PullRequestSummary } from '../contract/pull-request.ts';
import { accountTabs } from './account-tabs.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { repositoryLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import { olderAndNewer, type Pages } from './pages-around.ts';
import { problem } from './problem.ts';
import { pullRequestList } from './pull-request-list.ts';

export interface ShownFavorite {
  host: string;
  favorite: FavoriteRepository;
  /** The latest; null where its host does not say. */
  pullRequests: PullRequestSummary[] | null;
}

/** The repositories that the reader follows, each with its latest pull requests. */
export function favoritesPage(
  context: PageContext,
  shown: ShownFavorite[],
  { hosts, ...pages }: Pages & { hosts: { id: string; name: string }[] },
): Html {
  const { words } = context;
  return layout(context, {
    title: `${words.favorites.title} · Pullquote`,
    scripts: ['favorites.js'],
    styles: ['doing.css'],
    main: html`<div class="home own">
<h1 class="unseen">${words.favorites.title}</h1>
${accountTabs(context, '/favorites')}
${problem(context)}
<p class="said" id="empty"${shown.length > 0 && html` hidden`}>${words.favorites.empty}</p>
<ul class="favorites">${shown.map((one) => favoriteItem(context, one))}</ul>
${olderAndNewer(context, '/favorites', pages)}
<form class="form" method="post" action="/favorites">
<label for="address">${words.favorites.add}</label>
<input id="address" name="address" required maxlength="2000" placeholder="owner/repo" autocomplete="off" autocapitalize="off" spellcheck="false">
${hosts.length > 1 && hostChoice(context, hosts)}
<button>${words.favorites.submit}</button>
</form>
</div>`,
  });
}

function hostChoice({ words }: PageContext, hosts: { id: string; name: string }[]): Html {
  const options = hosts.map(({ id, name }) => html`<option value="${id}">${name}</option>`);
  return html`<p><label for="host">${words.favorites.host}</label>
<select id="host" name="host">${options}</select></p>`;
}

function favoriteItem(context: PageContext, { host, favorite, pullRequests }: ShownFavorite): Html {
  const { words, firstHost } = context;
  const { id, owner, repo, repositoryFullName } = favorite;
  return html`<li>
<h2><a href="${repositoryLink({ host, owner, repo }, firstHost)}"><bdi>${repositoryFullName}</bdi></a>
<button class="remove" form="remove-${id}" data-remove="${id}" aria-label="${words.favorites.remove(repositoryFullName)}">×</button></h2>
<form class="do" id="remove-${id}" method="post" action="/favorites/remove"><input type="hidden" name="favorite" value="${id}"></form>
${
  pullRequests === null
    ? html`<p class="quiet">${words.favorites.unknown}</p>`
    : pullRequestList(context, { host, owner, repo }, pullRequests)
}</li>`;
}
