import type { SignedUpViewer } from '../../actions/accounts/identify-bearer.ts';
import { listPullRequests } from '../../actions/pull-requests/list-pull-requests.ts';
import type { CallerOn } from '../../actions/repositories/call-host.ts';
import type { RepositoryAddress } from '../../actions/repositories/find-on-host.ts';
import { findVisibleRepository } from '../../actions/repositories/find-visible-repository.ts';
import type { LookAtLists } from '../../actions/repositories/look-at-lists.ts';
import type { RepositoryRenewals } from '../../actions/repositories/renew-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import type { Database } from '../../db/database.ts';
import { listFavorites } from '../../db/favorites.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { repositoryPage as show } from '../../pages/repository.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import { presentSummary } from '../answers/present-article.ts';
import { presentListedPullRequest } from '../answers/present-pull-request.ts';
import { repositoryParams } from '../pull-requests.ts';
import { abortOnDisconnect } from '../requests/abort-on-disconnect.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { wishedLanguages } from './first-with-articles.ts';
import { page as describe } from './page.ts';
import { pagesAround } from './pages-around.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  callerOn: CallerOn;
  lookAtLists: LookAtLists;
  clock: () => Date;
}

const articlesPerPage = 20;

const params = Type.Object(repositoryParams);

export const repositoryPage = (parts: Parts) =>
  describe({
    params,
    query: Type.Object({
      ...hostQuery(parts.codeHosts),
      language: Type.Optional(LanguageCode()),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    async show({ params: named, query, viewer, reply, acceptLanguage, contextIn }) {
      const { owner, repo } = named;
      const { language, offset = 0 } = query;
      const address = { codeHost: chooseCodeHost(parts.codeHosts, query.host), owner, name: repo };
      const now = parts.clock();
      const page = { limit: articlesPerPage, offset };
      // Who has signed up sees what the host lists now, which also grants what is private.
      const listed = viewer?.user
        ? await listFor(parts, address, { ...viewer, user: viewer.user }, abortOnDisconnect(reply)).catch(
            asAway,
          )
        : nothingThere();
      // While the host is away, there are still the articles.
      const pullRequests = listed instanceof Failure ? null : listed;
      const repository = await findVisibleRepository(parts, address, { viewer, now });
      if (!repository && listed instanceof Failure) throw listed;
      const context = contextIn(language);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, context);
      const looking = parts.lookAtLists(viewer);
      const { rows, total } = await listArticles(parts.database, {
        viewer: looking,
        host: address.codeHost.id,
        owner,
        repo,
        onceIn: language === undefined ? wished : [language, ...wished],
        ...page,
      });
      // Without an article, a stranger cannot tell a repository that is known from one that is not.
      if (total === 0 && listed instanceof Failure) throw listed;
      const shown = {
        host: address.codeHost.id,
        owner: repository?.owner ?? owner,
        repo: repository?.name ?? repo,
        isPrivate: repository?.isPrivate ?? true,
        isClone: address.codeHost.isLocal,
        favoriteId: await favoriteOf(parts, looking, { host: address.codeHost.id, owner, repo }),
        articles: rows.map(presentSummary),
        pullRequests,
        language,
        ...pagesAround(page, total),
      };
      return { page: show(context, shown), ...(await listCachePolicy(parts.database, looking, offset)) };
    },
  });

function asAway(error: unknown): Failure {
  if (error instanceof Failure && error.status >= 500) return error;
  throw error;
}

const nothingThere = () => new Failure('REPOSITORY_NOT_FOUND', 'There is no such repository here.');

async function listFor(
  parts: Parts,
  address: RepositoryAddress,
  viewer: SignedUpViewer,
  signal: AbortSignal,
) {
  const page = { state: 'all' as const, limit: 50, offset: 0 };
  const { items } = await listPullRequests(parts, address, page, { viewer, signal });
  return items.map(presentListedPullRequest);
}

async function favoriteOf(
  { database }: Parts,
  viewer: ListViewer,
  named: { host: string; owner: string; repo: string },
): Promise<string | null> {
  if (viewer.userId === null) return null;
  const [favorite] = (await listFavorites(database, { viewer, ...named, limit: 1, offset: 0 })).rows;
  return favorite?.id ?? null;
}
