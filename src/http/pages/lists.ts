import { presentSummary } from '../../actions/articles/read-article.ts';
import type { SignedUpViewer } from '../../actions/deps.ts';
import { listVisibleRepositories } from '../../actions/repositories/list-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { AuthorLogin, LanguageCode, Timestamp } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { countByBots, listArticles } from '../../db/article-lists.ts';
import { listFeedEntries, saveFeedReadMarks } from '../../db/following.ts';
import { listLikedArticles, listRankedArticles } from '../../db/likes.ts';
import type { ListScope } from '../../db/visibility.ts';
import { type ChangeType, changeTypes } from '../../domain/articles.ts';
import { Failure } from '../../domain/errors.ts';
import { type RankingPeriod, rankingPeriodNames } from '../../domain/time.ts';
import * as pages from '../../pages/lists.ts';
import type { ListedArticle } from '../../pages/rows.ts';
import { listCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { presentFeedEntry } from '../following.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { setBotsCookie } from '../requests/cookies.ts';
import { presentLiked, presentRanked } from '../responses/present.ts';
import {
  firstWithArticles,
  form,
  offsetQuery,
  offsetsAround,
  ownForm,
  ownPage,
  type PageCall,
  page,
  pageOfForm,
  type ShownPage,
  wishedLanguages,
} from './page.ts';

const articlesPerPage = 20;

const mostOffered = 20;

interface ListRequest {
  viewer: ListScope;
  language: string | undefined;
  onceIn: string[];
  isByPeople: boolean;
  offset: number;
}

type Listing = Pick<pages.Home, 'lead' | 'articles' | 'hidden' | 'byBots' | 'newer' | 'older'>;

export const getHomePage = (deps: Deps) =>
  page({
    query: {
      period: Type.Optional(Type.Enum([...rankingPeriodNames], { type: 'string' })),
      author: Type.Optional(AuthorLogin()),
      ...narrowingQuery(deps.codeHosts),
    },
    async show({ query, viewer, contextIn, acceptLanguage }) {
      const { period, author, type, language: chosen, offset = 0 } = query;
      if (author !== undefined || type !== undefined) {
        if (period !== undefined) throw notRanked();
        return showNarrowed(deps, { author, query, viewer, contextIn, acceptLanguage });
      }
      const looking = deps.listViewer(viewer);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(chosen));
      const isByPeople = !contextIn(chosen).showsBots;
      const list = (language: string | undefined) =>
        period === undefined
          ? listNewest(deps, { viewer: looking, language, onceIn: wished, isByPeople, offset })
          : listRanked(deps, { viewer: looking, language, offset }, period);
      const isFirst = period === undefined && offset === 0;
      const [{ language, found: listing }, fresh] = await Promise.all([
        firstWithArticles(
          chosen === undefined ? [...wished, 'all'] : [chosen],
          list,
          ({ lead, articles, byBots }) => lead !== null || articles.length > 0 || byBots > 0,
        ),
        viewer?.user && isFirst
          ? findNewFor(
              deps,
              { ...looking, userId: viewer.user.id },
              { languages: wished, isByPeople, limit: pages.mostAbove, offset: 0 },
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
        chosen,
        offset,
        offered: offered?.unwritten ?? [],
        ...(fresh && fresh.unread + fresh.changed > 0 ? withoutListedAbove(listing, fresh) : listing),
      };
      const isComplete = offered?.isComplete ?? true;
      const kept = isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: pages.homePage(context, home), ...kept };
    },
  });

const notRanked = () =>
  new Failure('INVALID_REQUEST', 'The ranking cannot be filtered by author or type: omit `period`.');

async function listNewest(
  { database, codeHosts }: Deps,
  { viewer, language, onceIn, isByPeople, offset }: ListRequest,
): Promise<Listing> {
  const page = { limit: articlesPerPage, offset };
  const listed = { viewer, ...(language === undefined ? { onceIn } : { language }) };
  const [{ rows, total }, all, byBots, liked] = await Promise.all([
    listArticles(database, { ...listed, isByPeople, ...page }),
    language === undefined
      ? null
      : listArticles(database, { viewer, onceIn, isByPeople, limit: 1, offset: 0 }),
    countByBots(database, listed),
    offset > 0 ? null : mostLiked({ database, codeHosts }, { viewer, language }),
  ]);
  const newest = rows.map(presentSummary(codeHosts));
  const around = {
    hidden: Math.max(0, (all?.total ?? total) - total),
    byBots,
    ...offsetsAround(page, total),
  };
  const lead = offset > 0 ? null : chooseLead(newest, liked);
  const isReadable = lead !== null && (language ?? onceIn).includes(lead.languageCode);
  if (!isReadable) return { lead: null, articles: newest, ...around };
  return { lead, articles: newest.filter(({ articleId }) => articleId !== lead.articleId), ...around };
}

/** The newest article is first, unless one was liked most this week or breaks something. */
const chooseLead = (newest: ListedArticle[], liked: ListedArticle | null): ListedArticle | null =>
  liked ?? newest.find(({ isBreaking }) => isBreaking) ?? newest[0] ?? null;

/** Articles that are new for the reader are at the top, so they are removed below. */
function withoutListedAbove(listing: Listing, { entries }: pages.NewForMe): Listing {
  const above = new Set(entries.map(({ articleId }) => articleId));
  const below = [...(listing.lead ? [listing.lead] : []), ...listing.articles];
  return {
    ...listing,
    lead: null,
    articles: below.filter(({ articleId }) => !above.has(articleId)),
  };
}

async function mostLiked(
  { database, codeHosts }: Pick<Deps, 'database' | 'codeHosts'>,
  { viewer, language }: Pick<ListRequest, 'viewer' | 'language'>,
) {
  const week = { period: 'weekly' as const, viewer, language, limit: 1, offset: 0 };
  const [first] = (await listRankedArticles(database, week)).rows;
  return first ? presentRanked(codeHosts, first, 1) : null;
}

async function listRanked(
  { database, codeHosts }: Deps,
  { viewer, language, offset }: Pick<ListRequest, 'viewer' | 'language' | 'offset'>,
  period: RankingPeriod,
): Promise<Listing> {
  const chosen = { period, viewer, language, limit: articlesPerPage, offset };
  const { rows, total } = await listRankedArticles(database, chosen);
  const articles = rows.map((row, index) => presentRanked(codeHosts, row, offset + index + 1));
  return { lead: null, articles, hidden: 0, byBots: 0, ...offsetsAround(chosen, total) };
}

const narrowingQuery = (codeHosts: CodeHost[]) => ({
  ...hostQuery(codeHosts),
  type: Type.Optional(Type.Enum([...changeTypes], { type: 'string' })),
  language: Type.Optional(Type.Union([LanguageCode(), Type.Literal('all')])),
  ...offsetQuery,
});

interface Call extends Pick<PageCall, 'viewer' | 'acceptLanguage' | 'contextIn'> {
  author?: string | undefined;
  query: { host?: string; type?: ChangeType; language?: string; offset?: number };
}

/** An author without an article that the viewer may see looks the same as one that does not exist. */
async function showNarrowed(deps: Deps, call: Call): Promise<ShownPage> {
  const { author, query, viewer, acceptLanguage, contextIn } = call;
  const { type, language: chosen, offset = 0 } = query;
  const { database } = deps;
  const looking = deps.listViewer(viewer);
  const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(chosen));
  const host = chooseCodeHost(deps.codeHosts, query.host).id;
  const page = { limit: articlesPerPage, offset };
  const of = { viewer: looking, ...(author !== undefined && { host, author }) };
  const isByPeople = author === undefined && !contextIn(chosen).showsBots;
  const listedIn = (language: string | undefined) => ({
    ...of,
    changeType: type,
    ...(language === undefined ? { onceIn: wished } : { language }),
  });
  const list = (language: string | undefined) =>
    listArticles(database, { ...listedIn(language), isByPeople, ...page });
  const { language, found } = await firstWithArticles(
    chosen === undefined ? [...wished, 'all'] : [chosen],
    list,
    ({ total }) => total > 0,
  );
  if (author !== undefined && found.total === 0) {
    const { total } = await listArticles(database, { ...of, onceIn: wished, limit: 1, offset: 0 });
    if (total === 0)
      throw new Failure('NOT_FOUND', 'There are no articles about pull requests by this author.');
  }
  const narrowing = {
    ...(author !== undefined && { author: { host, login: author } }),
    type,
    language: chosen,
  };
  const articles = found.rows.map(presentSummary(deps.codeHosts));
  const all =
    language === null
      ? found
      : await listArticles(database, { ...listedIn(undefined), isByPeople, limit: 1, offset: 0 });
  const hidden = all.total - found.total;
  const byBots = author === undefined ? await countByBots(database, listedIn(language ?? undefined)) : 0;
  const shown = { narrowing, language, articles, hidden, byBots, ...offsetsAround(page, found.total) };
  return {
    page: pages.narrowedPage(contextIn(chosen ?? language ?? undefined), shown),
    ...(await listCachePolicy(database, looking, offset)),
  };
}

