import { isUtf8 } from 'node:buffer';
import type { FileDiff } from './file-diff.ts';

const newline = 10;
const space = 32;
const plus = 43;
const comma = 44;
const minus = 45;
const semicolon = 59;

const start = 0x811c9dc5;
const mix = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** What ends a line without saying anything: which of several lines is the last one decides whether it is there. */
const isTrailing = (byte: number): boolean => byte === comma || byte === semicolon;

/** Counts of removed lines stand in the lower half, those of added ones in the upper. */
const half = 0x10000;

/**
 * Every changed line of a whole pull request, free of white space, with the sides on which it stands. A line that stands
 * on both was moved, indented or put inside of something: it neither came nor went. Lines are known by a hash of their
 * bytes; that two should share one by chance costs a fact, and never makes one up.
 */
export class WholeDiff {
  readonly #counts = new Map<number, number>();
  #hasRemoved = false;
  #hasAdded = false;

  note(file: FileDiff): void {
    // Whoever asks has the text, in which other signs stand for what is no text.
    const bytes = isUtf8(file.bytes) ? file.bytes : Buffer.from(file.bytes.toString('utf8'));
    const first = bytes.indexOf('\n@@ ');
    let position = first < 0 ? bytes.length : first + 1;
    while (position < bytes.length) {
      const sign = bytes[position];
      if (sign !== plus && sign !== minus) {
        const end = bytes.indexOf(newline, position);
        position = end < 0 ? bytes.length : end + 1;
        continue;
      }
      const begin = position + 1;
      const end = bytes.indexOf(newline, begin);
      position = end < 0 ? bytes.length : end + 1;
      const hash = hashBytes(bytes, begin, end < 0 ? bytes.length : end);
      if (hash !== start) this.#count(hash, sign === plus ? half : 1);
      if (sign === plus) this.#hasAdded = true;
      else this.#hasRemoved = true;
    }
  }

  #count(hash: number, one: number): void {
    const count = this.#counts.get(hash) ?? 0;
    const isFull = one === 1 ? (count & (half - 1)) === half - 1 : count >>> 16 === half - 1;
    if (!isFull) this.#counts.set(hash, count + one);
  }

  /** Where nothing went, or nothing came, nothing can have moved, and no line needs to be looked for. */
  get mayHaveMoved(): boolean {
    return this.#hasRemoved && this.#hasAdded;
  }

  /** Whether a changed line stands among the removed lines and among the added ones, somewhere in the pull request. */
  standsOnBoth(text: string): boolean {
    if (!this.mayHaveMoved) return false;
    const count = this.#counts.get(hashText(text)) ?? 0;
    return (count & (half - 1)) > 0 && count >>> 16 > 0;
  }

  /** How often it stands among the added lines. */
  timesAdded(text: string): number {
    return (this.#counts.get(hashText(text)) ?? 0) >>> 16;
  }
}

function hashBytes(bytes: Buffer, from: number, to: number): number {
  let end = to;
  while (end > from && (bytes[end - 1] as number) <= space) end--;
  while (end > from && isTrailing(bytes[end - 1] as number)) end--;
  let hash = start;
  for (let index = from; index < end; index++) {
    const byte = bytes[index] as number;
    if (byte > space) hash = mix(hash, byte);
  }
  return hash;
}

function hashText(text: string): number {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) <= space) end--;
  while (end > 0 && isTrailing(text.charCodeAt(end - 1))) end--;
  let hash = start;
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code > 127) return hashWide(text);
    if (code > space) hash = mix(hash, code);
  }
  return hash;
}

function hashWide(text: string): number {
  const bytes = Buffer.from(text);
  return hashBytes(bytes, 0, bytes.length);
}
