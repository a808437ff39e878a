import { type Logger, pino } from 'pino';
import { nameHidden } from './domain/text.ts';

/**
 * The log goes to standard error, and standard output is for the person who started the service: readable lines on a
 * terminal, JSON otherwise.
 */
export async function createLog(level: string): Promise<Logger> {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (!process.stderr.isTTY) return pino(options, pino.destination({ dest: 2, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    { ...options, hooks: { streamWrite: nameHiddenInLogLine } },
    pretty({ destination: 2, sync: true, singleLine: true, ignore: 'pid,hostname' }),
  );
}

/** Log lines may contain text of strangers with control characters, which would steer a terminal. */
export function nameHiddenInLogLine(line: string): string {
  const named = JSON.parse(line, (_, value: unknown) =>
    typeof value === 'string' ? nameHidden(value, 'exact').replaceAll('\r', '⟨U+000D⟩') : value,
  );
  return `${JSON.stringify(named)}\n`;
}
