import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createCallerOn } from './actions/call-host.ts';
import type { ModelWriting } from './actions/compose-with-model.ts';
import { knowHosts } from './actions/know-hosts.ts';
import { createLookAtLists } from './actions/look-at-lists.ts';
import { refreshLocalRepositories } from './actions/refresh-local-repositories.ts';
import { RepositoryRenewals } from './actions/renew-repositories.ts';
import { SavedTokens } from './actions/saved-tokens.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import { type Config, programSearchPath } from './config.ts';
import { prepareDataFolder } from './data-folder.ts';
import { connectDatabase } from './db/connect.ts';
import type { Database } from './db/database.ts';
import { requireRoomToStart } from './db/embedded/disk-room.ts';
import { takeExclusiveLock } from './db/embedded/exclusive-lock.ts';
import { numberOfflineWriter } from './db/offline-writers.ts';
import { BegunOnce } from './domain/begun-once.ts';
import { checkableLanguages } from './domain/languages.ts';
import type { SecretKeys } from './domain/secret-keys.ts';
import { createEgressClient, type EgressRules } from './egress/egress-client.ts';
import { networkForGit } from './egress/network-for-git.ts';
import { PublicCache } from './http/cache/public-cache.ts';
import type { Patience } from './http/requests/patience.ts';
import { fillWithSamples } from './jobs/fill-with-samples.ts';
import { hearPublicChanges } from './jobs/hear-public-changes.ts';
import { type Housekeeping, startHousekeeping } from './jobs/housekeeping.ts';
import { keepRankings, type RankingKeeper } from './jobs/keep-rankings.ts';
import { renewArticles } from './jobs/renew-articles.ts';
import { type ListRenewal, renewLists } from './jobs/renew-lists.ts';
import { watchJobs } from './jobs/watch-jobs.ts';
import { writeArticles } from './jobs/write-articles.ts';
import { loadPrompts } from './load-prompts.ts';
import { loadSecretKeys } from './load-secret-keys.ts';
import { offlineWriterVersion } from './offline-writer-version.ts';
import { openTokenIssuer } from './oidc/open-token-issuer.ts';
import { type Models, openModels } from './open-models.ts';
import { ThreadPool } from './threads/thread-pool.ts';
import { version } from './version.ts';
import { offlineLanguages } from './writing/languages.ts';

export interface App {
  server: FastifyInstance;
  codeHosts: CodeHost[];
  database: Database;
  housekeeping: Housekeeping;
  rankings: RankingKeeper;
  /** Has what lists show confirmed; whoever serves lets it begin. */
  lists: ListRenewal;
  /** Begins to write about the samples, where they are what is shown. */
  fillWithSamples: () => void;
  /** Finishes what is in flight, then lets go of everything. */
  close: () => Promise<void>;
}

interface Surroundings {
  log: Logger;
  clock: () => Date;
  /** Tells the person who started the service what is going on. */
  announce: (sentence: string) => void;
  /** How time is let pass between tries to reach a model; by waiting, unless told otherwise. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  patience?: Patience | undefined;
  /** How long the database is let take for an answer; as long as is usual, unless told otherwise. */
  databasePatienceMs?: number | undefined;
}

