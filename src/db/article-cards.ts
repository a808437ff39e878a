import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** The picture beside links to an article in one language. */
export interface CardKey {
  articleId: string;
  languageCode: string;
  /** What names all that it shows. */
  version: string;
}

/** The picture of an article that was found before; null where it has not been drawn, or shows something else by now. */
export async function findCard(
  db: Queries,
  { articleId, languageCode, version }: CardKey,
): Promise<Uint8Array | null> {
  const [row] = await db.query<{ png: Uint8Array }>(sql`
    SELECT png FROM article_cards
    WHERE article_id = ${articleId} AND language_code = ${languageCode} AND version = ${version}`);
  return row?.png ?? null;
}

/** Keeps a picture in the place of the one before, if its article is still there. */
export async function saveCard(
  db: Queries,
  { articleId, languageCode, version }: CardKey,
  { png, now }: { png: Uint8Array; now: Date },
): Promise<void> {
  await db.query(sql`
    INSERT INTO article_cards (article_id, language_code, version, png, drawn_at)
    SELECT article_id, language_code, ${version}, ${png}, ${now} FROM article_contents
    WHERE article_id = ${articleId} AND language_code = ${languageCode} FOR KEY SHARE
    ON CONFLICT (article_id, language_code) DO UPDATE SET
      version = excluded.version, png = excluded.png, drawn_at = excluded.drawn_at`);
}

/** Some 90 MB. */
const mostCards = 2_000;
const mostAtOnce = 200;

export const drawnBefore = (before: Date): Sql => sql`article_cards.drawn_at < ${before}`;

/**
 * Deletes some of the pictures that were drawn before a moment, or before the newest that are kept, and returns how many. They
 * are drawn again when they are asked for.
 */
export async function deleteOldCards(db: Queries, before: Date): Promise<number> {
  const [oldestKept] = await db.query<{ drawnAt: Date }>(sql`
    SELECT drawn_at AS "drawnAt" FROM article_cards ORDER BY drawn_at DESC OFFSET ${mostCards - 1} LIMIT 1`);
  const cutoff = oldestKept && oldestKept.drawnAt > before ? oldestKept.drawnAt : before;
  const rows = await db.query(sql`
    DELETE FROM article_cards WHERE (article_id, language_code) IN (
      SELECT article_id, language_code FROM article_cards WHERE ${drawnBefore(cutoff)}
      ORDER BY drawn_at LIMIT ${mostAtOnce})
    RETURNING 1`);
  return rows.length;
}
