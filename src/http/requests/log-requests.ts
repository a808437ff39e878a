import type { FastifyBaseLogger } from 'fastify';
import { hideSecrets } from './hide-secrets.ts';

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

/** One line for each request. */
export function logRequest(log: FastifyBaseLogger, { method, url = '', status, elapsedMs }: Answered): void {
  log.info({ method, path: pathToLog(url), status, ms: Math.round(elapsedMs * 10) / 10 }, 'request');
}

/** Far more than any address of ours has. */
const mostCharacters = 500;

/**
 * The path alone: what stands before and behind it may hold secrets, and so may a part that is longer than any of an address
 * of ours.
 */
function pathToLog(url: string): string {
  const [path = ''] = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').split(/[?#]/, 1);
  return hideSecrets(path)
    .replace(/[^/]{101,}/g, '…')
    .slice(0, mostCharacters);
}
