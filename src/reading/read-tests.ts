import { detachText } from './detach-text.ts';
import type { FileKind, SymbolChange, TestChange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { isFixturePlace } from './file-places.ts';
import { type HunkSides, type SideLine, sidesOf } from './hunk-sides.ts';
import { partsOf } from './path-parts.ts';
import { tokenLikeness } from './symbols/match-sightings.ts';
import { type TestStyle, testNameIn, testStyles } from './test-styles.ts';
import type { WholeDiff } from './whole-diff.ts';

type Names = Map<string, SideLine>;

/** What gives tests their data is none of them, whatever it is called. */
const provides = /\bdataProvider\b(?:\s*=)?[\s("']+(\w+)/i;

/** Tests that came or went, by name; and those that seem to, because they have another name or stand elsewhere now. */
export function readTests(file: FileDiff, kind: FileKind, whole: WholeDiff): TestChange[] {
  const parts = partsOf(file.path);
  const style = testStyles.get(parts.ending);
  if (!style || !(kind === 'test' || (kind === 'source' && parts.ending === 'rs'))) return [];
  // What tests work on may look like a test itself, and is never run.
  if (isFixturePlace(parts)) return [];
  const removed: Names = new Map();
  const added: Names = new Map();
  const renamed: [name: string, before: string][] = [];
  const providers = new Set<string>();
  for (const hunk of file.hunks) {
    // Rust keeps tests beside the code, where most hunks have none.
    if (kind === 'source' && !hunk.text().includes('test')) continue;
    const sides = sidesOf(hunk);
    const [old, current] = [namesIn(sides.old, style), namesIn(sides.new, style)];
    renamed.push(...renamedIn(sides, old, current));
    for (const { text } of [...sides.old, ...sides.new]) providers.add(provides.exec(text)?.[1] ?? '');
    for (const [name, line] of old) if (!removed.has(name)) removed.set(name, line);
    for (const [name, line] of current) if (!added.has(name)) added.set(name, line);
  }
  const kept = new Set(renamed.filter(([, before]) => !added.has(before)).flat());
  const describe = (side: 'old' | 'new', names: Names, others: Names): TestChange[] =>
    [...names]
      .filter(([name]) => !others.has(name) && !providers.has(name))
      .map(([name, { text, number }]) => ({
        name: detachText(name),
        change: kept.has(name) || whole.standsOnBoth(text) ? 'kept' : side === 'old' ? 'removed' : 'added',
        evidence: { fileName: file.path, startLine: number, endLine: number, side },
      }));
  return [...describe('new', added, removed), ...describe('old', removed, added)];
}

/**
 * Tests that left one file and came to another neither came nor went; nor did those that are called after a function
 * which has another name now. Where several files lose a test of one name, it stays open whether it is gone.
 */
export function settleTests(tests: TestChange[], symbols: SymbolChange[]): void {
  const renames = new Map(
    symbols
      .filter(({ change }) => change === 'renamed')
      .map(({ name, previousName }) => [name, previousName]),
  );
  const before = new Set(renames.values());
  const gone = Map.groupBy(
    tests.filter(({ change }) => change === 'removed'),
    ({ name }) => name,
  );
  const keep = (some: TestChange[]): void => {
    for (const test of some) test.change = 'kept';
  };
  for (const test of tests.filter(({ change }) => change === 'added')) {
    const previous = test.name.replace(/[\w$]+/g, (word) => renames.get(word) ?? word);
    const old = gone.get(test.name) ?? gone.get(previous);
    if (old) keep([test, ...old]);
  }
  for (const [name, same] of gone) if (same.length > 1 || before.has(name)) keep(same);
}

// More lines than these are a test that was written anew, but for one whose name is almost the same.
const linesOfHead = 3;
const sameName = 0.8;

/** A test whose head alone was replaced, and differs in nothing but the name, is the same test under another one. */
function renamedIn(sides: HunkSides, old: Names, current: Names): [name: string, before: string][] {
  const sizeOf = (lines: SideLine[], run: number): number =>
    lines.filter((line) => line.isChanged && line.run === run).length;
  return [...current].flatMap(([name, line]): [string, string][] => {
    const isHead = sizeOf(sides.new, line.run) <= linesOfHead && sizeOf(sides.old, line.run) <= linesOfHead;
    const isSame = (before: string): boolean =>
      isHead || before.includes(name) || name.includes(before) || tokenLikeness(before, name) >= sameName;
    const twins = [...old].filter(
      ([before, { run, text }]) =>
        run === line.run &&
        !current.has(before) &&
        isSame(before) &&
        shapeOf(text, before) === shapeOf(line.text, name),
    );
    return twins.length === 1 ? twins.map(([before]) => [name, before]) : [];
  });
}

/** A line without the name in it, which may be made of two. */
const shapeOf = (text: string, name: string): string => {
  const last = name.includes('.') && !text.includes(name) ? name.slice(name.lastIndexOf('.') + 1) : name;
  return text.replace(last, '\0');
};

function namesIn(lines: SideLine[], style: TestStyle): Names {
  const names: Names = new Map();
  let isMarked = false;
  let isOpened = false;
  let isQuoted = false;
  for (const line of lines) {
    const marks = line.text.match(/"{3}|'{3}/g)?.length ?? 0;
    if (marks % 2 === 1) isQuoted = !isQuoted;
    // What tests work on may be written down in a text of several lines.
    if (isQuoted) continue;
    // Whether the mark above is new matters as little as who wrote it.
    const mark = style.mark?.exec(line.text);
    if (mark) isMarked = true;
    const rest = mark ? line.text.slice(mark[0].length) : line.text;
    const name = testNameIn(rest, style, { isMarked, isOpened });
    if (name !== null && line.isChanged && !names.has(name)) names.set(name, line);
    if (name !== null || !isBetween(rest)) isMarked = false;
    isOpened = style.opened?.test(line.text) ?? false;
  }
  return names;
}

/** Other marks, comments and empty lines may stand between a mark and its function. */
function isBetween(text: string): boolean {
  return /^\s*(?:$|[@#[*/]|\)|\]|["'\d])|(?:,|\)\])\s*$/.test(text);
}
