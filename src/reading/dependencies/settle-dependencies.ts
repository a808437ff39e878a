import type { DependencyChange, Evidence } from '../facts.ts';
import type { ReadFile } from '../read-file.ts';
import { sameDependency } from './pair-mentions.ts';

const folderOf = ({ fileName }: Evidence): string => fileName.split('/').slice(0, -1).join('/');

/** A dependency that left one manifest and came to another has moved, and neither gone nor come. */
export function settleDependencies(read: ReadFile[]): void {
  const gone = new Map<string, DependencyChange[]>();
  for (const dependency of read.flatMap(({ dependencies }) => dependencies.changes)) {
    if (dependency.change !== 'removed') continue;
    const key = sameDependency(dependency.name);
    const known = gone.get(key);
    if (known) known.push(dependency);
    else gone.set(key, [dependency]);
  }
  for (const current of read.flatMap(({ dependencies }) => dependencies.changes)) {
    if (current.change !== 'added') continue;
    const candidates = gone.get(sameDependency(current.name)) ?? [];
    // Where several manifests had it, it came from the one beside.
    const beside = candidates.findIndex(({ evidence }) => folderOf(evidence) === folderOf(current.evidence));
    const [old] = candidates.splice(beside < 0 ? candidates.length - 1 : beside, 1);
    if (!old) continue;
    const { from } = old;
    const { to } = current;
    const moved = { change: 'moved', movedFrom: old.evidence, movedTo: current.evidence, from, to } as const;
    Object.assign(old, moved);
    Object.assign(current, moved);
  }
  for (const { facts, dependencies } of read) {
    facts.dependencies = dependencies.changes.filter(
      (one) => (one.change !== 'added' && one.change !== 'removed') || !dependencies.doubtful.has(one),
    );
  }
}
