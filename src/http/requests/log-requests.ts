import type { FastifyBaseLogger } from 'fastify';
import { feedSecretPrefix } from '../../domain/feed-secrets.ts';

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
  return withoutSecret(path)
    .replace(/[^/]{101,}/g, '…')
    .slice(0, mostCharacters);
}

/** What stands behind the one, or begins with the other, opens the feed of a user. */
const beforeSecret = new RegExp(`(/feeds/+mine/+|${feedSecretPrefix}).*`, 'is');

/** However a path spells it: routes are found by what percent-encoding means. */
function withoutSecret(path: string): string {
  const meant = path.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return beforeSecret.test(meant) ? meant.replace(beforeSecret, '$1…') : path;
}
