import { hkdfSync } from 'node:crypto';

export interface SecretKey {
  version: number;
  secret: Buffer;
}

/** At least one key. The first writes, all read, so that a key can be replaced without losing what an older one sealed. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]];

const entryPattern = /^(\d{1,6}):([A-Za-z0-9_-]{43,})$/;

export const secretKeysFormat =
  'VERSION:SECRET entries separated by commas, each secret 32 or more random bytes in base64url';

/** Reads `2:…,1:…`, or returns null when the text is not such a list. */
export function parseSecretKeys(text: string): SecretKeys | null {
  const keys: SecretKey[] = [];
  for (const entry of text.split(',')) {
    const match = entryPattern.exec(entry.trim());
    if (!match?.[1] || !match[2]) return null;
    const version = Number(match[1]);
    if (keys.some((key) => key.version === version)) return null;
    keys.push({ version, secret: Buffer.from(match[2], 'base64url') });
  }
  const [first, ...rest] = keys;
  return first ? [first, ...rest] : null;
}

/** A key for one purpose, so that a token of one kind can never pass for one of another. */
export function deriveKey(key: SecretKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.secret, '', `pullquote ${purpose}`, 32));
}
