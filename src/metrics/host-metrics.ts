import type { Exposition } from './exposition.ts';
import { inSpan } from './spans.ts';

type HostMetrics = ReturnType<typeof createHostMetrics>;

export function createHostMetrics(exposition: Exposition) {
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
  return (...asked) =>
    inSpan('host call', { 'pullquote.host': host }, async (describe) => {
      const start = performance.now();
      const note = (outcome: HostOutcome): void =>
        metrics?.observeCall(host, outcome, (performance.now() - start) / 1000);
      try {
        const response = await fetch(...asked);
        describe({ 'http.response.status_code': response.status });
        note(outcomeOf(response));
        return response;
      } catch (error) {
        note(asked[1]?.signal?.aborted ? 'given_up' : 'unreachable');
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
