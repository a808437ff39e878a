import { keepRoots } from './actions/repositories/add-repository.ts';
import {
  refreshLocalRepositories,
  registerCodeHosts,
} from './actions/repositories/renew-listed-repositories.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import { knownHosts } from './code-hosts/known-hosts.ts';
import { type Config, programSearchPath } from './config.ts';
import { loadSecretKeys, prepareDataFolder } from './data-folder.ts';
import { connectDatabase, measureDatabase } from './db/connect.ts';
import { retryWhileBusy } from './db/failures.ts';
import { takeExclusiveLock } from './db/local-server/server-folder.ts';
import { listAddedClones, listAddedRepositoryIds } from './db/repositories-added.ts';
import type { SecretKeys } from './domain/secrets.ts';
import { createEgressClient, type EgressRules, networkForGit } from './egress/egress-client.ts';
import type { Patience } from './http/deps.ts';
import { type Metrics, measureFetch } from './metrics/metrics.ts';

interface StorageOptions {
  clock: () => Date;
  announce: (sentence: string) => void;
  patience?: Patience | undefined;
  databasePatienceMs?: number | undefined;
  command: string;
  metrics: Metrics | null;
}

export async function openStorage(
  config: Config,
  { clock, command, announce, patience, databasePatienceMs, metrics }: StorageOptions,
  opened: AsyncDisposableStack,
) {
  prepareDataFolder(config.dataFolder);
  const secretKeys = loadSecretKeys(config);
  const openingDatabase = connectDatabase(config, { command, announce, patienceMs: databasePatienceMs });
  opened.defer(async () => (await openingDatabase.catch(() => null))?.close());
  const listAdded = async () => listAddedClones(await openingDatabase);
  const openingHosts = createCodeHosts(config, {
    secretKeys,
    clock,
    announce,
    patience,
    metrics,
    listAddedClones: listAdded,
  });
  opened.defer(async () => {
    const hosts = await openingHosts.catch(() => []);
    await Promise.all(hosts.map((codeHost) => codeHost.close()));
  });
  const [unmeasured, codeHosts] = await Promise.all([openingDatabase, openingHosts]);
  const database = measureDatabase(unmeasured, metrics?.database ?? null);
  const refreshed = retryWhileBusy(async () => {
    await registerCodeHosts(database, codeHosts);
    // A command may have other settings than the service, so it must not hide what the service shows.
    if (command !== 'serve' && command !== 'work') return;
    await Promise.all(
      codeHosts.map(({ adding }) => adding?.removeUnlisted(() => listAddedRepositoryIds(database))),
    );
    await keepRoots({ database, codeHosts });
    await refreshLocalRepositories({ database, codeHosts, clock });
    // Finding the problems also announces them.
    await Promise.all(codeHosts.map(({ adding }) => adding?.findProblems()));
  });
  // If the start fails elsewhere in the meantime, closing waits for the last statement.
  const settled = refreshed.catch(() => {});
  opened.defer(() => settled);
  return { database, codeHosts, secretKeys, refreshed };
}

async function createCodeHosts(
  config: Config,
  {
    metrics,
    patience,
    ...known
  }: Omit<StorageOptions, 'databasePatienceMs' | 'command'> & {
    secretKeys: SecretKeys;
    listAddedClones: () => ReturnType<typeof listAddedClones>;
  },
): Promise<CodeHost[]> {
  const surroundings = {
    ...known,
    responseMs: patience?.hostMs,
    searchPath: programSearchPath(),
    networkForGit: (rules: Parameters<typeof networkForGit>[1]) => networkForGit(config, rules),
    takeLock: takeExclusiveLock,
  };
  const connectMeasured = (host: string) => (rules: EgressRules) => {
    const client = createEgressClient(config, rules);
    return { ...client, fetch: measureFetch(host, metrics?.hosts ?? null, client.fetch) };
  };
  return Promise.all(
    config.codeHosts.map((id) =>
      knownHosts[id].open(config, { ...surroundings, connect: connectMeasured(id) }),
    ),
  );
}
