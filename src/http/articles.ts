import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { findAfterRenewal, findVisibleRepository, freshForMs } from '../actions/find-visible-repository.ts';
import type { Viewer } from '../actions/identify-bearer.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { ArticleSummary, PullRequestArticle } from '../contract/article.ts';
import { ref } from '../contract/component.ts';
import { LanguageCode, RepositoryName, Uuid } from '../contract/formats.ts';
import { listOf, pageQuery } from '../contract/pagination.ts';
import {
  findArticleByNumber,
  findArticlesById,
  listArticles,
  type StoredArticle,
  type StoredContent,
  type WantedArticle,
} from '../db/articles.ts';
import type { Database } from '../db/database.ts';
import { Failure } from '../domain/errors.ts';
import { listAnswer, pageOf } from './answers/list-answer.ts';
import { articleJson, presentArticle, presentSummary } from './answers/present-article.ts';
import { type WrittenAnswer, write } from './answers/written-answer.ts';
import { gatherReads } from './cache/gather-reads.ts';
import type { Keep } from './cache/serve-from-cache.ts';
import { endpoint, ok, type TextAnswer } from './endpoint.ts';
import { pullRequestParams } from './pull-requests.ts';
import { chooseCodeHost, hostQuery } from './requests/choose-code-host.ts';
import { chooseLanguage, prefersMarkdown } from './requests/choose-language.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  clock: () => Date;
}

export const tag = 'Article';
const markdown = 'text/markdown; charset=utf-8';
const languageQuery = { language: Type.Optional(LanguageCode()) };

interface Reading {
  query: { language?: string };
  viewer: Viewer | null;
  request: FastifyRequest;
}

/** An article, and all of it as it is answered, which is made when the first of those who found it together wants it. */
interface FoundArticle {
  article: StoredArticle;
  whole: () => WrittenAnswer;
}

function withWholeAnswer(article: StoredArticle): FoundArticle {
  let whole: WrittenAnswer | undefined;
  return {
    article,
    whole: () => {
      whole ??= answerIn(article, article.contents);
      return whole;
    },
  };
}

const answerIn = (article: StoredArticle, contents: StoredContent[]): WrittenAnswer => ({
  ...write(200, articleJson(article, contents), 'The article as it stands.'),
  ...keepUntilRenewed(article),
});

/** All languages or the one asked for, as JSON; one language as Markdown. */
async function answerArticle(
  { article, whole }: FoundArticle,
  { query, viewer, request }: Reading,
): Promise<WrittenAnswer | TextAnswer> {
  const available = article.contents.map(({ languageCode }) => languageCode);
  const own = viewer?.user?.language;
  const chosen = chooseLanguage(available, { asked: query.language, own, request });
  const content = article.contents.find(({ languageCode }) => languageCode === chosen);
  if (!content) {
    throw new Failure(
      'ARTICLE_NOT_FOUND',
      `This article is not written in ${query.language} yet. It is there in: ${available.join(', ')}.`,
    );
  }
  if (prefersMarkdown(request)) {
    return { status: 200, contentType: markdown, text: await printMarkdown(article, content) };
  }
  return query.language === undefined ? whole() : answerIn(article, [content]);
}

/** It can be sent again without a look until it is time to ask the host whether the repository is still public. */
function keepUntilRenewed({ id, pullRequestId, repository }: StoredArticle): { keep?: Keep } {
  if (repository.unreachableSince) return {};
  const about = [`article:${id}`, `pullRequest:${pullRequestId}`, `repository:${repository.id}`];
  return { keep: { about, until: repository.checkedAt.getTime() + freshForMs } };
}

/** The words for it are loaded when somebody wants them, not when the service starts. */
async function printMarkdown(article: StoredArticle, stored: StoredContent): Promise<string> {
  const { articleMarkdown } = await import('../writing/article-markdown.ts');
  const { contents, ...shown } = presentArticle(article, [stored]);
  const { languageCode } = stored;
  const content = contents[languageCode];
  if (!content) throw new Error('An article is not there in a language that it is there in.');
  const { headSha, aiGeneratedTitle: title } = content;
  return articleMarkdown({ ...shown, headSha, content: { ...content, title } }, languageCode);
}

