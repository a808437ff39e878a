import type { FastifyInstance } from 'fastify';
import { SavedTokens } from './actions/accounts/saved-tokens.ts';
import { Revocations } from './actions/accounts/sessions.ts';
import { CardPictures } from './actions/articles/card-pictures.ts';
import { findRepositoriesTogether } from './actions/articles/read-article.ts';
import { createWriteWithoutModel } from './actions/articles/without-model.ts';
import type { Recordings } from './actions/deps.ts';
import { storeLikesTogether } from './actions/likes/likes.ts';
import { shareIngests } from './actions/pull-requests/ingest-pull-request.ts';
import { createCallerOn } from './actions/repositories/find-repository.ts';
import { createBackgroundListScope, createListScope } from './actions/repositories/list-repositories.ts';
import { RepositoryRenewals } from './actions/repositories/renew-repositories.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { freeIn } from './db/local-server/programs.ts';
import { LazyPromise, Semaphore } from './domain/concurrency.ts';
import { checkableLanguages } from './domain/languages.ts';
import type { ModelAccess, StoredModelSettings } from './domain/model-providers.ts';
import { createEgressClient, type EgressRules } from './egress/egress-client.ts';
import { openMail } from './egress/mail-client.ts';
import { openDigestWebhook } from './egress/webhook-client.ts';
import { PublicCache } from './http/cache/public-cache.ts';
import type { Patience } from './http/deps.ts';
import { Highlighter, highlightingMs } from './http/pages/highlight.ts';
import { listenForPublicChanges, listenForRevocations, watchJobs } from './jobs/listen.ts';
import type { BackgroundWork, IntervalWork } from './jobs/periodic-jobs.ts';
import {
  fillWithSamples,
  type Housekeeping,
  indexArticlesPeriodically,
  keepRankings,
  renewArticles,
  renewLists,
  type SampleWork,
  sendDigestsPeriodically,
  startHousekeeping,
  watchRepositories,
} from './jobs/periodic-jobs.ts';
import { runJobs } from './jobs/run-jobs.ts';
import type { Workers } from './jobs/work.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openTokenIssuer } from './oidc/open-token-issuer.ts';
import { findLocalModels, listModels } from './open-model-lists.ts';
import { openRecordings } from './open-recordings.ts';
import { readSamples } from './open-samples.ts';
import { openStorage } from './open-storage.ts';
import {
  CurrentModels,
  loadModelCode,
  readerVersionOf,
  type SharedThreads,
  startThreads,
} from './open-writing.ts';
import { oidcHost } from './settings/code-host-settings.ts';
import { version } from './version.ts';
import { offlineLanguages } from './writing/articles.ts';
import recordedWriter from './writing/writer-version.json' with { type: 'json' };

type Services = Awaited<ReturnType<typeof openServices>>;

export interface App extends Pick<Background, 'rankings' | 'lists' | 'watching' | 'digests'> {
  server: FastifyInstance;
  codeHosts: CodeHost[];
  database: Database;
  housekeeping: Housekeeping;
  deps: Services;
  fillWithSamples: () => Promise<void>;
  /** Starts the background jobs except writing, unless other processes run them. */
  startBackgroundJobs: () => void;
  startWriting: () => void;
  close: () => Promise<void>;
}

interface AppOptions extends SharedThreads {
  clock: () => Date;
  command: string;
  announce: (sentence: string) => void;
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  patience?: Patience | undefined;
  isWorker?: boolean | undefined;
  databasePatienceMs?: number | undefined;
  /** The recorded replies about the samples, unless they are recorded again. */
  recordings?: Recordings | undefined;
}

