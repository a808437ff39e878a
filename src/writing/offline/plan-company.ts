import type { DependencyChange, Evidence, FileFacts } from '../../reading/facts.ts';
import { type Told, tell, type Unit } from './outline.ts';
import type { Extent } from './statements.ts';

/** More dependencies than this are counted. */
export const dependenciesNamed = 8;

/** What a file does to dependencies, one sentence for each thing that it does; those that are needed to run first. */
export function dependencyUnits({ path, dependencies }: FileFacts): Unit[] {
  // What a package runs on is told by the lowest version that it supports.
  const packages = dependencies.filter(({ name }) => !/^(?:python|php|ruby|node|go)$/i.test(name));
  const sorted = packages.sort(
    (one, other) => Number(other.scope === 'runtime') - Number(one.scope === 'runtime'),
  );
  const groups = Map.groupBy(sorted, ({ change, movedFrom, movedTo }) =>
    change === 'moved' ? `${movedFrom?.fileName} ${movedTo?.fileName}` : change,
  );
  return [...groups.values()].flatMap((changes, place) => {
    const told = dependencyTold(path, changes);
    return told ? [{ told: [told], weight: 50 - place, about: null }] : [];
  });
}

function dependencyTold(path: string, changes: DependencyChange[]): Told | null {
  const [first] = changes;
  if (!first) return null;
  const shown = changes.slice(0, dependenciesNamed);
  const places = shown.map(({ evidence }) => evidence);
  if (first.change !== 'moved') return tell({ say: 'dependencies', change: first.change, changes }, places);
  const [from, to] = [first.movedFrom?.fileName, first.movedTo?.fileName];
  if (from === undefined || to === undefined) return null;
  const others = shown.flatMap(({ movedFrom, movedTo }) => (to === path ? movedFrom : movedTo) ?? []);
  const names = changes.map(({ name }) => name);
  return tell({ say: 'dependenciesMoved', names, from, to, isHere: to === path }, [...places, ...others]);
}

export function extentOf(files: FileFacts[]): Extent {
  return {
    paths: pathsOf(files),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

export const pathsOf = (files: FileFacts[]): string[] => files.map(({ path }) => path);

/** Enough to show where. */
export const placesOf = (files: FileFacts[]): Evidence[] =>
  files.flatMap(({ place }) => place ?? []).slice(0, 3);
