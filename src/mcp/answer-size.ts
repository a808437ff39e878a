import { nameHidden } from '../domain/hidden-characters.ts';

/** What an agent is answered at once, at most. */
export const mostTokens = 8_000;

/** By estimate: English has about four bytes to a token, code and Japanese two and a half. Text of ids alone may have fewer. */
const bytesPerToken = 2;
const mostBytes = mostTokens * bytesPerToken;

export const bytesOf = (sent: unknown): number => Buffer.byteLength(JSON.stringify(sent) ?? '');

export const tokensOf = (sent: unknown): number => Math.ceil(bytesOf(sent) / bytesPerToken);

/** A part of an answer that is not divided, in words and as data. */
export interface Piece<Data> {
  text: string;
  data: Data;
}

/** What a piece may have: one always fits, and several usually do. */
export const mostPieceBytes = 6_000;

/** For the form of an answer, and for how to go on. */
const reservedBytes = 800;

/** The first pieces of a list that fit into an answer beside what surrounds them. */
export function takeFitting<Data>(pieces: Piece<Data>[], surroundings: unknown): Piece<Data>[] {
  let left = mostBytes - reservedBytes - bytesOf(surroundings);
  const fits = pieces.findIndex((piece) => {
    left -= bytesOf(piece);
    return left < 0;
  });
  return fits === -1 ? pieces : pieces.slice(0, Math.max(1, fits));
}

/** A text in one line, with all that it hides named, and no longer than this, cut where a word ends if one does. */
export function inShort(text: string, most: number): string {
  const line = nameHidden(text.replace(/\s+/g, ' ').trim(), 'exact');
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1);
  return `${cut.replace(/\s\S{0,30}$|[\ud800-\udbff]$/, '').trimEnd()}…`;
}
