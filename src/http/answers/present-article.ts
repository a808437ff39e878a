import type { PullRequestArticle } from '../../contract/article.ts';
import type { StoredArticle, StoredContent } from '../../db/articles.ts';
import { isSameDiff } from '../../domain/diff-range.ts';
import { joinPieces, type WrittenData } from './written-answer.ts';

/** An article as the contract answers it, in the languages given. What it says is JSON already and stays as it is. */
export function articleJson(
  article: StoredArticle,
  contents: StoredContent[] = article.contents,
): WrittenData {
  const { id, pullRequestId, host, owner, repo, number, hostUrl, title, authorLogin, state, headSha } =
    article;
  const head = JSON.stringify({
    id,
    kind: 'article',
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
    createdAt: article.createdAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
  });
  const json: WrittenData['json'] = [`${head.slice(0, -1)},"contents":{`];
  const versions = [head];
  for (const [index, content] of contents.entries()) {
    const { languageCode, likeCount, revision, body } = content;
    const isStale = article.hasMoved || !isSameDiff(content, article);
    const live = `"${languageCode}":{"likeCount":${likeCount},"stale":${isStale},`;
    json.push(index === 0 ? live : `,${live}`, body.subarray(1));
    versions.push(live, String(revision));
  }
  json.push('}}');
  return { json, version: versions.join(' ') };
}

/** The same as an object, for callers that read it or put it into something larger. */
export function presentArticle(article: StoredArticle, contents?: StoredContent[]): PullRequestArticle {
  return JSON.parse(joinPieces(articleJson(article, contents).json).toString());
}
