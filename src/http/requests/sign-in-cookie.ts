import type { FastifyReply, FastifyRequest } from 'fastify';
import { signInMs } from '../../actions/accounts/sign-in-by-browser.ts';

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
