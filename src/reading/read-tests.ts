import { detachText } from '../domain/text.ts';
import type { FileKind, SymbolChange, TestChange } from './facts.ts';
import type { FileDiff, WholeDiff } from './file-diff.ts';
import { isFixturePlace, pathParts } from './file-places.ts';
import { type HunkSides, type SideLine, sidesOf } from './hunk-lines.ts';
import { tokenLikeness } from './symbols/match-sightings.ts';

type Names = Map<string, SideLine>;

export function readTests(file: FileDiff, kind: FileKind, whole: WholeDiff): TestChange[] {
  const parts = pathParts(file.path);
  const style = testStyles.get(parts.ending);
  if (!style || !(kind === 'test' || (kind === 'source' && parts.ending === 'rs'))) return [];
  // A fixture may look like a test, but is never run.
  if (isFixturePlace(parts)) return [];
  const removed: Names = new Map();
  const added: Names = new Map();
  const renamed: [name: string, before: string][] = [];
  for (const hunk of file.hunks) {
    if (kind === 'source' && !hunk.text().includes('test')) continue;
    const sides = sidesOf(hunk);
    const [old, current] = [testNamesIn(sides.old, style), testNamesIn(sides.new, style)];
    renamed.push(...renamedIn(sides, old, current));
    for (const [name, line] of old) if (!removed.has(name)) removed.set(name, line);
    for (const [name, line] of current) if (!added.has(name)) added.set(name, line);
  }
  const kept = new Set(renamed.filter(([, before]) => !added.has(before)).flat());
  const describe = (side: 'old' | 'new', names: Names, others: Names): TestChange[] =>
    [...names]
      .filter(([name]) => !others.has(name))
      .map(([name, { text, number }]) => ({
        name: detachText(name),
        change: kept.has(name) || whole.isOnBothSides(text) ? 'kept' : side === 'old' ? 'removed' : 'added',
        evidence: { fileName: file.path, startLine: number, endLine: number, side },
      }));
  return [...describe('new', added, removed), ...describe('old', removed, added)];
}

/**
 * Tests moved to another file were neither added nor removed, and neither were those named after a renamed function. If
 * several files lose a test of the same name, it is left out.
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

const linesOfHead = 3;
const sameName = 0.8;

/** A test whose first line was replaced and whose other lines are equal was renamed. */
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
        testShape(text, before) === testShape(line.text, name),
    );
    return twins.length === 1 ? twins.map(([before]) => [name, before]) : [];
  });
}

const testShape = (text: string, name: string): string => {
  const last = name.includes('.') && !text.includes(name) ? name.slice(name.lastIndexOf('.') + 1) : name;
  return text.replace(last, '\0');
};

