import type { FastifyRequest } from 'fastify';
import {
  contentInLanguage,
  presentSummary,
  printArticle,
  readArticleAbout,
  readArticlesById,
} from '../actions/articles/read-article.ts';
import type { Viewer } from '../actions/deps.ts';
import { ArticleSummary, PullRequestArticle } from '../contract/article.ts';
import { AuthorLogin, LanguageCode, listOf, pageQuery, ref, Uuid } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { listArticles } from '../db/article-lists.ts';
import type { StoredArticle, StoredContent } from '../db/articles.ts';
import { changeTypes } from '../domain/article.ts';
import { preferredLanguages } from '../domain/languages.ts';
import {
  type ContentAnswer,
  content,
  listAnswer,
  ok,
  pageOf,
  type WrittenAnswer,
  write,
} from './answers/answer.ts';
import { articleJson } from './answers/present.ts';
import { articleCachePolicy, isPageAddress } from './cache/cache-policy.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { pullRequestParams } from './pull-requests.ts';
import {
  chooseCodeHost,
  chooseRepositories,
  hostQuery,
  repositoryQuery,
} from './requests/choose-code-host.ts';
import { prefersMarkdown } from './requests/parse-requests.ts';

const tag = 'Article';
const markdown = 'text/markdown; charset=utf-8';
const languageQuery = { language: Type.Optional(LanguageCode()) };

const answerIn = (article: StoredArticle, contents: StoredContent[]): WrittenAnswer => ({
  ...write(200, articleJson(article, contents), 'The current article.'),
  ...articleCachePolicy(article),
});

const answerWhole = (article: StoredArticle): WrittenAnswer => answerIn(article, article.contents);

/** Makes the whole answer once for all who were given the same article. */
function shareWholeAnswers(): typeof answerWhole {
  const made = new WeakMap<StoredArticle, WrittenAnswer>();
  return (article) => {
    const answer = made.get(article) ?? answerWhole(article);
    made.set(article, answer);
    return answer;
  };
}

interface Call {
  query: { language?: string };
  viewer: Viewer | null;
  request: FastifyRequest;
}

/** All languages or one, as JSON; one language as Markdown. */
async function answerArticle(
  article: StoredArticle,
  { query: { language }, viewer, request: { headers } }: Call,
  whole = answerWhole,
): Promise<WrittenAnswer | ContentAnswer> {
  const own = viewer?.user?.language;
  const wish = { asked: language, own, acceptLanguage: headers['accept-language'] };
  const chosen = contentInLanguage(article, wish);
  if (prefersMarkdown(headers.accept)) return content(markdown, await printArticle(article, chosen));
  return language === undefined ? whole(article) : answerIn(article, [chosen]);
}

export const getArticle = (deps: Deps) =>
  endpoint({
    operationId: 'getArticle',
    summary: 'Get the article about a pull request',
    description:
      'In all languages that it is written in, or in the requested one. With `Accept: text/markdown`, one language as ' +
      'Markdown: the requested one, or else that of the caller, of `Accept-Language`, or whichever there is. Those about ' +
      'public repositories can be read by anybody.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object({ ...hostQuery(deps.codeHosts), ...languageQuery }, { additionalProperties: false }),
    data: ref(PullRequestArticle),
    success: { 200: 'The article.' },
    alsoAs: markdown,
    failures: ['ARTICLE_NOT_FOUND'],
    async handle(call) {
      const { params, query, viewer } = call;
      const { owner, repo, number } = params;
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const article = await readArticleAbout(deps, { codeHost, owner, name: repo, number }, viewer);
      return answerArticle(article, call);
    },
  });

export const getArticleMarkdown = (deps: Deps) =>
  endpoint({
    operationId: 'getArticleMarkdown',
    summary: 'Get an article as Markdown, beside its page',
    description:
      'The address of the page with `.md` behind it: the same as with `Accept: text/markdown`, for programs that follow links.',
    tag,
    access: 'viewer',
    params: pullRequestParams,
    query: Type.Object({ ...hostQuery(deps.codeHosts), ...languageQuery }, { additionalProperties: false }),
    data: Type.String(),
    success: { 200: 'The article in one language.' },
    contentType: markdown,
    failures: ['ARTICLE_NOT_FOUND'],
    async handle({ params, query, viewer, request }) {
      const { owner, repo, number } = params;
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const article = await readArticleAbout(deps, { codeHost, owner, name: repo, number }, viewer);
      const acceptLanguage = preferredLanguages(request.headers['accept-language']);
      const wish = { asked: query.language, own: viewer?.user?.language, acceptLanguage };
      const answer = content(markdown, await printArticle(article, contentInLanguage(article, wish)));
      return isPageAddress(request.url) ? { ...answer, ...articleCachePolicy(article) } : answer;
    },
  });

export const getArticleById = (deps: Deps) => {
  const read = readArticlesById(deps);
  const whole = shareWholeAnswers();
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
    handle: async (call) => answerArticle(await read(call.params.articleId, call.viewer), call, whole),
  });
};

export const getArticles = (deps: Deps) =>
  endpoint({
    operationId: 'listArticles',
    summary: 'List the newest articles',
    description:
      'One entry for each article and language, newest first: by the merge date of the pull request, or else by its creation ' +
      'on the host. With a credential, those about private repositories that the caller may see are among them. What narrows the list narrows its total too.',
    tag,
    access: 'viewer',
    query: Type.Object(
      {
        ...languageQuery,
        ...repositoryQuery(deps.codeHosts),
        author: Type.Optional(AuthorLogin()),
        changeType: Type.Optional(
          Type.Enum([...changeTypes], { type: 'string', description: 'What kind of change it is' }),
        ),
        ...pageQuery,
      },
      { additionalProperties: false },
    ),
    data: listOf(ref(ArticleSummary)),
    success: { 200: 'Articles.' },
    async handle({ query, viewer, request, reply }) {
      const page = pageOf(query);
      const { rows, total } = await listArticles(deps.database, {
        viewer: deps.listViewer(viewer),
        language: query.language,
        author: query.author,
        changeType: query.changeType,
        ...chooseRepositories(deps.codeHosts, query),
        ...page,
      });
      return ok(
        listAnswer(request, reply, page, { items: rows.map(presentSummary), total }),
        'The newest articles.',
      );
    },
  });
