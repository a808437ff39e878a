import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { absoluteLifetime } from '../../domain/session-lifetime.ts';
import { originOf } from './origin.ts';

export const sessionCookie = 'pullquote_session';

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | undefined,
  token: string,
): void {
  reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: originOf(request, publicUrl).startsWith('https:'),
    maxAge: absoluteLifetime / 1000,
  });
}

/** Whether a request has a credential, valid or not. Cookies of other services on the same host name are none of ours. */
export const presentsCredential = ({ authorization, cookie }: IncomingHttpHeaders): boolean =>
  authorization !== undefined || (cookie !== undefined && sessionCookie in fastifyCookie.parse(cookie));

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  if (request.cookies[sessionCookie] !== undefined) reply.clearCookie(sessionCookie, { path: '/' });
}
