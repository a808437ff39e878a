import { createHash } from 'node:crypto';

/** A folder of clones has no numbers to give: 53 bits of SHA-256 over the lower-cased name stand in. */
export function localId(name: string): number {
  const digest = createHash('sha256').update(name.toLowerCase()).digest();
  return Number(digest.readBigUInt64BE(0) >> 11n);
}
