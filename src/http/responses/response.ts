import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { version as ofPullquote } from '../../version.ts';
import { type CachePolicy, tagOf } from '../cache/cache-policy.ts';

interface DataResponse<Data> {
  kind: 'data';
  status: number;
  data: Data;
  message: string | undefined;
  cachePolicy?: CachePolicy | undefined;
}

export interface ContentResponse {
  kind: 'content';
  status: number;
  contentType: string;
  content: string | Buffer | Readable;
  cachePolicy?: CachePolicy;
}

interface RedirectResponse {
  kind: 'redirect';
  location: string;
}

interface EmptyResponse {
  kind: 'empty';
}

export type Answer<Data> =
  | DataResponse<Data>
  | WrittenResponse
  | ContentResponse
  | RedirectResponse
  | EmptyResponse;

const data =
  (status: number) =>
  <Data>(answered: Data, message?: string): DataResponse<Data> => ({
    kind: 'data',
    status,
    data: answered,
    message,
  });

export const ok = data(200);
export const created = data(201);
export const accepted = data(202);
export const empty: EmptyResponse = { kind: 'empty' };

export const redirect = (location: string): RedirectResponse => ({ kind: 'redirect', location });

export const content = (
  contentType: string,
  of: ContentResponse['content'],
  status = 200,
): ContentResponse => ({
  kind: 'content',
  status,
  contentType,
  content: of,
});

export function sendResponse(
  reply: FastifyReply,
  response: Answer<unknown>,
  { bare = false, success }: { bare?: boolean; success: Record<number, string> },
): FastifyReply {
  if ('cachePolicy' in response) reply.cachePolicy = response.cachePolicy ?? null;
  switch (response.kind) {
    case 'data': {
      const { status, data, message = success[status] } = response;
      return reply.code(status).send(bare ? data : { success: true, data, message });
    }
    case 'written': {
      if (reply.request.method !== 'POST') reply.header('etag', response.tag);
      return reply.code(response.status).type('application/json; charset=utf-8').send(response.body);
    }
    case 'content':
      return reply.code(response.status).type(response.contentType).send(response.content);
    case 'redirect':
      return reply.redirect(response.location, 302);
    case 'empty':
      return reply.code(204).send();
  }
}

type JsonPieces = (string | Uint8Array)[];

export interface WrittenData {
  json: JsonPieces;
  version: string;
}

export interface WrittenResponse {
  kind: 'written';
  status: number;
  body: Buffer;
  tag: string;
  cachePolicy?: CachePolicy;
}

export function writeStored(
  status: number,
  { json, version }: WrittenData,
  message: string,
): WrittenResponse {
  const end = `,"message":${JSON.stringify(message)}}`;
  const body = joinPieces(['{"success":true,"data":', ...json, end]);
  return { kind: 'written', status, body, tag: tagOf(`${ofPullquote} ${version} ${end}`) };
}

export function joinPieces(pieces: JsonPieces): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

export interface Page {
  limit: number;
  offset: number;
}

export function listResponse<Item>(
  reply: FastifyReply,
  { limit, offset }: Page,
  { items, total }: { items: Item[]; total: number | null },
) {
  const links: string[] = [];
  const link = (target: number, rel: string): void => {
    const url = new URL(reply.request.url, 'http://any');
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(target));
    links.push(`<${url.pathname}${url.search}>; rel="${rel}"`);
  };
  // If the total is unknown, a full page may not be the last one.
  if (total === null ? items.length === limit : offset + limit < total) link(offset + limit, 'next');
  if (offset > 0) link(Math.max(0, offset - limit), 'prev');
  if (links.length > 0) reply.header('link', links.join(', '));
  return { items, pagination: { totalItems: total, limit, offset } };
}

/** Headers of responses that are not pages: they need no resources, and must not be framed. */
const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

const year = 365 * 24 * 60 * 60;

/** Without subdomains, because those may belong to services without https. */
export const securityHeadersAt = (publicUrl: string | undefined) => ({
  ...securityHeaders,
  ...(publicUrl?.startsWith('https:') && { 'strict-transport-security': `max-age=${year}` }),
});

const policy = (directives: Record<string, string>): string =>
  Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

const ownOnly = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * Scripts may not create markup. The referrer is sent within this site only, where it distinguishes our forms from
 * foreign ones.
 */
export const pageHeaders = (avatarOrigins: string[]) => ({
  'referrer-policy': 'same-origin',
  'content-security-policy': policy({
    ...ownOnly,
    'img-src': ["'self'", ...avatarOrigins].join(' '),
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  }),
});

/** The headers of the API reference, a third-party page with inline styles. */
export const inlineStyledPageHeaders = {
  'content-security-policy': policy({
    ...ownOnly,
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
  }),
};
