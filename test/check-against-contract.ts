import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

interface Response {
  content?: Record<string, { schema: object }>;
}

interface Operation {
  responses: Record<string, Response & { $ref?: string }>;
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

interface Checker {
  contract: Contract;
  /** The paths of the contract, split, those with the fewest variables first. */
  templates: { path: string; parts: string[] }[];
  ajv: Ajv2020;
}

const checkers = new WeakMap<FastifyInstance, Checker>();

/** Services with the same routes share a document, because making it and compiling its schemas takes longer than most tests. */
const checkersByRoutes = new Map<string, Checker>();
const routesOf = new WeakMap<object, object[]>();
subscribe('fastify.initialization', (made) => {
  const { fastify } = made as { fastify: FastifyInstance };
  const routes: object[] = [];
  routesOf.set(fastify, routes);
  fastify.addHook('onRoute', ({ method, url, schema, config }) => {
    routes.push({ method, url, schema, failures: config?.failures });
  });
});

/** Checks every JSON response that a test gets against the published OpenAPI document. */
export function checkAgainstContract(
  server: FastifyInstance,
  method: string,
  path: string,
  reply: { status: number; headers: Headers; body?: unknown },
): void {
  assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, 'every answer names its request');
  if (reply.body === undefined) return;
  const { contract, templates, ajv } = checkerOf(server);
  const { pathname } = new URL(path, 'http://any');
  const template = findTemplate(templates, pathname) ?? '';
  const operation = contract.paths[template]?.[method.toLowerCase()];
  if (reply.status < 400 && !operation) return;
  const response = operation?.responses[reply.status];
  const shared = response?.$ref?.split('/').at(-1) ?? '';
  const { content } = (response?.$ref ? contract.components.responses[shared] : response) ?? {};
  const documented = content?.['application/json']?.schema;
  assert.ok(
    documented || !operation,
    `${method} ${pathname} answered ${reply.status}, which is not documented`,
  );
  const inside = response?.$ref
    ? ['components', 'responses', shared]
    : ['paths', template, method.toLowerCase(), 'responses', reply.status];
  const place = documented
    ? [...inside, 'content', 'application/json', 'schema']
    : ['components', 'schemas', 'ErrorResponse'];
  const validate = ajv.getSchema(`contract#${pointerTo(place)}`);
  assert.ok(validate, `${method} ${pathname} ${reply.status} has no schema`);
  assert.ok(
    validate(reply.body),
    `${method} ${pathname} ${reply.status}: ${ajv.errorsText(validate.errors)}`,
  );
}

const pointerTo = (place: (string | number)[]): string =>
  place
    .map((part) => `/${encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');

function checkerOf(server: FastifyInstance): Checker {
  const known = checkers.get(server);
  if (known) return known;
  const routes = JSON.stringify(routesOf.get(server));
  const checker = checkersByRoutes.get(routes) ?? createChecker(server.swagger());
  checkersByRoutes.set(routes, checker);
  checkers.set(server, checker);
  return checker;
}

function createChecker(made: object): Checker {
  // src/http/openapi.test.ts checks the document itself, which takes longer than most tests.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false });
  formats.default(ajv);
  ajv.addFormat('iso-639-1', /^[a-z]{2}$/);
  ajv.addSchema(made, 'contract');
  const contract = made as Contract;
  const templates = Object.keys(contract.paths)
    .map((path) => ({ path, parts: path.split('/') }))
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);
  return { contract, templates, ajv };
}

function findTemplate(templates: Checker['templates'], pathname: string): string | undefined {
  const wanted = pathname.split('/');
  return templates.find(
    ({ parts }) =>
      parts.length === wanted.length &&
      parts.every((part, index) => part.startsWith('{') || part === wanted[index]),
  )?.path;
}