function testNamesIn(lines: SideLine[], style: TestStyle): Names {
  const names: Names = new Map();
  let isMarked = false;
  let isOpened = false;
  let isQuoted = false;
  for (const line of lines) {
    const marks = line.text.match(/"{3}|'{3}/g)?.length ?? 0;
    if (marks % 2 === 1) isQuoted = !isQuoted;
    if (isQuoted) continue;
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

function isBetween(text: string): boolean {
  return /^\s*(?:$|[@#[*/]|\)|\]|["'\d])|(?:,|\)\])\s*$/.test(text);
}

interface TestStyle {
  named: readonly RegExp[];
  mark?: RegExp;
  marked?: RegExp;
  opened?: RegExp;
}

const text = `(?:'((?:[^'\\\\]|\\\\.){1,300})'|"((?:[^"\\\\]|\\\\.){1,300})"|\`((?:[^\`\\\\]|\\\\.){1,300})\`)`;

const group = new RegExp(
  `^(?:RSpec\\.)?(?:describe|fdescribe|xdescribe|context|suite|group|feature)(?:\\.\\w{1,20}){0,3}\\s{0,2}[\\s(]\\s{0,4}(?:${text}|([A-Z][\\w:]{1,100})\\b)`,
);

const scriptCall =
  '(?:(?:t|tt|Deno|QUnit|suite)\\.)?(?:it|test|bench|specify|fit|xit|xtest)(?:\\.\\w{1,20}){0,3}';

const script: TestStyle = {
  named: [
    new RegExp(`^\\s*(?:await |void |return )?${scriptCall}\\(\\s{0,4}${text}`),
    new RegExp(`^\\s*(?:${scriptCall}\\(.{0,300}?)?\\]\\)\\(\\s{0,4}${text}`),
    new RegExp(`^\\s*${text},?\\s*$`),
  ],
  opened: new RegExp(`^\\s*(?:await )?(?:${scriptCall}|\\]\\))\\(\\s*$`),
};

const method =
  /^\s*(?:(?:public|private|protected|internal|static|final|open|override|suspend|async|synchronized|virtual)\s)*(?:fun\s(?:`([^`]{1,200})`|(\w{1,150}))|[\w<>[\],.?]{1,80}\s(\w{1,150}))\s?\(/;
const junit: TestStyle = {
  // Tests without annotations are recognized by their names.
  named: [/^\s*(?:public\s+)?(?:void|fun)\s+(test[A-Z_]\w{0,150})\s?\(/],
  mark: /^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b(?:\([^)]{0,100}\))?/,
  marked: method,
};
const phpFunction = '^\\s*(?:(?:public|final|static) ){0,3}function ';

const styles: Record<string, TestStyle> = {
  'js mjs cjs jsx ts mts cts tsx vue svelte': script,
  py: { named: [/^\s*(?:async )?def (test(?:_\w{1,150}|[A-Z]\w{0,150}))\s?\(/] },
  go: {
    named: [
      /^func (?:\(\w{1,20} \*?\w{1,60}\) )?((?:Test|Benchmark|Fuzz)[A-Z0-9_]\w{0,150})\((?:\w{1,10} \*testing\.[TBF]\b|\))/,
      /^\s*\w{1,6}\.Run\("((?:[^"\\]|\\.){1,300})",/,
    ],
  },
  rs: {
    named: [],
    mark: /^\s*#\[(?:\w{1,40}::){0,3}(?:test|rstest|quickcheck|bench|test_case|wasm_bindgen_test)\b/,
    marked: /^\s*(?:pub )?(?:async )?fn (\w{1,150})/,
  },
  'java kt': junit,
  cs: {
    named: [],
    mark: /^\s*\[\w{0,40}(?:Fact|Theory|Test|TestMethod|TestCase|TestCaseSource)\b[^\]]{0,300}\]?/,
    marked: method,
  },
  php: {
    named: [new RegExp(`${phpFunction}(test\\w{1,150})\\s?\\(`), new RegExp(`^\\s*(?:it|test)\\(${text}`)],
    mark: /^\s*(?:#\[Test\b[^\]]{0,100}\]|(?:\/\*)?\* @test\b)/,
    marked: new RegExp(`${phpFunction}(\\w{1,150})\\s?\\(`),
  },
  rb: {
    named: [
      new RegExp(`^\\s*(?:it|specify|scenario|test|should)\\s{0,2}\\(?${text}`),
      /^\s*def (test_\w{1,150})/,
    ],
  },
  'ex exs': { named: [/^\s*(?:test|property)\s"((?:[^"\\]|\\.){1,300})"/] },
  swift: {
    named: [/^\s*func (test\w{1,150})\(/],
    mark: /^\s*@Test\b(?:\([^)]{0,200}\))?/,
    marked: /^\s*func (\w{1,150})\(/,
  },
  'cc cpp': {
    named: [
      /^\s*TEST(?:_F|_P)?\((\w{1,100}),\s{0,4}(\w{1,100})\)/,
      /^\s*(?:TEST_CASE|SCENARIO|SECTION)\("([^"]{1,200})"/,
    ],
  },
};

export const testStyles: ReadonlyMap<string, TestStyle> = new Map(
  Object.entries(styles).flatMap(([endings, style]) => endings.split(' ').map((ending) => [ending, style])),
);

export function testNameIn(
  text: string,
  style: TestStyle,
  { isMarked, isOpened }: { isMarked: boolean; isOpened: boolean },
): string | null {
  if (isMarked && style.marked) {
    const match = style.marked.exec(text);
    if (match) return partsIn(match);
  }
  for (const [index, pattern] of style.named.entries()) {
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

export function testGroupIn(line: string): string | null {
  const match = group.exec(line);
  return match && partsIn(match);
}
