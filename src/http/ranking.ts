import type { Static } from 'typebox';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { RankedArticleInfo } from '../contract/article-lists.ts';
import { LanguageCode, listOf, OneOf, pageQuery, record, ref, Timestamp } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import type { Database } from '../db/database.ts';
import { listRankedArticles, type RankingPage } from '../db/likes.ts';
import type { ListViewer } from '../db/visibility.ts';
import { coalesceReads } from '../domain/concurrency.ts';
import { rankingPeriodNames } from '../domain/time.ts';
import { linksAround, pageAnswer, pageOf, type WrittenAnswer, write } from './answers/answer.ts';
import { presentRanked } from './answers/present.ts';
import { listCachePolicy } from './cache/cache-policy.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { chooseRepositories, repositoryQuery } from './requests/choose-code-host.ts';

const rankingQuery = (codeHosts: CodeHost[]) => ({
  period: Type.Optional(
    OneOf(rankingPeriodNames, 'Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all', {
      default: 'all',
    }),
  ),
  language: Type.Optional(LanguageCode()),
  ...repositoryQuery(codeHosts),
  ...pageQuery,
});

const Ranking = record({
  ...listOf(ref(RankedArticleInfo)).properties,
  asOf: Timestamp(
    'When likes too old for the period were last taken out, at most a minute ago. Later likes are counted already.',
  ),
});

interface RankingRequest {
  page: Omit<RankingPage, 'viewer'>;
  url: string;
}

interface Ranked {
  answer: WrittenAnswer;
  links: string;
}

async function readRanking(
  database: Database,
  { page, url }: RankingRequest,
  viewer: ListViewer,
): Promise<Ranked> {
  const { rows, total, asOf } = await listRankedArticles(database, { ...page, viewer });
  const items = rows.map((row, index) => presentRanked(row, page.offset + index + 1));
  const ranking: Static<typeof Ranking> = {
    ...pageAnswer(page, { items, total }),
    asOf: (asOf ?? viewer.now).toISOString(),
  };
  const json = JSON.stringify(ranking);
  const answer = write(200, { json: [json], version: json }, 'The most liked articles.');
  const cacheable = { ...answer, ...(await listCachePolicy(database, viewer, page.offset)) };
  return { answer: cacheable, links: linksAround(url, page, { items, total }) };
}

export const getRanking = ({ database, codeHosts, listViewer }: Deps) => {
  const find = coalesceReads((wanted: RankingRequest) => readRanking(database, wanted, listViewer(null)));
  return endpoint({
    operationId: 'getRanking',
    summary: 'Rank articles by their likes',
    description:
      'One entry for each article and language that was liked inside the period, about public repositories only, ' +
      'for every caller. Order: likes, then the newer article, then the id.',
    tag: 'Likes & Ranking',
    access: 'public',
    query: rankingQuery(codeHosts),
    data: Ranking,
    success: { 200: 'The most liked articles.' },
    async handle({ query, request, reply }) {
      const { period = 'all', language } = query;
      const page = { period, language, ...chooseRepositories(codeHosts, query), ...pageOf(query) };
      const { answer, links } = await find({ page, url: request.url });
      if (links) reply.header('link', links);
      return answer;
    },
  });
};
