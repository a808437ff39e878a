import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import type { Database } from '../../db/database.ts';
import { listRepositories } from '../../db/listed-repositories.ts';
import { repositoriesPage as show } from '../../pages/repositories.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import { page as describe } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  lookAtLists: LookAtLists;
}

const repositoriesPerPage = 50;

export const repositoriesPage = ({ database, lookAtLists }: Parts) =>
  describe({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = lookAtLists(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const { rows, total } = await listRepositories(database, { viewer: looking, ...page });
      const listed = rows.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      return {
        page: show(contextIn(undefined), listed, pagesAround(page, total)),
        ...(await listCachePolicy(database, looking, offset)),
      };
    },
  });
