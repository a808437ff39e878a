import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { refreshLocalRepositories } from './actions/refresh-local-repositories.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import { createGitHost } from './code-hosts/git/git-host.ts';
import { writeSamples } from './code-hosts/git/write-sample.ts';
import { type Config, programSearchPath } from './config.ts';
import { connectDatabase, type Database } from './db/connect.ts';
import { createServer } from './http/server.ts';
import { type Housekeeping, startHousekeeping } from './jobs/housekeeping.ts';
import { loadSecretKeys } from './secret-keys.ts';

export interface App {
  server: FastifyInstance;
  database: Database;
  housekeeping: Housekeeping;
  /** Finishes what is in flight, then lets go of everything. */
  close: () => Promise<void>;
}

interface Surroundings {
  log: Logger;
  clock: () => Date;
  /** Tells the person who started the service what is going on. */
  announce: (sentence: string) => void;
}

/** Builds every part and hands it to those that need it. */
export async function buildApp(config: Config, { log, clock, announce }: Surroundings): Promise<App> {
  const codeHosts = await createCodeHosts(config, clock);
  const database = await connectDatabase(config, announce);
  try {
    await refreshLocalRepositories({ database, codeHosts, clock });
    const housekeeping = startHousekeeping({ database, clock, log });
    const server = await createServer({ ...config, database, codeHosts, housekeeping, clock, log });
    const close = async (): Promise<void> => {
      await server.close();
      await housekeeping.stop();
      await database.close();
    };
    return { server, database, housekeeping, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function createCodeHosts(config: Config, clock: () => Date): Promise<CodeHost[]> {
  const samples = join(config.dataFolder, 'sample-repositories');
  if (!config.gitRepos) await writeSamples(samples, programSearchPath());
  return [
    createGitHost({
      root: config.gitRepos ?? samples,
      webUrl: config.gitWebUrl?.href.replace(/\/$/, '') ?? null,
      privateRepositories: config.gitPrivate,
      secretKeys: loadSecretKeys(config),
      clock,
    }),
  ];
}
