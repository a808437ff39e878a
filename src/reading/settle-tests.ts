import type { TestChange } from './facts.ts';
import type { ReadFile } from './read-file.ts';

/**
 * Tests that left one file and came to another have moved; and where a function has another name, so have the tests that
 * are called after it.
 */
export function settleTests(read: ReadFile[]): void {
  const renames = new Map<string, string>();
  for (const { change, name, previousName } of read.flatMap(({ facts }) => facts.symbols)) {
    if (change === 'renamed' && previousName !== null) renames.set(name, previousName);
  }
  const before = new Set(renames.values());
  const gone = new Map<string, TestChange>();
  const leavers = new Map<string, number>();
  for (const { tests } of read) {
    rename(tests.changes, renames);
    // What goes on under a name that no test has was none, and is not gone.
    tests.changes = tests.changes.filter(({ change, name }) => change !== 'removed' || !before.has(name));
    for (const test of tests.changes) {
      if (test.change !== 'removed') continue;
      gone.set(test.name, test);
      leavers.set(test.name, (leavers.get(test.name) ?? 0) + 1);
    }
  }
  // Where several files lose a test of one name, from which of them it came cannot be told, nor that it is gone.
  const isMerged = ({ name }: TestChange): boolean => (leavers.get(name) ?? 0) > 1;
  for (const { tests } of read) {
    for (const test of tests.changes) {
      const old = test.change === 'added' ? gone.get(test.name) : undefined;
      if (old?.change !== 'removed') continue;
      const moved = { change: 'moved', movedFrom: old.evidence, movedTo: test.evidence } as const;
      Object.assign(old, moved);
      Object.assign(test, moved);
    }
  }
  for (const { facts, tests } of read) {
    facts.tests = tests.changes.filter(
      (test) => !isMerged(test) && (test.change === 'moved' || !tests.doubtful.has(test)),
    );
  }
}

/** The name that a test had before a function that it is called after got another one. */
function previousNames(name: string, renames: Map<string, string>): string[] {
  const words = [...new Set(name.match(/[\w$]+/g) ?? [])];
  return words.flatMap((word) => {
    const previous = renames.get(word);
    return previous === undefined ? [] : [name.replace(word, () => previous)];
  });
}

function rename(tests: TestChange[], renames: Map<string, string>): void {
  const gone = new Map(tests.filter(({ change }) => change === 'removed').map((test) => [test.name, test]));
  if (gone.size === 0 || renames.size === 0) return;
  for (const current of tests.filter(({ change }) => change === 'added')) {
    const previousName = previousNames(current.name, renames).find((name) => gone.has(name));
    const old = previousName === undefined ? undefined : gone.get(previousName);
    if (!old) continue;
    Object.assign(current, { change: 'renamed', previousName });
    tests.splice(tests.indexOf(old), 1);
  }
}
