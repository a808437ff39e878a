import type { SignedUpViewer } from '../../actions/deps.ts';
import { registerFavorite, watchFavorite } from '../../actions/following/follow.ts';
import { importPullRequests } from '../../actions/imports/import-pull-requests.ts';
import { listPullRequests } from '../../actions/pull-requests/list-pull-requests.ts';
import type { RepositoryAddress } from '../../actions/repositories/find-repository.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { deleteFavorite, type Favorite, listFavorites } from '../../db/following.ts';
import { deleteWatch, findWatches, listWatches } from '../../db/following-polls.ts';
import { listVisibleRepositoriesNamed } from '../../db/repositories.ts';
import type { ListScope } from '../../db/visibility.ts';
import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { longestLabel, mostLabels } from '../../domain/pull-requests.ts';
import { longestAddress, parsePastedAddress } from '../../domain/repositories.ts';
import * as pages from '../../pages/following.ts';
import { repositoryLink, withQuery } from '../../pages/links.ts';
import type { Deps } from '../deps.ts';
import { presentFavorite } from '../following.ts';
import { readImportWish } from '../imports.ts';
import { repositoryParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery, requestedAddress } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { presentWatch } from '../responses/present.ts';
import { hostName, minutesSince, offsetQuery, offsetsAround, ownForm, ownPage } from './page.ts';
import { showListed } from './repositories.ts';

/** The favorites on a page are few, because each may need a call to its host and the page waits for all of them. */
const favoritesPerPage = 10;
const pullRequestsEach = 3;

const patienceMs = 3_000;

export const getFavoritesPage = (deps: Deps) =>
  ownPage({
    query: {
      ...offsetQuery,
      ...hostQuery(deps.codeHosts),
      address: Type.Optional(Type.String({ maxLength: longestAddress })),
      problem: Type.Optional(Type.Enum([...pages.favoriteProblems], { type: 'string' })),
    },
    async show({ query: { offset = 0, address, host, problem }, viewer, reply, contextIn }) {
      const page = { limit: favoritesPerPage, offset };
      const wanted = { viewer: deps.listViewer(viewer), ...page };
      const { rows, total } = await listFavorites(deps.database, wanted);
      const signal = abortOnDisconnect(reply);
      const context = contextIn(undefined);
      const { language } = context;
      const watches = await shownWatches(deps, wanted.viewer);
      const shown = await Promise.all(
        rows.map(async (row) => ({
          ...(await withLatest(deps, row, { viewer, signal, language })),
          watch: watches.find(({ favoriteId }) => favoriteId === row.id) ?? null,
        })),
      );
      const lost = offset === 0 ? watches.filter(({ paused }) => paused?.reason === 'noRights') : [];
      const hosts = deps.codeHosts.map((host) => ({ id: host.id, name: hostName(host) }));
      const typed = address !== undefined && problem ? { address, host, problem } : null;
      return {
        page: pages.favoritesPage(context, shown, { ...offsetsAround(page, total), hosts, lost, typed }),
      };
    },
  });

const mostWatches = 1_000;

async function shownWatches({ database, clock }: Deps, viewer: ListScope): Promise<pages.ShownWatch[]> {
  const { rows } = await listWatches(database, { viewer, limit: mostWatches, offset: 0 });
  const now = clock();
  return rows.map((row) => ({
    ...presentWatch(row),
    lookedMinutes: row.lastSeenAt && minutesSince(row.lastSeenAt, now),
  }));
}

async function withLatest(
  deps: Deps,
  favorite: Favorite,
  asker: { viewer: SignedUpViewer; signal: AbortSignal; language: string },
): Promise<Omit<pages.ShownFavorite, 'watch'>> {
  const { host, owner, name } = favorite;
  const codeHost = deps.codeHosts.find(({ id }) => id === host);
  const shown = { host, favorite: presentFavorite(favorite), isClone: codeHost?.isLocal ?? false };
  if (!codeHost) return { ...shown, pullRequests: null };
  const latest = { state: 'all', limit: pullRequestsEach, offset: 0 } as const;
  const wanted = listPullRequests(deps, { codeHost, owner, name }, latest, asker).then(
    ({ items }) => items.map((item) => showListed(item, asker.language)),
    (error) => {
      if (error instanceof Failure) return null;
      throw error;
    },
  );
  return { ...shown, pullRequests: await inTime(wanted, patienceMs, () => null) };
}

const usualWatch = { language: undefined, labels: [], includeBots: false };

const unfollow = ({ database }: Deps, favoriteId: string, { user }: SignedUpViewer) =>
  deleteFavorite(database, { favoriteId, userId: user.id });

async function followFromPage(
  deps: Deps,
  address: RepositoryAddress,
  asker: { viewer: SignedUpViewer; signal: AbortSignal },
): Promise<void> {
  const { favorite } = await registerFavorite(deps, address, asker);
  const looking = deps.listViewer(asker.viewer);
  const [watch] = await findWatches(deps.database, { viewer: looking, favoriteIds: [favorite.id] });
  if (!watch) await watchFavorite(deps, favorite.id, usualWatch, asker.viewer);
}

