import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Review } from '../../contract/reviews.ts';
import type { StoredArticle } from '../../db/articles.ts';
import { type DiscussedPullRequest, findDiscussed } from '../../db/reviews.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { classifyFile } from '../../reading/classify-file.ts';
import type { ReviewSource } from '../../writing/reviews.ts';
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
  const { pullRequestId, host } = article;
  const found = await findDiscussed(database, { pullRequestId, mostBytes, viewer });
  if (!found) return article;
  const tell = await reviewTeller(
    found,
    codeHosts.find(({ id }) => id === host),
  );
  const contents = article.contents.map((content) => ({
    ...content,
    review: JSON.stringify(tell(writtenAtOf(content.body), content.languageCode)),
  }));
  return { ...article, contents };
}

/** Tells the review of a pull request for an article that was written at some time, in its language. */
export async function reviewTeller(
  {
    hostUrl,
    mergedAt,
    outlines,
    parts,
    hasAllParts,
    ...found
  }: Pick<
    DiscussedPullRequest,
    'discussion' | 'authorLogin' | 'headSha' | 'hostUrl' | 'mergedAt' | 'outlines' | 'parts' | 'hasAllParts'
  >,
  codeHost: Pick<CodeHost, 'linesUrl'> | undefined,
): Promise<(writtenAt: string, languageCode: string) => Review> {
  const files = await readFilesOfDiff(parts, { has: () => true });
  const ranges = new Map(outlines.map((outline) => [outline.fileName, outline.ranges]));
  const { tellReview } = await import('../../writing/reviews.ts');
  const source: Omit<ReviewSource, 'writtenAt'> = {
    ...found,
    hostUrl,
    isMerged: mergedAt !== null,
    files: [...files.values()].map((file) => ({
      file,
      kind: classifyFile(file).kind,
      ranges: ranges.get(file.path) ?? [],
    })),
    hasAllFiles: hasAllParts,
    linesUrl: (lines) => codeHost?.linesUrl(hostUrl, found.headSha, lines) ?? null,
  };
  return (writtenAt, languageCode) => tellReview({ ...source, writtenAt }, languageCode);
}

const written = /"summaryGeneratedAt":"([^"]+)"/;

/** Read by a pattern, because parsing an article of hundreds of kilobytes takes too long. */
const writtenAtOf = (body: Uint8Array): string =>
  written.exec(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'))?.[1] ?? '';
