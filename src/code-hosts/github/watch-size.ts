import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Often enough that a fast line brings little more than may be. */
const betweenLooksMs = 500;

/** Does something that fills a folder, and aborts it once that holds more than it may; then the answer is null. */
export async function unlessTooLarge<Done>(
  folder: string,
  mostBytes: number,
  fill: (signal: AbortSignal) => Promise<Done>,
): Promise<Done | null> {
  const tooLarge = new AbortController();
  const look = async (): Promise<void> => {
    if ((await sizeOf(folder)) > mostBytes) tooLarge.abort();
  };
  const timer = setInterval(look, betweenLooksMs);
  try {
    const done = await fill(tooLarge.signal);
    await look();
    return tooLarge.signal.aborted ? null : done;
  } catch (error) {
    if (tooLarge.signal.aborted) return null;
    throw error;
  } finally {
    clearInterval(timer);
  }
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
