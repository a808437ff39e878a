import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { acceptedByKernel, inodeOf, readSendQueues } from './send-queues.ts';

/** Counted in looks and not in time, so that readers are not blamed for a process that stood still. */
const looksPerPatience = 6;

/** A connection as it was when it was last looked at. */
interface Seen {
  /** What was sent on it until then, whether it was taken or not. */
  sent: number;
  /** The most of it that can have been taken. */
  taken: number;
  /** For how many looks in a row nothing was taken although something waited. */
  looks: number;
  inode: string | null;
}

/** A connection right before the kernel is asked. */
interface Asked {
  socket: Socket;
  before: Seen | null;
  sent: number;
  accepted: number;
}

/**
 * Resets connections whose readers take nothing of what waits for them: it holds memory until then, here and in the kernel.
 * One timer looks after all connections, whatever is sent on them. The timeout of a socket would not do: it begins anew with
 * each write, and what is handed out slowly fits into the buffers of the kernel for minutes.
 */
export function closeIdleReaders(server: Server, patienceMs: number): void {
  const connections = new Map<Socket, Seen | null>();
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    const asked: Asked[] = [];
    for (const [socket, before] of connections) {
      const sent = socket.bytesWritten;
      if (mayWait(sent, before)) asked.push({ socket, before, sent, accepted: acceptedByKernel(socket) });
    }
    const queues = asked.length > 0 ? await readSendQueues() : new Map();
    for (const one of asked) {
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

/** Nothing waits where nothing was sent since all was taken. */
const mayWait = (sent: number, before: Seen | null): boolean =>
  before === null ? sent > 0 : before.looks > 0 || sent !== before.sent;

function seenNow({ socket, before, sent, accepted }: Asked, queues: Map<string, number>): Seen {
  const inode = before ? before.inode : inodeOf(socket);
  const queued = queues.get(inode ?? '') ?? 0;
  // What the kernel accepted while it was asked may be counted in the queue, or not.
  const [least, most] = [accepted - queued, acceptedByKernel(socket) - queued];
  if (socket.writableLength + queued === 0) return { sent, taken: most, looks: 0, inode };
  const isTaking = before === null || before.looks === 0 || least > before.taken;
  if (isTaking) return { sent, taken: most, looks: 1, inode };
  return { sent, taken: Math.min(before.taken, most), looks: before.looks + 1, inode };
}
