import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Viewer } from '../../actions/accounts/identify-bearer.ts';
import { presentSummary } from '../../actions/articles/present-summary.ts';
import { contentInLanguage, readArticleAbout } from '../../actions/articles/read-article.ts';
import { mostPartBytes } from '../../actions/pull-requests/cite-lines.ts';
import type { PullRequestAddress } from '../../actions/pull-requests/find-visible-pull-request.ts';
import { type Look, seenBy } from '../../actions/repositories/find-visible-repository.ts';
import type { ArticleContent } from '../../contract/article.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import type { StoredArticle } from '../../db/articles.ts';
import { findRelatedArticles } from '../../db/related-articles.ts';
import type { DetailViewer, ListViewer } from '../../db/visibility.ts';
import { chooseLanguage } from '../../domain/choose-language.ts';
import { isSameDiff } from '../../domain/diff-range.ts';
import { articlePage as showArticle } from '../../pages/article/article.ts';
import type { ShownArticle } from '../../pages/article/shown-article.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { otherLanguagePage } from '../../pages/unwritten.ts';
import { articleCachePolicy } from '../answers/article-cache-policy.ts';
import { presentArticle } from '../answers/present-article.ts';
import type { Deps } from '../deps.ts';
import { pullRequestParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { citedFiles, setCode } from './cite-code.ts';
import { page, type ShownPage } from './page.ts';
import { rememberReading } from './remember-reading.ts';
import { presentRunning, runningFor, showUnwritten, unlessAbsent } from './unwritten.ts';

const mostOthers = 3;

interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  address: PullRequestAddress;
  language: string | undefined;
  viewer: Viewer | null;
  acceptLanguage: string;
  contextIn: (asked: string | undefined) => PageContext;
}

export const articlePage = (deps: Deps) =>
  page({
    params: pullRequestParams,
    query: Type.Object({ ...hostQuery(deps.codeHosts), language: Type.Optional(LanguageCode()) }),
    async show({ params, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const { owner, repo, number } = params;
      const address = { codeHost, owner, name: repo, number };
      const asked = { request, reply, address, language: query.language, viewer, acceptLanguage, contextIn };
      const look: Look = { viewer, now: deps.clock() };
      const article = await unlessAbsent(readArticleAbout(deps, address, viewer, look));
      return article
        ? showWritten(deps, { ...asked, seen: seenBy(look) }, article)
        : showUnwritten(deps, asked);
    },
  });

async function showWritten(
  deps: Deps,
  asked: Asked & { seen: DetailViewer },
  article: StoredArticle,
): Promise<ShownPage> {
  const { language, viewer, acceptLanguage, contextIn, seen } = asked;
  const wish = { asked: language, own: viewer?.user?.language, acceptLanguage };
  const languages = article.contents.map(({ languageCode }) => languageCode);
  if (chooseLanguage(languages, wish) === null && language !== undefined) {
    const place = { host: article.host, owner: article.owner, repo: article.repo, prNumber: article.number };
    const running = await runningFor(deps, viewer, { pullRequestId: article.pullRequestId, language });
    return {
      status: 404,
      page: otherLanguagePage(contextIn(undefined), place, { asked: language, languages, running }),
    };
  }
  const stored = contentInLanguage(article, wish);
  const { contents, ...presented } = presentArticle(article, [stored]);
  const content = contents[stored.languageCode];
  if (!content) throw new Error('An article was presented without the language it was asked for in.');
  const [pageData, more] = await Promise.all([
    findPageData(deps, article, { content, seen }),
    otherArticles(deps, article, content, deps.lookAtLists(viewer)),
  ]);
  const {
    change = null,
    isLiked = false,
    newer = null,
    older = null,
    release = null,
    readBefore = null,
  } = pageData ?? {};
  // Lines of another diff would prove nothing: a stale article names its places, and shows what it holds itself.
  const diff = change && isSameDiff(stored, change) ? change : null;
  const { isComplete, ...code } = await setCode(
    deps.highlighter,
    content,
    change && { files: change.files, diff },
  );
  const shown = {
    article: presented,
    content,
    languages,
    isPrivate: article.repository.isPrivate,
    isLiked,
    change,
    ...code,
    newSentences: rememberReading(deps.database, asked, {
      articleId: article.id,
      stored,
      content,
      seen,
      readBefore,
    }),
    more,
    release,
    newer,
    older,
    running: pageData?.job ? presentRunning(pageData.job) : null,
  };
  const others = [...more, ...[newer, older].filter((one) => one !== null)];
  const { cachePolicy } = articleCachePolicy(article);
  return {
    page: showArticle(contextIn(content.languageCode), shown),
    ...(cachePolicy &&
      isComplete && {
        cachePolicy: {
          ...cachePolicy,
          dependsOn: [...cachePolicy.dependsOn, ...others.map(({ articleId }) => `article:${articleId}`)],
        },
      }),
  };
}

const findPageData = (
  { database }: Deps,
  { id: articleId }: StoredArticle,
  { content, seen }: { content: ArticleContent; seen: DetailViewer },
) =>
  findArticlePageData(database, {
    articleId,
    languageCode: content.languageCode,
    fileNames: content.stale ? [] : citedFiles(content),
    mostPartBytes,
    viewer: seen,
  });

/** Others about the same repository, whose changes end a kept page too, in the language that is being read. */
async function otherArticles(
  { database }: Deps,
  { id: articleId, repository, number, authorLogin }: StoredArticle,
  { languageCode: language, mainChanges }: ArticleContent,
  viewer: ListViewer,
): Promise<ShownArticle['more']> {
  const files = [...new Set(mainChanges.map(({ fileName }) => fileName))];
  const { id: repositoryId, host } = repository;
  const wanted = {
    viewer,
    articleId,
    repositoryId,
    host,
    number,
    authorLogin,
    language,
    files,
    most: mostOthers,
  };
  const found = await findRelatedArticles(database, wanted);
  // What is merely new stands in for what has more to do with it.
  const related = found.filter(({ because }) => because !== 'repository');
  return [...related, ...found.slice(related.length, Math.max(related.length, mostOthers))].map(
    ({ because, ...listed }) => ({ ...presentSummary(listed), because }),
  );
}
