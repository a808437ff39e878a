import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** The type that an Accept header prefers; of those that it likes equally, the first. */
const preferred = (accept: string, types: string[]): string | undefined =>
  new Negotiator({ headers: { accept } }).mediaType(types);

/** Whether a client prefers Markdown to JSON, by its Accept header. */
export function prefersMarkdown(accept: string | undefined): boolean {
  // Most want something else altogether: finding that out at once is worth a tenth of an answer from memory.
  if (accept === undefined || !/text\/|q\s*=/i.test(accept)) return false;
  return preferred(accept, ['application/json', 'text/markdown']) === 'text/markdown';
}

/** Whether a client prefers JSON to a page. One that names neither gets the page. */
export const prefersJson = ({ headers: { accept } }: Pick<FastifyRequest, 'headers'>): boolean =>
  accept !== undefined && preferred(accept, ['text/html', 'application/json']) === 'application/json';

/** Whether a browser asks for a page that does not exist. */
export const isPageNotFound = ({ is404, headers: { accept } }: FastifyRequest): boolean =>
  is404 && accept !== undefined && preferred(accept, ['application/json', 'text/html']) === 'text/html';
