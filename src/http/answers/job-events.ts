import { Readable } from 'node:stream';
import type { Job } from '../../contract/job.ts';
import { isOver } from '../../domain/pull-requests.ts';
import type { JobWatch } from '../../jobs/listen.ts';

/** Often enough that proxies do not take a connection for dead. */
const usualRoundMs = 15_000;

const turns = 15;

/** One timer for all idle streams. Each tick serves a fifteenth of them, so the load is spread. */
export class Heartbeats {
  readonly #turns = Array.from({ length: turns }, () => new Set<() => void>());
  readonly #roundMs: number;
  #joined = 0;
  #alive = 0;
  #turn = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(roundMs = usualRoundMs) {
    this.#roundMs = roundMs;
  }

  /** Calls back in every round until the returned function is called. */
  join(beat: () => void): () => void {
    const turn = this.#turns[this.#joined++ % turns];
    turn?.add(beat);
    this.#alive += 1;
    this.#timer ??= setInterval(() => this.#tick(), this.#roundMs / turns).unref();
    return () => {
      if (!turn?.delete(beat)) return;
      this.#alive -= 1;
      if (this.#alive > 0 || !this.#timer) return;
      clearInterval(this.#timer);
      this.#timer = null;
    };
  }

  #tick(): void {
    for (const beat of this.#turns[this.#turn++ % turns] ?? []) beat();
  }
}

/** How soon a browser comes back when the connection breaks. */
const retryMs = 2_000;

interface Source {
  jobs: JobWatch;
  heartbeats: Heartbeats;
  jobId: string;
  seen: number;
  /** The job as it is now; null when the reader may no longer follow it. */
  read: () => Promise<{ version: number; shown: Job } | null>;
}

/** Server-sent events of a job. Access is checked before each event and each heartbeat. */
export function streamJobEvents(source: Source): Readable {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, source.jobs.ending]);
  const stream = Readable.from(eventsOf(source, signal), { objectMode: false });
  stream.once('close', () => gone.abort());
  return stream;
}

async function* eventsOf(
  { jobs, heartbeats, jobId, seen, read }: Source,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let lastSent = seen;
  let isDue = true;
  let wake = (): void => {};
  const look = (): void => {
    isDue = true;
    wake();
  };
  const unwatch = jobs.watch(jobId, ({ version }) => {
    if (version > lastSent) look();
  });
  const leave = heartbeats.join(look);
  const end = (): void => wake();
  signal.addEventListener('abort', end);
  try {
    yield `retry: ${retryMs}\n\n`;
    while (!signal.aborted) {
      isDue = false;
      const found = await read();
      if (!found) return;
      if (found.version > lastSent) {
        lastSent = found.version;
        yield printEvent(found.version, found.shown);
      } else yield ': still here\n\n';
      if (isOver(found.shown.state)) return;
      if (isDue || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    unwatch();
    leave();
    signal.removeEventListener('abort', end);
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
