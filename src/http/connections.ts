import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    isStopping: boolean;
    /**
     * Call it before closing: accepts new clients for a while, until a proxy notices, and then serves only open
     * connections.
     */
    drain: (noticeMs: number) => Promise<void>;
  }
}

/** Counted in checks instead of time, so that a process that was suspended first reads what has arrived. */
const lookEveryMs = 20;
const quietLooks = 12;

/** Clients that keep opening connections do not delay the shutdown longer than this. */
const mostLooks = 150;

/**
 * Closing an idle connection could lose a request on its way, so it is closed after its next response, or after a short
 * silence.
 */
export function drainConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.decorate('isStopping', false);
  app.decorate('drain', async (noticeMs: number) => {
    app.isStopping = true;
    await wait(noticeMs);
    // The `close` of an HTTP server would close idle connections too.
    Server.prototype.close.call(app.server);
    await untilQuiet(app.server, open);
  });
  app.addHook('preClose', async () => {
    app.isStopping = true;
    // A connection that has not sent a request would delay the shutdown.
    for (const socket of silent) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

async function untilQuiet(server: Server, open: Set<Socket>): Promise<void> {
  let quiet = 0;
  server.on('request', () => {
    quiet = 0;
  });
  for (let looks = 0; looks < mostLooks && quiet < quietLooks && open.size > 0; looks += 1) {
    await wait(lookEveryMs);
    quiet += 1;
  }
}

/** Counted in checks instead of time, so that readers are not blamed for a suspended process. */
const looksPerPatience = 6;

interface Seen {
  sent: number;
  taken: number;
  /** The number of consecutive checks in which bytes were waiting and none were read. */
  looks: number;
  inode: string | null;
}

interface Sample {
  socket: Socket;
  before: Seen | null;
  sent: number;
  accepted: number;
}

/**
 * Resets connections whose readers take nothing. A socket timeout would not work: it restarts with each write into the
 * kernel's buffer.
 */
export function closeIdleReaders(server: HttpServer, patienceMs: number): void {
  const connections = new Map<Socket, Seen | null>();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const samples: Sample[] = [];
    for (const [socket, before] of connections) {
      const sent = socket.bytesWritten;
      if (mayWait(sent, before)) samples.push({ socket, before, sent, accepted: acceptedByKernel(socket) });
    }
    const queues = samples.length > 0 ? await readSendQueues() : new Map();
    for (const one of samples) {
      if (!connections.has(one.socket)) continue;
      const seen = seenNow(one, queues);
      connections.set(one.socket, seen);
      if (seen.looks === looksPerPatience) one.socket.resetAndDestroy();
    }
    isLooking = false;
  };
  server.on('connection', (socket: Socket) => {
    connections.set(socket, null);
    timer ??= setInterval(look, patienceMs / looksPerPatience).unref();
    socket.once('close', () => {
      connections.delete(socket);
      if (connections.size > 0 || !timer) return;
      clearInterval(timer);
      timer = null;
    });
  });
}

const mayWait = (sent: number, before: Seen | null): boolean =>
  before === null ? sent > 0 : before.looks > 0 || sent !== before.sent;

function seenNow({ socket, before, sent, accepted }: Sample, queues: Map<string, number>): Seen {
  const inode = before ? before.inode : inodeOf(socket);
  const queued = queues.get(inode ?? '') ?? 0;
  const [least, most] = [accepted - queued, acceptedByKernel(socket) - queued];
  if (socket.writableLength + queued === 0) return { sent, taken: most, looks: 0, inode };
  const isTaking = before === null || before.looks === 0 || least > before.taken;
  if (isTaking) return { sent, taken: most, looks: 1, inode };
  return { sent, taken: Math.min(before.taken, most), looks: before.looks + 1, inode };
}

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The columns of /proc/net/tcp: number, both ends, state, bytes waiting to be read, other columns, inode. */
const row = /^ *\d+: \S+ \S+ \w\w (\w+):\w+ \S+ \w+ +\d+ +\d+ (\d+)/gm;

/** Unacknowledged bytes of each connection, by socket inode. Empty on systems other than Linux. */
async function readSendQueues(): Promise<Map<string, number>> {
  const texts = await Promise.all(tables.map((table) => readFile(table, 'latin1').catch(() => '')));
  const found = texts.flatMap((text) => [...text.matchAll(row)]);
  return new Map(found.map(([, queue = '', inode = '']) => [inode, Number.parseInt(queue, 16)]));
}

function inodeOf(socket: Socket): string | null {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/fd/${numberInHandle(socket, 'fd')}`))?.[0] ?? null;
  } catch {
    return null;
  }
}

const acceptedByKernel = (socket: Socket): number =>
  (numberInHandle(socket, 'bytesWritten') ?? 0) - (numberInHandle(socket, 'writeQueueSize') ?? 0);

/** Node exposes these values only on the handle of a socket. */
function numberInHandle(socket: Socket, name: 'bytesWritten' | 'fd' | 'writeQueueSize'): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : null;
  return typeof value === 'number' ? value : null;
}
