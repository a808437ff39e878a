import type { FastifyInstance } from 'fastify';
import { Revocations } from './actions/accounts/log-out.ts';
import { SavedTokens } from './actions/accounts/saved-tokens.ts';
import { CardPictures } from './actions/articles/card-pictures.ts';
import { importForOperator } from './actions/articles/import-pull-requests.ts';
import { shareIngests } from './actions/pull-requests/share-ingests.ts';
import { releaseForOperator } from './actions/releases/read-release.ts';
import { createCallerOn } from './actions/repositories/find-on-host.ts';
import { createBackgroundListViewer, createListViewer } from './actions/repositories/list-viewer.ts';
import { RepositoryRenewals } from './actions/repositories/renew-repositories.ts';
import type { CodeHost } from './code-hosts/code-host.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { numberOfflineWriter } from './db/drafts.ts';
import { freeIn } from './db/local-server/programs.ts';
import { LazyPromise, Semaphore } from './domain/concurrency.ts';
import { checkableLanguages } from './domain/languages.ts';
import { createEgressClient, type EgressRules } from './egress/egress-client.ts';
import { openMail } from './egress/mail-client.ts';
import { openDigestWebhook } from './egress/webhook-client.ts';
import { PublicCache } from './http/cache/public-cache.ts';
import type { Patience } from './http/deps.ts';
import { Highlighter, highlightingMs } from './http/pages/highlight.ts';
import type { IntervalWork } from './jobs/background.ts';
import { fillWithSamples } from './jobs/fill-with-samples.ts';
import { type Housekeeping, startHousekeeping } from './jobs/housekeeping.ts';
import { listenForPublicChanges, listenForRevocations } from './jobs/listen.ts';
import {
  indexArticles,
  keepRankings,
  type ListRenewal,
  type RankingKeeper,
  renewArticles,
  renewLists,
  watchRepositories,
} from './jobs/renewals.ts';
import { sendDigests } from './jobs/send-digests.ts';
import { watchJobs } from './jobs/watch-jobs.ts';
import { writeArticles, writePlannedArticles } from './jobs/writing-jobs.ts';
import type { Metrics } from './metrics/metrics.ts';
import { openTokenIssuer } from './oidc/open-token-issuer.ts';
import { findLocalModel } from './open-models.ts';
import { openStorage } from './open-storage.ts';
import {
  offlineWriterVersion,
  openModelWriting,
  readingTerms,
  type SharedThreads,
  startThreads,
} from './open-writing.ts';
import { oidcHost } from './settings/code-host-settings.ts';
import { version } from './version.ts';
import { offlineLanguages } from './writing/languages.ts';

export interface App {
  server: FastifyInstance;
  codeHosts: CodeHost[];
  database: Database;
  housekeeping: Housekeeping;
  rankings: RankingKeeper;
  /** Has what lists show confirmed. */
  lists: ListRenewal;
  /** Hears what is merged where people watch. */
  watching: IntervalWork;
  /** Sends digests when their periods have ended. */
  digests: IntervalWork;
  /** Begins to write about the samples, where they are what is shown. */
  fillWithSamples: () => void;
  /** Begins what a process that listens does by itself beside writing, unless that is left to other processes. */
  beginByItself: () => void;
  /** Begins to write what was asked for and planned; a service that listens does so by itself. */
  beginToWrite: () => void;
  /** Has pull requests written about for the operator. */
  importForOperator: (
    wanted: Parameters<typeof importForOperator>[1],
    signal: AbortSignal,
  ) => ReturnType<typeof importForOperator>;
  /** Tells the operator what changed between two versions. */
  releaseForOperator: (
    address: Parameters<typeof releaseForOperator>[1],
    wanted: Parameters<typeof releaseForOperator>[2],
    signal: AbortSignal,
  ) => ReturnType<typeof releaseForOperator>;
  /** Finishes what is in flight, then lets go of everything. */
  close: () => Promise<void>;
}

