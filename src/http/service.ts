import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { ref } from '../contract/formats.ts';
import { HealthCheckResponseData, Meta } from '../contract/service.ts';
import type { Database } from '../db/database.ts';
import { countQueue, countWatches } from '../db/figures.ts';
import { isNameRemoved } from '../db/removals.ts';
import { inTime } from '../domain/concurrency.ts';
import { type ErrorDetail, Failure } from '../domain/errors.ts';
import type { Metrics, StoredFigures } from '../metrics/metrics.ts';
import { version } from '../version.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './responses/response.ts';

type HealthDeps = Pick<Deps, 'database' | 'housekeeping' | 'writing'>;

/** A health check responds within a second, whatever the database does. */
const checkMs = 900;

const patienceMs = 2_000;

const silent = () => null;

async function findDatabaseProblem(database: Database): Promise<string | null> {
  const response = await inTime(database.ping().catch(silent), checkMs, silent);
  if (!response) return `does not answer within ${checkMs} ms`;
  return response.isFull ? 'is out of disk space; free some' : null;
}

async function findFailing({ database, housekeeping, writing }: HealthDeps): Promise<ErrorDetail[]> {
  const failing: ErrorDetail[] = [];
  const problem = await findDatabaseProblem(database);
  if (problem) failing.push({ field: 'database', problem });
  if (!housekeeping.isHealthy())
    failing.push({ field: 'jobs', problem: 'housekeeping has failed; see the log' });
  if (!writing.isHealthy())
    failing.push({ field: 'jobs', problem: 'the queue of articles to write cannot be read; see the log' });
  return failing;
}

const stopping: ErrorDetail = { field: 'process', problem: 'is stopping' };

export const getHealth = (deps: HealthDeps) =>
  endpoint({
    operationId: 'checkHealth',
    summary: 'Health check',
    description:
      'Checks the database and the background jobs. With 503, `details` lists the failures, or says that this process is stopping.',
    tag: 'General',
    access: 'public',
    data: ref(HealthCheckResponseData),
    success: { 200: 'The service is healthy.' },
    async handle({ reply }) {
      const details = reply.server.isStopping ? [stopping] : await findFailing(deps);
      if (details.length > 0) {
        const message = 'The service is not healthy. See details and the log.';
        throw new Failure('UNAVAILABLE', message, { details });
      }
      reply.header('cache-control', 'no-store');
      const health: HealthCheckResponseData = {
        ok: true,
        version,
        uptimeSeconds: Math.floor(process.uptime()),
        checks: { database: 'ok', jobs: 'ok' },
      };
      return ok(health);
    },
  });

type MetaDeps = Pick<Deps, 'database' | 'codeHosts' | 'issuer' | 'languages' | 'currentModels' | 'clock'>;

/** Finding a suggestion may scan clones, so it is cached, and clients cannot keep the service busy with it. */
const suggestionCachedMs = 60_000;

export function cacheFor<Found>(
  ms: number,
  clock: () => Date,
  read: () => Promise<Found>,
): () => Promise<Found> {
  let last: { found: Promise<Found>; at: number } | null = null;
  return () => {
    const at = clock().getTime();
    // The absolute value also covers a clock that was set back.
    if (!last || Math.abs(at - last.at) >= ms) last = { found: read(), at };
    return last.found;
  };
}

function suggestForMeta({ database, codeHosts, clock }: MetaDeps): () => Promise<Meta['suggestion']> {
  const [codeHost] = codeHosts;
  const suggest = cacheFor(suggestionCachedMs, clock, async () => codeHost?.suggestPullRequest());
  const find = async (): Promise<Meta['suggestion']> => {
    const found = await suggest();
    if (!codeHost || !found || (await isNameRemoved(database, { host: codeHost.id, ...found }))) return null;
    return { owner: found.owner, repo: found.name, prNumber: found.number };
  };
  return () => inTime(find().catch(silent), patienceMs, silent);
}

function waysToSignIn({ codeHosts, issuer }: MetaDeps): Meta['signIn'] {
  const ways = codeHosts.flatMap(({ signIn, app }): Meta['signIn'] => (app ? [signIn, 'browser'] : [signIn]));
  return [...new Set(issuer ? [...ways, 'oidc' as const] : ways)];
}

export const getMeta = (deps: MetaDeps) => {
  const suggest = suggestForMeta(deps);
  return endpoint({
    operationId: 'describeService',
    summary: 'Get the features of this service',
    description:
      'Code hosts, ways to sign in, languages, the writer of articles, and a pull request to try. For pages and tools.',
    tag: 'General',
    access: 'public',
    data: ref(Meta),
    success: { 200: 'The features of this service.' },
    async handle() {
      const { codeHosts, languages, currentModels } = deps;
      const models = currentModels();
      const meta: Meta = {
        version,
        hosts: codeHosts.map(({ id, webUrl, app }) => ({
          id,
          webUrl,
          ...(app && { clientId: app.clientId, scopes: app.scopes }),
        })),
        signIn: waysToSignIn(deps),
        languages: languages(),
        writer: models ? `${models.writer.provider}/${models.writer.name}` : 'offline',
        suggestion: await suggest(),
      };
      return ok(meta);
    },
  });
};

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

/** Hashes have equal lengths and are compared in constant time. */
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
