import { readArticleAbout } from '../../actions/articles/read-article.ts';
import { findVisiblePullRequest } from '../../actions/pull-requests/find-visible-pull-request.ts';
import { Type } from '../../contract/type.ts';
import { mapPicture } from '../../pages/change-map/change-map.ts';
import { articleCachePolicy } from '../answers/article-cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { page } from './page.ts';

/** The change map of an article, as a picture for lists. */
export const changeMapPicture = (deps: Deps) =>
  page({
    params: pullRequestParams,
    query: Type.Object({
      ...hostQuery(deps.codeHosts),
      shape: Type.Optional(Type.Literal('strip')),
    }),
    async show({ params, query, viewer }) {
      const { owner, repo, number } = params;
      const address = { codeHost: chooseCodeHost(deps.codeHosts, query.host), owner, name: repo, number };
      const article = await readArticleAbout(deps, address, viewer);
      const { files } = await findVisiblePullRequest(deps, address, viewer);
      const picture = mapPicture(files, { isStrip: query.shape === 'strip' });
      return { page: picture, type: 'image/svg+xml', ...articleCachePolicy(article) };
    },
  });
