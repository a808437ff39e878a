import type { ArticleSummary } from '../../contract/article.ts';
import type { ListedArticle } from '../../db/articles.ts';

/** What lists say of an article, in the form in which it is answered. */
export function presentSummary(listed: ListedArticle): ArticleSummary {
  const { title, owner, repo, number, mergedAt, generatedAt, ...same } = listed;
  return {
    ...same,
    aiGeneratedTitle: title,
    repositoryFullName: `${owner}/${repo}`,
    owner,
    repo,
    prNumber: number,
    mergedAt: mergedAt?.toISOString() ?? null,
    summaryGeneratedAt: generatedAt.toISOString(),
  };
}
