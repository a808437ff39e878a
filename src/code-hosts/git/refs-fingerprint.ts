import { type BigIntStats, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More loose refs than this take longer to look at than git takes to read them. */
const mostEntries = 1_000;

/** What was written so shortly before it was looked at may be written again without its time showing it. */
const certainAfterMs = 2_000;

/**
 * The same for as long as no ref of a clone has changed: all that holds refs, with when it was written. Null where that does
 * not tell, because it is too much or too new.
 */
export function refsFingerprint(gitFolder: string, now = Date.now()): string | null {
  try {
    const entries: string[] = [];
    let newest = 0;
    const note = (path: string, stat: BigIntStats): void => {
      newest = Math.max(newest, Number(stat.mtimeMs), Number(stat.ctimeMs));
      entries.push([path, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' '));
    };
    for (const name of ['HEAD', 'packed-refs', 'shallow']) {
      const stat = statSync(join(gitFolder, name), { bigint: true, throwIfNoEntry: false });
      if (stat) note(name, stat);
    }
    const folders = [join(gitFolder, 'refs')];
    for (const folder of folders) {
      note(folder, statSync(folder, { bigint: true }));
      for (const entry of readdirSync(folder)) {
        const path = join(folder, entry);
        const stat = statSync(path, { bigint: true });
        if (stat.isDirectory()) folders.push(path);
        else note(path, stat);
        if (entries.length + folders.length > mostEntries) return null;
      }
    }
    return now - newest > certainAfterMs ? entries.join('\n') : null;
  } catch {
    // Git is changing it in this moment.
    return null;
  }
}
