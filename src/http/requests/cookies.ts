import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { intentMs, signInMs } from '../../actions/accounts/sign-in.ts';
import { absoluteLifetime } from '../../domain/accounts.ts';
import { type SecretKeys, seal, unseal } from '../../domain/secrets.ts';
import { originOf } from './addresses.ts';

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

/** Whether a request has a credential, valid or not. Other services on the same host name may set cookies too. */
export const presentsCredential = ({ authorization, cookie }: IncomingHttpHeaders): boolean =>
  authorization !== undefined || (cookie !== undefined && sessionCookie in fastifyCookie.parse(cookie));

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  if (request.cookies[sessionCookie] !== undefined) reply.clearCookie(sessionCookie, { path: '/' });
}

/** With the prefix, browsers take it from this very name over https only: a sibling domain cannot plant its own. */
const nameAt = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-pullquote_sign_in' : 'pullquote_sign_in';

const optionsAt = (publicUrl: string) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: publicUrl.startsWith('https:') }) as const;

export const signInCookieOf = ({ cookies }: FastifyRequest, publicUrl: string): string | undefined =>
  cookies[nameAt(publicUrl)];

export function setSignInCookie(reply: FastifyReply, publicUrl: string, cookie: string): void {
  reply.setCookie(nameAt(publicUrl), cookie, { ...optionsAt(publicUrl), maxAge: signInMs / 1000 });
}

export function clearSignInCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(nameAt(publicUrl), optionsAt(publicUrl));
}

interface Call {
  request: FastifyRequest;
  publicUrl: string | undefined;
}

const isSecure = ({ request, publicUrl }: Call): boolean => originOf(request, publicUrl).startsWith('https:');

/** With the prefix, browsers take it from this very name over https only: a sibling domain cannot plant its own. */
const nameFor = (call: Call): string => (isSecure(call) ? '__Host-pullquote_intent' : 'pullquote_intent');

const optionsFor = (call: Call) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(call) }) as const;

export const intentCookieOf = (call: Call): string | undefined => call.request.cookies[nameFor(call)];

export function setIntentCookie(reply: FastifyReply, call: Call, intent: string): void {
  reply.setCookie(nameFor(call), intent, { ...optionsFor(call), maxAge: intentMs / 1000 });
}

export function clearIntentCookie(reply: FastifyReply, call: Call): void {
  reply.clearCookie(nameFor(call), optionsFor(call));
}

interface Handover {
  request: FastifyRequest;
  reply: FastifyReply;
  publicUrl: string | undefined;
  secretKeys: SecretKeys;
  userId: string;
}

/** What a form hands on to the page that it leads to, and to no other. */
interface HandedOn {
  name: string;
  path: string;
  purpose: string;
}

export const feedSecret: HandedOn = { name: 'pullquote_feed', path: '/settings', purpose: 'feed address' };

/** What was typed into the form of the digest and could not be taken: a link must not be able to fill that in. */
export const typedDigest: HandedOn = {
  name: 'pullquote_digest',
  path: '/my/digest',
  purpose: 'typed digest',
};

const maxAgeSeconds = 60;

const options = ({ request, publicUrl }: Handover, { path }: HandedOn) =>
  ({
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: originOf(request, publicUrl).startsWith('https:'),
  }) as const;

const binding = ({ userId }: Handover, { purpose }: HandedOn) => ({ purpose, belongsTo: [userId] });

export function handOn(handover: Handover, what: HandedOn, text: string): void {
  const sealed = seal(handover.secretKeys, binding(handover, what), text);
  handover.reply.setCookie(what.name, sealed, { ...options(handover, what), maxAge: maxAgeSeconds });
}

/** The text that was handed on, once; null where there is none for this user. */
export function takeHandedOn(handover: Handover, what: HandedOn): string | null {
  const sealed = handover.request.cookies[what.name];
  if (sealed === undefined) return null;
  handover.reply.clearCookie(what.name, options(handover, what));
  return unseal(handover.secretKeys, binding(handover, what), sealed);
}
