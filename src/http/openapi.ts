import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { components } from '../contract/formats.ts';
import { version } from '../version.ts';
import { refuseJson } from './answers/errors.ts';
import { inlineStyledPageHeaders } from './answers/security-headers.ts';
import { sessionCookie } from './requests/cookies.ts';

const quickStart = `Turns pull requests into articles people want to read. [Home](/) · [this document for programs](/openapi.json)

## Quick start

\`\`\`sh
URL=http://127.0.0.1:8080   # put in the address of this page, without /docs
PULL=harborline/parcel/pulls/13   # OWNER/REPO/pulls/NUMBER; this one is of the sample: put in one of yours where the service reads clones or a host
TOKEN=$(npm run -s pullquote -- token alice)   # or a token of a code host that it reads from, such as GitHub's

# Sign up with it, once.
curl -X POST "$URL/auth/signup" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Have an article written about a pull request.
curl -X POST "$URL/repos/$PULL/article" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Read it, as Markdown or, without the last header, as JSON. What is public needs no token.
curl "$URL/repos/$PULL/article?language=en" -H 'Accept: text/markdown'
\`\`\`

## What answers look like

Success is \`{ success, data, message }\`, failure \`{ success, error }\` with a stable \`error.code\`; only signup answers its resource bare.
An article that is still being written is answered as the job that writes it, with status 202: \`data.kind\` is \`article\` or \`job\`.
Fields are added, and never taken away or given another meaning: ignore what you do not know.`;

interface Schema {
  $ref?: string;
  enum?: unknown[];
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Parameter {
  $ref?: string;
  name?: string;
  in?: string;
  example?: unknown;
  schema?: Schema;
}

interface Response {
  $ref?: string;
  description?: string;
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: Parameter[];
  responses?: Record<string, Response>;
}

interface Components {
  schemas?: object;
  responses?: object;
  parameters?: object;
}

interface Document {
  paths?: object;
  components?: Components;
}

/** Moves repeated failures, envelopes and parameters into named components, so that clients get one type each. */
function shareComponents<T extends Document>(document: T): T {
  const responses = new Named('responses');
  const schemas = new Named('schemas');
  const parameters = new Named('parameters');
  for (const operation of operationsOf(document)) {
    if (operation.parameters)
      operation.parameters = operation.parameters.map((parameter) =>
        parameters.share(sayAnyHost(parameter), nameOfParameter(parameter)),
      );
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      for (const media of Object.values(response.content ?? {}))
        if (media.schema) media.schema = schemas.share(media.schema, nameOfEnvelope(media.schema));
      Object.assign(operation.responses ?? {}, {
        [status]: responses.share(response, nameOfFailure(response)),
      });
    }
  }
  const { components = {} } = document;
  components.schemas = { ...components.schemas, ...schemas.all };
  components.responses = responses.all;
  components.parameters = parameters.all;
  return document;
}

const operationsOf = ({ paths = {} }: Document): Operation[] =>
  Object.values(paths).flatMap((methods) => Object.values<Operation>(methods));

/** Components of one kind. What has the name of another that differs from it stays where it is. */
class Named {
  readonly all: Record<string, object> = {};
  readonly #kind: keyof Components;

  constructor(kind: keyof Components) {
    this.#kind = kind;
  }

  share<T extends { $ref?: string }>(one: T, name: string | null): T | { $ref: string } {
    if (name === null) return one;
    this.all[name] ??= one;
    const isSame = JSON.stringify(this.all[name]) === JSON.stringify(one);
    return isSame ? { $ref: `#/components/${this.#kind}/${name}` } : one;
  }
}

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();

/** By its codes, which are all that its description says: `HostErrorOrAiError`; `ForbiddenOrPage` where browsers are shown a page. */
function nameOfFailure({ description = '', content }: Response): string | null {
  if (refName(content?.[json]?.schema) !== 'ErrorResponse') return null;
  const others = Object.keys(content ?? {}).length > 1 ? ['Page'] : [];
  const codes = [...description.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code);
  return [...codes.map((code) => code.split('_').map(capitalized).join('')), ...others].join('Or');
}

function nameOfEnvelope({ properties: { success, data } = {} }: Schema): string | null {
  if (!success || !data) return null;
  const single = refName(data);
  if (single) return `${single}Answer`;
  const listed = refName(data.properties?.items?.items);
  if (listed) return `${listed}ListAnswer`;
  return Object.keys(data.properties ?? {}).length === 0 ? 'EmptyAnswer' : null;
}

const nameOfParameter = ({ name, in: place }: Parameter): string | null =>
  name && place ? `${name}In${capitalized(place)}` : null;

const refName = (schema: Schema | undefined): string | null => schema?.$ref?.split('/').at(-1) ?? null;

/** Which code hosts there are, each service decides for itself: a client for one is a client for all. */
function sayAnyHost(parameter: Parameter): Parameter {
  const isHost = parameter.name === 'host' && parameter.in === 'query';
  return isHost ? { ...parameter, example: 'github', schema: { type: 'string' } } : parameter;
}

const json = 'application/json';

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

/** Prepares the document that validates and serializes. Call it once the routes are imported and before they are added. */
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
