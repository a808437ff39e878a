import type { DependencyChange, Evidence, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type Told, tell, type Unit } from './outline.ts';
import { type Context, chooseTold, unitsOf } from './plan-file.ts';
import { type Extent, namesPerList } from './statements.ts';

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

/** What happened to the tests of a change, told together. */
export function testTold(files: FileFacts[], context: Context): Told[] {
  const tests = files.flatMap((file) => file.tests);
  const of = (change: TestChange['change']) => tests.filter((test) => test.change === change);
  const told: Told[] = [];
  const added = of('added');
  if (added.length > 0) told.push(tell({ say: 'tests', names: namesOf(added) }, placesOfTests(added)));
  const gone = of('removed');
  if (gone.length > 0) told.push(tell({ say: 'testsGone', names: namesOf(gone) }, placesOfTests(gone)));
  for (const { previousName, name, evidence } of of('renamed').slice(0, 2)) {
    if (previousName !== null)
      told.push(
        tell({ say: 'testsRenamed', from: plainText(previousName), to: plainText(name) }, [evidence]),
      );
  }
  told.push(...movedTests(of('moved')));
  if (told.length > 0) return told;
  const [first, ...others] = files;
  const shown = first ? unitsOf(first, context) : [];
  const isCounted = shown.every((unit) => unit.told.every(({ statement }) => statement.say === 'counts'));
  const size = tell({ say: 'testsChanged', ...extentOf(files) }, placesOf(files));
  if (isCounted) return [size];
  return [...chooseTold(shown, 2), ...(others.length > 0 ? [size] : [])];
}

/** Tests that went from one file to another, told where they are now. */
function movedTests(moved: TestChange[]): Told[] {
  const arrived = moved.filter(
    ({ movedFrom, movedTo, evidence }) =>
      movedTo?.fileName === evidence.fileName && movedFrom?.fileName !== movedTo.fileName,
  );
  const groups = Map.groupBy(
    arrived,
    ({ movedFrom, evidence }) => `${movedFrom?.fileName} ${evidence.fileName}`,
  );
  return [...groups.values()].slice(0, 1).flatMap((same) => {
    const [first] = same;
    if (!first?.movedFrom) return [];
    const places = same
      .slice(0, 3)
      .flatMap(({ evidence, movedFrom }) => [evidence, ...(movedFrom ? [movedFrom] : [])]);
    const [from, to] = [first.movedFrom.fileName, first.evidence.fileName];
    return [tell({ say: 'testsMoved', names: namesOf(same), from, to }, places)];
  });
}

const namesOf = (tests: TestChange[]): string[] => tests.map(({ name }) => plainText(name));
const placesOfTests = (tests: TestChange[]): Evidence[] =>
  tests.slice(0, namesPerList).map(({ evidence }) => evidence);

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
