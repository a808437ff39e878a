import type { KindedFile } from './shape-features.ts';

// What kind of change it is shows in the first lines of a few files; reading on costs more than it tells.
const mostFiles = 8;
const bytesPerFile = 900;
const hunkStart = Buffer.from('\n@@ ');
const plus = 43;
const minus = 45;

/** What the lines are like that were added and removed. Their words were tried and do not help across repositories. */
export function lineFeatures(files: KindedFile[]): Set<string> {
  const added = new Side();
  const removed = new Side();
  let read = 0;
  for (const { file, kind } of files) {
    if (kind === 'lock' || kind === 'generated' || kind === 'vendored' || kind === 'binary') continue;
    if (read++ === mostFiles) break;
    const start = file.bytes.indexOf(hunkStart);
    if (start < 0) continue;
    // Nothing but ASCII is looked for, so that bytes need not be decoded.
    const text = file.bytes.toString('latin1', start + 1, Math.min(file.bytes.length, start + bytesPerFile));
    for (const line of text.split('\n')) {
      const first = line.charCodeAt(0);
      if (first === plus) added.take(line.slice(1).trim(), kind === 'source');
      else if (first === minus) removed.take(line.slice(1).trim(), kind === 'source');
    }
  }
  return shapeOfLines(added, removed);
}

class Side {
  readonly lines = new Set<string>();
  number = 0;
  comments = 0;
  imports = 0;
  tests = 0;
  definitions = 0;
  conditions = 0;

  take(line: string, isSource: boolean): void {
    if (line === '') return;
    this.lines.add(line);
    this.number += 1;
    if (comment.test(line)) this.comments += 1;
    if (imported.test(line)) this.imports += 1;
    if (test.test(line)) this.tests += 1;
    if (!isSource) return;
    if (definition.test(line)) this.definitions += 1;
    if (condition.test(line)) this.conditions += 1;
  }
}

const comment = /^(?:\/\/|\/\*|\*|#(?!\[|include|define|if)|<!--|--|""")/;
const imported = /^(?:import\b|from\b.*import|use\b|#include|export .* from|.*\brequire\()/;
const test =
  /^(?:it|test|describe)(?:\.\w+)*\(|^#\[(?:tokio::)?test|^func Test|^(?:async )?def test_|^@Test\b/;
const definition = /^(?:export|pub|public|def|async def|func|fn|function|class|interface|type|struct|enum)\b/;
const condition = /^(?:\} )?(?:else )?(?:if|elif|guard|catch|except|switch|match)\b|\?\./;

function shapeOfLines(added: Side, removed: Side): Set<string> {
  const lines = added.number + removed.number || 1;
  const unnumbered = new Set<string>();
  if (added.lines.size > 0) for (const line of removed.lines) unnumbered.add(withoutNumbers(line));
  let moved = 0;
  let renumbered = 0;
  for (const line of added.lines) {
    if (removed.lines.has(line)) moved += 1;
    else if (unnumbered.size > 0 && unnumbered.has(withoutNumbers(line))) renumbered += 1;
  }
  const different = added.lines.size || 1;
  return new Set([
    `lines moved ${fifth(moved / different)}`,
    `lines renumbered ${fifth(renumbered / different)}`,
    `lines comments ${fifth((added.comments + removed.comments) / lines)}`,
    `lines imports ${fifth((added.imports + removed.imports) / lines)}`,
    `lines definitions ${few(added.definitions)}`,
    `lines definitions ${few(added.definitions)} ${few(removed.definitions)}`,
    `lines tests ${few(added.tests)}`,
    `lines conditions ${few(added.conditions)}`,
  ]);
}

/** Lines that differ in versions, checksums and dates only are equal without them. */
const withoutNumbers = (line: string): string => line.replace(/[0-9a-f]{12,}|\d+/g, '0');

const fifth = (part: number): string =>
  part >= 1 ? 'all' : part > 0 ? String(Math.floor(part * 5)) : 'none';

const few = (number: number): number => (number < 4 ? number : number < 10 ? 4 : 5);
