import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import type { Database } from '../../db/database.ts';
import { listLikedArticles } from '../../db/likes.ts';
import { likedPage as show } from '../../pages/liked.ts';
import { presentLiked } from '../likes.ts';
import { ownPage } from './own-page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  lookAtLists: LookAtLists;
}

const articlesPerPage = 20;

export const likedPage = ({ database, lookAtLists }: Parts) =>
  ownPage({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const page = { limit: articlesPerPage, offset };
      const { rows, total } = await listLikedArticles(database, {
        viewer: lookAtLists(viewer),
        language: undefined,
        articleId: undefined,
        oldestFirst: false,
        ...page,
      });
      return { page: show(contextIn(undefined), rows.map(presentLiked), pagesAround(page, total)) };
    },
  });
