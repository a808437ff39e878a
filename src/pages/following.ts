import type { FavoriteRepository, Watch } from '../contract/following.ts';
import { isFromClone, longestAddress } from '../domain/repositories.ts';
import { afterSentence } from '../domain/text.ts';
import { problemNote } from './failure.ts';
import { type Html, html } from './html.ts';
import {
  accountPage,
  buttonForm,
  hiddenFields,
  type PageContext,
  type Pages,
  pagesAround,
} from './layout.ts';
import { repositoryLink } from './links.ts';
import { type ListedPullRequest, pullRequestList } from './rows.ts';
import { languageName } from './words/words.ts';

export interface ShownWatch extends Watch {
  lookedMinutes: number | null;
}

export interface ShownFavorite {
  host: string;
  favorite: FavoriteRepository;
  watch: ShownWatch | null;
  isClone: boolean;
  pullRequests: ListedPullRequest[] | null;
}

export const favoriteProblems = ['noRepository', 'namesNothing'] as const;
export type FavoriteProblem = (typeof favoriteProblems)[number];

interface Typed {
  address: string;
  host: string | undefined;
  problem: FavoriteProblem;
}

export const addFavoriteAnchor = '#add';

interface Around extends Pages {
  hosts: { id: string; name: string }[];
  lost: ShownWatch[];
  typed: Typed | null;
}

export function favoritesPage(
  context: PageContext,
  shown: ShownFavorite[],
  { hosts, lost, typed, ...pages }: Around,
): Html {
  const { words } = context;
  return accountPage(context, {
    path: '/favorites',
    title: words.favorites.title,
    scripts: ['following.js'],
    main: html`${problemNote(context, { FORBIDDEN: words.favorites.tooMany })}
<p class="said" id="empty"${shown.length > 0 && html` hidden`}>${words.favorites.empty}</p>
<ul class="favorites">${shown.map((one) => favoriteItem(context, one))}</ul>
${lost.length > 0 && lostWatches(context, lost)}
${pagesAround(context, pages, { path: '/favorites', isByTime: false })}
${addFavoriteFormHtml(context, hosts, typed)}`,
  });
}

function addFavoriteFormHtml(context: PageContext, hosts: Around['hosts'], typed: Typed | null): Html {
  const { favorites } = context.words;
  const wrong =
    typed &&
    (typed.problem === 'noRepository' ? favorites.noRepository(typed.address) : favorites.namesNothing);
  return html`<form class="form" id="add" method="post" action="/favorites">
<label for="address">${favorites.add}</label>
<input id="address" name="address" required maxlength="${longestAddress}" placeholder="owner/repo" autocomplete="off" autocapitalize="off" spellcheck="false"${typed && html` value="${typed.address}" aria-invalid="true" aria-describedby="wrong" autofocus`}>
${wrong && html`<p class="problem" id="wrong" role="alert"><bdi>${wrong}</bdi></p>\n`}${hosts.length > 1 && hostChoice(context, hosts, typed?.host)}
<button>${favorites.submit}</button>
</form>`;
}

function hostChoice({ words }: PageContext, hosts: Around['hosts'], chosen: string | undefined): Html {
  return html`<p><label for="host">${words.favorites.host}</label>
<select id="host" name="host">${hosts.map(
    ({ id, name }) => html`<option value="${id}"${id === chosen && html` selected`}>${name}</option>`,
  )}</select></p>`;
}

function favoriteItem(
  context: PageContext,
  { host, favorite, watch, isClone, pullRequests }: ShownFavorite,
): Html {
  const { words, firstHost } = context;
  const { id, owner, repo, repositoryFullName } = favorite;
  return html`<li>
<h2><a href="${repositoryLink({ host, owner, repo }, firstHost)}"><bdi>${repositoryFullName}</bdi></a>
<button class="remove" form="remove-${id}" data-remove="${id}" aria-label="${words.favorites.remove(repositoryFullName)}">×</button></h2>
<form class="do" id="remove-${id}" method="post" action="/favorites/remove"><input type="hidden" name="favorite" value="${id}"></form>
${watching(context, id, watch)}
${watch && whichOnes(context, watch, isClone)}
${
  pullRequests === null
    ? html`<p class="quiet">${words.favorites.unknown}</p>`
    : pullRequestList(context, { host, owner, repo }, pullRequests)
}</li>`;
}

function watching(context: PageContext, favoriteId: string, watch: ShownWatch | null): Html {
  const { favorites } = context.words;
  return html`<div class="watching"><p class="quiet how-watched">${watch ? howItIsWatched(context, watch) : favorites.unwatched}</p>
${buttonForm(
  '/favorites/watch',
  { favorite: favoriteId, watch: watch ? 'no' : 'yes' },
  html`<button class="follow" data-watch="${favoriteId}" aria-pressed="${String(watch !== null)}">${watch ? favorites.watching : favorites.watch}</button>`,
)}</div>`;
}

function whichOnes({ words }: PageContext, watch: ShownWatch, isClone: boolean): Html {
  const { favorites, settings } = words;
  const { favoriteId, language, labels, includeBots } = watch;
  const id = `labels-${favoriteId}`;
  return html`<details class="which"><summary>${favorites.which}</summary>
<form class="form" method="post" action="/favorites/watch">${hiddenFields({ favorite: favoriteId, watch: 'yes', language })}
${
  !isClone &&
  html`<label for="${id}">${favorites.labels}</label>
<textarea id="${id}" name="labels" rows="3" maxlength="1200" autocapitalize="off" spellcheck="false">${labels.join('\n')}</textarea>
`
}<label><input type="checkbox" name="bots" value="yes"${includeBots && html` checked`}> ${favorites.includeBots}</label>
<button>${settings.save}</button>
</form></details>`;
}

function howItIsWatched(
  { words: { favorites }, language: interfaceLanguage }: PageContext,
  watch: ShownWatch,
): Html {
  const { paused, language, labels, lookedMinutes } = watch;
  const spaced = (sentence: string): string => `${sentence}${afterSentence(sentence)}`;
  if (!paused)
    return html`${spaced(favorites.watched(languageName(language, interfaceLanguage)))}${labels.map((label) => html`<bdi class="badge">${label}</bdi> `)}${favorites.looked(lookedMinutes)}`;
  const whyPaused = { ...favorites.paused, ...(isFromClone(watch) && favorites.pausedClone) };
  const remedy = paused.reason === 'noToken' && html`<a href="/settings">${favorites.saveToken}</a> `;
  return html`<span class="paused">${spaced(whyPaused[paused.reason])}${remedy}</span>${favorites.looked(lookedMinutes)}`;
}

function lostWatches(context: PageContext, lost: ShownWatch[]): Html {
  const { favorites } = context.words;
  const item = (watch: ShownWatch): Html => {
    const name = `${watch.owner}/${watch.repo}`;
    return html`<li><h3><bdi>${name}</bdi>
<button type="button" class="remove" data-remove="${watch.favoriteId}" aria-label="${favorites.remove(name)}">×</button></h3>
<p class="quiet">${howItIsWatched(context, watch)}</p></li>`;
  };
  return html`<section><h2>${favorites.lost}</h2><ul class="favorites">${lost.map(item)}</ul></section>`;
}
