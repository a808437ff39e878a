import { presentSummary } from '../../actions/articles/present-summary.ts';
import { listVisibleRepositories } from '../../actions/repositories/list-repositories.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import { AuthorLogin } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import type { Database } from '../../db/database.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import { listRankedArticles } from '../../db/rankings.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { type RankingPeriod, rankingPeriodNames } from '../../domain/ranking-periods.ts';
import { type Home, homePage as show } from '../../pages/home.ts';
import { mostAbove } from '../../pages/new-for-me.ts';
import { listCachePolicy } from '../answers/list-cache-policy.ts';
import { presentRanked } from '../answers/present-ranked.ts';
import type { Deps } from '../deps.ts';
import { firstWithArticles, wishedLanguages } from './first-with-articles.ts';
import { narrowingQuery, showNarrowed } from './narrowed.ts';
import { findNewFor } from './new-for-me.ts';
import { page } from './page.ts';
import { pagesAround } from './pages-around.ts';

const articlesPerPage = 20;

/** How many repositories a page without articles begins with. */
const mostOffered = 20;

const homeQuery = (codeHosts: CodeHost[]) =>
  Type.Object({
    period: Type.Optional(Type.Enum([...rankingPeriodNames], { type: 'string' })),
    author: Type.Optional(AuthorLogin()),
    ...narrowingQuery(codeHosts),
  });

interface Asked {
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
      const { period, author, type, language: asked, offset = 0 } = query;
      if (author !== undefined || type !== undefined) {
        if (period !== undefined) throw notRanked();
        return showNarrowed(deps, { author, query, viewer, contextIn, acceptLanguage });
      }
      const looking = deps.lookAtLists(viewer);
      const wished = wishedLanguages(viewer?.user?.language, acceptLanguage, contextIn(asked));
      const list = (language: string | undefined) =>
        period === undefined
          ? listNewest(deps.database, { viewer: looking, language, onceIn: wished, offset })
          : listRanked(deps.database, { viewer: looking, language, offset }, period);
      const isFirst = period === undefined && offset === 0;
      const [{ language, found: listing }, fresh] = await Promise.all([
        firstWithArticles(
          asked === undefined ? [...wished, 'all'] : [asked],
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
      const context = contextIn(asked ?? language ?? undefined);
      const isEmpty = isFirst && listing.lead === null && language === null;
      const offered = isEmpty
        ? await listVisibleRepositories(deps, { viewer, looking, limit: mostOffered, offset: 0 })
        : null;
      const home = {
        fresh,
        period: period ?? null,
        language,
        asked,
        offset,
        offered: offered?.unwritten ?? [],
        ...listing,
      };
      const isComplete = offered?.isComplete ?? true;
      const kept = isComplete && (await listCachePolicy(deps.database, looking, offset));
      return { page: show(context, home), ...kept };
    },
  });

const notRanked = () =>
  new Failure(
    'INVALID_REQUEST',
    'Most liked articles are not to be had by author or type: leave out `period`.',
  );

async function listNewest(database: Database, { viewer, language, onceIn, offset }: Asked): Promise<Listing> {
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

async function mostLiked(database: Database, { viewer, language }: Pick<Asked, 'viewer' | 'language'>) {
  const week = { period: 'weekly' as const, viewer, language, limit: 1, offset: 0 };
  const [first] = (await listRankedArticles(database, week)).rows;
  return first ? presentRanked(first, 1) : null;
}

async function listRanked(
  database: Database,
  { viewer, language, offset }: Pick<Asked, 'viewer' | 'language' | 'offset'>,
  period: RankingPeriod,
): Promise<Listing> {
  const asked = { period, viewer, language, limit: articlesPerPage, offset };
  const { rows, total } = await listRankedArticles(database, asked);
  const articles = rows.map((row, index) => presentRanked(row, offset + index + 1));
  return { lead: null, leadFiles: [], articles, ...pagesAround(asked, total) };
}
