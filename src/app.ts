import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { refreshLocalRepositories } from './actions/refresh-local-repositories.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import { findClone } from './code-hosts/git/find-clone.ts';
import { createGitHost } from './code-hosts/git/git-host.ts';
import { samplePullRequest, samplesIn, writeSamples } from './code-hosts/git/write-sample.ts';
import { type Config, programSearchPath } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';
import { connectDatabase, type Database } from './db/connect.ts';
import { createServer } from './http/server.ts';
import { type Housekeeping, startHousekeeping } from './jobs/housekeeping.ts';
import { loadSecretKeys } from './secret-keys.ts';

export interface App {
  server: FastifyInstance;
  codeHosts: CodeHost[];
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
  prepareDataFolder(config.dataFolder);
  const codeHosts = await createCodeHosts(config, clock, announce);
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
    return { server, codeHosts, database, housekeeping, close };
  } catch (error) {
    await database.close();
    throw error;
  }
}

type Announce = Surroundings['announce'];

async function createCodeHosts(config: Config, clock: () => Date, announce: Announce): Promise<CodeHost[]> {
  const create = { git: () => createGit(config, clock, announce) };
  return Promise.all(config.codeHosts.map((id) => create[id]()));
}

async function createGit(config: Config, clock: () => Date, announce: Announce): Promise<CodeHost> {
  const samples = samplesIn(config.dataFolder);
  if (!config.gitRepos) await writeSamples(samples, programSearchPath());
  const root = config.gitRepos ?? samples;
  for (const { fullName } of config.gitPrivate) {
    const [owner = '', name = ''] = fullName.split('/');
    if (!(await findClone(root, owner, name)))
      announce(`GIT_PRIVATE lists ${fullName}, which is not in ${root}.`);
  }
  const host = createGitHost({
    root,
    git: { path: programSearchPath(), standInFolder: join(config.dataFolder, 'git') },
    webUrl: config.gitWebUrl?.href.replace(/\/$/, '') ?? null,
    privateRepositories: config.gitPrivate,
    secretKeys: loadSecretKeys(config),
    clock,
  });
  return config.gitRepos ? host : { ...host, suggestPullRequest: async () => samplePullRequest };
}
