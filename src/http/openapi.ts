import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { ArticleContent, ArticleSummary, PullRequestArticle } from '../contract/article.ts';
import { FeedEntry, LikedArticleInfo, RankedArticleInfo } from '../contract/article-info.ts';
import { ArticleLike } from '../contract/article-like.ts';
import { AuthSession, Identity, LogoutResponseData } from '../contract/auth-session.ts';
import { Digest, DigestSettings } from '../contract/digest.ts';
import { ErrorCode, ErrorObject, ErrorResponse } from '../contract/error.ts';
import { FavoriteRepository } from '../contract/favorite-repository.ts';
import { SavedHostToken } from '../contract/host-token.ts';
import { Job } from '../contract/job.ts';
import { Pagination } from '../contract/pagination.ts';
import { ChangedFile, PullRequest, PullRequestSummary } from '../contract/pull-request.ts';
import { Release, ReleaseCommit, ReleaseMention } from '../contract/release.ts';
import { FoundArticle, SearchMatch } from '../contract/search.ts';
import { HealthCheckResponseData, Meta } from '../contract/service.ts';
import {
  AlsoChanged,
  AuthorWords,
  CategoryEnum,
  ChangeTypeEnum,
  Evidence,
  Hunk,
  MainChange,
  NotablePoint,
  Scope,
  Statement,
  TestChanges,
} from '../contract/told-parts.ts';
import { User } from '../contract/user.ts';
import { Watch } from '../contract/watch.ts';
import { version } from '../version.ts';
import { refuseJson } from './answers/errors.ts';
import { inlineStyledPageHeaders } from './answers/security-headers.ts';
import { quickStart } from './quick-start.ts';
import { sessionCookie } from './requests/session-cookie.ts';
import { shareComponents } from './share-components.ts';

const components = [
  ErrorCode,
  ErrorObject,
  ErrorResponse,
  Pagination,
  HealthCheckResponseData,
  Meta,
  User,
  Identity,
  AuthSession,
  LogoutResponseData,
  SavedHostToken,
  FavoriteRepository,
  Watch,
  Digest,
  DigestSettings,
  ChangedFile,
  PullRequest,
  PullRequestSummary,
  ChangeTypeEnum,
  CategoryEnum,
  Evidence,
  Hunk,
  Statement,
  Scope,
  AuthorWords,
  MainChange,
  NotablePoint,
  TestChanges,
  AlsoChanged,
  ArticleContent,
  PullRequestArticle,
  ArticleSummary,
  Job,
  ArticleLike,
  LikedArticleInfo,
  RankedArticleInfo,
  FeedEntry,
  SearchMatch,
  FoundArticle,
  ReleaseCommit,
  ReleaseMention,
  Release,
];

const tags = [
  { name: 'General', description: 'What the service is and how it fares.' },
  { name: 'User & Auth', description: 'Signing up, sessions and the current user.' },
  { name: 'Favorites', description: 'Repositories that a user follows.' },
  {
    name: 'Feed',
    description:
      'What is new in the repositories that a user follows, what they have read, and feeds for feed readers.',
  },
  { name: 'Digest', description: 'What was merged in a day or a week, counted, and a selection to read.' },
  { name: 'Pull Request', description: 'Pull requests, fetched from a code host and stored.' },
  { name: 'Article', description: 'What is written about pull requests, and the writing of it.' },
  { name: 'Likes & Ranking', description: 'What people like, and what they like most.' },
  {
    name: 'Agents',
    description: 'What programs read and do on behalf of people, over the Model Context Protocol.',
  },
];

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token (`pq_…`), or a token of a configured code host (`pql_…` for git).',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description: 'For the pages of this service.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description:
      'What a code host signs the bytes of a webhook with; the operation names the headers of each.',
  },
} as const;

const document = {
  openapi: '3.1.0',
  info: {
    title: 'Pullquote',
    version,
    description: quickStart,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'This service' }],
  tags,
  security: [{ bearer: [] }, { cookie: [] }],
  components: { securitySchemes },
};

/** Prepares the document that validates and serializes; to be called before the routes are added. */
export async function describeContract(app: FastifyInstance): Promise<void> {
  for (const component of components) app.addSchema(component);
  await app.register(swagger, {
    openapi: document,
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, response: { ...Object(schema?.response), ...route.config?.failures } },
      url,
    }),
    transformObject: (made) =>
      'openapiObject' in made ? shareComponents(withOptionalBodies(made.openapiObject)) : made.swaggerObject,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

interface DocumentedOperation {
  requestBody?: { required?: boolean; content: Record<string, { schema: { required?: string[] } }> };
}

/** A body in which nothing is required may be left out altogether. */
function withOptionalBodies<T extends { paths?: object }>(made: T): T {
  for (const operations of Object.values(made.paths ?? {})) {
    for (const { requestBody } of Object.values<DocumentedOperation>(operations)) {
      if (!requestBody) continue;
      requestBody.required = Object.values(requestBody.content).some(({ schema }) => schema.required?.length);
    }
  }
  return made;
}

/** What is HTML below /docs, where the document itself is to be had too. */
const docsPage = /^\/docs(?:\/|\/static\/[^?]*\.html)?(?:\?|$)/;

/** Serves the document for programs at /openapi.json, and as a page for people at /docs. */
export async function serveContract(app: FastifyInstance): Promise<void> {
  let printed: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    printed ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(printed);
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: false,
    uiHooks: {
      onRequest(request, reply, done) {
        reply.headers(inlineStyledPageHeaders);
        if (docsPage.test(request.url)) refuseJson.call(this, request, reply, done);
        else done();
      },
    },
    uiConfig: { deepLinking: true, docExpansion: 'list', validatorUrl: null },
    theme: {
      title: 'Pullquote API',
      css: [{ filename: 'pullquote.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
}
