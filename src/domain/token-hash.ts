import { createHash } from 'node:crypto';

/** What is kept of a token. Tokens are long and random, so that a plain hash cannot be guessed back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
