import type { FastifyReply, FastifyRequest } from 'fastify';
import { seal, unseal } from '../../domain/seal.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import { originOf } from './origin.ts';

interface Asked {
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

/** The secret of a new feed address, which is shown once. */
export const feedSecret: HandedOn = { name: 'pullquote_feed', path: '/settings', purpose: 'feed address' };

/** What was typed into the form of the digest and could not be taken: a link must not be able to fill that in. */
export const typedDigest: HandedOn = {
  name: 'pullquote_digest',
  path: '/my/digest',
  purpose: 'typed digest',
};

/** Long enough to be led to the page that shows it. */
const maxAgeSeconds = 60;

const options = ({ request, publicUrl }: Asked, { path }: HandedOn) =>
  ({
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: originOf(request, publicUrl).startsWith('https:'),
  }) as const;

const binding = ({ userId }: Asked, { purpose }: HandedOn) => ({ purpose, belongsTo: [userId] });

/** Hands a text on, sealed for its user. */
export function handOn(asked: Asked, what: HandedOn, text: string): void {
  const sealed = seal(asked.secretKeys, binding(asked, what), text);
  asked.reply.setCookie(what.name, sealed, { ...options(asked, what), maxAge: maxAgeSeconds });
}

/** The text that was handed on, once; null where there is none for this user. */
export function takeHandedOn(asked: Asked, what: HandedOn): string | null {
  const sealed = asked.request.cookies[what.name];
  if (sealed === undefined) return null;
  asked.reply.clearCookie(what.name, options(asked, what));
  return unseal(asked.secretKeys, binding(asked, what), sealed);
}
