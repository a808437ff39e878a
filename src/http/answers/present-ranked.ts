import type { RankedArticleInfo } from '../../contract/article-info.ts';
import type { RankedArticle } from '../../db/rankings.ts';

/** An article at its place in a ranking, as the contract answers it. */
export function presentRanked(ranked: RankedArticle, rank: number): RankedArticleInfo {
  const { articleId, host, languageCode, title, owner, repo, number, likeCount } = ranked;
  const { authorLogin, changeTypes, quote, readingMinutes } = ranked;
  return {
    rank,
    articleId,
    host,
    languageCode,
    aiGeneratedTitle: title,
    repositoryFullName: `${owner}/${repo}`,
    owner,
    repo,
    prNumber: number,
    likeCount,
    authorLogin,
    changeTypes,
    quote,
    readingMinutes,
  };
}
