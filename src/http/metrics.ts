import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { countQueue, countWatches } from '../db/figures.ts';
import { inTime } from '../domain/concurrency.ts';
import { Failure } from '../domain/errors.ts';
import type { Metrics, StoredFigures } from '../metrics/metrics.ts';
import type { Deps } from './deps.ts';
import { cacheFor } from './service.ts';

export interface Measuring {
  metrics: Metrics;
  token: string;
  diskFreeBytes: () => number;
}

interface MetricsDeps extends Pick<Deps, 'database' | 'codeHosts' | 'cache' | 'rateLimit' | 'clock'> {
  measuring: Measuring;
  log: FastifyBaseLogger;
}

const cachedMs = 5_000;

const patienceMs = 2_000;

export function serveMetrics(app: FastifyInstance, deps: MetricsDeps): void {
  const { metrics, token, diskFreeBytes } = deps.measuring;
  const isOperator = createTokenCheck(token);
  const readStored = cacheFor(cachedMs, deps.clock, () => readFigures(deps));
  app.get('/metrics', { schema: { hide: true }, config: { access: 'operator' } }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (!isOperator(request)) {
      deps.rateLimit.countAddress(request, reply);
      throw new Failure('UNAUTHORIZED', 'Send the value of METRICS_TOKEN: Authorization: Bearer <TOKEN>.');
    }
    const { database, codeHosts, cache } = deps;
    const own = {
      ...database.load(),
      cacheBytes: cache.bytes,
      diskFreeBytes: diskFreeBytes(),
      hostLimits: codeHosts.map(({ id: host, limitLeft }) => ({ host, left: limitLeft?.() ?? null })),
    };
    metrics.setFigures(own, await readStored());
    return reply.type(metrics.contentType).send(await metrics.text());
  });
}

/** Hashes are of one length, and compared in a time that tells nothing of where they differ. */
function createTokenCheck(token: string): (request: FastifyRequest) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const expected = hash(token);
  return ({ headers: { authorization = '' } }) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(hash(given), expected);
  };
}

function readFigures({ database, clock, log }: MetricsDeps): Promise<StoredFigures | null> {
  const read = async (): Promise<StoredFigures> => {
    const now = clock();
    const [{ isFull }, queue, { pauses, lagSeconds }] = await Promise.all([
      database.ping(),
      countQueue(database, now),
      countWatches(database, now),
    ]);
    const countOf = (wanted: string | null) => pauses.find(({ pause }) => pause === wanted)?.count ?? 0;
    const watches = Object.entries(states).map(([state, pause]) => ({ state, count: countOf(pause) }));
    return { isFull, queue, watches, watchLagSeconds: lagSeconds };
  };
  const away = () => null;
  const found = read().catch((error: unknown) => {
    log.warn({ err: error }, 'metrics from the database are not available');
    return null;
  });
  return inTime(found, patienceMs, away);
}

const states = { active: null, no_token: 'noToken', no_rights: 'noRights', host_away: 'hostAway' } as const;
