import { detachText } from './detach-text.ts';
import type { FileKind, TestChange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { isFixturePlace } from './file-places.ts';
import { type SideLine, sidesOf } from './hunk-sides.ts';
import { partsOf } from './path-parts.ts';
import { type TestStyle, testStyles } from './test-styles.ts';

/** Names of tests that came or went. One that is on both sides was moved or changed, and counts as neither. */
export function readTests(file: FileDiff, kind: FileKind): TestChange[] {
  const parts = partsOf(file.path);
  const style = testStyles.get(parts.ending);
  if (!style || !(kind === 'test' || (kind === 'source' && parts.ending === 'rs'))) return [];
  // What tests work on may look like a test itself, and is never run.
  if (isFixturePlace(parts)) return [];
  const removed = new Map<string, SideLine>();
  const added = new Map<string, SideLine>();
  for (const hunk of file.hunks) {
    // Rust keeps tests beside the code, where most hunks have none.
    if (kind === 'source' && !hunk.text().includes('test')) continue;
    const sides = sidesOf(hunk);
    collectNames(sides.old, style, removed);
    collectNames(sides.new, style, added);
  }
  const changes: TestChange[] = [];
  for (const [name, line] of added) {
    if (!removed.has(name)) changes.push(describe(file.path, name, line, 'added'));
  }
  for (const [name, line] of removed) {
    if (!added.has(name)) changes.push(describe(file.path, name, line, 'removed'));
  }
  return changes;
}

function describe(fileName: string, name: string, line: SideLine, change: 'added' | 'removed'): TestChange {
  const side = change === 'added' ? 'new' : 'old';
  return {
    name: detachText(name),
    change,
    previousName: null,
    movedFrom: null,
    evidence: { fileName, startLine: line.number, endLine: line.number, side },
  };
}

function collectNames(lines: SideLine[], style: TestStyle, names: Map<string, SideLine>): void {
  let isMarked = false;
  let isOpened = false;
  for (const line of lines) {
    // Whether the mark above is new matters as little as who wrote it.
    const mark = style.mark?.exec(line.text);
    if (mark) isMarked = true;
    const rest = mark ? line.text.slice(mark[0].length) : line.text;
    const name = nameIn(rest, style, isMarked, isOpened);
    if (name !== null && line.isChanged && !names.has(name)) names.set(name, line);
    if (name !== null || !isBetween(rest)) isMarked = false;
    isOpened = style.opened?.test(line.text) ?? false;
  }
}

/** Other marks, comments and empty lines may stand between a mark and its function. */
function isBetween(text: string): boolean {
  return /^\s*(?:$|[@#[*/]|\)|\])/.test(text);
}

function nameIn(text: string, style: TestStyle, isMarked: boolean, isOpened: boolean): string | null {
  if (isMarked && style.marked) {
    const match = style.marked.exec(text);
    if (match) return partsIn(match);
  }
  for (const [index, pattern] of style.named.entries()) {
    // The last pattern of a style with opened calls is a name that stands alone.
    if (style.opened && index === style.named.length - 1 && !isOpened) continue;
    const match = pattern.exec(text);
    if (match) return partsIn(match);
  }
  return null;
}

function partsIn(match: RegExpExecArray): string {
  return match
    .slice(1)
    .filter((part) => part !== undefined)
    .join('.')
    .replaceAll(/\\(['"`\\])/g, '$1');
}
