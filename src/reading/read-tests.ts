import { detachText } from './detach-text.ts';
import type { FileKind, TestChange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { isFixturePlace } from './file-places.ts';
import { type HunkSides, type SideLine, sidesOf } from './hunk-sides.ts';
import { partsOf } from './path-parts.ts';
import { tokenLikeness } from './symbols/match-sightings.ts';
import { type TestStyle, testNameIn, testStyles } from './test-styles.ts';
import type { WholeDiff } from './whole-diff.ts';

/** Tests that came, went or have another name; and those of them whose line stands on both sides somewhere. */
export interface FileTests {
  changes: TestChange[];
  /** If they have not moved to another file, then where nobody looks for tests. */
  doubtful: Set<TestChange>;
}

type Names = Map<string, SideLine>;

/** What gives tests their data is none of them, whatever it is called. */
const provides = /\bdataProvider\b(?:\s*=)?[\s("']+(\w+)/i;

/** Names of tests that came or went. One that is on both sides was moved or changed, and counts as neither. */
export function readTests(file: FileDiff, kind: FileKind, whole: WholeDiff): FileTests {
  const none: FileTests = { changes: [], doubtful: new Set() };
  const parts = partsOf(file.path);
  const style = testStyles.get(parts.ending);
  if (!style || !(kind === 'test' || (kind === 'source' && parts.ending === 'rs'))) return none;
  // What tests work on may look like a test itself, and is never run.
  if (isFixturePlace(parts)) return none;
  const removed: Names = new Map();
  const added: Names = new Map();
  const renamed = new Map<string, string>();
  const providers = new Set<string>();
  for (const hunk of file.hunks) {
    // Rust keeps tests beside the code, where most hunks have none.
    if (kind === 'source' && !hunk.text().includes('test')) continue;
    const sides = sidesOf(hunk);
    const old: Names = new Map();
    const current: Names = new Map();
    collectNames(sides.old, style, old);
    collectNames(sides.new, style, current);
    matchRenamed(sides, old, current, renamed);
    for (const line of [...sides.old, ...sides.new]) {
      const [, provider] = provides.exec(line.text) ?? [];
      if (provider !== undefined) providers.add(provider);
    }
    for (const [name, line] of old) if (!removed.has(name)) removed.set(name, line);
    for (const [name, line] of current) if (!added.has(name)) added.set(name, line);
  }
  for (const name of providers) for (const names of [removed, added]) names.delete(name);
  return describeAll(file.path, removed, added, renamed, whole);
}

function describeAll(
  path: string,
  removed: Names,
  added: Names,
  renamed: Map<string, string>,
  whole: WholeDiff,
): FileTests {
  const tests: FileTests = { changes: [], doubtful: new Set() };
  const push = (name: string, line: SideLine, change: 'added' | 'removed' | 'renamed', previous?: string) => {
    const described = describe(path, name, line, change, previous);
    tests.changes.push(described);
    if (change !== 'renamed' && whole.standsOnBoth(line.text)) tests.doubtful.add(described);
  };
  const before = new Set(renamed.values());
  for (const [name, line] of added) {
    const previous = renamed.get(name);
    if (previous !== undefined && !added.has(previous)) push(name, line, 'renamed', previous);
    else if (!removed.has(name)) push(name, line, 'added');
  }
  for (const [name, line] of removed) if (!added.has(name) && !before.has(name)) push(name, line, 'removed');
  return tests;
}

// More lines than these are a test that was written anew, but for one whose name is almost the same.
const linesOfHead = 3;
const sameName = 0.8;

/** A test whose head alone was replaced, and differs in nothing but the name, is the same test under another one. */
function matchRenamed(sides: HunkSides, old: Names, current: Names, renamed: Map<string, string>): void {
  const gone = Map.groupBy(old, ([, { run }]) => run);
  const sizeOf = (lines: SideLine[], run: number): number =>
    lines.filter((line) => line.isChanged && line.run === run).length;
  for (const [name, line] of current) {
    const replaced = gone.get(line.run)?.filter(([before]) => !current.has(before)) ?? [];
    if (replaced.length === 0) continue;
    const isHead = sizeOf(sides.new, line.run) <= linesOfHead && sizeOf(sides.old, line.run) <= linesOfHead;
    const twins = replaced.filter(
      ([before, other]) =>
        (isHead ||
          before.includes(name) ||
          name.includes(before) ||
          tokenLikeness(before, name) >= sameName) &&
        shapeOf(other.text, before) === shapeOf(line.text, name),
    );
    const [twin] = twins;
    if (twin && twins.length === 1 && !old.has(name)) renamed.set(name, twin[0]);
  }
}

/** A line without the name in it, which may be made of two. */
const shapeOf = (text: string, name: string): string => {
  const last = name.includes('.') && !text.includes(name) ? name.slice(name.lastIndexOf('.') + 1) : name;
  return text.replace(last, '\0');
};

function describe(
  fileName: string,
  name: string,
  line: SideLine,
  change: 'added' | 'removed' | 'renamed',
  previousName?: string,
): TestChange {
  const side = change === 'removed' ? 'old' : 'new';
  return {
    name: detachText(name),
    change,
    previousName: previousName === undefined ? null : detachText(previousName),
    movedFrom: null,
    movedTo: null,
    evidence: { fileName, startLine: line.number, endLine: line.number, side },
  };
}

function collectNames(lines: SideLine[], style: TestStyle, names: Names): void {
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
}

/** Other marks, comments and empty lines may stand between a mark and its function. */
function isBetween(text: string): boolean {
  return /^\s*(?:$|[@#[*/]|\)|\]|["'\d])|(?:,|\)\])\s*$/.test(text);
}
