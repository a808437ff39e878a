import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { AuthSession, LogoutResponseData } from '../contract/auth-session.ts';
import { ErrorCode, ErrorObject, ErrorResponse } from '../contract/error.ts';
import { FavoriteRepository } from '../contract/favorite-repository.ts';
import { Pagination } from '../contract/pagination.ts';
import { HealthCheckResponseData, Meta } from '../contract/service.ts';
import { User } from '../contract/user.ts';
import { version } from '../version.ts';
import { contentSecurityPolicy } from './security-headers.ts';

const components = [
  ErrorCode,
  ErrorObject,
  ErrorResponse,
  Pagination,
  HealthCheckResponseData,
  Meta,
  User,
  AuthSession,
  LogoutResponseData,
  FavoriteRepository,
];

const tags = [
  { name: 'General', description: 'What the service is and how it fares.' },
  { name: 'User & Auth', description: 'Signing up, sessions and the current user.' },
  { name: 'Favorites', description: 'Repositories that a user follows.' },
];

/** Publishes the contract that validates and serializes: /openapi.json for programs, /docs for people. */
export async function publishContract(app: FastifyInstance): Promise<void> {
  for (const component of components) app.addSchema(component);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Pullquote',
        version,
        description:
          'Turns pull requests into articles people want to read. Success is `{ success, data, message }`, failure ' +
          '`{ success, error }`; only signup answers its resource bare.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags,
      security: [{ bearer: [] }, { cookie: [] }],
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'A session token (`pq_…`), or a token of a configured code host (`pql_…` for git).',
          },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: 'pullquote_session',
            description: 'For the pages of this service.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, response: { ...Object(schema?.response), ...route.config?.failures } },
      url,
    }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: false,
    uiHooks: {
      // The page styles its parts inline; scripts and everything else stay as strict as elsewhere.
      onRequest: (_request, reply, done) => {
        reply.header('content-security-policy', `${contentSecurityPolicy}; style-src 'self' 'unsafe-inline'`);
        done();
      },
    },
    uiConfig: { url: '/openapi.json', deepLinking: true, docExpansion: 'list', validatorUrl: null },
    theme: {
      title: 'Pullquote API',
      css: [{ filename: 'pullquote.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  });
}

export function serveContract(app: FastifyInstance): void {
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true }, config: { access: 'anybody' } }, (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}
