import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import { offerRepositories } from '../../actions/repositories/offer-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { listRepositories } from '../../db/listed-repositories.ts';
import { repositoriesPage as show } from '../../pages/repositories.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import { page as describe } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  lookAtLists: LookAtLists;
  clock: () => Date;
}

const repositoriesPerPage = 50;

export const repositoriesPage = (parts: Parts) => {
  const { database, lookAtLists } = parts;
  const offer = offerRepositories(parts);
  return describe({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = lookAtLists(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const { rows, total } = await listRepositories(database, { viewer: looking, ...page });
      const listed = rows.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      const offered = total === 0 ? await offer(looking) : [];
      const shown = { listed, offered: offered ?? [], ...pagesAround(page, total) };
      // What could not be told in time is told to the next reader.
      const kept = offered && (await listCachePolicy(database, looking, offset));
      return { page: show(contextIn(undefined), shown), ...kept };
    },
  });
};