export const authorPage = (deps: Deps) =>
  page({
    params: { author: AuthorLogin() },
    query: narrowingQuery(deps.codeHosts),
    show: ({ params: { author }, ...call }) => showNarrowed(deps, { author, ...call }),
  });

export const botsForm = ({ publicUrl }: Deps) =>
  form({
    body: { bots: Type.Enum(['show', 'hide'], { type: 'string' }) },
    submit({ body, request, reply }) {
      setBotsCookie(reply, { request, publicUrl }, body.bots === 'show');
      return pageOfForm(request);
    },
  });

export const getNewForMePage = (deps: Deps) =>
  ownPage({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const page = { limit: articlesPerPage, offset };
      const looking = { ...deps.listViewer(viewer), userId: viewer.user.id };
      const isByPeople = !contextIn(undefined).showsBots;
      const wanted = { languages: [viewer.user.language], isByPeople, ...page };
      const fresh = await findNewFor(deps, looking, wanted);
      return {
        page: pages.newForMePage(contextIn(undefined), { ...fresh, ...offsetsAround(page, fresh.total) }),
      };
    },
  });

export const countNewFor =
  ({ listViewer, ...deps }: Pick<Deps, 'database' | 'codeHosts' | 'listViewer'>) =>
  async (viewer: SignedUpViewer, isByPeople: boolean): Promise<number> => {
    const looking = { ...listViewer(viewer), userId: viewer.user.id };
    const wanted = { languages: [viewer.user.language], isByPeople, limit: 0, offset: 0 };
    return (await findNewFor(deps, looking, wanted)).total;
  };

