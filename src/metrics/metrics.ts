import { Exposition, type Series } from './exposition.ts';
import { inSpan } from './spans.ts';

interface AnsweredRequest {
  method: string;
  route: string | undefined;
  status: number;
}

/** A client may send any word as its method, so others are not used as labels. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

type WebhookOutcome = 'taken' | 'repeated' | 'nothing' | 'refused';

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

function createRequestMetrics(exposition: Exposition) {
  const durations = exposition.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests by route template, method and status.',
    labels: ['method', 'route', 'status'],
    bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const answers = exposition.counter(
    'cache_answers_total',
    'Responses that are the same for every viewer: hit (sent from memory) or miss (created).',
    ['outcome'],
  );
  const webhooks = exposition.counter('webhooks_total', 'Webhooks by code host and outcome.', [
    'host',
    'outcome',
  ]);
  let hits = 0;
  let misses = 0;
  // Looked up by method, route and status in turn, because joining them into a key takes six times as long.
  const known = new Map(methods.map((method) => [method, new Map<string, Map<number, Series>>()]));
  const seriesOf = ({ method, route = 'none', status }: AnsweredRequest): Series =>
    known.get(method)?.get(route)?.get(status) ?? addSeries({ method, route, status });
  const addSeries = ({ method, route, status }: AnsweredRequest & { route: string }): Series => {
    const routes = known.get(method);
    const series = durations.series([routes ? method : 'other', route, String(status)]);
    const statuses = routes?.get(route) ?? new Map<number, Series>();
    routes?.set(route, statuses.set(status, series));
    return series;
  };
  return {
    observeRequest: (answered: AnsweredRequest, seconds: number): void => seriesOf(answered).observe(seconds),
    observeHit: (answered: AnsweredRequest, seconds: number): void => {
      hits += 1;
      seriesOf(answered).observe(seconds);
    },
    countMiss: (): void => {
      misses += 1;
    },
    countWebhook: (host: string, outcome: WebhookOutcome): void => webhooks.inc({ host, outcome }),
    /** Updates the counter when it is read; until then these are plain numbers. */
    settleCache: (): void => {
      answers.reset();
      answers.inc({ outcome: 'hit' }, hits);
      answers.inc({ outcome: 'miss' }, misses);
    },
  };
}

/** The cause of a failed statement: no connection, full disk, timeout, or an error in it. */
export type DatabaseError = 'away' | 'full' | 'given_up' | 'other';

export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>;

function createDatabaseMetrics(exposition: Exposition) {
  const durations = exposition.histogram({
    name: 'database_duration_seconds',
    help: 'Duration of statements and whole transactions, including the wait for a connection.',
    labels: ['kind'],
    bounds: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  });
  const errors = exposition.counter('database_errors_total', 'Statements that failed, by reason.', [
    'reason',
  ]);
  return {
    statements: durations.series(['statement']),
    transactions: durations.series(['transaction']),
    countError: (reason: DatabaseError): void => errors.inc({ reason }),
  };
}

type HostMetrics = ReturnType<typeof createHostMetrics>;

