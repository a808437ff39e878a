import { Type } from '../../contract/type.ts';
import { listRankedArticles } from '../../db/rankings.ts';
import { rankingPeriodNames } from '../../domain/ranking-periods.ts';
import type { AgentParts } from '../agent-parts.ts';
import { Cursor, offsetOf } from '../cursor.ts';
import { HostName, hostCalled, RepositoryName, readName } from '../find-article.ts';
import { ListedAnswer, listAnswer, pieceOf } from '../listed-articles.ts';
import { Detail, Language, Limit, takes, tool } from '../tool.ts';

export const listRanking = (parts: AgentParts) =>
  tool({
    name: 'list_ranking',
    title: 'List the most liked articles',
    description: 'Articles about public repositories by how many people like them, the most liked first.',
    input: takes({
      period: Type.Optional(
        Type.Enum([...rankingPeriodNames], {
          type: 'string',
          description:
            'Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all (the default).',
        }),
      ),
      repository: Type.Optional(RepositoryName('Only of this one')),
      host: Type.Optional(HostName),
      language: Type.Optional(Language),
      limit: Type.Optional(Limit),
      cursor: Type.Optional(Cursor),
      detail: Type.Optional(Detail('title and standfirst (the default)', 'also its author, type and state')),
    }),
    output: ListedAnswer({
      rank: Type.Integer({ description: 'Position in the whole list.' }),
      likes: Type.Integer({ description: 'Likes given inside the period.' }),
    }),
    async run({ period = 'all', repository, host, language, limit = 20, cursor, detail = 'brief' }, call) {
      const named =
        repository === undefined ? null : readName(parts, { text: repository, field: 'repository', host });
      const page = { limit, offset: offsetOf(cursor) };
      const { rows, total } = await listRankedArticles(parts.database, {
        // Whoever asks: the ranking is of what is public.
        viewer: parts.listViewer(null),
        period,
        language,
        ...(host !== undefined && { host: hostCalled(parts.codeHosts, host).id }),
        ...(named && { host: named.host, owner: named.owner, repo: named.repo }),
        ...page,
      });
      const pieces = rows.map(({ title, number, mergedAt, likeCount, ...same }, index) => {
        const rank = page.offset + index + 1;
        const summary = {
          ...same,
          aiGeneratedTitle: title,
          repositoryFullName: `${same.owner}/${same.repo}`,
          prNumber: number,
          mergedAt: mergedAt?.toISOString() ?? null,
        };
        const lines = [`${rank}. with ${likeCount} ${likeCount === 1 ? 'like' : 'likes'}`];
        return pieceOf(summary, { parts, call, detail }, { data: { rank, likes: likeCount }, lines });
      });
      return listAnswer({ what: 'Articles that are liked', pieces, total, page });
    },
  });
