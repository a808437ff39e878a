import type { CodeHost } from '../../code-hosts/code-host.ts';
import {
  findArticleByName,
  findArticlesById,
  type PublishedContent,
  type StoredArticle,
  type StoredContent,
  type WantedArticle,
} from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import type { DetailViewer } from '../../db/visibility.ts';
import { batchReads } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { chooseLanguage, type LanguageWish } from '../../domain/languages.ts';
import type { MarkdownBlock, MarkdownSource } from '../../writing/article-markdown.ts';
import type { Viewer } from '../accounts/identify-bearer.ts';
import type { PullRequestAddress } from '../pull-requests/find-visible-pull-request.ts';
import { operationOn } from '../pull-requests/operation-on.ts';
import { findAfterRenewal, type Look } from '../repositories/find-visible-repository.ts';
import type { RepositoryRenewals } from '../repositories/renew-repositories.ts';
import { withPresentLinks } from './follow-web-url.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  clock: () => Date;
}

/** The article about a pull request, in all its languages. Absent and hidden are the same. */
export async function readArticleAbout(
  parts: Parts,
  pullRequest: PullRequestAddress,
  viewer: Viewer | null,
  /** For callers that go on to look at what belongs to it. */
  look: Look = { viewer, now: parts.clock() },
): Promise<StoredArticle> {
  const { codeHost, owner, name, number } = pullRequest;
  const named = { host: codeHost.id, owner, name, number };
  const findFor = (seen: DetailViewer) => findArticleByName(parts.database, { ...named, viewer: seen });
  const article = await findAfterRenewal(parts.renewals, look, findFor, ({ repository }) => repository);
  if (article) return withPresentLinks(codeHost, article);
  throw new Failure(
    'ARTICLE_NOT_FOUND',
    `There is no article about ${owner}/${name}#${number}, or you may not see it. ${operationOn(parts.codeHosts, pullRequest, 'article')} has it written.`,
  );
}

export type FindArticle = (articleId: string, viewer: DetailViewer) => Promise<StoredArticle | null>;

/** Finds articles by their ids. Calls at the same time share one query, and may get the same object. */
export function findArticlesTogether({
  database,
  clock,
  codeHosts,
}: Pick<Parts, 'database' | 'clock' | 'codeHosts'>): FindArticle {
  const link = (article: StoredArticle | null) =>
    article &&
    withPresentLinks(
      codeHosts.find(({ id }) => id === article.host),
      article,
    );
  const batch = (purpose: DetailViewer['purpose']) =>
    batchReads(async (wanted: WantedArticle[]) =>
      (await findArticlesById(database, wanted, { now: clock(), purpose })).map(link),
    );
  const find = { detail: batch('detail'), renewal: batch('renewal') };
  return (articleId, { userId, purpose }) => find[purpose]({ articleId, userId });
}

/** Reads articles by their ids, and has what is known of their repositories renewed. */
export function readArticlesById(
  parts: Parts,
): (articleId: string, viewer: Viewer | null) => Promise<StoredArticle> {
  const { renewals, clock } = parts;
  const find = findArticlesTogether(parts);
  return async (articleId, viewer) => {
    const look = { viewer, now: clock() };
    const findFor = (seen: DetailViewer) => find(articleId, seen);
    const article = await findAfterRenewal(renewals, look, findFor, ({ repository }) => repository);
    if (article) return article;
    throw new Failure(
      'ARTICLE_NOT_FOUND',
      'There is no such article, or you may not see it. GET /articles lists those that you may.',
    );
  };
}

/** What an article says in the language in which the reader wants it. */
export function contentInLanguage({ contents }: StoredArticle, wish: LanguageWish): StoredContent {
  const available = contents.map(({ languageCode }) => languageCode);
  const chosen = chooseLanguage(available, wish);
  const content = contents.find(({ languageCode }) => languageCode === chosen);
  if (content) return content;
  throw new Failure(
    'ARTICLE_NOT_FOUND',
    `This article is not written in ${wish.asked} yet. It is there in: ${available.join(', ')}.`,
  );
}

/** One language of an article as Markdown. The words for it are loaded when first needed. */
export async function printArticle(article: StoredArticle, content: StoredContent): Promise<string> {
  const { articleMarkdown } = await import('../../writing/article-markdown.ts');
  return articleMarkdown(sourceOf(article, content), content.languageCode);
}

/** The same block by block, for readers who take it in parts. */
export async function printArticleBlocks(
  article: StoredArticle,
  content: StoredContent,
): Promise<MarkdownBlock[]> {
  const { articleBlocks } = await import('../../writing/article-markdown.ts');
  return articleBlocks(sourceOf(article, content), content.languageCode);
}

export const publishedContent = ({ body }: StoredContent): PublishedContent =>
  JSON.parse(Buffer.from(body).toString());

function sourceOf(article: StoredArticle, stored: StoredContent): MarkdownSource {
  const { owner, repo, number, hostUrl, title, authorLogin, state } = article;
  const content = publishedContent(stored);
  return { owner, repo, prNumber: number, hostPrUrl: hostUrl, title, authorLogin, state, content };
}