export const markAllReadForm = (deps: Deps) =>
  ownForm({
    body: { until: Timestamp('When the page was made.') },
    async submit({ body, viewer, request }) {
      const looking = { ...deps.listViewer(viewer), userId: viewer.user.id };
      await saveFeedReadMarks(deps.database, { viewer: looking, until: new Date(body.until) });
      return pageOfForm(request);
    },
  });

/** Unread articles about pull requests merged since the reader followed the repository, and the five before. */
async function findNewFor(
  { database, codeHosts }: Pick<Deps, 'database' | 'codeHosts'>,
  viewer: ListScope & { userId: string },
  wanted: { languages: string[]; isByPeople: boolean; limit: number; offset: number },
): Promise<pages.NewForMe> {
  const isNew = { isUnreadOnly: true, isSinceFollowed: true };
  const { rows, total, unread, changed } = await listFeedEntries(database, { viewer, ...isNew, ...wanted });
  return {
    entries: rows.map(presentFeedEntry(codeHosts)),
    total,
    unread,
    changed,
    asOf: viewer.now.toISOString(),
  };
}

export const getLikedPage = ({ database, codeHosts, listViewer }: Deps) =>
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
      return {
        page: pages.likedPage(
          contextIn(undefined),
          rows.map(presentLiked(codeHosts)),
          offsetsAround(page, total),
        ),
      };
    },
  });

const repositoriesPerPage = 50;

export const getRepositoriesPage = (deps: Deps) =>
  page({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const looking = deps.listViewer(viewer);
      const page = { limit: repositoriesPerPage, offset };
      const list = await listVisibleRepositories(deps, { viewer, looking, ...page });
      const written = list.written.map((row) => ({ ...row, newestAt: row.newestAt.toISOString() }));
      const shown = { written, unwritten: list.unwritten, ...offsetsAround(page, list.total) };
      const kept = list.isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: pages.repositoriesPage(contextIn(undefined), shown), ...kept };
    },
  });
