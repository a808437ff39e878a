import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/**
 * The log goes to standard error, so that standard output stays for the person who started the service: lines for
 * reading on a terminal, JSON everywhere else.
 */
export function createLog(level: string): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }));
  return pino(options, pretty({ destination: 2, sync: true, singleLine: true, ignore: 'pid,hostname' }));
}
