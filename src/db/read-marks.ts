import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';
import { type DetailViewer, type ListViewer, visibleTo } from './visibility.ts';

interface Reading {
  articleId: string;
  languageCode: string;
  /** The viewer, who has signed up. */
  viewer: DetailViewer & { userId: string };
}

/**
 * Notes that a user has read an article as it stands, or in the revision that was shown to them; null where they may see no such
 * thing, and once the account is gone.
 */
export async function markRead(
  db: Queries,
  { articleId, languageCode, viewer, revision }: Reading & { revision?: number },
): Promise<Date | null> {
  const [mark] = await db.query<{ readAt: Date }>(sql`
    INSERT INTO read_marks AS marks (user_id, article_id, language_code, revision, read_at)
    SELECT users.id, contents.article_id, contents.language_code, contents.revision, ${viewer.now}
    FROM users CROSS JOIN article_contents AS contents
    JOIN repositories ON repositories.id = contents.repository_id
    WHERE users.id = ${viewer.userId} AND contents.article_id = ${articleId}
      AND contents.language_code = ${languageCode} AND ${visibleTo(viewer)}
      ${revision === undefined ? sql`` : sql`AND contents.revision = ${revision}`}
    FOR SHARE OF contents
    ON CONFLICT (user_id, article_id, language_code) DO UPDATE SET revision = excluded.revision, read_at = excluded.read_at
    RETURNING read_at AS "readAt"`);
  return mark?.readAt ?? null;
}

/** Notes that a user has read everything of their favorites that was written by then. Returns how many articles that were. */
export async function markAllRead(
  db: Queries,
  { viewer, until }: { viewer: ListViewer & { userId: string }; until: Date },
): Promise<number> {
  const [counted] = await db.query<{ marked: number }>(sql`
    WITH marked AS (
      INSERT INTO read_marks AS marks (user_id, article_id, language_code, revision, read_at)
      SELECT users.id, contents.article_id, contents.language_code, contents.revision, ${viewer.now}
      FROM users JOIN favorite_repositories AS favorites ON favorites.user_id = users.id
      JOIN repositories ON repositories.id = favorites.repository_id
      JOIN article_contents AS contents ON contents.repository_id = repositories.id
      WHERE users.id = ${viewer.userId} AND contents.generated_at <= ${until} AND ${visibleTo(viewer)}
      ORDER BY contents.article_id, contents.language_code
      ON CONFLICT (user_id, article_id, language_code) DO UPDATE SET revision = excluded.revision, read_at = excluded.read_at
        WHERE marks.revision <> excluded.revision
      RETURNING marks.article_id)
    SELECT count(DISTINCT article_id) AS marked FROM marked
    WHERE NOT EXISTS (
      SELECT FROM read_marks AS before JOIN article_contents AS contents USING (article_id, language_code)
      WHERE before.user_id = ${viewer.userId} AND before.article_id = marked.article_id
        AND before.revision = contents.revision)`);
  return counted?.marked ?? 0;
}

/** What a user read of an article before it was written anew. */
export interface ReadBefore {
  /** The revision that they read; that of the article where it says nothing else since. */
  revision: number;
  /** The sentences of that revision; null where it is the one that stands. */
  sentenceIds: string[] | null;
}

/** Of an article in a language, as a part of other statements; no row where the user has not read it. */
export const readBeforeBy = (userId: string, articleId: Sql, languageCode: string): Sql => sql`
  SELECT marks.revision, revisions.sentence_ids AS "sentenceIds"
  FROM read_marks AS marks LEFT JOIN read_revisions AS revisions USING (article_id, language_code, revision)
  WHERE marks.user_id = ${userId} AND marks.article_id = ${articleId} AND marks.language_code = ${languageCode}`;
