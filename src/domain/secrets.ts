import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretKey {
  version: number;
  secret: Buffer;
}

/** At least one key. The first encrypts and all decrypt, so that a key can be replaced without losing older data. */
export type SecretKeys = readonly [SecretKey, ...SecretKey[]];

const entryPattern = /^(\d{1,6}):([A-Za-z0-9_-]{43,})$/;

export const secretKeysFormat =
  'VERSION:SECRET entries separated by commas, each secret 32 or more random bytes in base64url';

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

const derived = new WeakMap<SecretKey, Map<string, Buffer>>();

/** Derives a key for one purpose, so that tokens of different kinds cannot be confused. */
export function deriveKey(key: SecretKey, purpose: string): Buffer {
  const known = derived.get(key) ?? new Map<string, Buffer>();
  derived.set(key, known);
  const made =
    known.get(purpose) ?? Buffer.from(hkdfSync('sha256', key.secret, '', `pullquote ${purpose}`, 32));
  known.set(purpose, made);
  return made;
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const sealedPattern = /^(\d{1,6})\.([\w-]+)$/;

/** The purpose and owner of an encrypted text, which cannot be decrypted for any other. */
interface Binding {
  purpose: string;
  belongsTo: string[];
}

const boundData = ({ purpose, belongsTo }: Binding, { version }: SecretKey): Buffer =>
  Buffer.from(JSON.stringify([purpose, version, ...belongsTo]));

/** Encrypts a text with the first key, prefixed with the version of the key. */
export function seal([key]: SecretKeys, binding: Binding, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, deriveKey(key, binding.purpose), nonce);
  cipher.setAAD(boundData(binding, key));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return `${key.version}.${Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url')}`;
}

/** Decrypts a text; null if it was changed, has another purpose or owner, or its key is gone. */
export function unseal(keys: SecretKeys, binding: Binding, sealed: string): string | null {
  const [, version, written = ''] = sealedPattern.exec(sealed) ?? [];
  const key = keys.find((one) => one.version === Number(version));
  const bytes = Buffer.from(written, 'base64url');
  if (!key || bytes.length < nonceBytes + tagBytes) return null;
  const opener = createDecipheriv(algorithm, deriveKey(key, binding.purpose), bytes.subarray(0, nonceBytes));
  opener.setAAD(boundData(binding, key));
  opener.setAuthTag(bytes.subarray(-tagBytes));
  try {
    const start = opener.update(bytes.subarray(nonceBytes, -tagBytes));
    return Buffer.concat([start, opener.final()]).toString('utf8');
  } catch {
    return null;
  }
}

export const isSealedByFirst = ([key]: SecretKeys, sealed: string): boolean =>
  sealed.startsWith(`${key.version}.`);

/** The stored form of a token. Tokens are long and random, so that a plain hash cannot be reversed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** The prefix of the secret in a feed's address, by which logs recognize what to leave out. */
export const feedSecretPrefix = 'pqf_';

/** Patterns of keys of well-known services, and of values assigned to names such as `secret`. */
const shapes = [
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_\w{20,}/g,
  /\bglpat-[\w-]{16,}/g,
  /\bsk-(?:ant-|proj-)?[\w-]{20,}/g,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\bxox[abeprs]-[\w-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bpql?_[\w.-]{30,}/g,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/g,
  /(?<=(?:api[_-]?key|secret|token|passw(?:or)?d|credential)["']?\s{0,3}[:=]\s{0,3}["'])[\w/+=.-]{20,}(?=["'])/gi,
];

/** No pattern matches a shorter text, so most lines of code need only this check. */
const shortestKey = 12;

/** Masks keys in a text, so that none gets to a model or into an article. */
export function maskKeys(text: string): string {
  if (text.length < shortestKey) return text;
  return shapes.reduce((masked, shape) => masked.replace(shape, '[masked]'), text);
}

export const holdsKey = (text: string): boolean => maskKeys(text) !== text;
