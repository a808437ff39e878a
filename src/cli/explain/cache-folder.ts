import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../../config.ts';

/** The folder for what makes the next time quicker; where it cannot be had, as without a home, one that goes with this process. */
export async function openCacheFolder(): Promise<string> {
  const folder = cacheFolder();
  try {
    await makeFolder(folder);
    return folder;
  } catch {
    const passing = mkdtempSync(join(tmpdir(), 'pullquote-'));
    process.on('exit', () => rmSync(passing, { recursive: true, force: true }));
    return passing;
  }
}

/** Node's own recursion never ends where a folder takes none, as /proc does not. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (!existsSync(dirname(folder))) await makeFolder(dirname(folder));
  await mkdir(folder).catch((error: Error & { code?: string }) => {
    if (error.code !== 'EEXIST') throw error;
  });
}
