import { listVisibleRepositories } from '../../actions/repositories/list-repositories.ts';
import { repositoriesPage as show } from '../../pages/repositories.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import type { Deps } from '../deps.ts';
import { page as describe } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

const repositoriesPerPage = 50;

export const repositoriesPage = (deps: Deps) =>
  describe({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = deps.lookAtLists(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const list = await listVisibleRepositories(deps, { viewer, looking, ...page });
      const written = list.written.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      const shown = { written, unwritten: list.unwritten, ...pagesAround(page, list.total) };
      const kept = list.isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: show(contextIn(undefined), shown), ...kept };
    },
  });
