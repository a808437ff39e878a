import { coalesceReads } from '../../domain/batch-reads.ts';
import type { Clone } from '../git-runner/clone.ts';
import { refsFingerprint } from './refs-fingerprint.ts';

/** Of how many clones what was read is kept, a few MB of each large one. */
const mostKept = 20;

/** Reads something of the refs of a clone again only when one of them has changed. */
export function keepWhileRefsStay<Read>(
  read: (clone: Clone) => Promise<Read>,
): (clone: Clone) => Promise<Read> {
  const kept = new Map<string, { fingerprint: string; found: Read }>();
  return coalesceReads(async (clone: Clone) => {
    const fingerprint = refsFingerprint(clone.gitFolder);
    const known = kept.get(clone.gitFolder);
    if (known && known.fingerprint === fingerprint) return known.found;
    kept.delete(clone.gitFolder);
    const found = await read(clone);
    // What has changed while it was read shows in the next one.
    if (fingerprint !== null) kept.set(clone.gitFolder, { fingerprint, found });
    const [oldest] = kept.keys();
    if (oldest && kept.size > mostKept) kept.delete(oldest);
    return found;
  });
}
