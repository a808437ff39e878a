import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { SignedUpViewer, Viewer } from '../actions/deps.ts';
import { Bytes, ErrorResponse, envelope, Nothing, ref } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { type ErrorCode, errorStatus, Failure, misdirectedStatus, notSignedUp } from '../domain/errors.ts';
import { type Answer, sendAnswer } from './answers/answer.ts';
import { answersAnyName } from './requests/addresses.ts';
import { detailsShown } from './requests/parse-requests.ts';

/**
 * Who may call an operation: any client, a credential being ignored; a code host that signs what it sends; any client, with more to see for one with a credential;
 * a client with a credential that opens sessions; a proven identity; a user who has signed up; an operator, with a token of the
 * settings, whom the operation itself recognizes.
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
  }
  interface FastifyContextConfig {
    access?: Access;
    /** Whether the body is handed on as it came, instead of being read as JSON. */
    takesBytes?: boolean;
    /** How failures are documented. They are all sent in one way, so that no route needs a serializer for them. */
    failures?: Record<string, object>;
  }
}

interface Definition<
  A extends Access,
  Params extends TSchema,
  Query extends TSchema,
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
  /** JSON of this schema, or `Bytes`. */
  body?: Body;
  /** Throws what is wrong with a body beyond its schema; a bad request is refused before anything else is looked at. */
  refuseBody?: (body: Static<Body>) => void;
  /** Largest body, where it is not the usual one. */
  bodyLimitKib?: number;
  data: Data;
  success: Record<number, string>;
  /** What 202 answers, where the work goes on after the answer. */
  later?: Later;
  /** Codes of failure beside those that follow from access, body and method. */
  failures?: ErrorCode[];
  /** Codes of failure that are answered in the type of content of the operation, as a page for browsers is. */
  failuresAsContent?: ErrorCode[];
  /** Answers the resource itself, without the envelope. */
  bare?: boolean;
  /** What is answered, without an envelope, if it is not JSON. */
  contentType?: string;
  /** What else 200 can be answered as, bare, for clients that ask for it. */
  alsoAs?: string;
  handle: (call: {
    params: Static<Params>;
    query: Static<Query>;
    body: Static<Body>;
    viewer: ViewerFor[A];
    request: FastifyRequest;
    reply: FastifyReply;
  }) => MaybePromise<Answer<Static<Data> | Static<Later>>>;
}

type MaybePromise<Value> = Value | Promise<Value>;

export type Endpoint = (method: Method, url: string) => RouteOptions;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What can come of asking a code host with the rights of the caller. */
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
  Params extends TSchema = typeof Nothing,
  Query extends TSchema = typeof Nothing,
  Body extends TSchema = typeof Nothing,
  Later extends TSchema = Data,
>(definition: Definition<A, Params, Query, Body, Data, Later>): Endpoint {
  return (method, url) => ({
    method,
    url,
    ...(definition.bodyLimitKib && { bodyLimit: definition.bodyLimitKib * 1024 }),
    config: {
      access: definition.access,
      takesBytes: isBytes(definition.body),
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
      ...(definition.params && { params: definition.params }),
      querystring: definition.query ?? Nothing,
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
      const answer = await definition.handle({
        // Checked by validation and authentication.
        params: request.params as Static<Params>,
        query: request.query as Static<Query>,
        body: request.body as Static<Body>,
        viewer: request.viewer as ViewerFor[A],
        request,
        reply,
      });
      return sendAnswer(reply, answer, definition);
    },
  });
}

const json = 'application/json';

type AnyDefinition = Omit<
  Definition<Access, TSchema, TSchema, TSchema, TSchema, TSchema>,
  'handle' | 'refuseBody' | 'params' | 'query' | 'body'
>;

function successes({ success, data, later, bare, contentType = json, alsoAs }: AnyDefinition) {
  const describe = (status: string, description: string) => {
    if (status === '204' || status === '302') return { description, type: 'null' };
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
    // The host may have to check the token, and confirm access to private repositories.
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
  if (!answersAnyName(url)) byStatus.set(misdirectedStatus, ['INVALID_REQUEST']);
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

const isBytes = (schema: TSchema | undefined): boolean => schema === Bytes;

/** No body means an empty one; a body for an operation that takes none is refused rather than passed over. */
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
    details: fields.slice(0, detailsShown).map((field) => ({ field, problem: 'is not known here' })),
  });
}
