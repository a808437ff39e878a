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

const name = 'pullquote_feed';

/** Long enough to be led to the page that shows it. */
const maxAgeSeconds = 60;

const options = ({ request, publicUrl }: Asked) =>
  ({
    path: '/settings',
    httpOnly: true,
    sameSite: 'lax',
    secure: originOf(request, publicUrl).startsWith('https:'),
  }) as const;

const binding = ({ userId }: Asked) => ({ purpose: 'feed address', belongsTo: [userId] });

/** Hands the secret of a new address on to the page that shows it, sealed for its user. */
export function handSecretOn(asked: Asked, secret: string): void {
  const sealed = seal(asked.secretKeys, binding(asked), secret);
  asked.reply.setCookie(name, sealed, { ...options(asked), maxAge: maxAgeSeconds });
}

/** The secret that was handed on, once; null where there is none for this user. */
export function takeSecret(asked: Asked): string | null {
  const sealed = asked.request.cookies[name];
  if (sealed === undefined) return null;
  asked.reply.clearCookie(name, options(asked));
  return unseal(asked.secretKeys, binding(asked), sealed);
}
