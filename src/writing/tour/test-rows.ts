import { likeness } from '../../reading/compare/likeness.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';
import type { Told } from './prove-captions.ts';
import { toldOfFile } from './row-captions.ts';
import { moreFiles, type PlannedRow, piecesIn, type RowSource, rowOf, rowOfFile } from './row-of-file.ts';
import { spansOf } from './spans.ts';

const mostTests = 12;
const mostTestFiles = 2;
const mostTestEvidence = 24;
/** Of two names that have less in common, one is not the other under a new name. */
const leastAlike = 0.5;

/** One row for what is newly tested, and for tests that changed or went. */
export function testRows(all: FileFacts[], told: ReadonlySet<string>, source: RowSource): PlannedRow[] {
  const files = all.filter(({ kind, tests }) => kind === 'test' || tests.length > 0);
  if (files.every(({ path }) => told.has(path)) && files.every(({ kind }) => kind === 'test')) return [];
  const own = files.filter(({ kind }) => kind === 'test');
  if (files.length === 0) return [];
  const named = namedTests(files, source);
  if (named) {
    // Tests can stand beside what they test.
    const holding = own.length > 0 ? own : files;
    return [
      { kind: 'test', captions: [named.caption], times: null, files: holding, evidence: named.evidence },
    ];
  }
  if (own.every(({ changes }) => changes.length > 0 && changes.every(({ kind }) => kind === 'rewrapped'))) {
    const [first] = own;
    return first
      ? [{ ...rowOf(first, toldOfFile(first, [], source.ranking), source), kind: 'test', files: own }]
      : [];
  }
  const untold = own.filter(({ path }) => !told.has(path)).slice(0, mostTestFiles);
  const left = own.filter((file) => !told.has(file.path) && !untold.includes(file));
  return [...untold.map((file) => rowOfFile(file, source)), ...moreFiles('test', left)];
}

/** Tests that came, changed, were renamed or went, by what they are called. */
function namedTests(files: FileFacts[], source: RowSource): Told | null {
  const tests = files.flatMap((file) => file.tests.map((test) => ({ test, file })));
  const pieces = files.flatMap((file) => piecesIn(file, source));
  const changed = pieces.filter(
    ({ name, symbol, isNew, isFunction, file, units }) =>
      name !== null &&
      (isFunction || name.includes(' › ')) &&
      symbol === null &&
      !isNew &&
      file.status === 'modified' &&
      /test|spec|should| › /i.test(name) &&
      units.some(({ change: { kind } }) => kind !== 'removed') &&
      !tests.some(({ test }) => isOf(name, test.name)),
  );
  const evidence = [
    ...tests.map(({ test }) => test.evidence),
    ...changed.flatMap((piece) => spansOf(piece).slice(0, 1)),
  ].slice(0, mostTestEvidence);
  const isProven = (some: Partial<Tests>): boolean =>
    source.prove({ caption: { kind: 'tests', ...noTests, ...some }, evidence });
  const some = <One>(from: One[], most: number, asTests: (one: One) => Partial<Tests>): One[] =>
    from
      .values()
      .filter((one) => isProven(asTests(one)))
      .take(most)
      .toArray();
  const named = (change: 'added' | 'removed'): TestName[] =>
    unique(
      tests.filter(({ test }) => test.change === change).map(({ test, file }) => nameOfTest(test, file)),
    );
  const renamed = tests
    .flatMap(({ test: { change, name, previousName } }) =>
      change === 'renamed' && previousName !== null ? [{ from: previousName, to: name }] : [],
    )
    .filter(({ from, to }) => likeness(from, to) >= leastAlike);
  const caption: Tests = {
    added: some(named('added'), mostTests, (one) => ({ added: [one] })),
    removed: some(named('removed'), mostTests, (one) => ({ removed: [one] })),
    changed: some([...new Set(changed.flatMap(({ name }) => name ?? []))], mostTests / 2, (one) => ({
      changed: [one],
    })),
    renamed: some(renamed, mostTests / 2, (one) => ({ renamed: [one] })),
  };
  const isEmpty = Object.values(caption).every((some) => some.length === 0);
  return isEmpty ? null : { caption: { kind: 'tests', ...caption }, evidence };
}

/** Whether a place is a test or lies in it; the names of places end with … where they are cut off. */
const isOf = (place: string, test: string): boolean =>
  place.includes(test) ||
  (place.endsWith('…') && test.startsWith(place.slice(place.lastIndexOf(' › ') + 3, -1)));

type Tests = Omit<Extract<Caption, { kind: 'tests' }>, 'kind'>;
type TestName = Tests['added'][number];

const noTests: Tests = { added: [], changed: [], removed: [], renamed: [] };

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
