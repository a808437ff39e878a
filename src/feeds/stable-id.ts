import { hash } from 'node:crypto';

/** A UUID that is always the same for the same name (version 8 of RFC 9562, of a SHA-256). */
export function stableId(...names: string[]): string {
  const digits = hash('sha256', JSON.stringify(names));
  const variant = (8 + (Number.parseInt(digits.slice(16, 17), 16) % 4)).toString(16);
  const parts = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
