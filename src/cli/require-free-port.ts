import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';

/** Listens for a moment, so that a port that is taken is told before a database is initialised for nothing. */
export async function requireFreePort(config: Pick<Config, 'listen' | 'port'>): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen({ host: config.listen, port: config.port }), 'listening');
  } catch (error) {
    throw cannotListen(error, config);
  }
  await once(probe.close(), 'close');
}

export function cannotListen(
  error: unknown,
  { listen: host, port }: Pick<Config, 'listen' | 'port'>,
): StartupProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartupProblem(
      `Port ${port} at ${host} is taken by another program. Stop that one, or choose another port, such as PORT=${port + 1}.`,
    );
  }
  return new StartupProblem(
    `Cannot listen at ${host}, port ${port} (${code}). Choose others with LISTEN and PORT.`,
  );
}
