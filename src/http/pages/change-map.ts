import { readArticleAbout } from '../../actions/articles/read-article.ts';
import { findVisiblePullRequest } from '../../actions/pull-requests/find-visible-pull-request.ts';
import type { RepositoryRenewals } from '../../actions/repositories/renew-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { Type } from '../../contract/type.ts';
import type { Database } from '../../db/database.ts';
import { mapPicture } from '../../pages/change-map/change-map.ts';
import { articleCachePolicy } from '../answers/article-cache-policy.ts';
import { pullRequestParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { page } from './page.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** The change map of an article, as a picture for lists. */
export const changeMapPicture = (parts: Parts) =>
  page({
    params: pullRequestParams,
    query: Type.Object({
      ...hostQuery(parts.codeHosts),
      shape: Type.Optional(Type.Literal('strip')),
    }),
    async show({ params, query, viewer }) {
      const { owner, repo, number } = params;
      const address = { codeHost: chooseCodeHost(parts.codeHosts, query.host), owner, name: repo, number };
      const article = await readArticleAbout(parts, address, viewer);
      const { files } = await findVisiblePullRequest(parts, address, viewer);
      const picture = mapPicture(files, { isStrip: query.shape === 'strip' });
      return { page: picture, type: 'image/svg+xml', ...articleCachePolicy(article) };
    },
  });