/** Opens all services. They are closed in reverse order, also when a start fails half-way. */
export async function buildApp(config: Config, options: AppOptions): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    // Most modules are loaded while the database opens.
    const [services, { createServer }] = await Promise.all([
      openServices(config, options, opened),
      import('./http/server.ts'),
    ]);
    const { workers, startWriting } = openWorkers(config, options, services, opened);
    const server = await openServer(config, options, { services, workers, createServer }, opened);
    const background = openBackground(config, services, opened);
    const runsJobs = worksInBackground(config);
    server.addHook('onListen', async () => {
      startWriting();
      if (runsJobs) setImmediate(background.renewal.begin);
    });
    const { rankings, lists, watching, digests, samples, indexing } = background;
    rankings.begin();
    return {
      server,
      codeHosts: services.codeHosts,
      database: services.database,
      housekeeping: services.housekeeping,
      deps: services,
      rankings,
      lists,
      watching,
      digests,
      startWriting,
      fillWithSamples: samples.begin,
      startBackgroundJobs() {
        for (const work of runsJobs ? [samples, lists, watching, digests, indexing] : []) work.begin();
      },
      close: () => opened.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Opens the services that commands need: without the server and the background jobs. */
export async function buildServicesForImport(
  config: Config,
  options: AppOptions,
): Promise<Pick<App, 'codeHosts' | 'database' | 'deps' | 'startWriting' | 'close'> & { warmUp: () => void }> {
  const opened = new AsyncDisposableStack();
  try {
    const deps = await openServices(config, options, opened);
    const { startWriting, warmUp } = openWorkers(config, options, deps, opened);
    await deps.refreshed;
    const { codeHosts, database } = deps;
    return { codeHosts, database, deps, startWriting, warmUp, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function openServices(config: Config, options: AppOptions, opened: AsyncDisposableStack) {
  const { log, clock } = options;
  const metrics = await openMetrics(config);
  const models = new CurrentModels(config, { ...options, metrics });
  opened.defer(() => models.close());
  const inUse = models.current();
  // The code for models is loaded while the database opens.
  const loading = inUse && config.writers > 0 ? loadModelCode(inUse) : null;
  const storage = await openStorage(config, { ...options, metrics }, opened);
  const { database, codeHosts, secretKeys } = storage;
  const issuer = openIssuer(config, clock, opened);
  const housekeeping = startHousekeeping({ database, clock, log });
  opened.defer(housekeeping.stop);
  const cache = new PublicCache(config.cacheBytes);
  const reloadModels = () => models.reload({ database, secretKeys });
  await reloadModels();
  opened.defer(await listenForPublicChanges(database, { cache, reloadModels }, log));
  opened.defer(await listenForRevocations(database, codeHosts));
  const jobs = await watchJobs(database, log);
  opened.defer(jobs.stop);
  const savedTokens = new SavedTokens({ database, secretKeys, clock });
  const revocations = new Revocations({ database, clock });
  opened.defer(() => revocations.stop());
  const callerOn = createCallerOn(savedTokens);
  const { version: offlineWriter } = recordedWriter;
  const readerVersion = readerVersionOf(config, offlineWriter);
  const { confirmedWithinMs, maxDiffBytes, ingestBytesPerDay } = config;
  const runReader = startThreads(config, options, opened);
  const reading = { database, callerOn, clock, maxDiffBytes, ingestBytesPerDay, readerVersion, runReader };
  const patienceMs = options.patience?.ingestMs;
  const ingest = shareIngests({ ...reading, semaphore: new Semaphore(), patienceMs });
  opened.defer(() => savedTokens.settle());
  await loading;
  return {
    ...storage,
    ...reading,
    metrics,
    currentModels: models.current,
    modelSource: models.source,
    environmentLimits: models.environmentLimits,
    openForTrial: (stored: StoredModelSettings | null, isPatient: boolean) =>
      models.openForTrial({ secretKeys }, stored, isPatient),
    reloadModels,
    recordings: options.recordings ?? openRecordings(),
    issuer,
    housekeeping,
    cache,
    jobs,
    revocations,
    offlineWriter,
    ingest,
    confirmedWithinMs,
    log,
    storeLikes: storeLikesTogether({ database, clock }),
    repositoriesOf: findRepositoriesTogether({ database, clock }),
    renewals: new RepositoryRenewals({ database, codeHosts, callerOn, clock }),
    mail: openMail(config),
  };
}

/** A small change with enough sentences that are known to be true or false. */
const testedSample = 6;

function openWorkers(config: Config, options: AppOptions, services: Services, opened: AsyncDisposableStack) {
  const { metrics, ...deps } = services;
  const runWriter = startThreads(config, options, opened);
  const sample = new LazyPromise(async () => {
    const [read] = await readSamples(services.runReader, [testedSample]);
    if (!read) throw new Error('The sample was not read.');
    return read;
  });
  const readSample = () => sample.get();
  const workers = runJobs({ ...deps, runWriter, readSample, metrics: metrics?.writing ?? null }, config);
  opened.defer(workers.stop);
  const startWriting = (): void => void setImmediate(workers.begin);
  const warmUp = (): void => {
    const nothing = { fileTexts: async () => [] };
    runWriter('readAndWrite', { all: [], language: 'en' }, nothing).catch(() => {});
  };
  return { workers, startWriting, warmUp };
}

async function openServer(
  config: Config,
  options: AppOptions,
  {
    services,
    workers,
    createServer,
  }: {
    services: Services;
    workers: Workers;
    createServer: typeof import('./http/server.ts').createServer;
  },
  opened: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const { refreshed, metrics, ...deps } = services;
  const { database, clock, currentModels, jobs, codeHosts, recordings } = services;
  const isLocal = (host: string): boolean => codeHosts.some((one) => one.isLocal && one.id === host);
  // The server gets only a part of the configuration, without keys and secrets.
  const { rateLimit, corsOrigins, trustProxy, hostAvatars, publicUrl, contactUrl } = config;
  const { watchesPerUser, operators } = config;
  const oneThread = (workMs = config.writingMs) => startThreads(config, options, opened, { most: 1, workMs });
  const server = await createServer({
    ...deps,
    isSample: async ({ host, ...place }) =>
      config.gitRepos === undefined && isLocal(host) && (await recordings.numbersIn(place)).length > 0,
    burst: rateLimit,
    corsOrigins,
    trustProxy,
    hostAvatars,
    publicUrl,
    contactUrl,
    watchesPerUser,
    operators,
    writing: workers,
    listViewer: createListScope(services),
    languages: () => (currentModels() ? checkableLanguages : [...offlineLanguages]),
    findLocalModels: async () => (currentModels() ? [] : findLocalModels(config)),
    listModels: (access: Omit<ModelAccess, 'name'>) => listModels(config, access),
    cards: new CardPictures({ database, clock, runInThread: oneThread() }),
    writeWithoutModel: createWriteWithoutModel({ ...services, runWriter: oneThread() }),
    highlighter: new Highlighter(oneThread(highlightingMs)),
    measuring: measuringOf(config, metrics),
    patience: options.patience,
    isWorker: options.isWorker ?? false,
  });
  opened.defer(() => server.close());
  // The server does not listen yet, and nothing is written or renewed before it does.
  await refreshed;
  // Ends the requests that wait for articles, so that the server can close.
  server.addHook('preClose', async () => jobs.end());
  return server;
}

interface Background extends Record<'rankings' | 'lists' | 'watching' | 'digests', IntervalWork> {
  samples: SampleWork;
  renewal: BackgroundWork;
  indexing: BackgroundWork;
}

function openBackground(config: Config, services: Services, opened: AsyncDisposableStack): Background {
  const { metrics, codeHosts, jobs, ...deps } = services;
  const { watchEveryMs, publicUrl } = config;
  const webhook = openDigestWebhook(config);
  if (webhook) opened.defer(webhook.close);
  const codeHost = showsSamples(config) ? codeHosts.find(({ isLocal }) => isLocal) : undefined;
  const background = {
    rankings: keepRankings(deps),
    lists: renewLists(services),
    watching: watchRepositories({ ...services, watchEveryMs }),
    digests: sendDigestsPeriodically({
      ...deps,
      codeHosts,
      webhook,
      publicUrl,
      backgroundListViewer: createBackgroundListScope(services),
      metrics: metrics?.digests ?? null,
    }),
    samples: fillWithSamples({ ...deps, codeHost, untilOver: jobs.untilOver }),
    renewal: renewArticles(deps),
    indexing: indexArticlesPeriodically(deps),
  };
  for (const work of Object.values(background)) opened.defer(work.stop);
  return background;
}

async function openMetrics({ metricsToken }: Config): Promise<Metrics | null> {
  return metricsToken ? (await import('./metrics/metrics.ts')).createMetrics(version) : null;
}

const measuringOf = ({ metricsToken: token, dataFolder }: Config, metrics: Metrics | null) =>
  metrics && token ? { metrics, token, diskFreeBytes: () => freeIn(dataFolder) } : null;

/** The identity provider in the settings, whose users are users of a code host; null without one. */
function openIssuer(config: Config, clock: () => Date, opened: AsyncDisposableStack) {
  const { oidcIssuer: issuer, oidcAudience: audience, oidcHostUserClaim: hostUserClaim } = config;
  if (!issuer || !audience || !hostUserClaim) return null;
  const settings = { issuer, audience, hostUserClaim, jwksUrl: config.oidcJwksUrl };
  const connect = (rules: EgressRules) => createEgressClient(config, rules);
  const tokenIssuer = openTokenIssuer(settings, { clock, connect });
  opened.defer(tokenIssuer.close);
  return { ...tokenIssuer, address: issuer, host: oidcHost };
}

/**
 * A process without writers leaves background jobs to those with writers; without DATABASE_URL it is the only process.
 */
const worksInBackground = ({ writers, databaseUrl }: Config): boolean =>
  writers > 0 || databaseUrl === undefined;

/** Samples are shown if there are no clones. A process without writers leaves them to others too. */
const showsSamples = ({ gitRepos, writers }: Config): boolean => gitRepos === undefined && writers > 0;
