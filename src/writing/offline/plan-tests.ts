import type { Evidence, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type Told, tell, type Unit } from './outline.ts';

/** More tests in a row than these are not read. */
export const testsNamed = 3;

/** What happened to the tests of one file. Those that went with it are not listed: that it went says so. */
export function testUnits({ tests, status }: FileFacts): Unit[] {
  if (status === 'removed') return [];
  const of = (change: TestChange['change']) => uniqueOf(tests.filter((test) => test.change === change));
  const renamed = of('renamed');
  const [added, gone] = apart(of('added'), of('removed'));
  const unit = (told: Told, weight: number): Unit => ({ told: [told], weight, about: null });
  return [
    ...(added.length > 0 ? [unit(tell({ say: 'tests', names: namesOf(added) }, placesOf(added)), 60)] : []),
    ...renamedTests(renamed).map((told) => unit(told, 56)),
    ...(gone.length > 0 ? [unit(tell({ say: 'testsGone', names: namesOf(gone) }, placesOf(gone)), 54)] : []),
    ...movedTests(of('moved')).map((told) => unit(told, 50)),
  ];
}

const wordsOf = (name: string): Set<string> =>
  new Set(
    (
      name
        .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? []
    ).filter((word) => word !== 'test' && word !== 'should'),
  );

/** More alike than this, two tests are one that has another name. */
const sameTest = 0.6;

/** Tests that come and tests that go, without those that may be one and the same. */
function apart(added: TestChange[], gone: TestChange[]): [TestChange[], TestChange[]] {
  const isAlike = (one: TestChange, other: TestChange): boolean => {
    const [first, second] = [wordsOf(one.name), wordsOf(other.name)];
    const shared = [...first].filter((word) => second.has(word)).length;
    return 2 * shared >= sameTest * (first.size + second.size);
  };
  const [come, go] = [added.slice(0, mostCompared), gone.slice(0, mostCompared)];
  return [
    added.filter((test) => !go.some((other) => isAlike(test, other))),
    gone.filter((test) => !come.some((other) => isAlike(test, other))),
  ];
}

/** Each is held against each. */
const mostCompared = 100;

const uniqueOf = (tests: TestChange[]): TestChange[] => [
  ...new Map(tests.map((test) => [`${test.previousName} ${test.name}`, test])).values(),
];

/** The first of them, and whether there are others. */
function renamedTests(renamed: TestChange[]): Told[] {
  const pairs = renamed.flatMap(({ previousName, name, evidence }) =>
    previousName === null ? [] : [{ from: plainText(previousName), to: plainText(name), evidence }],
  );
  const [first, ...others] = pairs;
  if (!first) return [];
  const { from, to, evidence } = first;
  return [tell({ say: 'testsRenamed', from, to, hasMore: others.length > 0 }, [evidence])];
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
      .slice(0, testsNamed)
      .flatMap(({ evidence, movedFrom }) => [evidence, ...(movedFrom ? [movedFrom] : [])]);
    const [from, to] = [first.movedFrom.fileName, first.evidence.fileName];
    return [tell({ say: 'testsMoved', names: namesOf(same), from, to }, places)];
  });
}

const namesOf = (tests: TestChange[]): string[] => tests.map(({ name }) => plainText(name));
const placesOf = (tests: TestChange[]): Evidence[] =>
  tests.slice(0, testsNamed).map(({ evidence }) => evidence);
