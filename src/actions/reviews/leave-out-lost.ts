import type { PublishedContent } from '../../db/articles.ts';
import type { Queries } from '../../db/database.ts';
import { deleteAnswersCiting, findCitingArticles, shortenArticle } from '../../db/reviews.ts';
import { commentsIn, idOfComment } from '../../domain/reviews.ts';
import { joinStatements } from '../../domain/text.ts';

/**
 * Removes sentences that rest on comments which were edited, deleted or hidden, wherever they are shown. Must be called
 * while the pull request is locked, after its comments or an article were stored.
 */
export async function leaveOutLost(tx: Queries, pullRequestId: string): Promise<void> {
  const { articles, answers, discussion } = await findCitingArticles(tx, pullRequestId);
  if (articles.length + answers.length === 0) return;
  const shown = new Set(discussion ? commentsIn(discussion).map(idOfComment) : []);
  const isLost = (comment: string): boolean => !shown.has(comment);
  for (const { content, review, ...key } of articles) {
    const lost = Object.entries(review.cited).filter(([, comments]) => comments.some(isLost));
    if (lost.length === 0) continue;
    const cited = Object.fromEntries(
      Object.entries(review.cited).filter(([, comments]) => !comments.some(isLost)),
    );
    const shorter = withoutStatements(content, new Set(lost.map(([id]) => id)));
    await shortenArticle(tx, { ...key, content: shorter, review: { ...review, cited } });
  }
  await deleteAnswersCiting(tx, pullRequestId, answers.filter(isLost));
}

export function withoutStatements(content: PublishedContent, lost: ReadonlySet<string>): PublishedContent {
  const kept = <Statement extends { id: string }>(statements: Statement[]): Statement[] =>
    statements.filter(({ id }) => !lost.has(id));
  const background = kept(content.background);
  const mainChanges = content.mainChanges.map((change) => {
    const statements = kept(change.statements);
    if (statements.length === change.statements.length) return change;
    return { ...change, statements, description: joinStatements(statements) || `\`${change.fileName}\`` };
  });
  const block = content.beforeAfter && kept(content.beforeAfter.statements);
  return {
    ...content,
    background,
    backgroundAndPurpose:
      background.length === content.background.length
        ? content.backgroundAndPurpose
        : joinStatements(background),
    mainChanges,
    beforeAfter:
      content.beforeAfter && block && block.length > 0 ? { ...content.beforeAfter, statements: block } : null,
    notablePoints: content.notablePoints.flatMap((point) => {
      const statements = kept(point.statements);
      return statements.length > 0 ? [{ ...point, statements, point: joinStatements(statements) }] : [];
    }),
  };
}
