import { Type } from 'typebox';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { RankedArticleInfo } from '../contract/article-info.ts';
import { ref } from '../contract/component.ts';
import { LanguageCode, RepositoryName, Timestamp } from '../contract/formats.ts';
import { Pagination, pageQuery } from '../contract/pagination.ts';
import type { Database } from '../db/connect.ts';
import { listRankedArticles, type RankedArticle } from '../db/rankings.ts';
import { rankingPeriodNames } from '../domain/ranking-periods.ts';
import { chooseCodeHost, hostQuery } from './choose-code-host.ts';
import { endpoint, ok } from './endpoint.ts';
import { listAnswer, pageOf } from './page.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

const rankingQuery = (codeHosts: CodeHost[]) =>
  Type.Object(
    {
      period: Type.Optional(
        Type.Enum([...rankingPeriodNames], {
          type: 'string',
          default: 'all',
          description: 'Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all',
        }),
      ),
      ...hostQuery(codeHosts),
      language: Type.Optional(LanguageCode()),
      owner: Type.Optional(RepositoryName('Repository owner')),
      repo: Type.Optional(RepositoryName('Repository name')),
      ...pageQuery,
    },
    { additionalProperties: false },
  );

const Ranking = Type.Object(
  {
    items: Type.Array(ref(RankedArticleInfo)),
    pagination: ref(Pagination),
    asOf: Timestamp(
      'When likes too old for the period were last taken out, at most a minute ago. Later likes are counted already.',
    ),
  },
  { additionalProperties: false },
);

function present(
  { title, owner, repo, number, likeCount, ...same }: RankedArticle,
  rank: number,
): RankedArticleInfo {
  return {
    rank,
    ...same,
    aiGeneratedTitle: title,
    repositoryFullName: `${owner}/${repo}`,
    owner,
    repo,
    prNumber: number,
    likeCount,
  };
}

/** A repository whose host is silent drops out by the passing of time, of which nobody tells. */
const keptForMs = 60_000;

export const getRanking = ({ database, codeHosts, clock }: Parts) =>
  endpoint({
    operationId: 'getRanking',
    summary: 'Rank articles by their likes',
    description:
      'One entry for each article and language that was liked inside the period, about public repositories only, ' +
      'whoever asks. Order: likes, then the newer article, then the id.',
    tag: 'Likes & Ranking',
    access: 'anybody',
    query: rankingQuery(codeHosts),
    data: Ranking,
    success: { 200: 'The ranking.' },
    async handle({ query, request, reply }) {
      const page = pageOf(query);
      const now = clock();
      const { period = 'all', language, owner, repo } = query;
      // A name means little without its host; without a name, every host is meant.
      const isNamed = owner !== undefined || repo !== undefined;
      const host = isNamed ? chooseCodeHost(codeHosts, query.host).id : query.host;
      const wanted = { period, now, host, language, owner, repo, ...page };
      const { rows, total, asOf } = await listRankedArticles(database, wanted);
      const items = rows.map((row, index) => present(row, page.offset + index + 1));
      const list = listAnswer(request, reply, page, { items, total });
      const answer = ok({ ...list, asOf: (asOf ?? now).toISOString() }, 'The most liked articles.');
      return { ...answer, keep: { about: ['ranking'], until: now.getTime() + keptForMs } };
    },
  });
