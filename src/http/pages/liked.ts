import { listLikedArticles } from '../../db/likes.ts';
import { likedPage as show } from '../../pages/liked.ts';
import type { Deps } from '../deps.ts';
import { presentLiked } from '../likes.ts';
import { ownPage } from './own-page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

const articlesPerPage = 20;

export const likedPage = ({ database, lookAtLists }: Deps) =>
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
