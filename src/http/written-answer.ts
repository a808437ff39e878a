import { version as ofPullquote } from '../version.ts';
import { tagOf } from './caching.ts';
import type { Keep } from './serve-from-cache.ts';

/** Data that is JSON already, in pieces, and a text that is another whenever the data is. */
export interface WrittenData {
  json: (string | Uint8Array)[];
  version: string;
}

/** An answer as it is sent, made once for however many get it. */
export interface WrittenAnswer {
  status: number;
  body: Buffer;
  tag: string;
  keep?: Keep;
}

/** Puts data that is JSON into its envelope, without looking at it. */
export function write(status: number, { json, version }: WrittenData, message: string): WrittenAnswer {
  const end = `,"message":${JSON.stringify(message)}}`;
  const pieces = ['{"success":true,"data":', ...json, end];
  const body = Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
  return { status, body, tag: tagOf(`${ofPullquote} ${version} ${end}`) };
}
