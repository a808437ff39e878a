import { setImmediate } from 'node:timers/promises';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Review, WholeReview } from '../../contract/reviews.ts';
import type { StoredArticle } from '../../db/articles.ts';
import { type DiscussedPullRequest, findDiscussed } from '../../db/reviews.ts';
import type { DetailScope, VisibilityScope } from '../../db/visibility.ts';
import { Failure } from '../../domain/errors.ts';
import { type ChosenPoint, type Discussion, pagesOfReview, type ReviewOrder } from '../../domain/reviews.ts';
import { classifyFile } from '../../reading/classify-file.ts';
import { exchangesOf } from '../../reading/review-exchanges.ts';
import type { ReviewedChange } from '../../reading/reviewed-lines.ts';
import { mostCompared, outcomesOf } from '../../reading/reviews.ts';
import type { ReviewItems } from '../../writing/review-threads.ts';
import type { ReviewSource } from '../../writing/reviews.ts';
import type { Deps, Viewer } from '../deps.ts';
import { readFilesOfDiff } from '../pull-requests/cite-lines.ts';
import {
  type FindingDeps,
  findVisible,
  type PullRequestAddress,
} from '../pull-requests/find-pull-request.ts';

/**
 * Adds the results of its review to an article. They are computed from what the code host showed last, so edited and
 * deleted comments disappear.
 */
export async function withReview(
  deps: Pick<Deps, 'database' | 'codeHosts'>,
  article: StoredArticle,
  viewer: DetailScope,
): Promise<StoredArticle> {
  const tell = await openReview(deps, { ...article, repositoryId: article.repository.id }, viewer);
  if (!tell) return article;
  const contents = article.contents.map((content) => ({
    ...content,
    review: JSON.stringify(tell(writtenAtOf(content.body), content.languageCode, content.chosen ?? [])),
  }));
  return { ...article, contents };
}

type TellReview = (writtenAt: string, languageCode: string, chosen?: ChosenPoint[]) => Review;

/** Opens the review of an article's pull request; null if there is none. */
export async function openReview(
  { database, codeHosts }: Pick<Deps, 'database' | 'codeHosts'>,
  {
    host,
    repositoryId,
    number,
    hostUrl,
    isDiscussed,
  }: Pick<StoredArticle, 'host' | 'number' | 'hostUrl' | 'isDiscussed'> & { repositoryId: string },
  viewer: VisibilityScope,
): Promise<TellReview | null> {
  const found = isDiscussed ? await findDiscussed(database, { repositoryId, number, viewer }) : null;
  if (!found?.discussion) return null;
  const { discussion } = found;
  return reviewTeller(
    { ...found, discussion, hostUrl },
    codeHosts.find(({ id }) => id === host),
  );
}

/** Tells the review of a pull request for an article that was written at some time, in its language. */
export async function reviewTeller(
  found: ReviewedPullRequest & { mergedAt: Date | null },
  codeHost: Pick<CodeHost, 'linesUrl'> | undefined,
): Promise<TellReview> {
  const { hostUrl, headSha, mergedAt } = found;
  const { tellReview } = await import('../../writing/reviews.ts');
  const { readComment } = await import('../../writing/review-quotations.ts');
  const source: Omit<ReviewSource, 'writtenAt'> = {
    ...(await changeOf(found)),
    isMerged: mergedAt !== null,
    linesUrl: (lines) => codeHost?.linesUrl(hostUrl, headSha, lines) ?? null,
  };
  await inTurns(source.discussion.threads.slice(0, mostCompared), (thread) => outcomesOf(source, [thread]));
  const exchanges = exchangesOf(source.discussion, source.authorLogin);
  await inTurns(
    exchanges.flatMap(({ comments }) => comments),
    readComment,
  );
  return (writtenAt, languageCode, chosen) => tellReview({ ...source, writtenAt }, languageCode, chosen);
}

type ReviewedPullRequest = Pick<
  DiscussedPullRequest,
  'authorLogin' | 'headSha' | 'hostUrl' | 'outlines' | 'parts' | 'hasAllParts'
> & { discussion: Discussion };

async function changeOf({
  discussion,
  authorLogin,
  headSha,
  hostUrl,
  outlines,
  parts,
  hasAllParts: hasAllFiles,
}: ReviewedPullRequest): Promise<ReviewedChange & { hostUrl: string | null }> {
  const read = await readFilesOfDiff(parts, { has: () => true });
  const ranges = new Map(outlines.map((outline) => [outline.fileName, outline.ranges]));
  const files = [...read.values()].map((file) => ({
    file,
    kind: classifyFile(file).kind,
    ranges: ranges.get(file.path) ?? [],
  }));
  return { discussion, authorLogin, headSha, hostUrl, files, hasAllFiles };
}

/** The whole review of a stored pull request that the viewer may see. */
export async function readWholeReview(
  deps: FindingDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<WholeReview> {
  const found = await findVisible(findDiscussed, deps, pullRequest, viewer);
  const { discussion } = found;
  if (!discussion) throw noReview();
  const { presentReview, presentThread } = await import('../../writing/review-threads.ts');
  const change = await changeOf({ ...found, discussion });
  const threads = await inTurns(discussion.threads, (thread, place) =>
    presentThread(change, thread, { isCompared: place < mostCompared }),
  );
  return presentReview(change, threads);
}

/** Comparing sixty threads takes longer than other requests may wait. */
const mostMsAtOnce = 10;

async function inTurns<Item, Result>(
  items: Item[],
  work: (item: Item, place: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let begun = performance.now();
  for (const [place, item] of items.entries()) {
    results.push(work(item, place));
    if (performance.now() - begun < mostMsAtOnce) continue;
    await setImmediate();
    begun = performance.now();
  }
  return results;
}

const noReview = () =>
  new Failure('NOT_FOUND', 'The code host shows no review of this pull request, or has none.');

export type ReviewPage = ReviewItems & { pages: number };

/** One page of the review of an article's pull request. */
export async function readReviewPage(
  { database }: Pick<Deps, 'database'>,
  { repository, number, hostUrl }: StoredArticle,
  { viewer, order, page }: { viewer: DetailScope; order: ReviewOrder; page: number },
): Promise<ReviewPage> {
  const found = await findDiscussed(database, { repositoryId: repository.id, number, viewer });
  const discussion = found?.discussion;
  if (!found || !discussion) throw noReview();
  const pages = pagesOfReview(discussion, order);
  const items = pages[page - 1] ?? [];
  if (page > Math.max(1, pages.length)) throw new Failure('NOT_FOUND', 'The review has fewer pages.');
  const { presentItems, presentThread } = await import('../../writing/review-threads.ts');
  const change = await changeOf({ ...found, discussion, hostUrl });
  const threads = await inTurns(
    items.flatMap(({ thread }) => thread ?? []),
    (thread) => presentThread(change, thread, { isCompared: true }),
  );
  return { ...presentItems(change, items, threads), pages: pages.length };
}

const written = /"summaryGeneratedAt":"([^"]+)"/;

/** Read by a pattern, because parsing an article of hundreds of kilobytes takes too long. */
const writtenAtOf = (body: Uint8Array): string =>
  written.exec(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1'))?.[1] ?? '';
