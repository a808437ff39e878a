import type { FastifyBaseLogger } from 'fastify';

interface Answered {
  method: string | undefined;
  url: string | undefined;
  status: number;
  elapsedMs: number;
}

/** Whether requests are written into a log at all; if not, they need not be measured. */
export function logsRequests({ level }: FastifyBaseLogger): boolean {
  return ['info', 'debug', 'trace'].includes(level);
}

/** One line for each request. Not its query: it may hold what is nobody's business. */
export function logRequest(log: FastifyBaseLogger, { method, url = '', status, elapsedMs }: Answered): void {
  const [path] = url.split('?');
  log.info({ method, path, status, ms: Math.round(elapsedMs * 10) / 10 }, 'request');
}
