import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { sealIntent } from '../../actions/accounts/sign-in.ts';
import {
  contentInLanguage,
  markArticleUnread,
  presentSummary,
  readArticleAbout,
  readArticlesById,
} from '../../actions/articles/read-article.ts';
import { requestArticle } from '../../actions/articles/request-article.ts';
import { hasTwin } from '../../actions/articles/without-model.ts';
import { likeArticle, unlikeArticle } from '../../actions/likes/likes.ts';
import { estimateWriting } from '../../actions/models/estimate-writing.ts';
import { mostPartBytes } from '../../actions/pull-requests/cite-lines.ts';
import type { PullRequestAddress } from '../../actions/pull-requests/find-pull-request.ts';
import type { Seen } from '../../actions/repositories/find-repository.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData, findRelatedArticles } from '../../db/article-pages.ts';
import type { StoredArticle, StoredContent } from '../../db/articles.ts';
import { isStorageFull } from '../../db/failures.ts';
import { type ReadBefore, saveReadMark } from '../../db/following.ts';
import { listFilesOfArticle } from '../../db/pull-requests.ts';
import type { DetailScope, ListScope } from '../../db/visibility.ts';
import { drawAvatar } from '../../domain/accounts.ts';
import { hunkId, risksOf, statementsOf } from '../../domain/articles.ts';
import { chooseLanguage } from '../../domain/languages.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import { articlePage as showArticle } from '../../pages/articles/article.ts';
import { checkedPage as showChecked } from '../../pages/articles/checked.ts';
import type { ShownArticle } from '../../pages/articles/shown-article.ts';
import { otherLanguagePage } from '../../pages/articles/unwritten.ts';
import { cardPicture, cardVersion } from '../../pages/card.ts';
import { articleLink, signInLink, signUpLink } from '../../pages/links.ts';
import { writerQuery } from '../articles.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { dropFrom } from '../likes.ts';
import { pullRequestAddress, pullRequestPath } from '../pull-requests.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { setIntentCookie } from '../requests/cookies.ts';
import { pageAboutArticle } from './about-article.ts';
import { citedFiles, setCode } from './code-lines.ts';
import {
  asUser,
  form,
  ownForm,
  page,
  pageOfForm,
  presentIn,
  type Redirection,
  type ShownPage,
} from './page.ts';
import { answeringQuery, answersOnPage, isAnswering } from './questions.ts';
import { type ArticleCall, presentRunning, runningFor, showUnwritten, unlessAbsent } from './unwritten.ts';

const mostOthers = 3;

export const getArticlePage = (deps: Deps) =>
  page({
    params: pullRequestPath,
    query: {
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      ...writerQuery,
      ...answeringQuery,
    },
    show({ params, query, viewer, request, reply, acceptLanguage, contextIn }) {
      const address = pullRequestAddress(deps, { params, query });
      const { language, writer, answering } = query;
      return showPullRequest(deps, {
        request,
        reply,
        address,
        language,
        writer,
        answering,
        viewer,
        acceptLanguage,
        contextIn,
      });
    },
  });

export const getCheckedPage = (deps: Deps) =>
  pageAboutArticle(deps, { show: async ({ context, about }) => ({ page: showChecked(context, about) }) });

interface PageCall extends ArticleCall {
  writer: 'offline' | undefined;
  answering: string | undefined;
}

async function showPullRequest(deps: Deps, call: PageCall): Promise<ShownPage | Redirection> {
  const { address, viewer } = call;
  const visible = await unlessAbsent(readArticleAbout(deps, address, viewer));
  if (visible) return showWritten(deps, call, visible);
  return (await showUnwritten(deps, call)) ?? showPullRequest(deps, call);
}

