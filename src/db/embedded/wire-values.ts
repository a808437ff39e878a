import { readerOf } from '../value-texts.ts';

export const bytesType = 17;
export const jsonType = 114;

export interface Column {
  name: string;
  type: number;
  /** Whether it comes as bytes; otherwise as text. */
  isBinary: boolean;
}

/** The value of a column as our code has it. Bytes are a view of where they arrived, not a copy. */
export function readValue(bytes: Buffer, { type, isBinary }: Column, jsonAsBytes: boolean): unknown {
  if (isBinary || (jsonAsBytes && type === jsonType)) return bytes;
  const text = bytes.toString();
  if (type === bytesType) return Buffer.from(text.slice(2), 'hex');
  const read = readerOf(type);
  return read ? read(text) : text;
}
