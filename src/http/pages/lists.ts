import { presentSummary } from '../../actions/articles/read-article.ts';
import type { Viewer } from '../../actions/deps.ts';
import { listVisibleRepositories } from '../../actions/repositories/list-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { AuthorLogin, LanguageCode, Timestamp } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import type { Database } from '../../db/database.ts';
import { listFeed, markAllRead } from '../../db/following.ts';
import { listLikedArticles } from '../../db/likes.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import { listRankedArticles } from '../../db/rankings.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { type ChangeType, changeTypes } from '../../domain/article.ts';
import { Failure } from '../../domain/errors.ts';
import { type RankingPeriod, rankingPeriodNames } from '../../domain/time.ts';
import { type Home, homePage as renderHome } from '../../pages/home.ts';
import { likedPage as renderLiked } from '../../pages/liked.ts';
import { narrowedPage as renderNarrowed } from '../../pages/narrowed.ts';
import { mostAbove, type NewForMe, newForMePage as renderNewForMe } from '../../pages/new-for-me.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { repositoriesPage as renderRepositories } from '../../pages/repositories.ts';
import { presentRanked } from '../answers/present.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { presentFeedEntry } from '../feed.ts';
import { presentLiked } from '../likes.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { ownForm, pageOfForm } from './form.ts';
import {
  page as describe,
  firstWithArticles,
  offsetQuery,
  ownPage,
  page,
  pagesAround,
  type ShownPage,
  wishedLanguages,
} from './page.ts';

const articlesPerPage = 20;

const mostOffered = 20;

const homeQuery = (codeHosts: CodeHost[]) =>
  Type.Object({
    period: Type.Optional(Type.Enum([...rankingPeriodNames], { type: 'string' })),
    author: Type.Optional(AuthorLogin()),
    ...narrowingQuery(codeHosts),
  });

interface ListRequest {
  viewer: ListViewer;
  language: string | undefined;
  /** Where all languages are meant: the one in which each article is listed, the best first. */
  onceIn: string[];
  offset: number;
}

type Listing = Pick<Home, 'lead' | 'leadFiles' | 'articles' | 'newer' | 'older'>;

export const homePage = (deps: Deps) =>
  page({
    query: homeQuery(deps.codeHosts),
    async show({ query, viewer, contextIn, acceptLanguage }) {
      const { period, author, type, language: chosen, offset = 0 } = query;
      if (author !== undefined || type !== undefined) {
        if (period !== undefined) throw notRanked();
        return showNarrowed(deps, { author, query, viewer, contextIn, acceptLanguage });
      }
      const looking = deps.listViewer(viewer);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(chosen));
      const list = (language: string | undefined) =>
        period === undefined
          ? listNewest(deps.database, { viewer: looking, language, onceIn: wished, offset })
          : listRanked(deps.database, { viewer: looking, language, offset }, period);
      const isFirst = period === undefined && offset === 0;
      const [{ language, found: listing }, fresh] = await Promise.all([
        firstWithArticles(
          chosen === undefined ? [...wished, 'all'] : [chosen],
          list,
          ({ lead, articles }) => lead !== null || articles.length > 0,
        ),
        viewer?.user && isFirst
          ? findNewFor(
              deps.database,
              { ...looking, userId: viewer.user.id },
              { languages: wished, limit: mostAbove, offset: 0 },
            )
          : null,
      ]);
      const context = contextIn(chosen ?? language ?? undefined);
      const isEmpty = isFirst && listing.lead === null && language === null;
      const offered = isEmpty
        ? await listVisibleRepositories(deps, { viewer, looking, limit: mostOffered, offset: 0 })
        : null;
      const home = {
        fresh,
        period: period ?? null,
        language,
        asked: chosen,
        offset,
        offered: offered?.unwritten ?? [],
        ...listing,
      };
      const isComplete = offered?.isComplete ?? true;
      const kept = isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: renderHome(context, home), ...kept };
    },
  });

const notRanked = () =>
  new Failure(
    'INVALID_REQUEST',
    'Most liked articles are not to be had by author or type: leave out `period`.',
  );

async function listNewest(
  database: Database,
  { viewer, language, onceIn, offset }: ListRequest,
): Promise<Listing> {
  const page = { limit: articlesPerPage, offset };
  const [{ rows, total }, liked] = await Promise.all([
    listArticles(database, { viewer, ...(language === undefined ? { onceIn } : { language }), ...page }),
    offset > 0 ? null : mostLiked(database, { viewer, language }),
  ]);
  const newest = rows.map(presentSummary);
  const around = pagesAround(page, total);
  if (offset > 0) return { lead: null, leadFiles: [], articles: newest, ...around };
  const lead = liked ?? newest[0] ?? null;
  const leadFiles = lead ? await listFilesOfArticle(database, { articleId: lead.articleId, viewer }) : [];
  const articles = newest.filter(({ articleId }) => articleId !== lead?.articleId);
  return { lead, leadFiles, articles, ...around };
}

