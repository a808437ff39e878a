import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import type { SignedUpViewer, Viewer } from '../actions/deps.ts';
import {
  Bytes,
  defaultLimit,
  ErrorResponse,
  envelope,
  listOf,
  type Nothing,
  pageQuery,
  record,
  ref,
} from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { type ErrorCode, errorStatus, Failure, misdirectedStatus, notSignedUp } from '../domain/errors.ts';
import type { CachePolicy } from './cache/cache-policy.ts';
import { acceptsAnyName } from './requests/addresses.ts';
import { detailsShown } from './requests/parse-requests.ts';
import { type Answer, listResponse, ok, type Page, sendResponse } from './responses/response.ts';

/**
 * The callers of an operation: anyone, ignoring credentials; a code host that signs its requests; anyone, with more to
 * see for a credential; a credential that opens sessions; a proven identity; a signed-up user; an operator, whose token
 * the operation checks.
 */
export type Access = 'public' | 'signed' | 'viewer' | 'signingIn' | 'identity' | 'user' | 'operator';

interface ViewerFor {
  public: null;
  signed: null;
  viewer: Viewer | null;
  signingIn: Viewer;
  identity: Viewer;
  user: SignedUpViewer;
  operator: null;
}

declare module 'fastify' {
  interface FastifyRequest {
    viewer: Viewer | null;
    /** Whether only a standby of the database can be read; then there is no viewer, whatever the credential. */
    isReadOnly: boolean;
  }
  interface FastifyContextConfig {
    access?: Access;
    /** Whether the body is passed on as bytes instead of being parsed as JSON. */
    takesBytes?: boolean;
    /** The documentation of failures. All are sent in the same way, so no route needs a serializer for them. */
    failures?: Record<string, object>;
  }
}

