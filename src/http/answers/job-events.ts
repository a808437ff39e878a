import { Readable } from 'node:stream';
import type { Job } from '../../contract/job.ts';
import { inTime } from '../../domain/in-time.ts';
import { isOver } from '../../domain/writing-job.ts';
import type { JobWatch } from '../../jobs/watch-jobs.ts';

/** How soon a browser comes back when the connection breaks. */
const retryMs = 2_000;

/** Often enough that proxies do not take the connection for dead. */
const heartbeatMs = 15_000;

interface Source {
  jobs: JobWatch;
  jobId: string;
  /** The version of the last event that the reader has seen. */
  seen: number;
  /** The job as it is now; null when the reader may no longer see it. */
  read: () => Promise<{ version: number; shown: Job } | null>;
}

/** A stream of server-sent events that ends with the job, with the service, or when its reader goes away. */
export function streamJobEvents(source: Source): Readable {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, source.jobs.ending]);
  const stream = Readable.from(eventsOf(source, signal), { objectMode: false });
  stream.once('close', () => gone.abort());
  return stream;
}

async function* eventsOf({ jobs, jobId, seen, read }: Source, signal: AbortSignal): AsyncGenerator<string> {
  let lastSent = seen;
  let change = Promise.withResolvers<void>();
  const wake = (): void => change.resolve();
  const unwatch = jobs.watch(jobId, ({ version }) => version > lastSent && wake());
  signal.addEventListener('abort', wake);
  try {
    yield `retry: ${retryMs}\n\n`;
    while (!signal.aborted) {
      change = Promise.withResolvers();
      const found = await read();
      if (!found) return;
      if (found.version > lastSent) {
        lastSent = found.version;
        yield printEvent(found.version, found.shown);
      }
      if (isOver(found.shown.state)) return;
      const isSilent = await inTime(
        change.promise.then(() => false),
        heartbeatMs,
        () => true,
      );
      if (isSilent) yield ': still here\n\n';
    }
  } finally {
    unwatch();
    signal.removeEventListener('abort', wake);
  }
}

function printEvent(version: number, job: Job): string {
  const name = {
    queued: 'progress',
    running: 'progress',
    done: 'done',
    failed: 'failed',
    cancelled: 'failed',
  };
  return `event: ${name[job.state]}\nid: ${version}\ndata: ${JSON.stringify(job)}\n\n`;
}
