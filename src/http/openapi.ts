import { isDeepStrictEqual } from 'node:util';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { components } from '../contract/formats.ts';
import { version } from '../version.ts';
import { sessionCookie } from './requests/cookies.ts';
import { refuseJson } from './responses/errors.ts';
import { inlineStyledPageHeaders } from './responses/response.ts';

const quickStart = `Turns pull requests into articles people want to read. [Home](/) · [this document for programs](/openapi.json)

## Quick start

\`\`\`sh
URL=http://127.0.0.1:8080   # the URL of this page, without /docs
PULL=harborline/parcel/pulls/13   # OWNER/REPO/pulls/NUMBER; this one is in the sample repository, replace it if the service reads other repositories
TOKEN=$(npm run -s pullquote -- token alice)   # or a token from a configured code host, such as GitHub

# Sign up with it, once.
curl -X POST "$URL/auth/signup" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Write an article about a pull request.
curl -X POST "$URL/repos/$PULL/article" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Read it as Markdown or, without the last header, as JSON. Articles about public repositories need no token.
curl "$URL/repos/$PULL/article?language=en" -H 'Accept: text/markdown'
\`\`\`

## Responses

Success is \`{ success, data, message }\`, failure \`{ success, error }\` with a stable \`error.code\`; only signup returns its resource without the envelope.
While an article is still being written, the response is the job that writes it, with status 202: \`data.kind\` is \`article\` or \`job\`.
Later versions may add fields, but never remove them or change their meaning. Ignore fields you do not know.`;

interface Schema {
  $ref?: string;
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Operation {
  parameters?: { $ref?: string; name?: string; in?: string; example?: unknown; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Document {
  paths?: object;
  components?: { schemas?: object; responses?: object; parameters?: object };
}

/** Moves repeated failures, envelopes and parameters into named components, so that clients get one type for each. */
function shareComponents<T extends Document>(document: T): T {
  const { components = {} } = document;
  const shared = { schemas: { ...components.schemas }, responses: {}, parameters: {} };
  const operations = Object.values(document.paths ?? {}).flatMap((methods) =>
    Object.values<Operation>(methods),
  );
  for (const { parameters = [], requestBody, responses } of operations) {
    for (const [index, parameter] of parameters.entries()) {
      // Services have different code hosts, but a client for one must work with all.
      if (parameter.name === 'host' && parameter.in === 'query')
        Object.assign(parameter, { example: 'github', schema: { type: 'string' } });
      parameters[index] = shareComponent(
        shared,
        'parameters',
        parameter,
        `${parameter.name}In${capitalizedTag(parameter.in ?? '')}`,
      );
    }
    if (requestBody)
      requestBody.required = Object.values(requestBody.content).some(({ schema }) => schema.required?.length);
    for (const [status, response] of Object.entries(responses)) {
      for (const media of Object.values(response.content ?? {}))
        if (media.schema)
          media.schema = shareComponent(shared, 'schemas', media.schema, nameOfEnvelope(media.schema));
      responses[status] = shareComponent(shared, 'responses', response, nameOfFailure(response));
    }
  }
  Object.assign(components, shared);
  return document;
}

function shareComponent<T extends { $ref?: string }>(
  shared: Record<string, Record<string, object>>,
  kind: string,
  one: T,
  name: string | null,
): T | { $ref: string } {
  const all = shared[kind];
  if (name === null || !all) return one;
  all[name] ??= one;
  return isDeepStrictEqual(all[name], one) ? { $ref: `#/components/${kind}/${name}` } : one;
}

const capitalizedTag = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/**
 * The name of a failure by its codes, which are all that its description has: `HostErrorOrAiError`, or
 * `ForbiddenOrPage` if browsers get a page.
 */
function nameOfFailure({ description = '', content = {} }: Response): string | null {
  if (refName(content['application/json']?.schema) !== 'ErrorResponse') return null;
  const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
  const names = codes.map((code) => code.split('_').map(capitalizedTag).join(''));
  return [...names, ...(Object.keys(content).length > 1 ? ['Page'] : [])].join('Or');
}

function nameOfEnvelope({ properties: { success, data } = {} }: Schema): string | null {
  if (!success || !data) return null;
  const single = refName(data);
  if (single) return `${single}Answer`;
  const listed = refName(data.properties?.items?.items);
  if (listed) return `${listed}ListAnswer`;
  return Object.keys(data.properties ?? {}).length === 0 ? 'EmptyAnswer' : null;
}

const refName = (schema: Schema | undefined): string | null => schema?.$ref?.split('/').at(-1) ?? null;

const tags = [
  { name: 'General', description: 'The service and its health.' },
  { name: 'User & Auth', description: 'Signing up, sessions and the current user.' },
  { name: 'Repositories', description: 'Repositories that operators add.' },
  { name: 'Models', description: 'The models that write and read, for operators.' },
  { name: 'Favorites', description: 'Repositories that a user follows.' },
  {
    name: 'Feed',
    description: "A user's new articles, read marks, and feeds for feed readers.",
  },
  { name: 'Digest', description: 'The merges of a day or a week, with a selection of articles.' },
  { name: 'Pull Request', description: 'Pull requests fetched from a code host and stored.' },
  { name: 'Article', description: 'Read and write articles about pull requests.' },
  { name: 'Question', description: 'Questions about pull requests, with checked answers.' },
  { name: 'Likes & Ranking', description: 'Likes and rankings.' },
  {
    name: 'Agents',
    description: 'Tools for agents, over the Model Context Protocol.',
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
    description:
      'For the pages of this service. Its name begins with `__Host-` if the service is reached over https.',
  },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Hub-Signature-256',
    description: "The code host's signature of the webhook body; each operation lists its headers.",
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

export async function describeContract(app: FastifyInstance): Promise<void> {
  for (const component of components) app.addSchema(component);
  await app.register(swagger, {
    openapi: document,
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, response: { ...Object(schema?.response), ...route.config?.failures } },
      url,
    }),
    transformObject: (made) =>
      'openapiObject' in made ? shareComponents(made.openapiObject) : made.swaggerObject,
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

const docsPage = /^\/docs(?:\/|\/static\/[^?]*\.html)?(?:\?|$)/;

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
