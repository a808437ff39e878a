import type { TProperties } from 'typebox';
import {
  contentInLanguage,
  presentSummary,
  printArticle,
  readArticleAbout,
  readArticlesById,
} from '../actions/articles/read-article.ts';
import { ArticleSummary, PullRequestArticle } from '../contract/articles.ts';
import { AuthorLogin, LanguageCode, OneOf, ref, Uuid } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { listArticles } from '../db/article-lists.ts';
import type { StoredArticle, StoredContent } from '../db/articles.ts';
import { changeTypes } from '../domain/articles.ts';
import { preferredLanguages } from '../domain/languages.ts';
import { articleCachePolicy, isPageAddress } from './cache/cache-policy.ts';
import type { Deps } from './deps.ts';
import { type Call, endpoint, listEndpoint } from './endpoint.ts';
import { pullRequestAddress, pullRequestPath } from './pull-requests.ts';
import { chooseRepositories, hostQuery, repositoryQuery } from './requests/choose-code-host.ts';
import { prefersMarkdown } from './requests/parse-requests.ts';
import { encodeArticle } from './responses/present.ts';
import { type ContentResponse, content, type WrittenResponse, writeStored } from './responses/response.ts';

const tag = 'Article';
const markdown = 'text/markdown; charset=utf-8';
const languageQuery = { language: Type.Optional(LanguageCode()) };

/** Of addresses of an article, not of lists: what is written for comparison is only shown there. */
export const writerQuery = {
  writer: Type.Optional(
    OneOf(
      ['offline'],
      '`offline`: the article as it is written without a model about the same diff, to compare it with. It is not listed, liked or found.',
    ),
  ),
};

const responseIn = (article: StoredArticle, contents: StoredContent[]): WrittenResponse => ({
  ...writeStored(200, encodeArticle(article, contents), 'The current article.'),
  ...articleCachePolicy(article),
});

async function sendArticle(
  article: StoredArticle,
  {
    query: { language },
    viewer,
    request: { headers },
  }: Pick<Call<'viewer', TProperties, typeof languageQuery>, 'query' | 'viewer' | 'request'>,
): Promise<WrittenResponse | ContentResponse> {
  const isMarkdown = prefersMarkdown(headers.accept);
  if (language === undefined && !isMarkdown) return responseIn(article, article.contents);
  const own = viewer?.user?.language;
  const wish = { requested: language, own, acceptLanguage: headers['accept-language'] };
  const chosen = contentInLanguage(article, wish);
  return isMarkdown ? content(markdown, await printArticle(article, chosen)) : responseIn(article, [chosen]);
}

export const getArticle = (deps: Deps) =>
  endpoint({
    operationId: 'getArticle',
    summary: 'Get the article about a pull request',
    description:
      "Returns the article in all languages, or in the given one. With `Accept: text/markdown`, returns Markdown in one language: the given one, else the caller's, else one of `Accept-Language`, else any. Articles about public repositories need no credential.",
    tag,
    access: 'viewer',
    params: pullRequestPath,
    query: { ...hostQuery(deps.codeHosts), ...languageQuery, ...writerQuery },
    data: ref(PullRequestArticle),
    success: { 200: 'The article.' },
    alsoAs: markdown,
    failures: ['ARTICLE_NOT_FOUND', 'LANGUAGE_UNAVAILABLE'],
    async handle(call) {
      const { found, seen } = await readArticleAbout(deps, pullRequestAddress(deps, call), call.viewer);
      return sendArticle(call.query.writer ? await deps.writeWithoutModel(found, seen) : found, call);
    },
  });

export const getArticleMarkdown = (deps: Deps) =>
  endpoint({
    operationId: 'getArticleMarkdown',
    summary: "Get an article as Markdown by its page's URL",
    description:
      "The page's URL with `.md` appended. Returns the same as `Accept: text/markdown`, for programs that follow links.",
    tag,
    access: 'viewer',
    params: pullRequestPath,
    query: { ...hostQuery(deps.codeHosts), ...languageQuery, ...writerQuery },
    data: Type.String(),
    success: { 200: 'The article in one language.' },
    contentType: markdown,
    failures: ['ARTICLE_NOT_FOUND', 'LANGUAGE_UNAVAILABLE'],
    async handle(call) {
      const { query, viewer, request } = call;
      const { found, seen } = await readArticleAbout(deps, pullRequestAddress(deps, call), viewer);
      const article = query.writer ? await deps.writeWithoutModel(found, seen) : found;
      const acceptLanguage = preferredLanguages(request.headers['accept-language']);
      const wish = { requested: query.language, own: viewer?.user?.language, acceptLanguage };
      const response = content(markdown, await printArticle(article, contentInLanguage(article, wish)));
      return isPageAddress(request.url) ? { ...response, ...articleCachePolicy(article) } : response;
    },
  });

export const getArticleById = (deps: Deps) => {
  const read = readArticlesById(deps);
  return endpoint({
    operationId: 'getArticleById',
    summary: 'Get an article by its id',
    description: 'Returns the same as the operation for its pull request.',
    tag,
    access: 'viewer',
    params: { articleId: Uuid('The article.') },
    query: languageQuery,
    data: ref(PullRequestArticle),
    success: { 200: 'The article.' },
    alsoAs: markdown,
    failures: ['ARTICLE_NOT_FOUND'],
    handle: async (call) => sendArticle((await read(call.params.articleId, call.viewer)).found, call),
  });
};

export const getArticles = (deps: Deps) =>
  listEndpoint({
    operationId: 'listArticles',
    summary: 'List the newest articles',
    description:
      'One entry for each article and language, newest first, by the merge date of the pull request or, if it is not merged, its creation date. With a credential, private articles that the caller has access to are included. Filters also apply to the total.',
    tag,
    access: 'viewer',
    query: {
      ...languageQuery,
      ...repositoryQuery(deps.codeHosts),
      author: Type.Optional(AuthorLogin()),
      changeType: Type.Optional(OneOf(changeTypes, 'Type of the change')),
      bots: Type.Optional(
        OneOf(['include', 'exclude'], '`exclude` leaves out pull requests by bots, unless `author` is one'),
      ),
    },
    item: ref(ArticleSummary),
    success: { 200: 'The newest articles.' },
    async list({ query, viewer }, page) {
      const { rows, total } = await listArticles(deps.database, {
        viewer: deps.listViewer(viewer),
        language: query.language,
        author: query.author,
        changeType: query.changeType,
        isByPeople: query.bots === 'exclude',
        ...chooseRepositories(deps.codeHosts, query),
        ...page,
      });
      return { items: rows.map(presentSummary(deps.codeHosts)), total };
    },
  });
