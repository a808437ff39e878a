import type { FastifyRequest } from 'fastify';

/** Whether a browser asks for a page that does not exist. */
export const isPageNotFound = ({ is404, headers }: FastifyRequest): boolean =>
  is404 && headers.accept?.includes('text/html') === true;
