import { likeness } from '../../reading/compare/likeness.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';
import type { Told } from './prove-captions.ts';
import { toldOfFile } from './row-captions.ts';
import { becameOf, type PlannedRow, piecesIn, type RowSource, rowOf, rowOfFile } from './row-of-file.ts';
import { isBareRow, joinAlike, rowsByName } from './rows-by-name.ts';
import { spansOf } from './spans.ts';

const mostTests = 6;
const mostTestFiles = 5;
/** Of so many files enough will have something to tell. */
const mostTried = 30;
/** Of two names that have less in common, one is not the other under a new name. */
const leastAlike = 0.5;

/** What is newly tested, and tests that changed or went: a row for each file that has them, so that each stands with its file. */
export function testRows(all: FileFacts[], told: ReadonlySet<string>, source: RowSource): PlannedRow[] {
  const files = all.filter(({ kind, tests }) => kind === 'test' || tests.length > 0);
  if (files.every(({ path }) => told.has(path)) && files.every(({ kind }) => kind === 'test')) return [];
  const own = files.filter(({ kind }) => kind === 'test');
  const beside = files.filter(({ kind }) => kind !== 'test');
  if (own.length > 0 && own.every(isLayout)) {
    const [first] = own;
    return first
      ? [{ ...rowOf(first, toldOfFile(first, [], source.ranking), source), kind: 'test', files: own }]
      : [];
  }
  const rows = [
    ...own.slice(0, mostTried).flatMap((file) => namedRow([file], [file], source)),
    // Tests can stand beside what they test.
    ...namedRow(beside, beside, source),
  ].slice(0, mostTestFiles);
  const isNamed = (file: FileFacts): boolean => rows.some((row) => row.files.includes(file));
  const untold = own.filter((file) => !told.has(file.path) && !isNamed(file));
  const single = untold
    .slice(0, mostTried)
    .map((file) => rowOfFile(file, source))
    .filter((row) => !isBareRow(row));
  rows.push(...joinAlike(single).slice(0, mostTestFiles - rows.length));
  return [
    ...rows,
    ...rowsByName(
      'test',
      untold.filter((file) => !isNamed(file)),
    ),
  ];
}

const isLayout = ({ changes }: FileFacts): boolean =>
  changes.length > 0 && changes.every(({ kind }) => kind === 'rewrapped');

/** The tests of some files by their names, and whether the file of them came, went or moved. */
function namedRow(files: FileFacts[], shown: FileFacts[], source: RowSource): PlannedRow[] {
  const named = namedTests(files, source);
  if (!named) return [];
  const became = shown.flatMap(becameOf).filter((one) => source.prove(one, named));
  const told = [...became, named];
  return [
    {
      kind: 'test',
      captions: told.map(({ caption }) => caption),
      times: null,
      files: shown,
      evidence: told.flatMap(({ evidence }) => evidence),
    },
  ];
}

/** Tests that came, changed, were renamed or went, by what they are called; null where not all of them can be shown. */
function namedTests(files: FileFacts[], source: RowSource): Told | null {
  const tests = files.flatMap((file) => file.tests.map((test) => ({ test, file })));
  const isProven = (some: Partial<Tests>, evidence: Evidence[]): boolean =>
    source.prove({ caption: { kind: 'tests', ...noTests, ...some }, evidence });
  const named = (change: 'added' | 'removed'): TestName[] => {
    const own = tests
      .filter(({ test }) => test.change === change)
      .map(({ test, file }) => ({ name: nameOfTest(test, file), evidence: [test.evidence] }))
      .filter(({ name, evidence }) => isProven({ [change]: [name] }, evidence));
    return unique(own.map(({ name }) => name));
  };
  const renamed = tests.flatMap(({ test: { change, name: to, previousName: from, evidence } }) =>
    change === 'renamed' &&
    from !== null &&
    likeness(from, to) >= leastAlike &&
    isProven({ renamed: [{ from, to }] }, [evidence])
      ? [{ from, to }]
      : [],
  );
  const changed = changedTests(files, source).filter(({ name, evidence }) =>
    isProven({ changed: [name] }, evidence),
  );
  const caption: Tests = {
    most: mostTests,
    added: named('added'),
    removed: named('removed'),
    changed: [...new Set(changed.map(({ name }) => name))],
    renamed,
  };
  const isEmpty = Object.values(caption).every((some) => typeof some === 'number' || some.length === 0);
  const evidence = [
    ...tests.map(({ test }) => test.evidence),
    ...changed.flatMap((one) => one.evidence.slice(0, 1)),
  ];
  const told: Told = { caption: { kind: 'tests', ...caption }, evidence };
  return isEmpty || !source.prove(told) ? null : told;
}

/** Tests that are neither new nor gone, and in which something else than a removal was done. */
function changedTests(files: FileFacts[], source: RowSource): { name: string; evidence: Evidence[] }[] {
  const known = files.flatMap(({ tests }) => tests.map(({ name }) => name));
  return files
    .flatMap((file) => piecesIn(file, source))
    .flatMap((piece) => {
      const { name, symbol, isNew, isFunction, file, units } = piece;
      const isChanged =
        name !== null &&
        (isFunction || name.includes(' › ')) &&
        symbol === null &&
        !isNew &&
        file.status !== 'added' &&
        file.status !== 'removed' &&
        /test|spec|should| › /i.test(name) &&
        units.some(({ change: { kind } }) => kind !== 'removed') &&
        !known.some((one) => isOf(name, one));
      return isChanged ? [{ name, evidence: spansOf(piece) }] : [];
    });
}

/** Whether a place is a test or lies in it; the names of places end with … where they are cut off. */
const isOf = (place: string, test: string): boolean =>
  place.includes(test) ||
  (place.endsWith('…') && test.startsWith(place.slice(place.lastIndexOf(' › ') + 3, -1)));

type Tests = Omit<Extract<Caption, { kind: 'tests' }>, 'kind'>;
type TestName = Tests['added'][number];

const noTests: Tests = { most: mostTests, added: [], changed: [], removed: [], renamed: [] };

const unique = (names: TestName[]): TestName[] => [...new Map(names.map((one) => [one.path, one])).values()];

/** What a test is called, with what it belongs to where the file says that. */
function nameOfTest({ name, evidence }: FileFacts['tests'][number], { ranges }: FileFacts): TestName {
  const around = ranges.filter(
    (range) =>
      range.side === evidence.side &&
      range.startLine <= evidence.startLine &&
      range.endLine >= evidence.endLine &&
      range.name.endsWith(` › ${name}`),
  );
  return { name, path: around.sort((one, other) => other.startLine - one.startLine)[0]?.name ?? name };
}
