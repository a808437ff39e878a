import type { FastifyRequest } from 'fastify';
import type { ArticleContent } from '../../contract/article.ts';
import type { StoredContent } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { findReadBefore, markRead } from '../../db/read-marks.ts';
import type { DetailViewer } from '../../db/visibility.ts';

interface Shown {
  articleId: string;
  stored: StoredContent;
  content: ArticleContent;
  seen: DetailViewer;
}

/**
 * Notes that a user reads an article, and returns which of its sentences they have not read before; none where it is their
 * first time.
 */
export async function rememberReading(
  database: Database,
  request: FastifyRequest,
  { articleId, stored, content, seen }: Shown,
): Promise<ReadonlySet<string>> {
  const { userId } = seen;
  if (userId === null || isFetchedAhead(request)) return new Set();
  const { languageCode, revision } = stored;
  const before = await findReadBefore(database, { articleId, languageCode, userId });
  if (before?.revision === revision) return new Set();
  try {
    await markRead(database, { articleId, languageCode, viewer: { ...seen, userId }, revision });
  } catch (error) {
    // Where nothing can be stored, articles are still read.
    if (!isStorageFull(error)) throw error;
  }
  const known = before?.sentenceIds;
  return new Set(known ? sentenceIds(content).filter((id) => !known.includes(hashOf(id))) : []);
}

/** A browser that expects a click loads the page before anyone reads it. */
const isFetchedAhead = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose].flat().some((purpose) => purpose?.includes('prefetch'));

/** Sentences that are equal have one hash, and a number each. */
const hashOf = (id: string): string => id.replace(/-\d+$/, '');

/** In the order of the page. What stands above them all says nothing that is not among them. */
function sentenceIds({ background, notablePoints, mainChanges, also }: ArticleContent): string[] {
  const labelled = notablePoints.filter(({ label }) => label !== null);
  const others = notablePoints.filter(({ label }) => label === null);
  return [
    ...background,
    ...[...labelled, ...mainChanges].flatMap(({ statements }) => statements),
    ...also.map(({ statement }) => statement),
    ...others.flatMap(({ statements }) => statements),
  ].map(({ id }) => id);
}
