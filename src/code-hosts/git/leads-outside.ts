import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** All that is read of a clone: run-git.ts shows git nothing else. */
const readByGit = new Set(['HEAD', 'objects', 'packed-refs', 'refs', 'shallow']);

/** Other requests wait at most this long; a clone whose objects and refs are packed takes a tenth of it. */
const sliceMs = 1;

/**
 * Whether something that git reads of a clone is a link to elsewhere, where another repository may be that is private,
 * or is neither file nor folder nor link, so that git would wait for it. Each time it is all looked at anew, since no
 * folder tells what has changed further below. That is done without the thread pool, which would take five times as
 * long. It holds for what is read next, which is refs; all later reading goes by the ids of commits that these led to.
 */
export async function leadsOutside(gitFolder: string): Promise<boolean> {
  const folders = new Set([gitFolder]);
  let sliceEnd = performance.now() + sliceMs;
  for (const folder of folders) {
    for (const entry of entriesOf(folder)) {
      if (folder === gitFolder && !readByGit.has(entry.name)) continue;
      if (entry.isFile()) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.add(path);
      else {
        const target = entry.isSymbolicLink() ? targetWithin(gitFolder, path) : null;
        if (!target) return true;
        if (target.isFolder) folders.add(target.path);
      }
    }
    if (performance.now() > sliceEnd) {
      await setImmediate();
      sliceEnd = performance.now() + sliceMs;
    }
  }
  return false;
}

/** A folder that git has removed in the meantime, as it does when it packs what was in it, leads nowhere. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Null for what is outside, and for a link to nothing: it may lead anywhere one day. */
function targetWithin(gitFolder: string, link: string): { path: string; isFolder: boolean } | null {
  try {
    const path = realpathSync(link);
    const kind = lstatSync(path);
    const isInside = path.startsWith(gitFolder + sep) && (kind.isFile() || kind.isDirectory());
    return isInside ? { path, isFolder: kind.isDirectory() } : null;
  } catch {
    return null;
  }
}
