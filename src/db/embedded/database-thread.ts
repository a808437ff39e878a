import { existsSync, renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DurableNodeFs } from './durable-node-fs.ts';
import { WireMessages } from './wire-messages.ts';

// The thread that the embedded database lives in. It takes messages of PostgreSQL's wire protocol and answers each, in
// their order, with what PostgreSQL says to it; what they mean is known to the other side only.

/** What the thread is asked. */
export type Request = { kind: 'messages'; bytes: Uint8Array } | { kind: 'ping' } | { kind: 'close' };

/** What it answers. */
export interface Reply {
  bytes: Uint8Array<ArrayBuffer>;
  /** How often the disk was asked to hold on to what it was given, since the start. */
  syncs: number;
}

export interface ThreadSettings {
  folder: string;
}

/** PGlite's own parameters switch fsync off; of the sync methods, only this one reaches the file system. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
];

async function open(folder: string) {
  const files = new DurableNodeFs(folder);
  const pglite = await PGlite.create({ fs: files, startParams });
  return { pglite, files };
}

/** A first initialisation that was cut off must not be taken for a database: it gets its name when it is whole. */
async function initialise(folder: string): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { pglite } = await open(draft);
  await pglite.close();
  renameSync(draft, folder);
}

/**
 * When PostgreSQL gives up, PGlite goes on as if nothing had happened, for ever if something is left to be done. Its files
 * are as a crash leaves them, which it can recover from: this thread ends, so that another can open them.
 */
function endWithPostgres({ Module }: PGlite): void {
  const runOnce = Module._PostgresMainLoopOnce;
  Module._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if (error instanceof Error && error.name === 'RuntimeError') process.exit(1);
      throw error;
    }
  };
}

function run(pglite: PGlite, messages: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // Its work is done when this returns; what it promises is about file systems that have to be told to keep things.
  pglite.execProtocolRawStream(messages, {
    syncToFs: false,
    onRawData: (bytes) => parts.push(bytes.slice()),
  });
  const [only, ...more] = parts;
  return only && more.length === 0 ? only : join(parts);
}

function join(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const { folder }: ThreadSettings = workerData;
if (!existsSync(folder)) await initialise(folder);
const { pglite, files } = await open(folder);
endWithPostgres(pglite);
const ping = new WireMessages().query('SELECT 1').take();

const reply = (bytes: Uint8Array<ArrayBuffer>): void => {
  const answer: Reply = { bytes, syncs: files.syncs };
  parentPort?.postMessage(answer, [bytes.buffer]);
};
parentPort?.on('message', (request: Request) => {
  if (request.kind === 'messages') reply(run(pglite, request.bytes));
  // In the middle of a transaction that has failed it would be refused, although all is well.
  else if (request.kind === 'ping') reply(pglite.isInTransaction() ? new Uint8Array() : run(pglite, ping));
  else pglite.close().then(() => process.exit(0));
});
reply(new Uint8Array());
