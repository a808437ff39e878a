import { version as ofPullquote } from '../../version.ts';
import { tagOf } from '../cache/describe-caching.ts';
import type { CachePolicy } from '../cache/public-cache.ts';

/** JSON in pieces, of which some were bytes already. */
type JsonPieces = (string | Uint8Array)[];

/** Data that is JSON already, and a text that is another whenever the data is. */
export interface WrittenData {
  json: JsonPieces;
  version: string;
}

/** JSON as it is sent, made once for however many get it. */
export interface WrittenAnswer {
  kind: 'written';
  status: number;
  body: Buffer;
  tag: string;
  /** Until when it may be cached, if it is the same for every viewer. */
  cachePolicy?: CachePolicy;
}

/** Puts data that is JSON into its envelope, without looking at it. */
export function write(status: number, { json, version }: WrittenData, message: string): WrittenAnswer {
  const end = `,"message":${JSON.stringify(message)}}`;
  const body = joinPieces(['{"success":true,"data":', ...json, end]);
  return { kind: 'written', status, body, tag: tagOf(`${ofPullquote} ${version} ${end}`) };
}

export function joinPieces(pieces: JsonPieces): Buffer {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
