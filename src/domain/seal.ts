import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deriveKey, type SecretKey, type SecretKeys } from './secret-keys.ts';

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

/** Makes a text unreadable to all who lack the keys. The first key writes, and its version stands before the rest. */
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

/** Whether the key that writes now has sealed it. */
export const isSealedByFirst = ([key]: SecretKeys, sealed: string): boolean =>
  sealed.startsWith(`${key.version}.`);
