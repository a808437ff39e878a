import { after } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { RepositoryRenewals } from '../src/actions/renew-repositories.ts';
import type { CodeHost } from '../src/code-hosts/code-host.ts';
import type { Database } from '../src/db/database.ts';
import { PublicCache } from '../src/http/cache/public-cache.ts';
import { createServer } from '../src/http/server.ts';
import { watchJobs } from '../src/jobs/watch-jobs.ts';
import { createWritingQueue } from '../src/jobs/writing-queue.ts';
import { ThreadPool } from '../src/threads/thread-pool.ts';
import type { TestApp } from './build-app.ts';

/** A second server beside that of a service, with the same settings and other parts, that hears of no changes. */
export async function serveBeside(
  app: TestApp,
  parts: { codeHosts?: CodeHost[]; database?: Database; cache?: PublicCache },
): Promise<FastifyInstance> {
  const { codeHosts = app.codeHosts, database = app.database, cache = new PublicCache(0) } = parts;
  const log = pino({ level: 'silent' });
  const clock = () => new Date();
  const jobs = await watchJobs(app.database, log);
  const queue = createWritingQueue(app.database, log);
  const { writingMs: workMs, writingBytes: memoryBytes } = app.config;
  const threads = new ThreadPool({ most: 1, limits: { workMs, memoryBytes } });
  after(async () => {
    await threads.close();
    await queue.stop();
    await jobs.stop();
  });
  return createServer({
    ...app.config,
    ...app,
    database,
    codeHosts,
    renewals: new RepositoryRenewals({ database, codeHosts, clock }),
    queue,
    jobs,
    models: null,
    languages: [],
    cache,
    runInThread: threads.run,
    terms: async () => '',
    offlineWriter: async () => 1,
    clock,
    log,
  });
}
