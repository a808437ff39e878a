/** What adds rows, or new versions of them. Deleting does neither: it only notes that they are gone. */
const adds =
  /\bINSERT\s+INTO\b|\bUPDATE\s+(?:ONLY\s+)?\S+\s+(?:(?:AS\s+)?\w+\s+)?SET\b|^\s*(?:CREATE|ALTER|REINDEX|VACUUM)\b/im;

/** How many bytes a statement brings that are to be stored; null for one that stores nothing new. */
export function bytesStored(text: string, parameters: readonly unknown[]): number | null {
  if (!adds.test(text)) return null;
  return parameters.reduce((size: number, value) => size + sizeOf(value), text.length);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((size: number, one) => size + sizeOf(one), 0) : 0;
}