interface Surroundings extends SharedThreads {
  clock: () => Date;
  command: string;
  /** Tells the person who started the service what is going on. */
  announce: (sentence: string) => void;
  /** How time is let pass between tries to reach a model; by waiting, unless told otherwise. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  patience?: Patience | undefined;
  /** Whether it writes and watches, and answers nobody but those who look after it. */
  isWorker?: boolean | undefined;
  /** How long the database is let take for an answer; as long as is usual, unless told otherwise. */
  databasePatienceMs?: number | undefined;
}

/**
 * Opens every part and hands it to those that need it. Each says at once how it is let go, which happens in reverse order, so
 * that a start that fails half-way leaves nothing open.
 */
export async function buildApp(config: Config, surroundings: Surroundings): Promise<App> {
  const opened = new AsyncDisposableStack();
  try {
    return { ...(await openParts(config, surroundings, opened)), close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function openParts(
  config: Config,
  surroundings: Surroundings,
  opened: AsyncDisposableStack,
): Promise<Omit<App, 'close'>> {
  const { log, clock } = surroundings;
  const metrics = await openMetrics(config);
  const models = openModelWriting(config, { ...surroundings, metrics }, opened);
  const storage = await openStorage(config, { ...surroundings, metrics }, opened);
  const { database, codeHosts, secretKeys, createServer, refreshed } = storage;
  const issuer = openIssuer(config, clock, opened);

  const rankings = keepRankings({ database, clock, log });
  opened.defer(rankings.stop);
  const housekeeping = startHousekeeping({ database, clock, log });
  opened.defer(housekeeping.stop);
  const cache = new PublicCache(config.cacheBytes);
  opened.defer(await listenForPublicChanges(database, cache, log));
  opened.defer(await listenForRevocations(database, codeHosts));
  const jobs = await watchJobs(database, log);
  opened.defer(jobs.stop);

  const numbered = new LazyPromise(async () => numberOfflineWriter(database, await offlineWriterVersion()));
  const offlineWriter = () => numbered.get();
  const terms = async () => readingTerms(config, await offlineWriter());
  const savedTokens = new SavedTokens({ database, secretKeys, clock });
  const revocations = new Revocations({ database, clock });
  opened.defer(() => revocations.stop());
  const callerOn = createCallerOn(savedTokens);
  const { listedForMs, maxDiffBytes, ingestBytesPerDay } = config;
  const renewals = new RepositoryRenewals({ database, codeHosts, callerOn, clock });
  const looking = { database, codeHosts, renewals, clock, listedForMs };
  const mail = openMail(config);
  const reading = { database, callerOn, clock, maxDiffBytes, ingestBytesPerDay, terms };
  // Fetching a pull request does not wait for writing articles.
  const runInThread = startThreads(config, surroundings, opened);

  const writing = writeArticles(
    {
      database,
      codeHosts,
      runInThread: startThreads(config, surroundings, opened),
      terms,
      offlineWriter,
      models,
      metrics: metrics?.writing ?? null,
      jobs,
      clock,
      log,
    },
    config.writers,
  );
  opened.defer(() => savedTokens.settle());
  opened.defer(writing.stop);
  const patienceMs = surroundings.patience?.ingestMs;
  const ingest = shareIngests({ ...reading, runInThread, semaphore: new Semaphore(), patienceMs });
  const asking = { database, callerOn, clock, codeHosts, ingest, terms, offlineWriter, models, jobs, log };
  const planned = writePlannedArticles(asking, config.writers);
  opened.defer(planned.stop);
  const server = await createServer({
    ...asking,
    ...settingsOfServer(config),
    issuer,
    revocations,
    renewals,
    listViewer: createListViewer(looking),
    mail,
    secretKeys,
    housekeeping,
    writing,
    languages: models ? checkableLanguages : [...offlineLanguages],
    findLocalModel: models ? null : () => findLocalModel((rules) => createEgressClient(config, rules)),
    cache,
    cards: new CardPictures({
      database,
      clock,
      runInThread: startThreads(config, surroundings, opened, { most: 1 }),
    }),
    highlighter: new Highlighter(
      startThreads(config, surroundings, opened, { most: 1, workMs: highlightingMs }),
    ),
    measuring: measuringOf(config, metrics),
    patience: surroundings.patience,
    isWorker: surroundings.isWorker ?? false,
  });
  opened.defer(() => server.close());
  // Nothing listens yet, and nothing is written or renewed before it does.
  await refreshed;
  // Clients that wait for an article are told to come back, so that the server can close.
  server.addHook('preClose', async () => jobs.end());

  const { watchEveryMs } = config;
  const watching = watchRepositories({
    database,
    codeHosts,
    callerOn,
    clock,
    watchEveryMs,
    listedForMs,
    log,
  });
  opened.defer(watching.stop);
  const webhook = openDigestWebhook(config);
  if (webhook) opened.defer(webhook.close);
  const digests = sendDigests({
    ...looking,
    backgroundListViewer: createBackgroundListViewer(looking),
    mail,
    webhook,
    publicUrl: config.publicUrl,
    metrics: metrics?.digests ?? null,
    log,
  });
  opened.defer(digests.stop);
  const lists = renewLists({ ...looking, log });
  opened.defer(lists.stop);
  const codeHost = showsSamples(config) ? codeHosts.find(({ isLocal }) => isLocal) : undefined;
  const samples = fillWithSamples({ ...reading, codeHost, jobs, runInThread, log });
  opened.defer(samples.stop);
  const renewal = renewArticles({ database, offlineWriter, clock, log });
  opened.defer(renewal.stop);
  const indexing = indexArticles({ database, log });
  opened.defer(indexing.stop);
  const beginToWrite = (): void => {
    setImmediate(writing.begin);
    setImmediate(planned.begin);
  };
  server.addHook('onListen', async () => {
    beginToWrite();
    if (worksByItself(config)) setImmediate(renewal.begin);
  });
  const beginByItself = (): void => {
    if (!worksByItself(config)) return;
    samples.begin();
    lists.begin();
    watching.begin();
    digests.begin();
    indexing.begin();
  };
  const byThemselves = { housekeeping, rankings, lists, watching, digests, fillWithSamples: samples.begin };
  return {
    server,
    codeHosts,
    database,
    ...byThemselves,
    beginByItself,
    beginToWrite,
    importForOperator: (wanted, signal) => importForOperator(asking, wanted, signal),
    releaseForOperator: (...request) => releaseForOperator({ ...asking, renewals }, ...request),
  };
}

/** The settings that answers depend on: keys and secrets are not among them. */
const settingsOfServer = (config: Config) => {
  const { rateLimit, corsOrigins, trustProxy, hostAvatars, publicUrl, watchesPerUser } = config;
  return { burst: rateLimit, corsOrigins, trustProxy, hostAvatars, publicUrl, watchesPerUser };
};

async function openMetrics({ metricsToken }: Config): Promise<Metrics | null> {
  return metricsToken ? (await import('./metrics/metrics.ts')).createMetrics(version) : null;
}

const measuringOf = ({ metricsToken: token, dataFolder }: Config, metrics: Metrics | null) =>
  metrics && token ? { metrics, token, diskFreeBytes: () => freeIn(dataFolder) } : null;

/** The identity provider of the settings, whose users are those of GitHub; null where they name none. */
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
 * Whether a process asks code hosts by itself and renews articles. Without writers it leaves that to those that have some, as it
 * does writing; without DATABASE_URL there are no others.
 */
const worksByItself = ({ writers, databaseUrl }: Config): boolean => writers > 0 || databaseUrl === undefined;

/** Without clones there are samples; a process without writers leaves these to other processes too. */
const showsSamples = ({ gitRepos, writers }: Config): boolean => gitRepos === undefined && writers > 0;
