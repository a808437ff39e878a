import { Exposition, Hits, type Series } from './exposition.ts';
import { createFigures, createProcessMetrics } from './process-metrics.ts';
import { inSpan } from './spans.ts';

export interface AnsweredRequest {
  method: string;
  /** The template of the route; undefined where there is none. */
  route: string | undefined;
  status: number;
}

/** What a client may write as its method is any word. */
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

type WebhookOutcome = 'taken' | 'repeated' | 'nothing' | 'refused';

export type RequestMetrics = ReturnType<typeof createRequestMetrics>;

function createRequestMetrics(exposition: Exposition) {
  const durations = exposition.histogram({
    name: 'http_request_duration_seconds',
    help: 'Requests by route template, method and status, and how long their answers took.',
    labels: ['method', 'route', 'status'],
    bounds: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
  });
  const answers = exposition.counter(
    'cache_answers_total',
    'Answers that are the same for every viewer: hit, sent from memory, or miss, made anew.',
    ['outcome'],
  );
  const webhooks = exposition.counter('webhooks_total', 'Webhooks by code host and what came of them.', [
    'host',
    'outcome',
  ]);
  const hits = new Map<string, Hits>();
  let misses = 0;
  // By method, route and status in turn: making one key of them takes longer than all else that is done for a request.
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
    /** Where those answers are counted that come from memory. */
    hitsOf: (answered: AnsweredRequest): Hits => {
      const key = `${answered.status} ${answered.method} ${answered.route}`;
      const found = hits.get(key) ?? new Hits(seriesOf(answered));
      hits.set(key, found);
      return found;
    },
    countMiss: (): void => {
      misses += 1;
    },
    countWebhook: (host: string, outcome: WebhookOutcome): void => webhooks.inc({ host, outcome }),
    /** Brings the counters up to date: until they are read, these are plain numbers. */
    settleCache: (): void => {
      const all = [...hits.values()];
      for (const one of all) one.settle();
      answers.reset();
      answers.inc(
        { outcome: 'hit' },
        all.reduce((sum, { total }) => sum + total, 0),
      );
      answers.inc({ outcome: 'miss' }, misses);
    },
  };
}

/** Why a statement failed: nothing answers, there is no room, it was given up, or it was wrong. */
export type DatabaseError = 'away' | 'full' | 'given_up' | 'other';

export type DatabaseMetrics = ReturnType<typeof createDatabaseMetrics>;

function createDatabaseMetrics(exposition: Exposition) {
  const durations = exposition.histogram({
    name: 'database_duration_seconds',
    help: 'How long statements and whole transactions took, waiting for their turn included.',
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
  const calls = exposition.counter(
    'host_calls_total',
    'Calls of code hosts over HTTP, by what they answered.',
    ['host', 'outcome'],
  );
  const durations = exposition.histogram({
    name: 'host_call_duration_seconds',
    help: 'How long code hosts took to begin their answers.',
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

type HostOutcome =
  | 'ok'
  | 'unchanged'
  | 'absent'
  | 'limited'
  | 'refused'
  | 'broken'
  | 'unreachable'
  | 'given_up';

type Fetch = typeof globalThis.fetch;

/** A way to a code host, on which every call is counted. */
export function measureFetch(host: string, metrics: HostMetrics | null, fetch: Fetch): Fetch {
  return (...request) =>
    inSpan('host call', { 'pullquote.host': host }, async (describe) => {
      const start = performance.now();
      const note = (outcome: HostOutcome): void =>
        metrics?.observeCall(host, outcome, (performance.now() - start) / 1000);
      try {
        const response = await fetch(...request);
        describe({ 'http.response.status_code': response.status });
        note(outcomeOf(response));
        return response;
      } catch (error) {
        note(request[1]?.signal?.aborted ? 'given_up' : 'unreachable');
        throw error;
      }
    });
}

function outcomeOf({ status, headers }: Response): HostOutcome {
  if (status < 300) return 'ok';
  if (status === 304) return 'unchanged';
  if (status >= 500) return 'broken';
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0' || headers.has('retry-after');
  if (status === 429 || (status === 403 && isUsedUp)) return 'limited';
  return status === 404 || status === 410 ? 'absent' : 'refused';
}

type Writer = 'offline' | 'model';

type ArticleOutcome = 'written' | 'retried' | 'failed';

interface CheckedSentences {
  verified: number;
  repaired: number;
  dropped: number;
  unjudged: number;
}

interface ModelCall {
  provider: string;
  outcome: string;
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

export type WritingMetrics = ReturnType<typeof createWritingMetrics>;

function createWritingMetrics(exposition: Exposition) {
  const articles = exposition.counter('articles_total', 'Articles by writer and what became of them.', [
    'writer',
    'outcome',
  ]);
  const sentences = exposition.counter(
    'sentences_total',
    'Sentences of written articles by what checking them against the diff found.',
    ['writer', 'outcome'],
  );
  const controls = exposition.counter(
    'control_sentences_total',
    'False sentences that second readers were shown on purpose, by whether they found them out.',
    ['outcome'],
  );
  return {
    countControl: (isFound: boolean): void => controls.inc({ outcome: isFound ? 'found' : 'missed' }),
    countArticle: (writer: Writer, outcome: ArticleOutcome): void => articles.inc({ writer, outcome }),
    countSentences: (writer: Writer, { verified, repaired, dropped, unjudged }: CheckedSentences): void => {
      for (const [outcome, count] of Object.entries({ verified, repaired, dropped, unjudged }))
        sentences.inc({ writer, outcome }, count);
    },
  };
}

export type ModelMetrics = ReturnType<typeof createModelMetrics>;

function createModelMetrics(exposition: Exposition) {
  const calls = exposition.counter('model_calls_total', 'Calls of models: answered, or why not.', [
    'provider',
    'outcome',
  ]);
  const tokens = exposition.counter('model_tokens_total', 'Tokens that models read and wrote.', [
    'provider',
    'direction',
  ]);
  const cost = exposition.counter(
    'model_cost_usd_total',
    'What calls cost by the list of prices, in US dollars; absent where the model is not on it.',
    ['provider'],
  );
  const durations = exposition.histogram({
    name: 'model_call_duration_seconds',
    help: 'How long calls of models took.',
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
    'Digests by how they were to be sent and what became of them: sent, tried again, given up, or not known.',
    ['to', 'outcome'],
  );
  return {
    count: (to: 'mail' | 'webhook', outcome: string): void => digests.inc({ to, outcome }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The instruments of one process. They know nothing of what they measure; each is handed to those that use it. */
export function createMetrics(version: string) {
  const exposition = new Exposition();
  exposition.gauge('info', 'The version that runs.', ['version']).set({ version }, 1);
  const settleProcess = createProcessMetrics(exposition);
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
      settleProcess();
      requests.settleCache();
      return exposition.text();
    },
  };
}
