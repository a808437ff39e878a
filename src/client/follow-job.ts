import type { Schemas } from './operations.ts';
import { asPullquoteError } from './send-request.ts';

type Job = Schemas['Job'];

const mostFailures = 5;

const isOver = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';

/** Yields a job until it is over, from its events. If a stream ends early, it polls the job and then tries events again. */
export async function* followJob(
  getJob: () => Promise<Job>,
  openEvents: (lastEventId: string) => Promise<ReadableStream<Uint8Array> | undefined>,
  /** How long to wait before asking again, where the service does not say; twice as long after each failure. */
  retryMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Job> {
  let seen = '';
  const byEvents = async function* (): AsyncGenerator<Job> {
    const stream = await openEvents(seen);
    for await (const [id, data] of stream ? readEvents(stream) : []) {
      seen = id;
      yield JSON.parse(data);
    }
  };
  let failures = 0;
  for (let asks = false; ; asks = !asks) {
    let waitMs = asks ? 0 : retryMs;
    try {
      for await (const job of asks ? [getJob()] : byEvents()) {
        failures = 0;
        yield job;
        if (isOver(job)) return;
      }
    } catch (thrown) {
      const error = asPullquoteError(thrown);
      failures += 1;
      if (!error.isPassing || failures === mostFailures) throw error;
      waitMs = Math.max(retryMs * 2 ** failures, (error.retryAfter ?? 0) * 1000);
    }
    await waitFor(waitMs, signal);
    signal?.throwIfAborted();
  }
}

const waitFor = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, signal?.aborted ? 0 : ms);
    signal?.addEventListener('abort', end);
  });

/** Ids and data of server-sent events; leaving the loop closes the connection. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<[id: string, data: string]> {
  // Not every browser can loop over a stream.
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id, data] = /^id: (.*)\ndata: (.*)/m.exec(block) ?? [];
        if (id && data) yield [id, data];
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
