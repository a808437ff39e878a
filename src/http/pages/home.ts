import { type Static, Type } from 'typebox';
import { LanguageCode } from '../../contract/formats.ts';
import { listArticles } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { listRankedArticles } from '../../db/rankings.ts';
import { rankingPeriodNames } from '../../domain/ranking-periods.ts';
import { type Home, homePage as show } from '../../pages/home.ts';
import { presentSummary } from '../answers/present-article.ts';
import { presentRanked } from '../answers/present-ranked.ts';
import { firstWithArticles, wishedLanguages } from './first-with-articles.ts';
import { page } from './page.ts';
import { pagesAround } from './pages-around.ts';

const articlesPerPage = 20;

/** A repository whose host is silent drops out by the passing of time, of which nobody tells. */
const keptForMs = 60_000;

const query = Type.Object({
  period: Type.Optional(Type.Enum([...rankingPeriodNames], { type: 'string' })),
  language: Type.Optional(Type.Union([LanguageCode(), Type.Literal('all')])),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

interface Parts {
  database: Database;
  clock: () => Date;
}

interface Asked {
  userId: string | null;
  now: Date;
  language: string | undefined;
  offset: number;
}

type Listing = Pick<Home, 'lead' | 'articles' | 'newer' | 'older'>;

export const homePage = (parts: Parts) =>
  page({
    query,
    async show({ query: { period, language: asked, offset = 0 }, viewer, contextIn, acceptLanguage }) {
      const now = parts.clock();
      const userId = viewer?.user?.id ?? null;
      const list = (language: string | undefined) =>
        period === undefined
          ? listNewest(parts.database, { userId, now, language, offset })
          : listRanked(parts.database, { now, language, offset }, period);
      const { language, found: listing } = await firstWithArticles(
        wishedLanguages(asked, viewer?.user?.language, acceptLanguage),
        list,
        ({ lead, articles }) => lead !== null || articles.length > 0,
      );
      const context = contextIn(asked ?? language ?? undefined);
      const home = { period: period ?? null, language, asked, offset, ...listing };
      return { page: show(context, home), keep: { about: ['ranking'], until: now.getTime() + keptForMs } };
    },
  });

async function listNewest(database: Database, { userId, now, language, offset }: Asked): Promise<Listing> {
  const page = { limit: articlesPerPage, offset };
  const viewer = { userId, now, purpose: 'list' as const };
  const { rows, total } = await listArticles(database, { viewer, language, ...page });
  const newest = rows.map(presentSummary);
  const around = pagesAround(page, total);
  if (offset > 0) return { lead: null, articles: newest, ...around };
  const lead = (await mostLiked(database, { now, language })) ?? newest[0] ?? null;
  const isLead = (article: (typeof newest)[number]) =>
    article.articleId === lead?.articleId && article.languageCode === lead.languageCode;
  return { lead, articles: newest.filter((article) => !isLead(article)), ...around };
}

async function mostLiked(database: Database, { now, language }: Pick<Asked, 'now' | 'language'>) {
  const week = { period: 'weekly' as const, now, language, limit: 1, offset: 0 };
  const [first] = (await listRankedArticles(database, week)).rows;
  return first ? presentRanked(first, 1) : null;
}

async function listRanked(
  database: Database,
  { now, language, offset }: Omit<Asked, 'userId'>,
  period: NonNullable<Static<typeof query>['period']>,
): Promise<Listing> {
  const asked = { period, now, language, limit: articlesPerPage, offset };
  const { rows, total } = await listRankedArticles(database, asked);
  const articles = rows.map((row, index) => presentRanked(row, offset + index + 1));
  return { lead: null, articles, ...pagesAround(asked, total) };
}
