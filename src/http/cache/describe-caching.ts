import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

const viewerHeaders = 'Authorization, Cookie, Accept, Accept-Language';

export const isRead = ({ method }: { method?: string | undefined }): boolean =>
  method === 'GET' || method === 'HEAD';

/**
 * Says of an answer who may cache it. What is the same for every viewer carries a tag and need not be sent twice; what
 * depends on the viewer only by the viewer's browser.
 */
export function describeCaching(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  const { access = 'public' } = request.routeOptions.config;
  const sameForAll = access === 'public' || (access === 'viewer' && request.viewer === null);
  const isGood = isRead(request) && reply.statusCode === 200;
  if (access !== 'public') vary(reply, viewerHeaders);
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', sameForAll && isGood ? 'public, no-cache' : 'private, no-cache');
  if (isGood && !reply.hasHeader('etag') && Buffer.isBuffer(payload)) reply.header('etag', tagOf(payload));
}

/** Adds to what an answer depends on. */
export function vary(reply: FastifyReply, headers: string): void {
  const others = reply.getHeader('vary');
  reply.header('vary', others ? `${[others].flat().join(', ')}, ${headers}` : headers);
}

export function tagOf(version: string | Buffer): string {
  return `"${hash('sha256', version, 'base64url').slice(0, 27)}"`;
}

/** Whether a client says that it has an answer: by its tag, or else by the very moment since when it is as it is. */
export function hasAnswer(
  { 'if-none-match': tags, 'if-modified-since': since }: IncomingHttpHeaders,
  { etag, 'last-modified': modified }: { etag?: unknown; 'last-modified'?: unknown },
): boolean {
  return tags === undefined ? modified !== undefined && since === modified : namesTag(tags, etag);
}

/** Whether If-None-Match names a tag. A tag names the same content in whichever encoding it was sent. */
function namesTag(header: string, tag: unknown): boolean {
  if (typeof tag !== 'string') return false;
  return header.split(',').some((entry) => {
    const known = entry.trim().replace(/^W\//, '');
    return ['*', tag].includes(known) || known.replace(/-(?:br|gzip)"$/, '"') === tag;
  });
}

/** The tag of the same content in an encoding, which is other bytes. Tags that do not promise bytes stay. */
export const tagInEncoding = (tag: string, encoding: string | null): string =>
  encoding === null || tag.startsWith('W/') ? tag : tag.replace(/"$/, `-${encoding}"`);