export const getArticle = (parts: Parts) =>
  endpoint({
    operationId: 'getArticle',
    summary: 'Get the article about a pull request',
    description:
      'In all languages that it is written in, or in the one asked for. With `Accept: text/markdown`, one language as ' +
      'Markdown: the one asked for, or else that of the caller, of `Accept-Language`, or whichever there is. Those about ' +
      'public repositories can be read by anybody.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object({ ...hostQuery(parts.codeHosts), ...languageQuery }, { additionalProperties: false }),
    data: ref(PullRequestArticle),
    success: { 200: 'The article.' },
    alsoAs: markdown,
    failures: ['ARTICLE_NOT_FOUND'],
    async handle(call) {
      const { params, query, viewer } = call;
      const { owner, repo, number } = params;
      const codeHost = chooseCodeHost(parts.codeHosts, query.host);
      const repository = await findVisibleRepository(parts, { codeHost, owner, name: repo }, viewer);
      const seenBy = { userId: viewer?.user?.id ?? null, now: parts.clock() };
      const article =
        repository &&
        (await findArticleByNumber(parts.database, { repositoryId: repository.id, number, viewer: seenBy }));
      if (article) return answerArticle(withWholeAnswer(article), call);
      throw new Failure(
        'ARTICLE_NOT_FOUND',
        `There is no article about ${owner}/${repo}#${number}, or you may not see it. POST to this path to have it written.`,
      );
    },
  });

export const getArticleById = ({ database, codeHosts, clock }: Parts) => {
  const find = gatherReads(async (wanted: WantedArticle[]) => {
    const articles = await findArticlesById(database, wanted, clock());
    return articles.map((article) => article && withWholeAnswer(article));
  });
  return endpoint({
    operationId: 'getArticleById',
    summary: 'Get an article by its id',
    description: 'The same as by its pull request.',
    tag,
    access: 'viewer',
    params: Type.Object({ articleId: Uuid('The article.') }),
    query: Type.Object(languageQuery, { additionalProperties: false }),
    data: ref(PullRequestArticle),
    success: { 200: 'The article.' },
    alsoAs: markdown,
    failures: ['ARTICLE_NOT_FOUND'],
    async handle(call) {
      const { articleId } = call.params;
      const userId = call.viewer?.user?.id ?? null;
      const findNow = () => find({ articleId, userId });
      const where = { database, codeHosts, now: clock() };
      const read = await findAfterRenewal(where, findNow, ({ article }) => article.repository, call.viewer);
      if (read) return answerArticle(read, call);
      throw new Failure(
        'ARTICLE_NOT_FOUND',
        'There is no such article, or you may not see it. GET /articles lists those that you may.',
      );
    },
  });
};

export const getArticles = (parts: Parts) =>
  endpoint({
    operationId: 'listArticles',
    summary: 'List the newest articles',
    description:
      'One entry for each article and language, newest first. With a credential, those about private repositories that ' +
      'the caller may see are among them.',
    tag,
    access: 'viewer',
    query: Type.Object(
      {
        ...hostQuery(parts.codeHosts),
        ...languageQuery,
        owner: Type.Optional(RepositoryName('Repository owner')),
        repo: Type.Optional(RepositoryName('Repository name')),
        ...pageQuery,
      },
      { additionalProperties: false },
    ),
    data: listOf(ref(ArticleSummary)),
    success: { 200: 'Articles.' },
    async handle({ query, viewer, request, reply }) {
      const page = pageOf(query);
      const { rows, total } = await listArticles(parts.database, {
        viewer: { userId: viewer?.user?.id ?? null, now: parts.clock() },
        host: query.host,
        language: query.language,
        owner: query.owner,
        repo: query.repo,
        ...page,
      });
      return ok(
        listAnswer(request, reply, page, { items: rows.map(presentSummary), total }),
        'The newest articles.',
      );
    },
  });
