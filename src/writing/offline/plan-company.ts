import type { Evidence, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type Statement, type Told, tell } from './outline.ts';
import { type Homes, statementsOf } from './plan-file.ts';

/** Enough to know which files are meant. */
export const filesNamed = 3;
const mostDependencies = 8;

export const binary = ({ path, status }: FileFacts): Statement => ({
  say: 'binaryFile',
  path,
  status: status === 'added' || status === 'removed' ? status : 'modified',
});

export function manifestStatements(files: FileFacts[], homes: Homes): Told[] {
  const dependencies = dependencyStatements(files);
  const [first] = files;
  return dependencies.length > 0 || !first ? dependencies : statementsOf(first, homes).slice(0, 2);
}

export function dependencyStatements(files: FileFacts[]): Told[] {
  // The packages of a workspace often move the same dependency.
  const changes = new Map<string, FileFacts['dependencies'][number]>();
  for (const change of files.flatMap(({ dependencies }) => dependencies)) {
    changes.set(`${change.name} ${change.change} ${change.from} ${change.to}`, change);
  }
  const told = [...changes.values()]
    .sort((one, other) => Number(other.scope === 'runtime') - Number(one.scope === 'runtime'))
    .slice(0, mostDependencies);
  if (told.length === 0) return [];
  const plain = told.map(({ evidence: _, ...change }) => change);
  return [
    tell(
      { say: 'dependencies', changes: plain, more: changes.size - told.length },
      told.map(({ evidence }) => evidence),
    ),
    ...othersWithDependencies(files),
  ];
}

/** The other packages of a workspace in which dependencies move. */
function othersWithDependencies(files: FileFacts[]): Told[] {
  const [, ...others] = files.filter(({ dependencies }) => dependencies.length > 0);
  if (others.length === 0) return [];
  const named = others.slice(0, filesNamed).map(({ path }) => path);
  return [
    tell({ say: 'dependenciesIn', files: named, more: others.length - named.length }, placesOf(others)),
  ];
}

export function testStatements(files: FileFacts[]): Told[] {
  const added = files.flatMap(({ tests }) => tests).filter(({ change }) => change === 'added');
  const [only] = files;
  if (added.length === 0) {
    const gone = files
      .flatMap(({ tests }) => tests)
      .filter(({ change }) => change === 'removed')
      .slice(0, 3);
    if (gone.length > 0) return [testsGone(files, gone)];
    if (only && files.length === 1 && only.edits.length > 0) return statementsOf(only, new Map()).slice(0, 2);
    return [tell({ say: 'testsChanged', paths: pathsOf(files), ...sizeOf(files) }, placesOf(files))];
  }
  const told = added.slice(0, 3);
  const holders = files.filter(({ tests }) => tests.some(({ change }) => change === 'added'));
  return [
    tell(
      {
        say: 'tests',
        count: added.length,
        names: told.map(({ name }) => plainText(name)),
        paths: pathsOf(holders),
      },
      told.map(({ evidence }) => evidence),
    ),
  ];
}

function testsGone(files: FileFacts[], told: TestChange[]): Told {
  const count = files.flatMap(({ tests }) => tests).filter(({ change }) => change === 'removed').length;
  return tell(
    { say: 'testsGone', count, names: told.map(({ name }) => plainText(name)), paths: pathsOf(files) },
    told.map(({ evidence }) => evidence),
  );
}

export function documentStatements(files: FileFacts[], homes: Homes): Told[] {
  const told = files
    .flatMap((file) => statementsOf(file, homes))
    .filter(({ statement }) => ['sections', 'rewordedText', 'addsText'].includes(statement.say));
  const sections = told.find(({ statement }) => statement.say === 'sections') ?? told[0];
  const size = tell({ say: 'docsChanged', paths: pathsOf(files), ...sizeOf(files) }, placesOf(files));
  return sections ? [sections, ...(files.length > 1 ? [size] : [])] : [size];
}

export function lockStatements(files: FileFacts[]): Told[] {
  return [tell({ say: 'lockOnly', paths: pathsOf(files), ...sizeOf(files) }, placesOf(files))];
}

export function sizeOf(files: FileFacts[]): { additions: number; deletions: number } {
  return {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

export const pathsOf = (files: FileFacts[]): string[] => files.map(({ path }) => path);

export const placesOf = (files: FileFacts[]): Evidence[] =>
  files.flatMap(({ place }) => place ?? []).slice(0, filesNamed);
