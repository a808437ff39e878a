import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { CachePolicy } from '../cache/public-cache.ts';
import type { WrittenAnswer } from './written-answer.ts';

/** Data, which goes into an envelope and through the schema of its operation. */
interface DataAnswer<Data> {
  kind: 'data';
  status: number;
  data: Data;
  message: string;
}

/** Something that is no JSON: text, or bytes that come in their own time. */
export interface ContentAnswer {
  kind: 'content';
  status: number;
  contentType: string;
  content: string | Buffer | Readable;
  /** Until when it may be cached, if it is the same for every viewer. */
  cachePolicy?: CachePolicy;
}

/** Another address to go to. */
interface RedirectAnswer {
  kind: 'redirect';
  location: string;
}

/** Nothing, and that is all there is to say. */
interface EmptyAnswer {
  kind: 'empty';
}

/** What an operation answers. */
export type Answer<Data> = DataAnswer<Data> | WrittenAnswer | ContentAnswer | RedirectAnswer | EmptyAnswer;

const data =
  (status: number) =>
  <Data>(answered: Data, message: string): DataAnswer<Data> => ({
    kind: 'data',
    status,
    data: answered,
    message,
  });

export const ok = data(200);
export const created = data(201);
export const accepted = data(202);
export const empty: EmptyAnswer = { kind: 'empty' };

export const redirect = (location: string): RedirectAnswer => ({ kind: 'redirect', location });

export const content = (contentType: string, of: ContentAnswer['content'], status = 200): ContentAnswer => ({
  kind: 'content',
  status,
  contentType,
  content: of,
});

/** Sends an answer of whichever kind; `bare` leaves the envelope of data away. */
export function sendAnswer(
  reply: FastifyReply,
  answer: Answer<unknown>,
  { bare = false }: { bare?: boolean },
): FastifyReply {
  switch (answer.kind) {
    case 'data': {
      const { status, data, message } = answer;
      return reply.code(status).send(bare ? data : { success: true, data, message });
    }
    case 'written': {
      reply.cachePolicy = answer.cachePolicy ?? null;
      if (reply.request.method !== 'POST') reply.header('etag', answer.tag);
      return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
    }
    case 'content':
      reply.cachePolicy = answer.cachePolicy ?? null;
      return reply.code(answer.status).type(answer.contentType).send(answer.content);
    case 'redirect':
      return reply.redirect(answer.location, 302);
    case 'empty':
      return reply.code(204).send();
  }
}
