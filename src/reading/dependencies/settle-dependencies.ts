import type { DependencyChange, Evidence } from '../facts.ts';
import type { ReadFile } from '../read-file.ts';
import { sameDependency } from './pair-mentions.ts';

const folderOf = ({ fileName }: Evidence): string => fileName.split('/').slice(0, -1).join('/');

/**
 * A dependency that left one manifest and came to another has moved, and neither gone nor come. Where several lose or get
 * it, it moved to the one beside; between those that are left, nobody can tell.
 */
export function settleDependencies(read: ReadFile[]): void {
  const all = read.flatMap(({ dependencies }) => dependencies.changes);
  const unsure = new Set<DependencyChange>();
  for (const same of Map.groupBy(all, ({ name }) => sameDependency(name)).values()) {
    const came = same.filter(({ change }) => change === 'added');
    const gone = same.filter(({ change }) => change === 'removed');
    if (came.length === 0 || gone.length === 0) continue;
    if (came.length === 1 && gone.length === 1) pair(gone, came);
    else {
      const folders = new Set(came.map(({ evidence }) => folderOf(evidence)));
      for (const folder of folders) {
        const within = (some: DependencyChange[]) =>
          some.filter(({ evidence }) => folderOf(evidence) === folder);
        if (within(came).length === 1 && within(gone).length === 1) pair(within(gone), within(came));
      }
      for (const one of [...came, ...gone]) if (one.change !== 'moved') unsure.add(one);
    }
  }
  for (const { facts, dependencies } of read) {
    facts.dependencies = dependencies.changes.filter(
      (one) =>
        !unsure.has(one) &&
        ((one.change !== 'added' && one.change !== 'removed') || !dependencies.doubtful.has(one)),
    );
  }
}

function pair([old]: DependencyChange[], [current]: DependencyChange[]): void {
  if (!old || !current) return;
  const moved = { change: 'moved', movedFrom: old.evidence, movedTo: current.evidence } as const;
  const versions = { from: old.from, to: current.to };
  Object.assign(old, moved, versions);
  Object.assign(current, moved, versions);
}
