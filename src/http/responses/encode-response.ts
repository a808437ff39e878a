import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyReply } from 'fastify';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip';

/** Below this size, compression saves less than its headers cost. */
export const smallestToEncode = 1_024;

/** Event streams are not encoded, because events must arrive one by one. */
const encodedTypes =
  /^(?:text\/(?!event-stream)|application\/(?:json|javascript|atom\+xml|feed\+json)|image\/svg)/;

export function canBeEncoded(reply: FastifyReply, payload: unknown): boolean {
  if (reply.statusCode >= 300 || reply.hasHeader('content-encoding')) return false;
  // A response that must not be stored may contain a token. Its compressed size, together with text chosen by an
  // attacker, could reveal the token.
  if (reply.getHeader('cache-control') === 'no-store') return false;
  if (!encodedTypes.test(String(reply.getHeader('content-type')))) return false;
  return Buffer.isBuffer(payload) ? payload.length >= smallestToEncode : payload instanceof Readable;
}

export function chooseEncoding(headers: IncomingHttpHeaders, payload: unknown): Encoding | null {
  if (headers['accept-encoding'] === undefined) return null;
  const taken = new Negotiator({ headers }).encodings(['br', 'gzip']);
  // A stream holds its encoder as long as its reader takes, and a Brotli encoder is large.
  if (taken.includes('br') && Buffer.isBuffer(payload)) return 'br';
  return taken.includes('gzip') ? 'gzip' : null;
}

export const encodeBytes: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  // Above this quality the time doubles for a percent of the size.
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 6 }),
};

/** Half of the default memory and time, for a tenth more bytes. */
const forStreams = { level: 3, windowBits: 14, memLevel: 7, highWaterMark: 16 * 1024 };

export function encodeStream(stream: Readable): Readable {
  return pipeline(stream, createGzip(forStreams), () => {});
}

const selectCompiler = SerializerSelector();

/** Each serializer is compiled with the first response that needs it, because most are not needed at the start. */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = selectCompiler(schemas, options);
  return (route) => {
    let serialize: ((data: unknown) => string) | null = null;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
};
