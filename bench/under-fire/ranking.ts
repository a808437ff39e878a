import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import type { Caller } from '../acknowledged/caller.ts';

const pageSize = 100;

interface Page {
  items: { articleId: string; likeCount: number }[];
  pagination: { totalItems: number };
}

/** A ranking as the service answers it, page by page. */
async function readRanking(caller: Caller, period: string): Promise<Page> {
  const read: Page = { items: [], pagination: { totalItems: 1 } };
  for (let offset = 0; offset < read.pagination.totalItems; offset += pageSize) {
    const path = `/ranking/articles/likes?period=${period}&limit=${pageSize}&offset=${offset}`;
    const { data }: { data: Page } = JSON.parse((await caller.look(path)).text);
    read.items.push(...data.items);
    read.pagination = data.pagination;
  }
  return read;
}

/** The rankings of a day, in which all likes were given, and of ever. */
export const readRankings = (caller: Caller): Promise<Page[]> =>
  Promise.all(['daily', 'all'].map((period) => readRanking(caller, period)));

/** How many places of rankings are not what the likes alone say. */
export async function countWrongPlaces(rankings: Page[], database: Database): Promise<number> {
  const expected = await database.query<{ id: string; likes: number }>(sql`
    SELECT likes.article_id AS id, count(*) AS likes
    FROM article_likes AS likes JOIN articles ON articles.id = likes.article_id
    GROUP BY likes.article_id, likes.language_code, articles.created_at
    ORDER BY count(*) DESC, articles.created_at DESC, likes.article_id, likes.language_code`);
  let wrong = 0;
  for (const { items, pagination } of rankings) {
    if (pagination.totalItems !== expected.length) wrong += 1;
    for (const [index, { id, likes }] of expected.entries())
      if (items[index]?.articleId !== id || items[index]?.likeCount !== likes) wrong += 1;
  }
  return wrong;
}
