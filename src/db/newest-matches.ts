import { quoted, shortestStretch, stretchAround, stretchesFrom } from '../domain/search/indexed-words.ts';
import type { Queries } from './database.ts';
import { type Sql, sql } from './sql.ts';

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

/** Of one question: where the index finds something, and where of that is what has its words in order. */
export interface ProbedQuestion {
  found: Density;
  matching: Density;
}

/** Counts what matches each question among some of the articles. Null where they are so few that all are searched. */
export async function probeQuestions(
  db: Queries,
  questions: string[],
  inOrder: string | null,
  top: number,
): Promise<ProbedQuestion[] | null> {
  if (top <= 4 * newestProbed) return null;
  const from = Math.floor((top - newestProbed) / shortestStretch) * shortestStretch;
  const others = new Set(
    Array.from({ length: othersProbed }, (_, index) =>
      stretchAround(((index + 0.5) / othersProbed) * (from - shortestStretch)),
    ),
  );
  const probed = `(${[...new Set([...stretchesFrom(from, top), ...others])].map(quoted).join(' | ')})`;
  const isInOrder = inOrder === null ? sql`true` : sql`words @@ (SELECT ${inOrder}::text::tsquery)`;
  const counted = await db.query<{ found: Counts; matching: Counts }>(sql`
    SELECT counted.* FROM unnest(${questions.map((question) => `${question} & ${probed}`)}::text[])
      WITH ORDINALITY AS asked (question, turn)
    CROSS JOIN LATERAL (
      SELECT ${countsOf(sql`true`)} AS found, ${countsOf(sql`is_in_order`)} AS matching
      FROM (
        SELECT place >= ${from} AS is_new, ${isInOrder} AS is_in_order FROM article_search
        WHERE words @@ asked.question::tsquery OFFSET 0) AS probed) AS counted
    ORDER BY asked.turn`);
  const densityOf = (counts: Counts): Density => ({
    top,
    newest: counts.newest / (top - from + 1),
    others: counts.others / (others.size * shortestStretch),
  });
  return counted.map(({ found, matching }) => ({ found: densityOf(found), matching: densityOf(matching) }));
}

interface Counts {
  newest: number;
  others: number;
}

const countsOf = (isMeant: Sql): Sql => sql`
  json_build_object('newest', count(*) FILTER (WHERE is_new AND ${isMeant}), 'others', count(*) FILTER (WHERE NOT is_new AND ${isMeant}))`;

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
export const within = (question: string, top: number, span: number): string =>
  span >= top
    ? question
    : `${question} & (${stretchesFrom(top - span, top)
        .map(quoted)
        .join(' | ')})`;
