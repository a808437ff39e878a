import { RankedArticleInfo } from '../contract/article-lists.ts';
import { LanguageCode, OneOf, ref, Timestamp } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { listRankedArticles, type RankingPage } from '../db/likes.ts';
import { rankingPeriodNames } from '../domain/time.ts';
import { presentRanked } from './answers/present.ts';
import { listCachePolicy } from './cache/cache-policy.ts';
import type { Deps } from './deps.ts';
import { listEndpoint } from './endpoint.ts';
import { chooseRepositories, repositoryQuery } from './requests/choose-code-host.ts';

export const getRanking = ({ database, codeHosts, listViewer }: Deps) => {
  const find = async (page: Omit<RankingPage, 'viewer'>) => {
    const viewer = listViewer(null);
    const { rows, total, asOf } = await listRankedArticles(database, { ...page, viewer });
    return {
      items: rows.map((row, index) => presentRanked(row, page.offset + index + 1)),
      total,
      asOf: (asOf ?? viewer.now).toISOString(),
      ...(await listCachePolicy(database, viewer, page.offset)),
    };
  };
  return listEndpoint({
    operationId: 'getRanking',
    summary: 'Rank articles by their likes',
    description:
      'One entry for each article and language with likes in the period. Includes only public repositories, so the response is the same for every caller. Order: likes, then the newer article, then the id.',
    tag: 'Likes & Ranking',
    access: 'public',
    query: {
      period: Type.Optional(
        OneOf(rankingPeriodNames, 'Likes of the last 24 hours, 7, 30 or 365 days, or all', {
          default: 'all',
        }),
      ),
      language: Type.Optional(LanguageCode()),
      ...repositoryQuery(codeHosts),
    },
    item: ref(RankedArticleInfo),
    more: {
      asOf: Timestamp(
        'When likes older than the period were last removed, at most a minute ago. New likes are counted immediately.',
      ),
    },
    success: { 200: 'The most liked articles.' },
    list: ({ query }, page) => {
      const { period = 'all', language } = query;
      return find({ period, language, ...chooseRepositories(codeHosts, query), ...page });
    },
  });
};