export const followForm = (deps: Deps) =>
  ownForm({
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body: { favorite: Type.Optional(Uuid('The favorite that it is.')) },
    async submit({ params, query, body: { favorite }, viewer, reply }) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const asker = { viewer, signal: abortOnDisconnect(reply) };
      if (favorite) await unfollow(deps, favorite, viewer);
      else await followFromPage(deps, address, asker);
      return repositoryLink({ host: address.codeHost.id, ...params }, deps.codeHosts[0]?.id ?? '');
    },
  });

export const importForm = (deps: Deps) =>
  ownForm({
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body: {
      numbers: Type.Optional(Type.String({ pattern: '^[0-9]{1,15}(,[0-9]{1,15}){0,199}$' })),
      last: Type.Optional(Type.String({ pattern: '^[0-9]{1,3}$' })),
      rewrite: Type.Optional(Type.String({ pattern: '^[0-9]{1,2}$' })),
      language: LanguageCode(),
    },
    async submit({ params, query, body: { numbers, last, rewrite, language }, viewer, reply }) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const given = {
        ...(numbers !== undefined && { numbers: numbers.split(',').map(Number) }),
        ...(last !== undefined && { last: Number(last) }),
        ...(rewrite !== undefined && { rewrite: Number(rewrite) }),
      };
      const wish = readImportWish(given, deps.clock());
      const signal = abortOnDisconnect(reply);
      await importPullRequests(deps, { address, wish, language }, { viewer, signal });
      const place = { host: address.codeHost.id, ...params };
      return repositoryLink(place, deps.codeHosts[0]?.id ?? '', {
        tab: rewrite === undefined ? 'pulls' : 'articles',
      });
    },
  });

export const addFavoriteForm = (deps: Deps) =>
  ownForm({
    body: { address: Type.String({ maxLength: longestAddress }), ...hostQuery(deps.codeHosts) },
    async submit({ body: { address, host }, viewer, reply }) {
      const named =
        addressNamedBy(deps, address, host) ?? (await namedAlone(deps, { address, host, viewer }));
      const again = (problem: pages.FavoriteProblem) =>
        withQuery('/favorites', { address, host, problem }) + pages.addFavoriteAnchor;
      if (!named) return again('namesNothing');
      try {
        await followFromPage(deps, named, { viewer, signal: abortOnDisconnect(reply) });
      } catch (error) {
        if (error instanceof Failure && error.code === 'REPOSITORY_NOT_FOUND') return again('noRepository');
        throw error;
      }
      return '/favorites';
    },
  });

function addressNamedBy(
  { codeHosts }: Deps,
  text: string,
  host: string | undefined,
): RepositoryAddress | null {
  const chosen = chooseCodeHost(codeHosts, host);
  const named = parsePastedAddress(text, [chosen, ...codeHosts.filter((one) => one !== chosen)]);
  if (!named) return null;
  return { codeHost: chooseCodeHost(codeHosts, named.host), owner: named.owner, name: named.repo };
}

/** A name without its owner is accepted if the user can see exactly one repository of that name. */
async function namedAlone(
  { database, codeHosts, listViewer }: Deps,
  { address, host, viewer }: { address: string; host: string | undefined; viewer: SignedUpViewer },
): Promise<RepositoryAddress | null> {
  const [only, ...others] = await listVisibleRepositoriesNamed(database, {
    viewer: listViewer(viewer),
    host,
    repo: address.trim(),
  });
  if (!only || others.length > 0) return null;
  return { codeHost: chooseCodeHost(codeHosts, only.host), owner: only.owner, name: only.name };
}

export const removeFavoriteForm = (deps: Deps) =>
  ownForm({
    body: { favorite: Uuid('The favorite.') },
    async submit({ body: { favorite }, viewer }) {
      await unfollow(deps, favorite, viewer);
      return '/favorites';
    },
  });

const longestLabels = mostLabels * (longestLabel + 10);

export const watchForm = (deps: Deps) =>
  ownForm({
    body: {
      favorite: Uuid('The favorite.'),
      watch: Type.Enum(['yes', 'no'], { type: 'string' }),
      language: Type.Optional(LanguageCode()),
      labels: Type.Optional(Type.String({ maxLength: longestLabels })),
      bots: Type.Optional(Type.Enum(['yes'], { type: 'string' })),
    },
    async submit({ body: { favorite, watch, language, labels = '', bots }, viewer }) {
      const wish = { language, labels: readLabels(labels), includeBots: bots === 'yes' };
      if (watch === 'yes') await watchFavorite(deps, favorite, wish, viewer);
      else await deleteWatch(deps.database, { favoriteId: favorite, userId: viewer.user.id });
      return '/favorites';
    },
  });

function readLabels(text: string): string[] {
  const labels = text
    .split(/[\r\n]+/)
    .map((label) => label.trim())
    .filter((label) => label !== '');
  if (labels.length <= mostLabels && labels.every((label) => label.length <= longestLabel)) return labels;
  throw new Failure(
    'INVALID_REQUEST',
    `Enter at most ${mostLabels} labels of at most ${longestLabel} characters each, one per line.`,
  );
}