/** Builds every part and hands it to those that need it. */
export async function buildApp(config: Config, surroundings: Surroundings): Promise<App> {
  const { log, clock, announce } = surroundings;
  const opened = openModels(config, {
    ...surroundings,
    connect: (rules) => createEgressClient(config, rules),
  });
  const models = opened && prepareModels(config, opened);
  prepareDataFolder(config.dataFolder);
  if (!config.databaseUrl) requireRoomToStart(config.dataFolder);
  const secretKeys = loadSecretKeys(config);
  // The embedded database opens in a thread of its own: the larger part of the service is loaded meanwhile.
  const opening = connectDatabase(config, announce, surroundings.databasePatienceMs);
  try {
    const [database, codeHosts, { createServer }] = await Promise.all([
      opening,
      createCodeHosts(config, { secretKeys, clock, announce }),
      import('./http/server.ts'),
    ]);
    await knowHosts(database, codeHosts);
    await refreshLocalRepositories({ database, codeHosts, clock });
    const housekeeping = startHousekeeping({ database, clock, log });
    const rankings = keepRankings({ database, clock, log });
    const numbered = new BegunOnce(async () => numberOfflineWriter(database, await offlineWriterVersion()));
    const offlineWriter = () => numbered.get();
    const jobs = await watchJobs(database, log);
    const terms = async () => readingTerms(config, await offlineWriter());
    // Whoever fetches a pull request does not wait for those who write articles.
    const fetchingThreads = startThreads(config, log);
    const writingThreads = startThreads(config, log);
    const cache = new PublicCache(config.cacheBytes);
    const stopHearing = await hearPublicChanges(database, cache, log);
    const issuer = openIssuer(config, clock);
    const savedTokens = new SavedTokens({ database, secretKeys, clock });
    const callerOn = createCallerOn(savedTokens);
    const renewals = new RepositoryRenewals({ database, codeHosts, callerOn, clock });
    const { listedForMs } = config;
    const lists = renewLists({ database, codeHosts, renewals, clock, listedForMs, log });
    const writing = writeArticles(
      {
        database,
        codeHosts,
        runInThread: writingThreads.run,
        terms,
        offlineWriter,
        models,
        jobs,
        clock,
        log,
      },
      config.writers,
    );
    const server = await createServer({
      ...config,
      database,
      codeHosts,
      issuer,
      callerOn,
      renewals,
      lookAtLists: createLookAtLists({ database, codeHosts, renewals, clock, listedForMs }),
      secretKeys,
      housekeeping,
      writing,
      jobs,
      models,
      languages: models ? checkableLanguages : [...offlineLanguages],
      cache,
      runInThread: fetchingThreads.run,
      terms,
      offlineWriter,
      clock,
      log,
      patience: surroundings.patience,
    });
    const samples = fillWithSamples({
      ...config,
      database,
      callerOn,
      codeHost: showsSamples(config) ? codeHosts.find(({ id }) => id === 'git') : undefined,
      jobs,
      runInThread: fetchingThreads.run,
      terms,
      clock,
      log,
    });
    const renewal = renewArticles({ database, offlineWriter, clock, log });
    server.addHook('onListen', async () => {
      setImmediate(writing.begin);
      setImmediate(renewal.begin);
    });
    // Those who wait for an article are told to come back, so that the server can close.
    server.addHook('preClose', async () => jobs.end());
    const close = async (): Promise<void> => {
      await Promise.all([renewal.stop(), samples.stop(), lists.stop()]);
      await Promise.all([server.close(), writing.stop()]);
      await savedTokens.settle();
      await Promise.all([fetchingThreads.close(), writingThreads.close()]);
      await jobs.stop();
      await stopHearing();
      await housekeeping.stop();
      await rankings.stop();
      await Promise.all(codeHosts.map((codeHost) => codeHost.close()));
      await Promise.all([opened?.close(), issuer?.close()]);
      await database.close();
    };
    return {
      server,
      codeHosts,
      database,
      housekeeping,
      rankings,
      lists,
      fillWithSamples: samples.begin,
      close,
    };
  } catch (error) {
    await opening.then(
      (database) => database.close(),
      () => {},
    );
    throw error;
  }
}

/** The identity provider of the settings, whose users are those of GitHub; null where they name none. */
function openIssuer(config: Config, clock: () => Date) {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcHostUserClaim: hostUserClaim } = config;
  if (!issuer || !audience || !hostUserClaim) return null;
  const settings = { issuer, audience, hostUserClaim, jwksUrl: config.oidcJwksUrl };
  const connect = (rules: EgressRules) => createEgressClient(config, rules);
  return { ...openTokenIssuer(settings, { clock, connect }), host: 'github' };
}

/** Prompts are read at the start, so that a folder that lacks one is found then. */
function prepareModels(config: Config, { writer, judge }: Models): ModelWriting {
  const { prompts, version: promptVersion } = loadPrompts(config.aiPrompts);
  const { aiTokensPerDay, aiArticlesPerDay, aiPrivate } = config;
  return {
    writer,
    judge,
    prompts,
    promptVersion,
    tokensPerDay: aiTokensPerDay,
    articlesPerDay: aiArticlesPerDay,
    mayReadPrivate: aiPrivate,
  };
}

/** Without clones there are samples; who writes nothing leaves these to others too. */
const showsSamples = ({ gitRepos, writers }: Config): boolean => gitRepos === undefined && writers > 0;

/** Threads that start with the first work there is for them. */
function startThreads(config: Config, log: Logger): ThreadPool {
  return new ThreadPool({
    most: Math.max(1, config.writers),
    limits: { workMs: config.writingMs, memoryBytes: config.writingBytes },
    onMissingGrammar: (grammar, problem) =>
      log.warn({ problem, grammar }, 'a grammar cannot be loaded; files are read without it'),
  });
}

/** What was more than could be read is tried again when one of these has changed. */
function readingTerms({ writingMs, writingBytes, maxDiffBytes }: Config, offlineWriter: number): string {
  return [version, offlineWriter, writingMs, writingBytes, maxDiffBytes].join(' ');
}

async function createCodeHosts(
  config: Config,
  known: Pick<Surroundings, 'clock' | 'announce'> & { secretKeys: SecretKeys },
): Promise<CodeHost[]> {
  const surroundings = {
    ...known,
    searchPath: programSearchPath(),
    connect: (rules: EgressRules) => createEgressClient(config, rules),
    networkForGit: (rules: Parameters<typeof networkForGit>[1]) => networkForGit(config, rules),
    takeLock: takeExclusiveLock,
  };
  const create = {
    git: async () => (await import('./code-hosts/git/open-git-host.ts')).openGitHost(config, surroundings),
    github: async () =>
      (await import('./code-hosts/github/open-github-host.ts')).openGitHubHost(config, surroundings),
  };
  return Promise.all(config.codeHosts.map((id) => create[id]()));
}
