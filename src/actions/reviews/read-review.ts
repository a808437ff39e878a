import type { StoredArticle } from '../../db/articles.ts';
import { findDiscussed } from '../../db/reviews.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { classifyFile } from '../../reading/classify-file.ts';
import type { Deps } from '../deps.ts';
import { readFilesOfDiff } from '../pull-requests/cite-lines.ts';

/** The limit for compressed parts of the diff: decompressing and reading them takes some milliseconds. */
const mostBytes = 256 * 1024;

/**
 * Adds the results of its review to an article. They are computed from what the code host showed last, so edited and
 * deleted comments disappear.
 */
export async function withReview(
  { database, codeHosts }: Pick<Deps, 'database' | 'codeHosts'>,
  article: StoredArticle,
  viewer: DetailScope,
): Promise<StoredArticle> {
  if (!article.isDiscussed) return article;
  const { pullRequestId } = article;
  const found = await findDiscussed(database, { pullRequestId, mostBytes, viewer });
  if (!found) return article;
  const { discussion, authorLogin, headSha, hostUrl, mergedAt, outlines, parts, hasAllParts } = found;
  const files = await readFilesOfDiff(parts, { has: () => true });
  const ranges = new Map(outlines.map((outline) => [outline.fileName, outline.ranges]));
  const codeHost = codeHosts.find(({ id }) => id === article.host);
  const { tellReview } = await import('../../writing/reviews.ts');
  const source = {
    discussion,
    authorLogin,
    headSha,
    hostUrl,
    isMerged: mergedAt !== null,
    files: [...files.values()].map((file) => ({
      file,
      kind: classifyFile(file).kind,
      ranges: ranges.get(file.path) ?? [],
    })),
    hasAllFiles: hasAllParts,
    linesUrl: (lines: Parameters<NonNullable<typeof codeHost>['linesUrl']>[2]) =>
      codeHost?.linesUrl(hostUrl, headSha, lines) ?? null,
  };
  const contents = article.contents.map((content) => ({
    ...content,
    review: JSON.stringify(
      tellReview({ ...source, writtenAt: writtenAtOf(content.body) }, content.languageCode),
    ),
  }));
  return { ...article, contents };
}

const written = /"summaryGeneratedAt":"([^"]+)"/;

/** Read by a pattern, because parsing an article of hundreds of kilobytes takes too long. */
const writtenAtOf = (body: Uint8Array): string =>
  written.exec(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'))?.[1] ?? '';
