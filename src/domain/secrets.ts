import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretKey {
  version: number;
  secret: Buffer;
}

/** At least one key. The first writes, all read, so that a key can be replaced without losing what an older one sealed. */
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

/** A key for one purpose, so that a token of one kind can never pass for one of another. */
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

/** What a sealed text is for and whom it belongs to: it cannot be opened for another purpose or owner. */
interface Binding {
  purpose: string;
  belongsTo: string[];
}

const bound = ({ purpose, belongsTo }: Binding, { version }: SecretKey): Buffer =>
  Buffer.from(JSON.stringify([purpose, version, ...belongsTo]));

/** Makes a text unreadable to all who lack the keys. The first key writes, prefixed with its version. */
export function seal([key]: SecretKeys, binding: Binding, text: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, deriveKey(key, binding.purpose), nonce);
  cipher.setAAD(bound(binding, key));
  const sealed = [nonce, cipher.update(text, 'utf8'), cipher.final()];
  return `${key.version}.${Buffer.concat([...sealed, cipher.getAuthTag()]).toString('base64url')}`;
}

/** The text that was sealed; null when it was changed, sealed for something else, or with a key that is no longer kept. */
export function unseal(keys: SecretKeys, binding: Binding, sealed: string): string | null {
  const [, version, written = ''] = sealedPattern.exec(sealed) ?? [];
  const key = keys.find((one) => one.version === Number(version));
  const bytes = Buffer.from(written, 'base64url');
  if (!key || bytes.length < nonceBytes + tagBytes) return null;
  const opener = createDecipheriv(algorithm, deriveKey(key, binding.purpose), bytes.subarray(0, nonceBytes));
  opener.setAAD(bound(binding, key));
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

/** What is kept of a token. Tokens are long and random, so that a plain hash cannot be guessed back. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** What the secret part of the address of a user's feed begins with, by which a log knows what it must not hold. */
export const feedSecretPrefix = 'pqf_';

/** What keys of well-known services look like, and what is called a secret where it is set. */
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

/** No shape is shorter; most lines of code are looked at for nothing but their length. */
const shortestKey = 12;

/** A text without what looks like a key: it goes to no model, and into no article. */
export function maskKeys(text: string): string {
  if (text.length < shortestKey) return text;
  return shapes.reduce((masked, shape) => masked.replace(shape, '[masked]'), text);
}

export const holdsKey = (text: string): boolean => maskKeys(text) !== text;
