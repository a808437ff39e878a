import type { Exposition } from './exposition.ts';
import type { Series } from './histogram.ts';
import { Hits } from './hits.ts';

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

/** What is answered over HTTP. */
export function createRequestMetrics(exposition: Exposition) {
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
    /** Counted as plain numbers until they are asked for. */
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
