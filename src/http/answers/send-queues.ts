import { readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** Where Linux tells of every connection. */
const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** The number of a row, both ends, the state, what waits to be taken, …, and the inode. */
const row = /^ *\d+: \S+ \S+ \w\w (\w+):\w+ \S+ \w+ +\d+ +\d+ (\d+)/gm;

/**
 * How many bytes the kernel keeps on each connection because the other end has not taken them yet, by the inode of its
 * socket. Nothing is known of any where the system does not tell.
 */
export async function readSendQueues(): Promise<Map<string, number>> {
  const texts = await Promise.all(tables.map((table) => readFile(table, 'latin1').catch(() => '')));
  const found = texts.flatMap((text) => [...text.matchAll(row)]);
  return new Map(found.map(([, queue = '', inode = '']) => [inode, Number.parseInt(queue, 16)]));
}

/** The inode of a socket; null where the system does not tell. */
export function inodeOf(socket: Socket): string | null {
  try {
    return /\d+/.exec(readlinkSync(`/proc/self/fd/${numberInHandle(socket, 'fd')}`))?.[0] ?? null;
  } catch {
    return null;
  }
}

/** How many bytes the kernel has accepted on a connection: of a write of megabytes, it may be some. */
export const acceptedByKernel = (socket: Socket): number =>
  (numberInHandle(socket, 'bytesWritten') ?? 0) - (numberInHandle(socket, 'writeQueueSize') ?? 0);

/** Only the handle of a socket knows; Node has no other way to ask. */
function numberInHandle(socket: Socket, name: 'bytesWritten' | 'fd' | 'writeQueueSize'): number | null {
  const handle: unknown = Reflect.get(socket, '_handle');
  const value: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, name) : null;
  return typeof value === 'number' ? value : null;
}
