import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretKey, type SecretKeys } from '../../domain/secrets.ts';

const prefix = 'pql_';

export const isLocalToken = (token: string): boolean => token.startsWith(prefix);

interface LocalToken {
  name: string;
  expiresAt: Date;
  singleUse: boolean;
}

const fieldPattern = /^(?<keyVersion>\d+) (?<name>[\w.-]+) (?<expiresAt>\d+) (?<use>once|often) [\w-]+$/;

export const localNamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,37}[A-Za-z0-9])?$/;

function sign(body: string, key: SecretKey): Buffer {
  return createHmac('sha256', deriveKey(key, 'local token')).update(body).digest();
}

export function mintLocalToken(keys: SecretKeys, { name, expiresAt, singleUse }: LocalToken): string {
  const nonce = randomBytes(9).toString('base64url');
  const fields = [keys[0].version, name, expiresAt.getTime(), singleUse ? 'once' : 'often', nonce];
  const body = Buffer.from(fields.join(' ')).toString('base64url');
  return `${prefix}${body}.${sign(body, keys[0]).toString('base64url')}`;
}

/** Null if the token is forged, damaged, expired, or signed with a retired key. */
export function readLocalToken(keys: SecretKeys, token: string, now: Date): LocalToken | null {
  const [body = '', signature = '', ...more] = token.slice(prefix.length).split('.');
  if (!isLocalToken(token) || more.length > 0) return null;
  const fields = fieldPattern.exec(Buffer.from(body, 'base64url').toString('utf8'))?.groups;
  const key = keys.find(({ version }) => version === Number(fields?.keyVersion));
  if (!fields || !key) return null;
  const given = Buffer.from(signature, 'base64url');
  const expected = sign(body, key);
  // Comparing the text too allows a single spelling of each token, so that its hash identifies it.
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  if (signature !== expected.toString('base64url')) return null;
  const expiresAt = new Date(Number(fields.expiresAt));
  if (expiresAt <= now) return null;
  return { name: String(fields.name), expiresAt, singleUse: fields.use === 'once' };
}
