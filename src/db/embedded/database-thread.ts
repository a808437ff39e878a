import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { DiskRoom, logFileBytes } from './disk-room.ts';
import { DurableNodeFs } from './durable-node-fs.ts';
import { copyBegun, pauseForCopy } from './pause-for-copy.ts';
import type { RoomNeeded } from './room-needed.ts';
import { StatementCancel } from './statement-cancel.ts';
import { WireMessages } from './wire-messages.ts';

// The thread that the embedded database lives in. It takes messages of PostgreSQL's wire protocol and answers each, in
// their order, with what PostgreSQL says to it; what they mean is known to the other side only.

/** What the thread is asked. */
export type Request =
  | { kind: 'messages'; bytes: Uint8Array; needs: RoomNeeded }
  | { kind: 'ping' }
  | { kind: 'close' };

/** What it answers. */
export interface Reply {
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether there is no room: for what was asked, which then was not done, or, when it was a ping, for anything. */
  isFull: boolean;
  /** How often the disk was asked to hold on to what it was given, since the start. */
  syncs: number;
}

export interface ThreadSettings {
  dataFolder: string;
}

/** PGlite's own parameters switch fsync off; of the sync methods, only this one reaches the file system. */
const startParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
  // What is read again comes out of the kernel's cache: four times as much of our own would be held for as long as it runs.
  ...['-c', 'shared_buffers=32MB'],
  // No more of its log is kept for later than it takes at least: a gibibyte of it would be missed on a small disk.
  ...['-c', 'min_wal_size=32MB', '-c', 'max_wal_size=32MB'],
  // Here posix_fallocate makes holes, for which there may be no room when they are filled.
  ...['-c', 'file_extend_method=write_zeros'],
  // Each checkpoint would write them to a file, and give up where there is no room for it.
  ...['-c', 'max_active_replication_origins=0'],
];

/** How often to look whether the room on the disk has become scarce, and whether a copy is asked for. */
const lookMs = 1_000;

/**
 * A file of its log. Beginning it anew means writing all that has changed, which queries wait for: little at a time. But the
 * log then holds each page whole that changes next, and would be full of those if it were begun anew all the time.
 */
const mostLogBytes = logFileBytes;
const leastPauseMs = 30_000;

/** While room is short, it is begun anew before it needs another file. */
const mostLogBytesWhenShort = mostLogBytes / 2;

async function open(folder: string, room: DiskRoom) {
  const files = new DurableNodeFs(folder, room);
  const pglite = await PGlite.create({ fs: files, startParams });
  return { pglite, files };
}

/** A first initialisation that was cut off must not be taken for a database: it gets its name when it is whole. */
async function initialise(folder: string, room: DiskRoom): Promise<void> {
  const draft = `${folder}.new`;
  rmSync(draft, { recursive: true, force: true });
  const { pglite } = await open(draft, room);
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
  return only && more.length === 0 ? only : joinParts(parts);
}

function joinParts(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

const { dataFolder }: ThreadSettings = workerData;
const folder = join(dataFolder, 'database');
const room = new DiskRoom(dataFolder);
// A copy that was begun while an earlier process stood still is worth nothing once these files are opened.
rmSync(copyBegun(dataFolder), { force: true });
if (!existsSync(folder)) await initialise(folder, room);
const { pglite, files } = await open(folder, room);
endWithPostgres(pglite);

const noBytes = () => new Uint8Array();
const query = (text: string) => run(pglite, new WireMessages().query(text).take());

let writtenBefore = files.written;
let begunAt = Number.NEGATIVE_INFINITY;
const beginLogAnew = (): void => {
  query('CHECKPOINT');
  writtenBefore = files.written;
  begunAt = performance.now();
};

const cancel = new StatementCancel(pglite);
let isCancellable = false;

function isRoomFor(needs: RoomNeeded): boolean {
  if (needs === 'none') return true;
  // Where a table cannot grow a statement fails, but where the log cannot, PostgreSQL gives up.
  if (needs === 'reserve') return room.isEnoughForLog || files.countLogFiles().after > 0;
  return room.isEnoughFor(needs);
}

// What deletes much at once may take more of the log than there is. It then is refused in the middle.
files.onLogFileEnding = () => {
  if (isCancellable && !isRoomFor('reserve')) cancel.ask();
};

/** Before a statement is refused for want of room, the log gives up what it does not need. */
function isFullFor(needs: RoomNeeded): boolean {
  if (isRoomFor(needs)) return false;
  if (files.countLogFiles().before > 0 && !pglite.isInTransaction()) beginLogAnew();
  return !isRoomFor(needs);
}

function answer(request: Exclude<Request, { kind: 'close' }>): Omit<Reply, 'syncs'> {
  if (request.kind === 'ping') {
    // In the middle of a transaction that has failed it would be refused, although all is well.
    const bytes = pglite.isInTransaction() ? noBytes() : query('SELECT 1');
    return { bytes, isFull: !room.isEnoughFor(0) };
  }
  // Whatever is asked may write to the log: what was given up while the disk was full is held again before.
  room.hold();
  if (isFullFor(request.needs)) return { bytes: noBytes(), isFull: true };
  isCancellable = true;
  const bytes = run(pglite, request.bytes);
  isCancellable = false;
  return { bytes, isFull: cancel.conclude() };
}

const post = (reply: Omit<Reply, 'syncs'>): void =>
  parentPort?.postMessage({ ...reply, syncs: files.syncs } satisfies Reply, [reply.bytes.buffer]);

/** Called once a statement is answered, and before the next one. */
function beginLogAnewIfDue(): void {
  const written = files.written - writtenBefore;
  const isLong = written > mostLogBytes && performance.now() - begunAt > leastPauseMs;
  const isDue = isLong || (written > mostLogBytesWhenShort && room.isShort);
  if (isDue && !pglite.isInTransaction()) beginLogAnew();
}

parentPort?.on('message', (request: Request) => {
  if (request.kind === 'close') {
    pglite.close().then(() => process.exit(0));
    return;
  }
  post(answer(request));
  beginLogAnewIfDue();
});

setInterval(() => {
  room.hold();
  pauseForCopy(dataFolder);
}, lookMs);
room.hold();
post({ bytes: noBytes(), isFull: false });
