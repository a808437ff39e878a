import type { FastifyReply, FastifyRequest } from 'fastify';
import { intentMs } from '../../actions/articles/writing-intents.ts';
import { originOf } from './origin.ts';

interface Asked {
  request: FastifyRequest;
  publicUrl: string | undefined;
}

const isSecure = ({ request, publicUrl }: Asked): boolean =>
  originOf(request, publicUrl).startsWith('https:');

/** With the prefix, browsers take it from this very name over https only: a sibling domain cannot plant its own. */
const nameFor = (asked: Asked): string => (isSecure(asked) ? '__Host-pullquote_intent' : 'pullquote_intent');

const optionsFor = (asked: Asked) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(asked) }) as const;

export const intentCookieOf = (asked: Asked): string | undefined => asked.request.cookies[nameFor(asked)];

export function setIntentCookie(reply: FastifyReply, asked: Asked, intent: string): void {
  reply.setCookie(nameFor(asked), intent, { ...optionsFor(asked), maxAge: intentMs / 1000 });
}

export function clearIntentCookie(reply: FastifyReply, asked: Asked): void {
  reply.clearCookie(nameFor(asked), optionsFor(asked));
}
