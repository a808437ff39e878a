import type { RankedArticleInfo } from '../../contract/article-info.ts';
import type { RankedArticle } from '../../db/rankings.ts';

/** An article at its place in a ranking, as the contract answers it. */
export function presentRanked(ranked: RankedArticle, rank: number): RankedArticleInfo {
  const { title, owner, repo, number, mergedAt, ...same } = ranked;
  return {
    rank,
    ...same,
    aiGeneratedTitle: title,
    repositoryFullName: `${owner}/${repo}`,
    owner,
    repo,
    prNumber: number,
    mergedAt: mergedAt?.toISOString() ?? null,
  };
}
