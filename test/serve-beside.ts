import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { SavedTokens } from '../src/actions/accounts/saved-tokens.ts';
import { Revocations } from '../src/actions/accounts/sessions.ts';
import { CardPictures } from '../src/actions/articles/card-pictures.ts';
import { findRepositoriesTogether } from '../src/actions/articles/read-article.ts';
import { shareIngests } from '../src/actions/pull-requests/ingest-pull-request.ts';
import { createCallerOn } from '../src/actions/repositories/find-repository.ts';
import { createListScope } from '../src/actions/repositories/list-repositories.ts';
import { RepositoryRenewals } from '../src/actions/repositories/renew-repositories.ts';
import type { CodeHost } from '../src/code-hosts/code-host.ts';
import { loadSecretKeys } from '../src/data-folder.ts';
import type { Database } from '../src/db/database.ts';
import { Semaphore } from '../src/domain/concurrency.ts';
import type { SecretKeys } from '../src/domain/secrets.ts';
import { PublicCache } from '../src/http/cache/public-cache.ts';
import { Highlighter } from '../src/http/pages/highlight.ts';
import { createServer } from '../src/http/server.ts';
import type { Measuring } from '../src/http/service.ts';
import { watchJobs } from '../src/jobs/listen.ts';
import { ThreadPool } from '../src/threads/thread-pool.ts';
import type { TestApp } from './build-app.ts';

/** A second server next to a service, with the same settings and other dependencies, without notifications. */
export async function serveBeside(
  app: TestApp,
  parts: {
    codeHosts?: CodeHost[];
    database?: Database;
    cache?: PublicCache;
    secretKeys?: SecretKeys;
    clock?: () => Date;
    burst?: number;
    measuring?: Measuring;
    highlighter?: Highlighter;
  },
): Promise<FastifyInstance> {
  const { codeHosts = app.codeHosts, database = app.database, cache = new PublicCache(0) } = parts;
  const { secretKeys = loadSecretKeys(app.config), clock = () => new Date() } = parts;
  const { burst = app.config.rateLimit, measuring = null } = parts;
  const log = pino({ level: 'silent' });
  const callerOn = createCallerOn(new SavedTokens({ database, secretKeys, clock }));
  const renewals = new RepositoryRenewals({ database, codeHosts, callerOn, clock });
  const revocations = new Revocations({ database, clock });
  const jobs = await watchJobs(app.database, log);
  const { writingMs: workMs, writingBytes: memoryBytes } = app.config;
  const threads = new ThreadPool({ most: 1, limits: { workMs, memoryBytes } });
  after(async () => {
    revocations.stop();
    await threads.close();
    await jobs.stop();
  });
  const readerVersion = '';
  const reading = { ...app.config, database, callerOn, clock, readerVersion };
  return createServer({
    ...app.config,
    ...app,
    burst,
    database,
    codeHosts,
    issuer: null,
    callerOn,
    secretKeys,
    renewals,
    revocations,
    listViewer: createListScope({ ...app.config, database, codeHosts, renewals, clock }),
    writing: { isHealthy: () => true },
    jobs,
    currentModels: () => null,
    storeLikes: app.deps.storeLikes,
    repositoriesOf: findRepositoriesTogether({ database, clock }),
    writeWithoutModel: async (article) => article,
    mail: null,
    languages: () => [],
    findLocalModels: async () => [],
    listModels: async () => ({ models: [], problem: null }),
    modelSource: () => 'none' as const,
    environmentLimits: {},
    isSample: async () => false,
    reloadModels: async () => {},
    cache,
    measuring,
    cards: new CardPictures({ database, clock, runInThread: threads.run }),
    highlighter: parts.highlighter ?? new Highlighter(threads.run),
    ingest: shareIngests({ ...reading, runReader: threads.run, semaphore: new Semaphore() }),
    readerVersion,
    offlineWriter: 1,
    clock,
    log,
  });
}
