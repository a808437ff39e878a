import { detachText } from '../detach-text.ts';
import type { SurfaceChange } from '../facts.ts';
import type { WholeDiff } from '../whole-diff.ts';
import type { SurfaceMention } from './mention.ts';

interface Entry {
  removed: SurfaceMention | null;
  added: SurfaceMention | null;
  stays: boolean;
}

/** What came, went or changed. What is still named elsewhere in the same file did none of these. */
export function pairSurfaces(
  fileName: string,
  old: SurfaceMention[],
  current: SurfaceMention[],
  whole: WholeDiff,
): SurfaceChange[] {
  const entries = new Map<string, Entry>();
  const entryOf = ({ kind, name }: SurfaceMention): Entry => {
    const key = `${kind} ${name}`;
    const entry = entries.get(key) ?? { removed: null, added: null, stays: false };
    entries.set(key, entry);
    return entry;
  };
  for (const mention of old) {
    const entry = entryOf(mention);
    if (mention.line.isChanged) entry.removed ??= mention;
    else entry.stays = true;
  }
  for (const mention of current) {
    const entry = entryOf(mention);
    if (mention.line.isChanged) entry.added ??= mention;
    else entry.stays = true;
  }
  const changes = [...entries.values()].flatMap((entry) => describe(fileName, entry, whole));
  return changes.sort((one, other) => one.evidence.startLine - other.evidence.startLine);
}

function describe(fileName: string, { removed, added, stays }: Entry, whole: WholeDiff): SurfaceChange[] {
  const mention = added ?? removed;
  if (!mention || stays || (removed && added && removed.text === added.text)) return [];
  // Its line stands on the other side too, here or in another file: it went from one place to the other.
  if (whole.standsOnBoth(mention.line.text)) return [];
  const change = removed && added ? 'changed' : added ? 'added' : 'removed';
  const line = mention.line.number;
  const evidence = {
    fileName,
    startLine: line,
    endLine: line,
    side: added ? ('new' as const) : ('old' as const),
  };
  return [{ kind: mention.kind, name: detachText(mention.name), change, evidence }];
}
