import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { ArticleSummary } from '../../contract/articles.ts';
import {
  findArticleByName,
  findArticlesById,
  type ListedArticle,
  type PublishedContent,
  type StoredArticle,
  type StoredContent,
  type WantedArticle,
} from '../../db/articles.ts';
import { deleteReadMarks, saveReadMark } from '../../db/following.ts';
import { findRepositoriesOfArticles } from '../../db/repositories.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { chooseLanguage, isLanguageCode, type LanguageWish } from '../../domain/languages.ts';
import { isBotLogin } from '../../domain/pull-requests.ts';
import { secondLineOf } from '../../domain/second-line.ts';
import type { MarkdownBlock, MarkdownSource } from '../../writing/article-markdown.ts';
import type { Deps, SignedUpViewer, Viewer } from '../deps.ts';
import { operationOn, type PullRequestAddress, withPresentUrl } from '../pull-requests/find-pull-request.ts';
import { findAfterRenewal, type Look, type Seen } from '../repositories/find-repository.ts';
import { withReview } from '../reviews/read-review.ts';

type ReadDeps = Pick<Deps, 'database' | 'codeHosts' | 'renewals' | 'clock'>;

/** The article about a pull request in all its languages, with what its review led to. */
export async function readArticleAbout(
  deps: ReadDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<Seen<StoredArticle>> {
  const visible = await findArticleAbout(deps, pullRequest, viewer);
  return { ...visible, found: await withReview(deps, visible.found, visible.seen) };
}

/** The same without the review, for pages that do not show it. */
export async function findArticleAbout(
  deps: ReadDeps,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
): Promise<Seen<StoredArticle>> {
  const { codeHost, owner, name, number } = pullRequest;
  const named = { host: codeHost.id, owner, name, number };
  const findFor = (seen: DetailScope) => findArticleByName(deps.database, { ...named, viewer: seen });
  const look = { viewer, now: deps.clock() };
  const visible = await findAfterRenewal(deps.renewals, look, findFor, ({ repository }) => repository);
  if (visible) return { ...visible, found: withPresentLinks(codeHost, visible.found) };
  throw new Failure(
    'ARTICLE_NOT_FOUND',
    `No article about ${owner}/${name}#${number} exists, or you do not have access to it. To have one written, call ${operationOn(deps.codeHosts, pullRequest, 'article')}.`,
  );
}

export type FindArticle = (articleId: string, viewer: DetailScope) => Promise<StoredArticle | null>;

/** Finds articles by id. Concurrent calls share one query and may get the same object. */
export function findArticlesTogether({
  database,
  clock,
  codeHosts,
}: Pick<Deps, 'database' | 'clock' | 'codeHosts'>): FindArticle {
  const link = (article: StoredArticle | null) =>
    article &&
    withPresentLinks(
      codeHosts.find(({ id }) => id === article.host),
      article,
    );
  const batch = (purpose: DetailScope['purpose']) =>
    batchReads(async (wanted: WantedArticle[]) =>
      (await findArticlesById(database, wanted, { now: clock(), purpose })).map(link),
    );
  const find = { detail: batch('detail'), beforeAskingHost: batch('beforeAskingHost') };
  return (articleId, { userId, purpose }) => find[purpose]({ articleId, userId });
}

export function readArticlesById(
  deps: ReadDeps,
): (articleId: string, viewer: Viewer | null) => Promise<Seen<StoredArticle>> {
  const { renewals, clock } = deps;
  const find = findArticlesTogether(deps);
  return async (articleId, viewer) => {
    const look = { viewer, now: clock() };
    const findFor = (seen: DetailScope) => find(articleId, seen);
    const visible = await findAfterRenewal(renewals, look, findFor, ({ repository }) => repository);
    if (visible) return { ...visible, found: await withReview(deps, visible.found, visible.seen) };
    throw new Failure(
      'ARTICLE_NOT_FOUND',
      'No article with this id exists, or you do not have access to it. GET /articles lists the articles you have access to.',
    );
  };
}

export function contentInLanguage({ contents }: StoredArticle, wish: LanguageWish): StoredContent {
  const available = contents.map(({ languageCode }) => languageCode);
  const chosen = chooseLanguage(available, wish);
  const content = contents.find(({ languageCode }) => languageCode === chosen);
  if (content) return content;
  throw new Failure(
    'ARTICLE_NOT_FOUND',
    `This article is not available in ${wish.requested} yet. Available languages: ${available.join(', ')}.`,
  );
}

export async function printArticle(article: StoredArticle, content: StoredContent): Promise<string> {
  const { articleMarkdown } = await import('../../writing/article-markdown.ts');
  return articleMarkdown(sourceOf(article, content), content.languageCode);
}

export async function printArticleBlocks(
  article: StoredArticle,
  content: StoredContent,
): Promise<MarkdownBlock[]> {
  const { articleBlocks } = await import('../../writing/article-markdown.ts');
  return articleBlocks(sourceOf(article, content), content.languageCode);
}

export const publishedContent = ({ body, review }: StoredContent): PublishedContent => ({
  ...JSON.parse(Buffer.from(body).toString()),
  ...(review !== undefined && { review: JSON.parse(review) }),
});

function sourceOf(article: StoredArticle, stored: StoredContent): MarkdownSource {
  const { owner, repo, number, hostUrl, title, authorLogin, state } = article;
  const content = publishedContent(stored);
  return { owner, repo, prNumber: number, hostPrUrl: hostUrl, title, authorLogin, state, content };
}

/** Concurrent calls share one query. */
export function findRepositoriesTogether({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Deps['repositoriesOf'] {
  const batch = (purpose: DetailScope['purpose']) =>
    batchReads((wanted: { articleId: string; userId: string }[]) =>
      findRepositoriesOfArticles(database, wanted, { now: clock(), purpose }),
    );
  return { detail: batch('detail'), beforeAskingHost: batch('beforeAskingHost') };
}

export async function requireVisibleArticle(
  { renewals, repositoriesOf }: Pick<Deps, 'renewals' | 'repositoriesOf'>,
  { articleId, languageCode }: { articleId: string; languageCode: string },
  look: Look & { viewer: SignedUpViewer },
): Promise<DetailScope> {
  if (!isLanguageCode(languageCode)) throw noSuchArticle();
  const userId = look.viewer.user.id;
  const find = ({ purpose }: DetailScope) => repositoriesOf[purpose]({ articleId, userId });
  const visible = await findAfterRenewal(renewals, look, find, (found) => found);
  if (!visible) throw noSuchArticle();
  return visible.seen;
}

export function noSuchArticle(): Failure {
  return new Failure(
    'ARTICLE_NOT_FOUND',
    'This article does not exist in this language, or you do not have access to it. GET /articles lists the articles you have access to.',
  );
}

export async function markArticleRead(
  deps: Pick<Deps, 'database' | 'renewals' | 'repositoriesOf' | 'clock'>,
  wanted: { articleId: string; languageCode: string },
  viewer: SignedUpViewer,
): Promise<Date> {
  const seen = await requireVisibleArticle(deps, wanted, { viewer, now: deps.clock() });
  const readAt = await saveReadMark(deps.database, {
    ...wanted,
    viewer: { ...seen, userId: viewer.user.id },
  });
  if (!readAt) throw noSuchArticle();
  return readAt;
}

export async function markArticleUnread(
  deps: Pick<Deps, 'database' | 'renewals' | 'repositoriesOf' | 'clock'>,
  wanted: { articleId: string; languageCode: string },
  viewer: SignedUpViewer,
): Promise<void> {
  const seen = await requireVisibleArticle(deps, wanted, { viewer, now: deps.clock() });
  await deleteReadMarks(deps.database, {
    articleId: wanted.articleId,
    viewer: { ...seen, userId: viewer.user.id },
  });
}

/** The article with links to the current web address of its clone, like `withPresentUrl`. */
export function withPresentLinks(codeHost: CodeHost | undefined, stored: StoredArticle): StoredArticle {
  if (!codeHost?.isLocal) return stored;
  const article = withPresentUrl(codeHost, stored);
  return { ...article, contents: article.contents.map((content) => relink(codeHost, article, content)) };
}

function relink(codeHost: CodeHost, { hostUrl }: StoredArticle, content: StoredContent): StoredContent {
  const bytes = Buffer.from(content.body.buffer, content.body.byteOffset, content.body.byteLength);
  if (isLinkedTo(bytes, hostUrl)) return content;
  const body = JSON.parse(bytes.toString(), function (this: LinkedLines, key, value) {
    return key === 'hostUrl' ? codeHost.linesUrl(hostUrl, content.headSha, this) : value;
  });
  return { ...content, body: Buffer.from(JSON.stringify(body)) };
}

type LinkedLines = Parameters<CodeHost['linesUrl']>[2];

const link = '"hostUrl":';

/**
 * All links of an article begin with the same address, so the first one shows whether it is current. Quotation marks
 * within texts are escaped.
 */
function isLinkedTo(body: Buffer, hostUrl: string | null): boolean {
  const first = body.indexOf(link);
  const start = Buffer.from(hostUrl === null ? 'null' : `"${hostUrl}/`);
  return first === -1 || start.equals(body.subarray(first + link.length, first + link.length + start.length));
}

export const presentSummary =
  (codeHosts: CodeHost[]) =>
  ({ generatedAt, ...listed }: ListedArticle): ArticleSummary => ({
    ...presentListed(codeHosts, listed),
    summaryGeneratedAt: generatedAt.toISOString(),
  });

type Named = Omit<ListedArticle, 'likeCount' | 'generatedAt'>;

export function presentListed<Listed extends Named>(codeHosts: CodeHost[], listed: Listed) {
  const codeHost = codeHosts.find(({ id }) => id === listed.host);
  const { number, hostUrl, mergedAt, touches, ...same } = withPresentUrl(codeHost, listed);
  return {
    ...same,
    repositoryFullName: `${same.owner}/${same.repo}`,
    prNumber: number,
    hostPrUrl: hostUrl,
    byBot: isBotLogin(same.authorLogin),
    mergedAt: mergedAt?.toISOString() ?? null,
    secondLine: secondLineOf({ ...same, touches }),
  };
}
