import type { IncomingMessage, ServerResponse } from 'node:http';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type ErrorDetail, Failure } from '../../domain/errors.ts';
import { isLanguageCode } from '../../domain/languages.ts';
import { ownerPattern, repositoryNamePattern } from '../../domain/repositories.ts';
import { anyOf } from '../../domain/text.ts';

const unroutedUrl = '//';

const problems = new WeakMap<IncomingMessage, Error>();

/** Treats an unparseable URL as not found, so that it is rate-limited and logged like others. */
export function routeAsNotFound(
  app: FastifyInstance,
  problem: Error,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  problems.set(request, problem);
  Object.assign(request, { originalUrl: request.url, url: unroutedUrl });
  app.routing(request, response);
}

export const problemOfUrl = (request: IncomingMessage): Error | undefined => problems.get(request);

const preferred = (accept: string, types: string[]): string | undefined =>
  new Negotiator({ headers: { accept } }).mediaType(types);

export function prefersMarkdown(accept: string | undefined): boolean {
  // Few clients want Markdown; this quick check saves a tenth of the time of a cached response.
  if (accept === undefined || !/text\/|q\s*=/i.test(accept)) return false;
  return preferred(accept, ['application/json', 'text/markdown']) === 'text/markdown';
}

export const prefersJson = ({ headers: { accept } }: Pick<FastifyRequest, 'headers'>): boolean =>
  accept !== undefined && preferred(accept, ['text/html', 'application/json']) === 'application/json';

export const prefersPage = ({ headers: { accept } }: Pick<FastifyRequest, 'headers'>): boolean =>
  accept !== undefined && preferred(accept, ['application/json', 'text/html']) === 'text/html';

export const isUnroutedPageRequest = (request: FastifyRequest): boolean =>
  request.is404 && prefersPage(request);

export function abortOnDisconnect(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

export const bodyLimitKib = 64;

type Done = (error: Error | null, body?: unknown) => void;

export function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  const parse = (type: string, read: (request: FastifyRequest, body: Buffer, done: Done) => void) =>
    app.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
      if (body.length === 0) done(null, undefined);
      else if (request.routeOptions.config.takesBytes) done(null, body);
      else read(request, body, done);
    });
  parse('application/json', (request, body, done) => parseJson(request, body.toString(), done));
  parse('*', (_request, _body, done) => done(notJson()));
}

export function notJson(): Failure {
  return new Failure('UNSUPPORTED_MEDIA_TYPE', 'Send the body as JSON, with Content-Type: application/json.');
}

const isMoment = (text: string): boolean =>
  /^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i.test(text) &&
  !Number.isNaN(Date.parse(text));

function createValidator(): Ajv {
  // Verbose errors contain the schema, which says what is expected. The meta schema is off, because our schemas are
  // tested and compiling it takes longer than all checks of a request.
  const ajv = new Ajv({
    strict: true,
    meta: false,
    validateSchema: false,
    allErrors: true,
    verbose: true,
    useDefaults: true,
    removeAdditional: false,
  });
  formats.default(ajv, ['uuid', 'email', 'uri']);
  ajv.addFormat('date-time', isMoment);
  ajv.addFormat('iso-639-1', isLanguageCode);
  return ajv;
}

export function useStrictValidation(app: FastifyInstance): void {
  const checkerFor = createChecker();
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = checkerFor(schema as object);
    const integers = httpPart === 'body' ? [] : integerFields(schema as ObjectSchema);
    return (data: Record<string, unknown>) => {
      for (const field of integers) {
        const given = data[field];
        if (typeof given === 'string' && /^(?:0|-?[1-9]\d{0,19})$/.test(given)) data[field] = Number(given);
      }
      const details = check(data);
      return details.length === 0 || { error: new InvalidPart(details) };
    };
  });
}

export function createChecker(): (schema: object) => (given: unknown) => ErrorDetail[] {
  const ajv = createValidator();
  return (schema) => {
    let validate: ValidateFunction | null = null;
    return (given) => {
      validate ??= ajv.compile(schema);
      return validate(given) ? [] : explainAll(validate.errors ?? []);
    };
  };
}

interface ObjectSchema {
  properties?: Record<string, { type?: string }>;
}

function integerFields({ properties = {} }: ObjectSchema): string[] {
  return Object.keys(properties).filter((field) => properties[field]?.type === 'integer');
}

export const detailsShown = 20;

export class InvalidPart extends Error {
  readonly details: ErrorDetail[];
  validationContext: string | undefined;

  constructor(details: ErrorDetail[], validationContext?: string) {
    super('a part of the request is not valid');
    this.details = details;
    this.validationContext = validationContext;
  }
}

function explainAll(errors: ErrorObject[]): ErrorDetail[] {
  const details = errors.map(({ keyword, instancePath, params, message, parentSchema }) => {
    const path = instancePath.split('/').slice(1);
    if (keyword === 'required') {
      return { field: [...path, params.missingProperty].join('.'), problem: 'is missing' };
    }
    if (keyword === 'additionalProperties') {
      const known = Object.keys(parentSchema?.properties ?? {});
      const problem = `is not allowed here${known.length > 0 ? `; allowed: ${known.join(', ')}` : ''}`;
      return { field: [...path, params.additionalProperty].join('.'), problem };
    }
    const problem = explain(keyword, params, parentSchema) ?? message ?? 'is not valid';
    return { field: path.join('.') || 'body', problem };
  });
  return [...new Map(details.map((detail) => [detail.field, detail])).values()].slice(0, detailsShown);
}

type Described = NonNullable<ErrorObject['parentSchema']>;

function explain(keyword: string, params: ErrorObject['params'], schema: Described = {}): string | null {
  if (keyword === 'enum') return `must be ${anyOf(params.allowedValues)}`;
  if (params.format === 'iso-639-1')
    return 'must be a two-letter ISO 639-1 language code in lower case, such as ja';
  if (params.format === 'date-time') return 'must be an ISO 8601 time, such as 2026-03-01T09:30:00Z';
  if (schema.format === 'uuid') return 'must be a UUID, such as 6a0b1c52-3f6e-4d0c-8a55-0f3f0e6f2b77';
  if (params.pattern === repositoryNamePattern)
    return 'may contain only letters, digits, single dots, hyphens and underscores';
  if (params.pattern === ownerPattern)
    return 'may contain only letters, digits, single dots, hyphens and underscores, with a / between groups';
  if (schema.type === 'integer') return `must be a whole number${describeRange(schema)}`;
  if (keyword === 'minLength')
    return params.limit === 1 ? 'must not be empty' : `must have ${params.limit} characters or more`;
  if (keyword === 'maxLength') return `must have ${params.limit} characters or fewer`;
  if (keyword === 'type') return `must be ${anyOf([params.type].flat().map(nameType))}`;
  return null;
}

function describeRange({ minimum, maximum }: Described): string {
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (minimum === undefined) return isBounded ? ` up to ${maximum}` : '';
  return isBounded ? ` from ${minimum} to ${maximum}` : `, ${minimum} or greater`;
}

const typeNames: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  object: 'an object',
  string: 'text',
};

const nameType = (type: string): string => typeNames[type] ?? type;
