import type { CallerOn } from '../../actions/repositories/call-host.ts';
import { listVisibleRepositories } from '../../actions/repositories/list-repositories.ts';
import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { repositoriesPage as show } from '../../pages/repositories.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import { page as describe } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  callerOn: CallerOn;
  lookAtLists: LookAtLists;
}

const repositoriesPerPage = 50;

export const repositoriesPage = (parts: Parts) =>
  describe({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = parts.lookAtLists(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const list = await listVisibleRepositories(parts, { viewer, looking, ...page });
      const written = list.written.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      const shown = { written, unwritten: list.unwritten, ...pagesAround(page, list.total) };
      const kept = list.isComplete && (await listCachePolicy(parts.database, looking, offset));
      return { page: show(contextIn(undefined), shown), ...kept };
    },
  });