function createHostMetrics(exposition: Exposition) {
  const calls = exposition.counter('host_calls_total', 'HTTP calls to code hosts, by outcome.', [
    'host',
    'outcome',
  ]);
  const durations = exposition.histogram({
    name: 'host_call_duration_seconds',
    help: 'Time until code hosts began to respond.',
    labels: ['host'],
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  return {
    observeCall: (host: string, outcome: HostOutcome, seconds: number): void => {
      calls.inc({ host, outcome });
      durations.series([host]).observe(seconds);
    },
  };
}

type HostOutcome = ReturnType<typeof responseOutcome> | 'unreachable' | 'given_up';

type Fetch = typeof globalThis.fetch;

export function measureFetch(host: string, metrics: HostMetrics | null, fetch: Fetch): Fetch {
  return (...request) =>
    inSpan('host call', { 'pullquote.host': host }, async (describe) => {
      const start = performance.now();
      const note = (outcome: HostOutcome): void =>
        metrics?.observeCall(host, outcome, (performance.now() - start) / 1000);
      try {
        const response = await fetch(...request);
        describe({ 'http.response.status_code': response.status });
        note(responseOutcome(response));
        return response;
      } catch (error) {
        note(request[1]?.signal?.aborted ? 'given_up' : 'unreachable');
        throw error;
      }
    });
}

function responseOutcome({ status, headers }: Response) {
  if (status < 300) return 'ok';
  if (status === 304) return 'unchanged';
  if (status >= 500) return 'broken';
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  if (status === 429 || (status === 403 && isUsedUp)) return 'limited';
  return status === 404 || status === 410 ? 'absent' : 'refused';
}

type Writer = 'offline' | 'model';

type Outcome = 'written' | 'retried' | 'failed';

type CheckedSentences = Record<'verified' | 'repaired' | 'dropped' | 'unjudged', number>;

interface ModelCall {
  provider: string;
  outcome: string;
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

export type WritingMetrics = ReturnType<typeof createWritingMetrics>;

function createWritingMetrics(exposition: Exposition) {
  const labels = ['writer', 'outcome'];
  const outcomes = {
    articles_total: exposition.counter('articles_total', 'Articles by writer and outcome.', labels),
    answers_total: exposition.counter('answers_total', 'Answers to questions by writer and outcome.', labels),
  };
  const sentences = exposition.counter(
    'sentences_total',
    'Sentences of written articles and answers, by result of the check against the diff.',
    labels,
  );
  const controls = exposition.counter(
    'control_sentences_total',
    'Deliberately false sentences shown to second models, by whether they were caught.',
    ['outcome'],
  );
  return {
    countControl: (isFound: boolean): void => controls.inc({ outcome: isFound ? 'found' : 'missed' }),
    countOutcome: (counter: keyof typeof outcomes | 'none', writer: Writer, outcome: Outcome): void =>
      counter === 'none' ? undefined : outcomes[counter].inc({ writer, outcome }),
    countSentences: (writer: Writer, { verified, repaired, dropped, unjudged }: CheckedSentences): void => {
      for (const [outcome, count] of Object.entries({ verified, repaired, dropped, unjudged }))
        sentences.inc({ writer, outcome }, count);
    },
  };
}

export type ModelMetrics = ReturnType<typeof createModelMetrics>;

function createModelMetrics(exposition: Exposition) {
  const calls = exposition.counter('model_calls_total', 'Calls to models, by outcome.', [
    'provider',
    'outcome',
  ]);
  const tokens = exposition.counter('model_tokens_total', 'Tokens that models read and wrote.', [
    'provider',
    'direction',
  ]);
  const cost = exposition.counter(
    'model_cost_usd_total',
    'Cost of calls by list price, in US dollars; absent if the model has no list price.',
    ['provider'],
  );
  const durations = exposition.histogram({
    name: 'model_call_duration_seconds',
    help: 'Duration of calls to models.',
    labels: ['provider'],
    bounds: [1, 5, 15, 30, 60, 120, 300],
  });
  return {
    observeCall: ({ provider, outcome, seconds, inputTokens, outputTokens }: ModelCall): void => {
      calls.inc({ provider, outcome });
      durations.series([provider]).observe(seconds);
      tokens.inc({ provider, direction: 'in' }, inputTokens);
      tokens.inc({ provider, direction: 'out' }, outputTokens);
    },
    addCost: (provider: string, usd: number): void => cost.inc({ provider }, usd),
  };
}

export type DigestMetrics = ReturnType<typeof createDigestMetrics>;

function createDigestMetrics(exposition: Exposition) {
  const digests = exposition.counter(
    'digests_total',
    'Digests by channel and outcome: sent, retried, given up or unknown.',
    ['to', 'outcome'],
  );
  return {
    count: (to: 'mail' | 'webhook', outcome: string): void => digests.inc({ to, outcome }),
  };
}

interface OwnFigures {
  inUse: number;
  waiting: number;
  cacheBytes: number;
  diskFreeBytes: number;
  hostLimits: { host: string; left: number | null }[];
}

export interface StoredFigures {
  isFull: boolean;
  queue: { kind: string; waiting: number; running: number; oldestSeconds: number }[];
  watches: { state: string; count: number }[];
  watchLagSeconds: number;
}

/**
 * Gauges that are set when they are read. Those of the database are left out while it is down, because old values would
 * mislead.
 */
function createFigures(exposition: Exposition) {
  const inUse = exposition.gauge('database_connections_in_use', 'Connections in use.');
  const waiting = exposition.gauge(
    'database_waiting',
    'Statements and transactions that wait for a connection.',
  );
  const cacheBytes = exposition.gauge('cache_bytes', 'Memory used by the cache of public pages.');
  const disk = exposition.gauge('disk_free_bytes', 'Free space on the disk of the data folder.');
  const limits = exposition.gauge('host_limit_left', 'Calls that a code host still allows this hour.', [
    'host',
  ]);
  const up = exposition.gauge('database_up', 'Whether the database answers: 1, or 0 if it does not.');
  const jobs = exposition.gauge('queue_jobs', 'Articles to write, by kind and state; at most 10,000.', [
    'kind',
    'state',
  ]);
  const oldest = exposition.gauge('queue_oldest_seconds', 'Waiting time of the oldest queued job.', ['kind']);
  const watches = exposition.gauge('watches', 'Watches: active, or why they are paused; at most 10,000.', [
    'state',
  ]);
  const lag = exposition.gauge('watch_lag_seconds', 'Delay of the most overdue poll of a repository.');
  const refused = exposition.gauge('storage_refused', 'Whether writes are refused because the disk is full.');
  return (own: OwnFigures, stored: StoredFigures | null): void => {
    inUse.set(own.inUse);
    waiting.set(own.waiting);
    cacheBytes.set(own.cacheBytes);
    disk.set(own.diskFreeBytes);
    for (const gauge of [limits, jobs, oldest, watches]) gauge.reset();
    for (const { host, left } of own.hostLimits) if (left !== null) limits.set({ host }, left);
    up.set(stored ? 1 : 0);
    lag.remove();
    refused.remove();
    if (!stored) return;
    for (const { kind, waiting, running, oldestSeconds } of stored.queue) {
      jobs.set({ kind, state: 'waiting' }, waiting);
      jobs.set({ kind, state: 'running' }, running);
      oldest.set({ kind }, oldestSeconds);
    }
    for (const { state, count } of stored.watches) watches.set({ state }, count);
    lag.set(stored.watchLagSeconds);
    refused.set(stored.isFull ? 1 : 0);
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics(version: string) {
  const exposition = new Exposition();
  exposition.gauge('info', 'The running version.', ['version']).set({ version }, 1);
  const requests = createRequestMetrics(exposition);
  return {
    requests,
    database: createDatabaseMetrics(exposition),
    writing: createWritingMetrics(exposition),
    models: createModelMetrics(exposition),
    hosts: createHostMetrics(exposition),
    digests: createDigestMetrics(exposition),
    setFigures: createFigures(exposition),
    contentType: exposition.contentType,
    text: (): Promise<string> => {
      requests.settleCache();
      return exposition.text();
    },
  };
}
