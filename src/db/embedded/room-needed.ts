/** What adds rows, or new versions of them. Deleting does neither: it only notes that they are gone. */
const adds =
  /\bINSERT\s+INTO\b|\bUPDATE\s+(?:ONLY\s+)?\S+\s+(?:(?:AS\s+)?\w+\s+)?SET\b|^\s*(?:CREATE|ALTER|REINDEX|VACUUM)\b/im;

const removes = /\bDELETE\s+FROM\b|^\s*(?:DROP|TRUNCATE)\b/im;

/** The room that a statement needs on the disk: so many bytes beside the reserve, some of the reserve, or none to speak of. */
export type RoomNeeded = number | 'reserve' | 'none';

export function roomNeeded(
  text: string,
  parameters: readonly unknown[],
  { mayUseReserve = false } = {},
): RoomNeeded {
  const isAdding = adds.test(text);
  if (isAdding && !mayUseReserve)
    return parameters.reduce((size: number, value) => size + sizeOf(value), text.length);
  return isAdding || removes.test(text) ? 'reserve' : 'none';
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((size: number, one) => size + sizeOf(one), 0) : 0;
}
