export type Encoding = 'br' | 'gzip';

/** Below this, what is saved is less than the headers that say so. */
export const smallestToEncode = 1_024;

const accepted: Record<Encoding, RegExp> = {
  br: /(?:^|,)\s*br\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+)?\s*(?:,|$)/i,
  gzip: /(?:^|,)\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[\d.]+)?\s*(?:,|$)/i,
};

/** The best of our encodings that a client takes; null where it takes none. */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (header === undefined) return null;
  if (accepted.br.test(header)) return 'br';
  return accepted.gzip.test(header) ? 'gzip' : null;
}
