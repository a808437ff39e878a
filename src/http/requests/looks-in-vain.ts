import type { FastifyRequest } from 'fastify';

/** Whether somebody looks with a browser at an address at which there is nothing. */
export const looksInVain = ({ is404, headers }: FastifyRequest): boolean =>
  is404 && headers.accept?.includes('text/html') === true;
