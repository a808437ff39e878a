import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Often enough that a fast line brings little more than may be. */
const betweenLooksMs = 500;

/** What has to stay free for other uses of the disk, the database above all. */
const reserveBytes = 256 * 1024 * 1024;

interface Bounds {
  /** How much the folder may hold. */
  mostBytes: number;
  /** How much is free on its disk. */
  freeBytes?: (folder: string) => Promise<number>;
}

/** Does something that fills a folder, and aborts it once that holds more than it may, or the disk has too little left. */
export async function withDiskQuota<Done>(
  folder: string,
  { mostBytes, freeBytes = freeOnDisk }: Bounds,
  fill: (signal: AbortSignal) => Promise<Done>,
): Promise<{ done: Done } | { exceeded: 'folder' | 'disk' }> {
  const stop = new AbortController();
  let exceeded: 'folder' | 'disk' | null = null;
  const look = async (): Promise<void> => {
    if ((await sizeOf(folder)) > mostBytes) exceeded = 'folder';
    else if ((await freeBytes(folder)) < reserveBytes) exceeded = 'disk';
    if (exceeded) stop.abort();
  };
  await look();
  if (exceeded) return { exceeded };
  // What cannot be seen now is seen the next time.
  const timer = setInterval(() => look().catch(() => {}), betweenLooksMs);
  try {
    const done = await fill(stop.signal);
    await look();
    return exceeded ? { exceeded } : { done };
  } catch (error) {
    if (exceeded) return { exceeded };
    throw error;
  } finally {
    clearInterval(timer);
  }
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What comes and goes meanwhile counts as nothing. */
async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    entries.map((entry) =>
      stat(join(folder, entry)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
