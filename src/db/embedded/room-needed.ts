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
  const doing = whatItDoes(text);
  if (doing === 'adds' && !mayUseReserve)
    return parameters.reduce((size: number, value) => size + sizeOf(value), text.length);
  return doing === 'reads' ? 'none' : 'reserve';
}

type Doing = 'adds' | 'removes' | 'reads';

/** Looking through the text of a statement takes tens of microseconds. */
const known = new Map<string, Doing>();

/** More than there are statements; scripts come beside them. */
const mostKnown = 1_000;

function whatItDoes(text: string): Doing {
  const before = known.get(text);
  if (before) return before;
  const doing = adds.test(text) ? 'adds' : removes.test(text) ? 'removes' : 'reads';
  if (known.size >= mostKnown) known.clear();
  known.set(text, doing);
  return doing;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Buffer.byteLength(value);
  return Array.isArray(value) ? value.reduce((size: number, one) => size + sizeOf(one), 0) : 0;
}
