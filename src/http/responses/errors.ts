import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
} from 'fastify';
import { asDatabaseFailure } from '../../db/failures.ts';
import { Failure, ReadOnlyFailure } from '../../domain/errors.ts';
import { joinNames } from '../../domain/text.ts';
import { isRead } from '../cache/cache-policy.ts';
import { presentsCredential } from '../requests/cookies.ts';
import { newRequestId } from '../requests/observe-requests.ts';
import {
  InvalidPart,
  isUnroutedPageRequest,
  notJson,
  prefersJson,
  problemOfUrl,
} from '../requests/parse-requests.ts';

function failureBody(failure: Failure, requestId: string) {
  const { code, message, details } = failure;
  return { success: false, error: { code, message, ...(details && { details }), requestId } } as const;
}

export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = beginFailure(error, request, reply);
  return reply
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failureBody(failure, request.id));
}

const endsWithService = new Set(['UNAVAILABLE', 'HOST_ERROR']);

export function beginFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Failure {
  const failure = explainFailure(error, request);
  reply
    .code(failure.status)
    .headers({ 'x-request-id': request.id, 'cache-control': 'no-store', ...headersOf(failure, request) });
  return failure;
}

export function explainFailure(error: unknown, request: FastifyRequest): Failure {
  const found = asFailure(error, request);
  // Credentials are not checked in this mode, so things that this one may open look absent.
  const isUncertain = found.status === 404 && request.isReadOnly && presentsCredential(request.headers);
  const failure = isUncertain ? new ReadOnlyFailure(error) : found;
  const isMissed = endsWithService.has(failure.code) && request.raw.socket.destroyed;
  if (failure.status >= 500 && !isMissed && !(failure instanceof ReadOnlyFailure))
    request.log.error({ err: failure.cause ?? error }, failure.message);
  return failure;
}

export function headersOf({ code, headers }: Failure, request: FastifyRequest): Record<string, string> {
  if (code === 'UNAUTHORIZED') {
    return {
      'www-authenticate': presentsCredential(request.headers) ? 'Bearer error="invalid_token"' : 'Bearer',
      ...headers,
    };
  }
  return code === 'UNAVAILABLE' ? { 'retry-after': '5', ...headers } : headers;
}

function asFailure(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Failure) return error;
  return (
    asStorageFailure(error, request) ??
    asFrameworkFailure(error, request) ??
    new Failure(
      'INTERNAL',
      'Something went wrong on our side. Try again. If it happens again, report the request id.',
      {
        cause: error,
      },
    )
  );
}

/** On a full disk a write fails with 507, while a read waits until the database runs again. */
function asStorageFailure(error: unknown, { method }: FastifyRequest): Failure | null {
  const failure = asDatabaseFailure(error);
  if (failure?.code !== 'STORAGE_FULL' || (method !== 'GET' && method !== 'HEAD')) return failure;
  const message = 'The disk of the database is full. Try again once there is free space.';
  return new Failure('UNAVAILABLE', message, { cause: error });
}

function asFrameworkFailure(error: unknown, request: FastifyRequest): Failure | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof InvalidPart) {
    const { details } = error;
    return new Failure('INVALID_REQUEST', nameProblems(error), { details });
  }
  const { code, statusCode } = error as FastifyError;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Failure(
        'PAYLOAD_TOO_LARGE',
        `The body is too large. Send less than ${request.routeOptions.bodyLimit / 1024} KiB.`,
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return notJson();
    case 'FST_ERR_BAD_URL':
      return new Failure('INVALID_REQUEST', 'The path is not valid. Check its percent-encoding.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Failure('INVALID_REQUEST', 'A part of the path is too long. Check the URL.');
  }
  if (error instanceof SyntaxError || code?.startsWith('FST_ERR_CTP_')) {
    return new Failure(
      'INVALID_REQUEST',
      'The request body is not valid JSON. Check its syntax, and that it was sent in full.',
      {
        details: [{ field: 'body', problem: 'is not valid JSON' }],
        cause: error,
      },
    );
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) {
    return new Failure('INVALID_REQUEST', 'The request is not valid. Check its headers.', {
      cause: error,
    });
  }
  return null;
}

const partNames: Record<string, string> = { params: 'path', querystring: 'query', body: 'body' };

const problemsNamed = 3;

const longestField = 60;

function nameProblems({ details, validationContext = '' }: InvalidPart): string {
  const named = details.slice(0, problemsNamed).map(({ field, problem }) => {
    const shown = field.length > longestField ? `${field.slice(0, longestField)}…` : field;
    return validationContext === 'body' && field === 'body' ? `it ${problem}` : `${shown} ${problem}`;
  });
  const more = details.length > problemsNamed ? '; see details for the rest' : '';
  return `The request ${partNames[validationContext]} is not valid: ${named.join('; ')}${more}.`;
}

export const refuseJson: onRequestHookHandler = (request, _reply, done) => {
  if (!isRead(request) || !prefersJson(request)) return done();
  const message =
    'This URL is a web page. Send Accept: text/html, or see GET /openapi.json for JSON operations.';
  done(new Failure('NOT_FOUND', message));
};

export type SendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export function respondUnrouted(
  app: FastifyInstance,
  send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
): void {
  app.setNotFoundHandler(send);
  app.addHook('preParsing', (request, reply, _body, done) => {
    if (request.is404) send(request, reply);
    else done();
  });
}

export function sendNotFound(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  sendPage: SendFailure,
): FastifyReply {
  const problem = problemOfUrl(request.raw);
  if (problem) return (isUnroutedPageRequest(request) ? sendPage : sendFailure)(problem, request, reply);
  const [url = '/'] = request.url.split('?');
  const allowed = methods.filter((method) => app.findRoute({ method, url }));
  const allow: string[] = allowed.includes('GET') ? ['GET', 'HEAD', ...allowed.slice(1)] : allowed;
  if (allow.length > 0 && !allow.includes(request.method)) {
    const failure = new Failure('METHOD_NOT_ALLOWED', `This path supports only ${joinNames(allow)}.`, {
      headers: { allow: allow.join(', ') },
    });
    return sendFailure(failure, request, reply);
  }
  const failure = new Failure(
    'NOT_FOUND',
    'There is nothing at this path. See GET /openapi.json or /docs for all operations.',
  );
  return (isUnroutedPageRequest(request) ? sendPage : sendFailure)(failure, request, reply);
}

const malformed: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'The headers are too large. Send less than 16 KiB.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request took too long to arrive. Send it again, faster.',
};

export const respondToMalformedHttp =
  (headers: Record<string, string>) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return;
    const requestId = newRequestId();
    const message = malformed[error.code ?? ''] ?? 'The request is not valid HTTP/1.1.';
    const body = JSON.stringify(failureBody(new Failure('INVALID_REQUEST', message), requestId));
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n` +
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('') +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      // A client that does not close its end would keep our end open.
      () => socket.destroy(),
    );
  };
