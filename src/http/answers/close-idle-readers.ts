import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Counted in looks and not in time, so that readers are not blamed for a process that stood still. */
const looksPerPatience = 30;

/** What has left this process for a reader: whole writes, and what is left of the one that the kernel is taking. */
interface Progress {
  written: number;
  left: number;
  /** How many looks in a row have seen the same. */
  looks: number;
}

/**
 * Resets connections whose readers take nothing of what waits for them: it holds memory until then, here and in the kernel.
 * One timer looks after all connections, whatever is sent on them. The timeout of a socket would not do: it begins anew with
 * each write, and once more when the kernel has taken a part of one.
 */
export function closeIdleReaders(server: Server, patienceMs: number): void {
  const connections = new Map<Socket, Progress | null>();
  let timer: NodeJS.Timeout | null = null;
  const look = (): void => {
    for (const [socket, before] of connections) {
      const progress = progressOf(socket, before);
      if (progress?.looks === looksPerPatience) socket.resetAndDestroy();
      else connections.set(socket, progress);
    }
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

/** How far a reader is with what waits for it; null where nothing does. */
function progressOf(socket: Socket, before: Progress | null): Progress | null {
  const waiting = socket.writableLength;
  if (waiting === 0) return null;
  const written = socket.bytesWritten - waiting;
  const left = leftOfWrite(socket);
  const isSame = before?.written === written && before.left === left;
  return { written, left, looks: isSame ? before.looks + 1 : 1 };
}

/** An answer may be one write of megabytes. How much of it the kernel has taken, only the handle of a socket tells. */
function leftOfWrite(socket: Socket): number {
  const handle: unknown = Reflect.get(socket, '_handle');
  const isHandle = typeof handle === 'object' && handle !== null && 'writeQueueSize' in handle;
  return isHandle && typeof handle.writeQueueSize === 'number' ? handle.writeQueueSize : 0;
}