async function showWritten(
  deps: Deps,
  call: PageCall,
  { found, seen }: Seen<StoredArticle>,
): Promise<ShownPage> {
  const { language, writer, answering, viewer, acceptLanguage, contextIn } = call;
  const wish = { requested: language, own: viewer?.user?.language, acceptLanguage };
  const languages = found.contents.map(({ languageCode }) => languageCode);
  if (chooseLanguage(languages, wish) === null && language !== undefined) {
    const place = { host: found.host, owner: found.owner, repo: found.repo, prNumber: found.number };
    const running = await runningFor(deps, viewer, { pullRequestId: found.pullRequestId, language });
    return {
      status: 404,
      page: otherLanguagePage(contextIn(undefined), place, { language, languages, running }),
    };
  }
  const isTwin = writer !== undefined && hasTwin(presentIn(found, contentInLanguage(found, wish)).content);
  const article = isTwin ? await deps.writeWithoutModel(found, seen) : found;
  const stored = contentInLanguage(article, wish);
  const presented = presentIn(article, stored);
  const { content } = presented;
  const [pageData, more, answers] = await Promise.all([
    findArticlePageData(deps.database, {
      articleId: article.id,
      languageCode: content.languageCode,
      fileNames: content.stale ? [] : citedFiles(content),
      mostPartBytes,
      viewer: seen,
    }),
    otherArticles(deps, article, content, deps.listViewer(viewer)),
    answersOnPage(deps, { pullRequestId: article.pullRequestId }, seen, content.languageCode),
  ]);
  const {
    change = null,
    isLiked = false,
    newer = null,
    older = null,
    release = null,
    readBefore = null,
  } = pageData ?? {};
  const diff = change && isSameDiff(stored, change) ? change : null;
  const { isComplete, ...code } = await setCode(
    deps.highlighter,
    content,
    change && { files: change.files, diff },
  );
  const shown = {
    ...presented,
    languages,
    isPrivate: article.repository.isPrivate,
    isLiked,
    change,
    ...code,
    newSentences: isTwin
      ? new Set<string>()
      : rememberReading(deps, { ...call, seen }, { articleId: article.id, stored, content, readBefore }),
    compared: isTwin ? ('without' as const) : hasTwin(content) ? ('with' as const) : null,
    more,
    answers,
    isAnswering: await isAnswering(deps, answering, { viewer, now: seen.now }),
    release,
    newer,
    older,
    running: pageData?.job ? presentRunning(pageData.job) : null,
    rewriting:
      isTwin || !viewer?.user ? null : await estimateRewritingOne(deps, presented, article.repository),
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

/** The cost of writing an article with the model, unless one wrote it or may not; samples stay as they are. */
async function estimateRewritingOne(
  { currentModels, isSample }: Deps,
  { article, content: { writer, counts } }: Pick<ShownArticle, 'article' | 'content'>,
  { isPrivate }: StoredArticle['repository'],
): Promise<ShownArticle['rewriting']> {
  const models = currentModels();
  const isRefused = isPrivate && !models?.mayReadPrivate;
  if (!models || isRefused || writer.kind === 'ai' || writer.because === 'trivial') return null;
  if (await isSample(article)) return null;
  return estimateWriting(models, [counts.additions + counts.deletions]);
}

async function otherArticles(
  { database, codeHosts }: Deps,
  { id: articleId, repository, number, authorLogin }: StoredArticle,
  { languageCode: language, mainChanges }: ArticleContent,
  viewer: ListScope,
): Promise<ShownArticle['more']> {
  const files = [...new Set(mainChanges.map(({ fileName }) => fileName))];
  const found = await findRelatedArticles(database, {
    viewer,
    articleId,
    repositoryId: repository.id,
    host: repository.host,
    number,
    authorLogin,
    language,
    files,
    most: mostOthers,
  });
  const present = presentSummary(codeHosts);
  const related = found.filter(({ because }) => because !== 'repository');
  return [...related, ...found.slice(related.length, Math.max(related.length, mostOthers))].map(
    ({ because, ...listed }) => ({ ...present(listed), because }),
  );
}

interface Shown {
  articleId: string;
  stored: StoredContent;
  content: ArticleContent;
  readBefore: ReadBefore | null;
}

function rememberReading(
  { database }: Deps,
  { request, reply, seen }: ArticleCall & { seen: DetailScope },
  { articleId, stored, content, readBefore }: Shown,
): ReadonlySet<string> {
  const { userId } = seen;
  if (userId === null || isFetchedAhead(request)) return new Set();
  const { languageCode, revision } = stored;
  if (readBefore?.revision === revision) return new Set();
  reply.raw.once('finish', () => {
    saveReadMark(database, { articleId, languageCode, viewer: { ...seen, userId }, revision }).catch(
      (error) => {
        if (isStorageFull(error)) return;
        request.log.warn({ err: error, articleId }, 'a read mark could not be stored');
      },
    );
  });
  const known = readBefore?.sentenceIds;
  return new Set(known ? sentenceIds(content).filter((id) => !known.includes(sentenceHash(id))) : []);
}

const isFetchedAhead = ({ headers }: FastifyRequest): boolean =>
  [headers['sec-purpose'], headers.purpose].flat().some((purpose) => purpose?.includes('prefetch'));

const sentenceHash = (id: string): string => id.replace(/-\d+$/, '');

function sentenceIds(content: ArticleContent): string[] {
  const { scope, background, tests, also } = statementsOf(content);
  const risks = risksOf(content).flatMap(({ point }) => point.statements);
  const changes = content.mainChanges.flatMap(({ statements, hunk }) =>
    hunk ? [...statements, { id: hunkId(hunk) }] : statements,
  );
  return [...scope, ...background, ...risks, ...changes, ...tests, ...also].map(({ id }) => id);
}

const placeOfAddress = ({ codeHost, owner, name, number }: PullRequestAddress) => ({
  host: codeHost.id,
  owner,
  repo: name,
  prNumber: number,
});

const firstHost = ({ codeHosts }: Deps): string => codeHosts[0]?.id ?? '';

export const likeForm = (deps: Deps) =>
  ownForm({
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body: {
      article: Uuid('The article.'),
      language: LanguageCode(),
      like: Type.Enum(['yes', 'no'], { type: 'string' }),
    },
    async submit({ body: { article: articleId, language, like }, viewer, ...call }) {
      const change = like === 'yes' ? likeArticle : unlikeArticle;
      await change(deps, { articleId, languageCode: language }, viewer);
      dropFrom(deps.cache, articleId);
      const page = pageOfForm(call.request);
      return /^\/liked(?:$|\?)/.test(page)
        ? page
        : articleLink(placeOfAddress(pullRequestAddress(deps, call)), firstHost(deps), { language });
    },
  });

export const unreadForm = (deps: Deps) =>
  ownForm({
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body: { article: Uuid('The article.'), language: LanguageCode() },
    async submit({ body: { article: articleId, language }, viewer }) {
      await markArticleUnread(deps, { articleId, languageCode: language }, viewer);
      return '/new';
    },
  });

export const writeForm = (deps: Deps) =>
  form({
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body: { language: LanguageCode(), model: Type.Optional(Type.Literal('yes')) },
    async submit({ body: { language, model }, viewer, request, reply, ...call }) {
      const { number, ...address } = pullRequestAddress(deps, call);
      const place = placeOfAddress({ number, ...address });
      const user = asUser(viewer);
      if (!user) {
        const page = articleLink(place, firstHost(deps));
        const intent = sealIntent(deps, { ...place, number, language });
        setIntentCookie(reply, { request, publicUrl: deps.publicUrl }, intent);
        return viewer ? signUpLink(page) : signInLink(page);
      }
      const wish = { address, number, language, regenerate: false, needsModel: model === 'yes' };
      await requestArticle(deps, wish, { viewer: user, watched: null });
      return articleLink(place, firstHost(deps), { language });
    },
  });

export function serveAvatars(app: FastifyInstance): void {
  const params = Type.Object({ id: Uuid() });
  app.get<{ Params: { id: string } }>(
    '/avatars/:id.svg',
    { schema: { hide: true, params } },
    (request, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(drawAvatar(request.params.id.toLowerCase())),
  );
}

const params = Type.Object({
  articleId: Uuid(),
  languageCode: LanguageCode(),
  version: Type.String({ maxLength: 40 }),
});

/** Cached for an hour only: the picture at an address never changes, but the repository may become private. */
const cachedFor = 'public, max-age=3600';

export function serveCards(app: FastifyInstance, deps: Deps): void {
  const read = readArticlesById(deps);
  app.get<{ Params: Static<typeof params> }>(
    '/cards/:articleId/:languageCode/:version.png',
    { schema: { hide: true, params } },
    async (request, reply) => {
      const { articleId, languageCode, version } = request.params;
      const { found: article, seen: viewer } = await read(articleId, null);
      const stored = contentInLanguage(article, {
        requested: languageCode,
        own: undefined,
        acceptLanguage: undefined,
      });
      const of = presentIn(article, stored);
      const current = cardVersion(of);
      const png = await deps.cards.get(
        { articleId: article.id, languageCode, version: current },
        async () => {
          const files = await listFilesOfArticle(deps.database, { articleId: article.id, viewer });
          return cardPicture(of, files).toString();
        },
      );
      // An older address gets the current picture, which must not be cached under it.
      if (version === current) {
        reply.header('cache-control', cachedFor);
        reply.cachePolicy = articleCachePolicy(article).cachePolicy ?? null;
      }
      return reply.type('image/png').send(Buffer.from(png));
    },
  );
}
