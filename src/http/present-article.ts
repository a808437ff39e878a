import type { CodeHost } from '../code-hosts/code-host.ts';
import type { ArticleContent, ArticleSummary, PullRequestArticle } from '../contract/article.ts';
import type { ListedArticle, StoredArticle, StoredContent } from '../db/articles.ts';
import { changeTypes } from '../domain/change-types.ts';

/** An article as the contract answers it, in the languages given. */
export function presentArticle(
  codeHosts: CodeHost[],
  article: StoredArticle,
  contents: StoredContent[] = article.contents,
): PullRequestArticle {
  const { id, pullRequestId, host, owner, repo, number, hostUrl, title, authorLogin, state, headSha } =
    article;
  return {
    id,
    pullRequestId,
    host,
    owner,
    repo,
    prNumber: number,
    hostPrUrl: hostUrl,
    title,
    authorLogin,
    state,
    headSha,
    hostPrCreatedAt: article.hostCreatedAt.toISOString(),
    mergedAt: article.mergedAt?.toISOString() ?? null,
    totalLikeCount: article.contents.reduce((sum, { likeCount }) => sum + likeCount, 0),
    contents: Object.fromEntries(
      contents.map((content) => [content.languageCode, presentContent(codeHosts, article, content)]),
    ),
    createdAt: article.createdAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
  };
}

export function presentContent(
  codeHosts: CodeHost[],
  { host, hostUrl, headSha }: StoredArticle,
  content: StoredContent,
): ArticleContent {
  const codeHost = codeHosts.find(({ id }) => id === host);
  const link = <Told extends { evidence: StoredContent['mainChanges'][number]['evidence'] }>(told: Told) => ({
    ...told,
    evidence: told.evidence.map(({ fileName, startLine, endLine, side }) => {
      const lines = { fileName, startLine, endLine, side };
      return { ...lines, hostUrl: codeHost?.linesUrl(hostUrl, content.headSha, lines) ?? null };
    }),
  });
  const { title, generatedAt, usage, mainChanges, notablePoints, ...same } = content;
  return {
    ...same,
    aiGeneratedTitle: title,
    mainChanges: mainChanges.map(link),
    notablePoints: notablePoints.map(link),
    summaryGeneratedAt: generatedAt.toISOString(),
    stale: content.headSha !== headSha,
    ...(usage && { usage }),
  };
}

export function presentSummary(listed: ListedArticle): ArticleSummary {
  const { writtenTitle, owner, repo, number, generatedAt, ...same } = listed;
  return {
    ...same,
    aiGeneratedTitle: writtenTitle,
    repositoryFullName: `${owner}/${repo}`,
    owner,
    repo,
    prNumber: number,
    changeTypes: changeTypes.filter((type) => listed.changeTypes.includes(type)),
    summaryGeneratedAt: generatedAt.toISOString(),
  };
}
