import { quoted, shortestStretch, stretchAround, stretchesFrom } from '../domain/search/indexed-words.ts';
import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** How many of the newest articles are looked at to estimate how many match, and how many stretches of all others. */
const newestProbed = shortestStretch;
const othersProbed = 3;

/** Where what matches lies, as far as some of the articles tell. */
export interface Density {
  /** The place of the newest article. */
  top: number;
  /** Of the newest, and of all others, which part matches. */
  newest: number;
  others: number;
}

/** Counts what matches each question among some of the articles. Null where they are so few that all are searched. */
export async function findDensities(
  db: Queries,
  questions: string[],
  top: number,
): Promise<Density[] | null> {
  if (top <= 4 * newestProbed) return null;
  const from = Math.floor((top - newestProbed) / shortestStretch) * shortestStretch;
  const others = Array.from({ length: othersProbed }, (_, index) =>
    stretchAround(((index + 0.5) / othersProbed) * (from - shortestStretch)),
  );
  const probed = `(${[...new Set([...stretchesFrom(from, top), ...others])].map(quoted).join(' | ')})`;
  const counted = await db.query<{ newest: number; others: number }>(sql`
    SELECT counted.* FROM unnest(${questions.map((question) => `${question} & ${probed}`)}::text[])
      WITH ORDINALITY AS asked (question, turn)
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE place >= ${from}) AS newest, count(*) FILTER (WHERE place < ${from}) AS others
      FROM article_search WHERE words @@ asked.question::tsquery) AS counted
    ORDER BY asked.turn`);
  return counted.map((one) => ({
    top,
    newest: one.newest / (top - from + 1),
    others: one.others / (othersProbed * shortestStretch),
  }));
}

/** How many match among as many of the newest articles, by estimate. */
export const countIn = ({ newest, others }: Density, span: number): number =>
  Math.min(span, newestProbed) * newest + Math.max(0, span - newestProbed) * others;

/** How many of the newest articles have so many matches. */
export function spanOf({ top, newest, others }: Density, count: number): number {
  const inNewest = newestProbed * newest;
  const span = count <= inNewest ? count / newest : newestProbed + (count - inNewest) / others;
  return Math.min(top, Math.ceil(span));
}

/** Narrows a question to as many of the newest articles, and a few more. */
export const within = (question: string, { top }: Density, span: number): string =>
  span >= top
    ? question
    : `${question} & (${stretchesFrom(top - span, top)
        .map(quoted)
        .join(' | ')})`;
