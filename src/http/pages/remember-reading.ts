import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ArticleContent } from '../../contract/article.ts';
import type { StoredContent } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { isStorageFull } from '../../db/failures.ts';
import { markRead, type ReadBefore } from '../../db/following.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import { hunkId, risksOf } from '../../domain/article-form.ts';

interface Shown {
  articleId: string;
  stored: StoredContent;
  content: ArticleContent;
  seen: DetailViewer;
  readBefore: ReadBefore | null;
}

/**
 * Has it noted that a user reads an article, once the page is sent, which does not wait for it. Returns which of the sentences they
 * have not read before; none where it is their first time.
 */
export function rememberReading(
  database: Database,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { articleId, stored, content, seen, readBefore }: Shown,
): ReadonlySet<string> {
  const { userId } = seen;
  if (userId === null || isFetchedAhead(request)) return new Set();
  const { languageCode, revision } = stored;
  if (readBefore?.revision === revision) return new Set();
  reply.raw.once('finish', () => {
    markRead(database, { articleId, languageCode, viewer: { ...seen, userId }, revision }).catch((error) => {
      // A disk that is full is reported by what has to be stored, and not once more for each reading.
      if (isStorageFull(error)) return;
      request.log.warn({ err: error, articleId }, 'that an article was read could not be noted');
    });
  });
  const known = readBefore?.sentenceIds;
  return new Set(known ? sentenceIds(content).filter((id) => !known.includes(hashOf(id))) : []);
}

/** A browser that expects a click loads the page before anyone reads it. */
const isFetchedAhead = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose].flat().some((purpose) => purpose?.includes('prefetch'));

/** Sentences that are equal have one hash, and a number each. */
const hashOf = (id: string): string => id.replace(/-\d+$/, '');

/** Those that the page shows, about in its order, and the database compares. The lead sums up what the others say. */
function sentenceIds(content: ArticleContent): string[] {
  const { scope, background, mainChanges, tests, also } = content;
  return [
    ...(scope ? [scope.statement] : []),
    ...background,
    ...risksOf(content).flatMap(({ point }) => point.statements),
    ...mainChanges.flatMap(({ statements, hunk }) => [
      ...statements,
      ...(hunk ? [{ id: hunkId(hunk) }] : []),
    ]),
    ...(tests?.statements ?? []),
    ...also.map(({ statement }) => statement),
  ].map(({ id }) => id);
}
