import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { deriveKey, type SecretKey, type SecretKeys } from '../../domain/secret-keys.ts';

/** Tokens carry their proof themselves, so that they can be made and checked without the database. */
const Payload = Type.Object({
  keyVersion: Type.Integer(),
  name: Type.String(),
  expiresAt: Type.Integer(),
  singleUse: Type.Boolean(),
  nonce: Type.String(),
});

export interface LocalToken {
  name: string;
  expiresAt: Date;
  singleUse: boolean;
}

export const localTokenPrefix = 'pql_';

export const localNamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,37}[A-Za-z0-9])?$/;

function sign(body: string, key: SecretKey): Buffer {
  return createHmac('sha256', deriveKey(key, 'local token')).update(body).digest();
}

export function mintLocalToken(keys: SecretKeys, { name, expiresAt, singleUse }: LocalToken): string {
  const payload: Static<typeof Payload> = {
    keyVersion: keys[0].version,
    name,
    expiresAt: expiresAt.getTime(),
    singleUse,
    nonce: randomBytes(9).toString('base64url'),
  };
  const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${localTokenPrefix}${body}.${sign(body, keys[0]).toString('base64url')}`;
}

/** What a token says, or null when it is forged, damaged, expired, or signed with a key that is no longer kept. */
export function readLocalToken(keys: SecretKeys, token: string, now: Date): LocalToken | null {
  const [body = '', signature = '', ...more] = token.slice(localTokenPrefix.length).split('.');
  if (!token.startsWith(localTokenPrefix) || more.length > 0) return null;
  const payload = parsePayload(body);
  const key = keys.find(({ version }) => version === payload?.keyVersion);
  if (!payload || !key) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(body, key);
  // Comparing the text as well leaves one spelling of each token, so that its hash can stand for it.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  if (signature !== expected.toString('base64url') || payload.expiresAt <= now.getTime()) return null;
  return { name: payload.name, expiresAt: new Date(payload.expiresAt), singleUse: payload.singleUse };
}

function parsePayload(body: string): Static<typeof Payload> | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
    return Value.Check(Payload, parsed) ? parsed : null;
  } catch {
    return null;
  }
}
