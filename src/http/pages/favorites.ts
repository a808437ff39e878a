import type { SignedUpViewer } from '../../actions/accounts/identify-bearer.ts';
import { listPullRequests } from '../../actions/pull-requests/list-pull-requests.ts';
import { Type } from '../../contract/type.ts';
import { type Favorite, listFavorites } from '../../db/following.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { listWatches } from '../../db/watches.ts';
import { Failure } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';
import { longestAddress } from '../../domain/parse-pasted-address.ts';
import {
  favoriteProblems,
  type ShownFavorite,
  type ShownWatch,
  favoritesPage as show,
} from '../../pages/favorites.ts';
import { presentWatch } from '../answers/present-watch.ts';
import type { Deps } from '../deps.ts';
import { presentFavorite } from '../favorites.ts';
import { abortOnDisconnect } from '../requests/abort-on-disconnect.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { hostName } from './host-name.ts';
import { showListed } from './listed-pull-request.ts';
import { ownPage } from './own-page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

/** Each may mean a question to its host, and the page waits for all of them. */
const favoritesPerPage = 10;
const pullRequestsEach = 3;

/** The list waits no longer for a slow host of one favorite. */
const patienceMs = 3_000;

export const favoritesPage = (deps: Deps) =>
  ownPage({
    query: Type.Object({
      ...offsetQuery.properties,
      ...hostQuery(deps.codeHosts),
      address: Type.Optional(Type.String({ maxLength: longestAddress })),
      problem: Type.Optional(Type.Enum([...favoriteProblems], { type: 'string' })),
    }),
    async show({ query: { offset = 0, address, host, problem }, viewer, reply, contextIn }) {
      const page = { limit: favoritesPerPage, offset };
      const asked = { viewer: deps.lookAtLists(viewer), ...page };
      const { rows, total } = await listFavorites(deps.database, asked);
      const signal = abortOnDisconnect(reply);
      const context = contextIn(undefined);
      const { language } = context;
      const watches = await watchesOf(deps, asked.viewer);
      const shown = await Promise.all(
        rows.map(async (row) => ({
          ...(await withLatest(deps, row, { viewer, signal, language })),
          watch: watches.find(({ favoriteId }) => favoriteId === row.id) ?? null,
        })),
      );
      const lost = offset === 0 ? watches.filter(({ paused }) => paused?.reason === 'noRights') : [];
      const hosts = deps.codeHosts.map((host) => ({ id: host.id, name: hostName(host) }));
      const typed = address !== undefined && problem ? { address, host, problem } : null;
      return { page: show(context, shown, { ...pagesAround(page, total), hosts, lost, typed }) };
    },
  });

/** More than anybody watches, unless the operator lets them. */
const mostWatches = 1_000;

async function watchesOf({ database, clock }: Deps, viewer: ListViewer): Promise<ShownWatch[]> {
  const { rows } = await listWatches(database, { viewer, limit: mostWatches, offset: 0 });
  const now = clock().getTime();
  return rows.map((row) => ({
    ...presentWatch(row),
    lookedMinutes: row.lastSeenAt && Math.max(0, Math.floor((now - row.lastSeenAt.getTime()) / 60_000)),
  }));
}

async function withLatest(
  deps: Deps,
  favorite: Favorite,
  asker: { viewer: SignedUpViewer; signal: AbortSignal; language: string },
): Promise<Omit<ShownFavorite, 'watch'>> {
  const { host, owner, name } = favorite;
  const codeHost = deps.codeHosts.find(({ id }) => id === host);
  const shown = { host, favorite: presentFavorite(favorite), isClone: codeHost?.isLocal ?? false };
  if (!codeHost) return { ...shown, pullRequests: null };
  const latest = { state: 'all', limit: pullRequestsEach, offset: 0 } as const;
  const asked = listPullRequests(deps, { codeHost, owner, name }, latest, asker).then(
    ({ items }) => items.map((item) => showListed(item, asker.language)),
    (error) => {
      if (error instanceof Failure) return null;
      throw error;
    },
  );
  return { ...shown, pullRequests: await inTime(asked, patienceMs, () => null) };
}
