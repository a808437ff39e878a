import type { Viewer } from '../../actions/accounts/identify-bearer.ts';
import { presentSummary } from '../../actions/articles/present-summary.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { AuthorLogin, LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { type ChangeType, changeTypes } from '../../domain/change-types.ts';
import { Failure } from '../../domain/errors.ts';
import { narrowedPage as show } from '../../pages/narrowed.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import type { Deps } from '../deps.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { firstWithArticles, wishedLanguages } from './first-with-articles.ts';
import { page as describe, type ShownPage } from './page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

const articlesPerPage = 20;

/** What narrows a list, beside its author, and where it begins. */
export const narrowingQuery = (codeHosts: CodeHost[]) => ({
  ...hostQuery(codeHosts),
  type: Type.Optional(Type.Enum([...changeTypes], { type: 'string' })),
  language: Type.Optional(Type.Union([LanguageCode(), Type.Literal('all')])),
  ...offsetQuery.properties,
});

interface Call {
  author?: string | undefined;
  query: { host?: string; type?: ChangeType; language?: string; offset?: number };
  viewer: Viewer | null;
  acceptLanguage: string;
  contextIn: (asked: string | undefined) => PageContext;
}

/** The articles of an author, of a type, or of both. An author of whom the viewer may see none is as absent as one of whom there is none. */
export async function showNarrowed(deps: Deps, call: Call): Promise<ShownPage> {
  const { author, query, viewer, acceptLanguage, contextIn } = call;
  const { type, language: asked, offset = 0 } = query;
  const { database } = deps;
  const looking = deps.lookAtLists(viewer);
  const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(asked));
  const host = chooseCodeHost(deps.codeHosts, query.host).id;
  const page = { limit: articlesPerPage, offset };
  const of = { viewer: looking, ...(author !== undefined && { host, author }) };
  const list = (language: string | undefined) =>
    listArticles(database, {
      ...of,
      changeType: type,
      ...(language === undefined ? { onceIn: wished } : { language }),
      ...page,
    });
  const { language, found } = await firstWithArticles(
    asked === undefined ? [...wished, 'all'] : [asked],
    list,
    ({ total }) => total > 0,
  );
  if (author !== undefined && found.total === 0) {
    const { total } = await listArticles(database, { ...of, onceIn: wished, limit: 1, offset: 0 });
    if (total === 0)
      throw new Failure('NOT_FOUND', 'There is no article about a pull request of this author.');
  }
  const narrowing = {
    ...(author !== undefined && { author: { host, login: author } }),
    type,
    language: asked,
  };
  const articles = found.rows.map(presentSummary);
  const shown = { narrowing, language, articles, ...pagesAround(page, found.total) };
  return {
    page: show(contextIn(asked ?? language ?? undefined), shown),
    ...(await listCachePolicy(database, looking, offset)),
  };
}

export const authorPage = (deps: Deps) =>
  describe({
    params: Type.Object({ author: AuthorLogin() }),
    query: Type.Object(narrowingQuery(deps.codeHosts)),
    show: ({ params: { author }, ...call }) => showNarrowed(deps, { author, ...call }),
  });