export interface Call<
  A extends Access = 'public',
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TSchema = TSchema,
> {
  params: Static<TObject<Params>>;
  query: Static<TObject<Query>>;
  body: Static<Body>;
  viewer: ViewerFor[A];
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Definition<
  A extends Access,
  Params extends TProperties,
  Query extends TProperties,
  Body extends TSchema,
  Data extends TSchema,
  Later extends TSchema,
> {
  operationId: string;
  summary: string;
  description: string;
  tag: string;
  access: A;
  params?: Params;
  query?: Query;
  ignoresOtherQuery?: boolean;
  body?: Body;
  /** Throws if the body is invalid beyond its schema, before any lookup. */
  refuseBody?: (body: Static<Body>) => void;
  bodyLimitKib?: number;
  data: Data;
  /** The meaning of each status, and the default message of the response. */
  success: Record<number, string>;
  later?: Later;
  failures?: ErrorCode[];
  /** Error codes that are sent in the content type of the operation, such as a page. */
  failuresAsContent?: ErrorCode[];
  bare?: boolean;
  contentType?: string;
  alsoAs?: string;
  handle: (
    call: Call<A, Params, Query, Body>,
  ) => Answer<Static<Data> | Static<Later>> | Promise<Answer<Static<Data> | Static<Later>>>;
}

export type Endpoint = (method: Method, url: string) => RouteOptions;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const hostFailures = [
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
  'HOST_ERROR',
  'HOST_RATE_LIMITED',
  'HOST_TIMEOUT',
] as const satisfies ErrorCode[];

export function endpoint<
  A extends Access,
  Data extends TSchema,
  Params extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
  Body extends TSchema = typeof Nothing,
  Later extends TSchema = Data,
>(definition: Definition<A, Params, Query, Body, Data, Later>): Endpoint {
  return (method, url) => ({
    method,
    url,
    ...(definition.bodyLimitKib && { bodyLimit: definition.bodyLimitKib * 1024 }),
    config: {
      access: definition.access,
      takesBytes: Object.is(definition.body, Bytes),
      failures: failures(definition, method, url),
    },
    schema: {
      operationId: definition.operationId,
      summary: definition.summary,
      description: definition.description,
      tags: [definition.tag],
      ...(definition.access === 'public' && { security: [] }),
      ...(definition.access === 'signed' && { security: [{ signature: [] }] }),
      ...(definition.access === 'viewer' && { security: [{}, { bearer: [] }, { cookie: [] }] }),
      ...(definition.params && { params: Type.Object(definition.params) }),
      querystring: Type.Object(definition.query ?? {}, {
        additionalProperties: definition.ignoresOtherQuery ?? false,
      }),
      ...(definition.body && { body: definition.body }),
      response: successes(definition),
    },
    preValidation: (request, _reply, done) => {
      settleBody(request, definition.body !== undefined);
      done();
    },
    preHandler: async (request) => {
      definition.refuseBody?.(request.body as Static<Body>);
      if (definition.access === 'user' && !request.viewer?.user) throw notSignedUp();
    },
    handler: async (request, reply) => {
      const response = await definition.handle({
        params: request.params as Static<TObject<Params>>,
        query: request.query as Static<TObject<Query>>,
        body: request.body as Static<Body>,
        viewer: request.viewer as ViewerFor[A],
        request,
        reply,
      });
      return sendResponse(reply, response, definition);
    },
  });
}

interface ListDefinition<
  A extends Access,
  Params extends TProperties,
  Query extends TProperties,
  Item extends TSchema,
  More extends TProperties,
> extends Omit<
    Definition<A, Params, Query, TSchema, TSchema, TSchema>,
    'data' | 'handle' | 'body' | 'refuseBody'
  > {
  item: Item;
  more?: More;
  list: (
    call: Call<A, Params, Query & typeof pageQuery>,
    page: Page,
  ) => Promise<
    {
      items: Static<Item>[];
      total: number | null;
      message?: string | undefined;
      cachePolicy?: CachePolicy;
    } & Static<TObject<More>>
  >;
}

export const listEndpoint = <
  A extends Access,
  Item extends TSchema,
  Params extends TProperties = Record<never, never>,
  Query extends TProperties = Record<never, never>,
  More extends TProperties = Record<never, never>,
>({
  item,
  more,
  list,
  query,
  ...definition
}: ListDefinition<A, Params, Query, Item, More>): Endpoint =>
  endpoint<A, TSchema, Params, Query & typeof pageQuery>({
    ...definition,
    query: { ...query, ...pageQuery } as Query & typeof pageQuery,
    data: record({ ...listOf(item).properties, ...more }),
    async handle(call) {
      const { limit = defaultLimit, offset = 0 } = call.query as Partial<Page>;
      const page = { limit, offset };
      const { items, total, message, cachePolicy, ...beside } = await list(call, page);
      const response = ok({ ...listResponse(call.reply, page, { items, total }), ...beside }, message);
      return { ...response, cachePolicy };
    },
  });

const json = 'application/json';

type AnyDefinition = Omit<
  Definition<Access, TProperties, TProperties, TSchema, TSchema, TSchema>,
  'handle' | 'refuseBody' | 'params' | 'query' | 'body'
>;

function successes({ success, data, later, bare, contentType = json, alsoAs }: AnyDefinition) {
  const describe = (status: string, description: string) => {
    if (['204', '302', '303'].includes(status)) return { description, type: 'null' };
    const answered = status === '202' && later ? later : data;
    const content = {
      [contentType]: { schema: bare || contentType !== json ? answered : envelope(answered) },
    };
    if (alsoAs && status === '200') content[alsoAs] = { schema: Type.String() };
    return { description, content };
  };
  return Object.fromEntries(
    Object.entries(success).map(([status, description]) => [status, describe(status, description)]),
  );
}

function failures(
  { access, failures: own = [], failuresAsContent: asContent = [], data, contentType = json }: AnyDefinition,
  method: Method,
  url: string,
) {
  const codes: ErrorCode[] = [
    ...own,
    ...asContent,
    'INVALID_REQUEST',
    // The host may have to check the token and confirm access to private repositories.
    ...(access === 'public' || access === 'signed' ? [] : hostFailures),
    ...(access === 'public' ? [] : (['UNAUTHORIZED'] as const)),
    ...(access === 'user' ? (['USER_NOT_FOUND'] as const) : []),
    ...(method === 'GET'
      ? []
      : (['FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'STORAGE_FULL'] as const)),
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ];
  const byStatus = Map.groupBy<number, ErrorCode>(new Set(codes), (code) => errorStatus[code]);
  if (!acceptsAnyName(url)) byStatus.set(misdirectedStatus, ['INVALID_REQUEST']);
  return Object.fromEntries(
    [...byStatus].map(([status, known]) => [
      status,
      {
        description: known.map((code) => `\`${code}\``).join(', '),
        content: {
          [json]: { schema: ref(ErrorResponse) },
          ...(status !== misdirectedStatus &&
            known.some((code) => asContent.includes(code)) && { [contentType]: { schema: data } }),
        },
      },
    ]),
  );
}

function settleBody(request: FastifyRequest, takesBody: boolean): void {
  if (takesBody) {
    if (request.body === undefined)
      request.body = request.routeOptions.config.takesBytes ? Buffer.alloc(0) : {};
    return;
  }
  const given = request.body;
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const fields = isObject ? Object.keys(given) : ['body'];
  if (given === undefined || fields.length === 0) return;
  throw new Failure('INVALID_REQUEST', 'This operation takes no body. Send the request without one.', {
    details: fields.slice(0, detailsShown).map((field) => ({ field, problem: 'is not allowed here' })),
  });
}
