import type { Db, PgBoss } from 'pg-boss';
import type { BaseLogger } from 'pino';
import type { Database, Queries } from '../db/database.ts';
import { hasQueueTables } from '../db/queue-tables.ts';
import { createComplaint } from './complain.ts';

const queueName = 'write-article';

/**
 * A worker shows that it lives every few seconds; one that has not for this long is taken for dead. Reading a very
 * large pull request keeps a process busy for seconds at a time, which must not look like death.
 */
const heartbeatSeconds = 12;
const heartbeatRefreshSeconds = 3;

/** How often somebody looks for the dead. With the heartbeat and the poll, work is taken up again within a minute. */
const monitorSeconds = 10;

/** New work is announced; polling is for what was put back without a word, by looking for the dead. */
const pollSeconds = 5;

/** How many times a message may come back is decided by whoever starts the work, who counts what came of it. */
const deliveries = 1000;

/**
 * An article takes as long as the calls to its model take. That a worker has died shows by its heartbeat; that it works for
 * long is no reason to have the same done by another. The queue allows no more than this.
 */
const expireInSeconds = 24 * 60 * 60 - 1;

/** Messages are taken out when their work is done; those that were not leave no traces for longer than this. */
const deleteAfterSeconds = 60 * 60;

/** What the queue does for nobody here is done as rarely as it allows. */
const rarelySeconds = 60 * 60;

/** After this long without a failure the queue is thought well again. */
const troubleLastsMs = 30_000;

/** A message that somebody works on. */
export interface Delivery {
  jobId: string;
  /** Aborted when the queue has given the message to somebody else. */
  signal: AbortSignal;
  /** Takes the message out of the queue if the transaction commits, unless somebody else has it by now. */
  settle: (tx: Queries) => Promise<void>;
}

export interface WritingQueue {
  /** Makes its tables where there are none, which is more than those who are served can be let wait for. */
  prepare: () => Promise<void>;
  /** Settles when the queue is open. To be awaited outside of transactions: opening uses the database itself. */
  ready: () => Promise<void>;
  /** Has a job worked on by some process, if the transaction commits. */
  enqueue: (tx: Queries, jobId: string) => Promise<void>;
  /** The jobs that some message is about which is still to be worked on, or is being worked on. */
  findCarried: () => Promise<Set<string>>;
  /** Works on up to so many jobs at a time from now on. */
  work: (workers: number, handle: (delivery: Delivery) => Promise<void>) => Promise<void>;
  isHealthy: () => boolean;
  /** Waits for what is being worked on, and then takes no more. */
  stop: () => Promise<void>;
}

const statementsOn = (queries: Queries): Db => ({
  executeSql: async (text, values) => ({ rows: await queries.runText(text, values) }),
});

const connectionTo = (database: Database): Db => ({
  ...statementsOn(database),
  listen: async (channel, onMessage, onListening) => ({
    close: await database.listen(channel, { onMessage, onListening }),
  }),
});

/**
 * The queue, on the database that everything else is in. It is opened when it is first needed, because loading it
 * takes a tenth of the time that a start may take.
 */
export function createWritingQueue(database: Database, log: BaseLogger): WritingQueue {
  let opening: Promise<PgBoss> | null = null;
  let opened: PgBoss | null = null;
  let running = true;
  let lastTrouble = Number.NEGATIVE_INFINITY;
  const complain = createComplaint(log, 'the queue of articles to write met a problem; it goes on by itself');
  const onTrouble = (error: unknown): void => {
    lastTrouble = performance.now();
    complain(error);
  };
  const open = async (): Promise<PgBoss> => {
    opening ??= openQueue(database, log, onTrouble);
    try {
      opened = await opening;
      return opened;
    } catch (error) {
      opening = null;
      onTrouble(error);
      throw error;
    }
  };
  return {
    async prepare() {
      if (await hasQueueTables(database)) return;
      // The log has been told, and it is tried again while others are served.
      await open().catch(() => {});
    },
    async ready() {
      await open();
    },
    async enqueue(tx, jobId) {
      if (!opened) throw new Error('The queue was not waited for before the transaction began.');
      const options = {
        heartbeatSeconds,
        retryLimit: deliveries,
        retryDelay: 1,
        deleteAfterSeconds,
        expireInSeconds,
      };
      await opened.send(queueName, { jobId }, { db: statementsOn(tx), ...options });
    },
    async findCarried() {
      const messages = await (await open()).findJobs<{ jobId: string }>(queueName);
      const alive = messages.filter(({ state }) => ['created', 'retry', 'active'].includes(state));
      return new Set(alive.map(({ data }) => data.jobId));
    },
    async work(workers, handle) {
      const boss = await open();
      for (let worker = 0; worker < workers; worker += 1) await addWorker(boss, handle);
    },
    isHealthy: () => running && performance.now() - lastTrouble > troubleLastsMs,
    async stop() {
      running = false;
      const boss = await opening?.catch(() => null);
      await boss?.offWork(queueName, { wait: true });
      await boss?.stop({ graceful: false, close: false });
    },
  };
}

/** Makes the queue's own tables where there are none. */
async function openQueue(
  database: Database,
  log: BaseLogger,
  onTrouble: (error: unknown) => void,
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: connectionTo(database),
    backend: database.kind,
    createSchema: false,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: monitorSeconds,
    monitorIntervalSeconds: monitorSeconds,
    queueCacheIntervalSeconds: rarelySeconds,
    flowIntervalSeconds: rarelySeconds,
    bamIntervalSeconds: rarelySeconds,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onTrouble);
  boss.on('warning', (warning) => log.warn({ warning }, 'the queue of articles to write has a warning'));
  try {
    await boss.start();
    await makeQueue(boss);
    return boss;
  } catch (error) {
    await boss.stop({ graceful: false, close: false });
    throw error;
  }
}

/** The queue remembers what it knows of itself, so that sending asks nothing outside of the sender's transaction. */
async function makeQueue(boss: PgBoss): Promise<void> {
  if (!(await boss.getQueue(queueName))) await boss.createQueue(queueName, { notify: true });
  await boss.findJobs(queueName, { id: crypto.randomUUID() });
}

async function addWorker(boss: PgBoss, handle: (delivery: Delivery) => Promise<void>): Promise<void> {
  const options = {
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    heartbeatRefreshSeconds,
  };
  const workerId: string = await boss.work<{ jobId: string }>(queueName, options, async ([message]) => {
    if (!message) return;
    const { id, retryCount, data, signal } = message;
    const settle = async (tx: Queries): Promise<void> => {
      await boss.deleteJob(queueName, { id, retryCount }, { db: statementsOn(tx) });
    };
    await handle({ jobId: data.jobId, signal, settle });
    // Otherwise it would look for more only at its next poll.
    boss.notifyWorker(workerId);
  });
}