async function mostLiked(database: Database, { viewer, language }: Pick<ListRequest, 'viewer' | 'language'>) {
  const week = { period: 'weekly' as const, viewer, language, limit: 1, offset: 0 };
  const [first] = (await listRankedArticles(database, week)).rows;
  return first ? presentRanked(first, 1) : null;
}

async function listRanked(
  database: Database,
  { viewer, language, offset }: Pick<ListRequest, 'viewer' | 'language' | 'offset'>,
  period: RankingPeriod,
): Promise<Listing> {
  const chosen = { period, viewer, language, limit: articlesPerPage, offset };
  const { rows, total } = await listRankedArticles(database, chosen);
  const articles = rows.map((row, index) => presentRanked(row, offset + index + 1));
  return { lead: null, leadFiles: [], articles, ...pagesAround(chosen, total) };
}

const narrowingQuery = (codeHosts: CodeHost[]) => ({
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
  contextIn: (chosen: string | undefined) => PageContext;
}

/** The articles of an author, of a type, or of both. An author of whom the viewer may see none is as absent as one of whom there is none. */
async function showNarrowed(deps: Deps, call: Call): Promise<ShownPage> {
  const { author, query, viewer, acceptLanguage, contextIn } = call;
  const { type, language: chosen, offset = 0 } = query;
  const { database } = deps;
  const looking = deps.listViewer(viewer);
  const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(chosen));
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
    chosen === undefined ? [...wished, 'all'] : [chosen],
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
    language: chosen,
  };
  const articles = found.rows.map(presentSummary);
  const shown = { narrowing, language, articles, ...pagesAround(page, found.total) };
  return {
    page: renderNarrowed(contextIn(chosen ?? language ?? undefined), shown),
    ...(await listCachePolicy(database, looking, offset)),
  };
}

export const authorPage = (deps: Deps) =>
  describe({
    params: Type.Object({ author: AuthorLogin() }),
    query: Type.Object(narrowingQuery(deps.codeHosts)),
    show: ({ params: { author }, ...call }) => showNarrowed(deps, { author, ...call }),
  });

const perPage = 20;

export const newForMePage = (deps: Deps) =>
  ownPage({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const page = { limit: perPage, offset };
      const looking = { ...deps.listViewer(viewer), userId: viewer.user.id };
      const fresh = await findNewFor(deps.database, looking, { languages: [viewer.user.language], ...page });
      return { page: renderNewForMe(contextIn(undefined), { ...fresh, ...pagesAround(page, fresh.total) }) };
    },
  });

/** Marks everything that the page showed as read. */
export const markAllReadForm = (deps: Deps) =>
  ownForm({
    body: Type.Object({ until: Timestamp('When the page was made.') }, { additionalProperties: false }),
    async submit({ body, viewer, request }) {
      const looking = { ...deps.listViewer(viewer), userId: viewer.user.id };
      await markAllRead(deps.database, { viewer: looking, until: new Date(body.until) });
      return pageOfForm(request);
    },
  });

async function findNewFor(
  database: Database,
  viewer: ListViewer & { userId: string },
  wanted: { languages: string[]; limit: number; offset: number },
): Promise<NewForMe> {
  const { rows, total, unread, changed } = await listFeed(database, {
    viewer,
    isUnreadOnly: false,
    ...wanted,
  });
  return { entries: rows.map(presentFeedEntry), total, unread, changed, asOf: viewer.now.toISOString() };
}

export const likedPage = ({ database, listViewer }: Deps) =>
  ownPage({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const page = { limit: articlesPerPage, offset };
      const { rows, total } = await listLikedArticles(database, {
        viewer: listViewer(viewer),
        language: undefined,
        articleId: undefined,
        oldestFirst: false,
        ...page,
      });
      return { page: renderLiked(contextIn(undefined), rows.map(presentLiked), pagesAround(page, total)) };
    },
  });

const repositoriesPerPage = 50;

export const repositoriesPage = (deps: Deps) =>
  describe({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = deps.listViewer(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const list = await listVisibleRepositories(deps, { viewer, looking, ...page });
      const written = list.written.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      const shown = { written, unwritten: list.unwritten, ...pagesAround(page, list.total) };
      const kept = list.isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: renderRepositories(contextIn(undefined), shown), ...kept };
    },
  });
