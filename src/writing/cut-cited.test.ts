import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../test/chance.ts';
import { diffOf } from '../../test/diff-of.ts';
import type { Evidence, NamedRange, UnitChange } from '../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../reading/file-diff.ts';
import { cutCited } from './cut-cited.ts';
import type { Excerpt } from './written-article.ts';

const citing = (...evidence: Evidence[]) => ({ statements: [{ basis: 'diff' as const, evidence }] });
const at = (fileName: string, side: 'old' | 'new', startLine: number, endLine = startLine): Evidence => ({
  fileName,
  side,
  startLine,
  endLine,
});
const printed = ({ lines }: Excerpt): string[] => {
  const signs = { context: ' ', added: '+', removed: '-', gap: '⋯' };
  return lines.map(({ kind, text }) => `${signs[kind]}${text}`);
};
const only = (excerpts: Excerpt[][]): Excerpt => {
  const [one] = excerpts.flat();
  assert.ok(one && excerpts.flat().length === 1);
  return one;
};
const many = (sign: string, count: number, name = 'line') =>
  Array.from({ length: count }, (_, index) => `${sign}  ${name} ${index};`).join('\n');

test('a cited line is shown with what it replaced and a little of what stands around it', () => {
  const diff = diffOf('a.ts', '   a\n   b\n   c\n-  old();\n+  renewed();\n   d\n   e\n   f', {
    heading: 'export function launch(from: number) {',
  });
  const excerpt = only(cutCited([citing(at('a.ts', 'new', 4))], [diff]));
  assert.equal(excerpt.heading, 'launch');
  assert.deepEqual(printed(excerpt), ['   b', '   c', '-  old();', '+  renewed();', '   d', '   e']);
  assert.deepEqual(
    excerpt.lines.map(({ oldLine, newLine }) => [oldLine, newLine]),
    [
      [2, 2],
      [3, 3],
      [4, null],
      [null, 4],
      [5, 5],
      [6, 6],
    ],
  );
});

test('what lies between two cited runs is a gap, and a replacement that is too long is not shown at all', () => {
  const between = many(' ', 9, 'between');
  const two = diffOf('a.ts', `-  a();\n+  b();\n${between}\n+  c();`);
  const excerpt = only(cutCited([citing(at('a.ts', 'new', 1), at('a.ts', 'new', 11))], [two]));
  assert.equal(excerpt.lines.filter(({ kind }) => kind === 'gap').length, 1);
  const long = diffOf('a.ts', `${many('-', 9)}\n${many('+', 4)}`);
  assert.deepEqual(cutCited([citing(at('a.ts', 'new', 2))], [long]), [[]]);
});

test('of lines that only come, those are shown that are cited, at most twelve', () => {
  const diff = diffOf('a.ts', many('+', 40), { status: 'added' });
  const excerpt = only(cutCited([citing(at('a.ts', 'new', 5, 30))], [diff]));
  assert.deepEqual([excerpt.lines.length, excerpt.lines[0]?.newLine], [12, 5]);
});

test('a heading is told only where no line of the hunk begins something else', () => {
  const headingOf = (body: string, heading: string, line: number) =>
    only(cutCited([citing(at('a.ts', 'new', line))], [diffOf('a.ts', body, { heading })])).heading;
  assert.equal(headingOf('   a\n+  b', 'static int parse_line(char *text)', 2), 'parse_line');
  assert.equal(headingOf('   a\n+  b', 'impl Display for Route {', 2), 'Display');
  assert.equal(headingOf('   a\n+  b', 'class Parser:', 2), 'Parser');
  assert.equal(headingOf('   a\n+  b', 'void Parser::read(char *text) {', 2), 'Parser::read');
  assert.equal(headingOf('   a\n+  b', '## Launching', 2), '## Launching');
  assert.equal(headingOf('   a\n }\n+function next() {\n+  b', 'function launch() {', 3), null);
  assert.equal(headingOf('   a\n   }\n   land() {\n+    b', 'function launch() {', 4), null);
  assert.equal(headingOf('   a\n   if (b) {\n+    c', 'function launch() {', 3), 'launch');
  assert.equal(headingOf('   a\n+  b', '', 2), null);
  assert.equal(headingOf('   a\n+  b', '[tool.pytest]', 2), '[tool.pytest]');
});

test('a heading is a whole declaration, and not one that the change takes away', () => {
  const headingOf = (hunks: string[], heading: string, line: number, side: 'old' | 'new' = 'new') =>
    only(cutCited([citing(at('a.py', side, line))], [diffOf('a.py', hunks, { heading })])).heading;
  for (const torn of ['full = [', 'routes = dict(', "describe('a parcel', () => {", 'send(parcel, address);'])
    assert.equal(headingOf(['     "a",\n+    "b",'], torn, 2), null, torn);
  const gone = ['-class Adapter:\n+class Transport:\n     pass', '     a\n-    b\n+    c\n     d'];
  assert.equal(headingOf(gone, 'class Adapter:', 102), null);
  const removed = ['-class Adapter:\n-    pass', '-    b\n-    c'];
  assert.equal(headingOf(removed, 'class Adapter:', 101, 'old'), 'Adapter');
  const kept = ['-class Adapter:\n+class Adapter(Base):\n     pass', '     a\n-    b\n+    c\n     d'];
  assert.equal(headingOf(kept, 'class Adapter:', 102), 'Adapter');
});

test('words and judgements show nothing, files that are not there and lines that are too long neither', () => {
  const diff = diffOf('a.ts', `+  ${'x'.repeat(100_000)}`);
  assert.deepEqual(cutCited([citing(at('a.ts', 'new', 1)), citing(at('b.ts', 'new', 1))], [diff]), [[], []]);
  const words = { statements: [{ basis: 'words' as const, evidence: [at('c.ts', 'new', 1)] }] };
  assert.deepEqual(cutCited([words], [diffOf('c.ts', '+  a')]), [[]]);
});

test('an article has four excerpts, above three hundred changed lines six, three for each change, and each change has one first', () => {
  const apart = Array.from({ length: 5 }, (_, index) => `${many('+', 8, `run ${index}`)}`);
  const small = diffOf('a.ts', apart);
  const everywhere = citing(at('a.ts', 'new', 1, 900));
  assert.deepEqual(
    cutCited([everywhere], [small]).map(({ length }) => length),
    [3],
  );
  const files = Array.from({ length: 8 }, (_, index) => diffOf(`f${index}.ts`, apart));
  const changes = files.map(({ path }) => citing(at(path, 'new', 1, 900)));
  const counts = (diff: FileDiff[], of: typeof changes) => cutCited(of, diff).map(({ length }) => length);
  assert.deepEqual(counts(files, changes.slice(0, 3)), [2, 2, 2]);
  assert.deepEqual(counts(files.slice(0, 2), changes.slice(0, 2)), [2, 2]);
  assert.deepEqual(counts(files, changes), [1, 1, 1, 1, 1, 1, 0, 0]);
});

const named = (name: string, startLine: number, endLine: number, isFunction = true): NamedRange => ({
  name,
  isFunction,
  side: 'new',
  startLine,
  endLine,
});
const known = (path: string, ranges: NamedRange[], changes: UnitChange[] = []) => [{ path, ranges, changes }];

test('lines of two classes, or of two hunks, are no one excerpt, and each is headed by what it lies in', () => {
  const diff = diffOf('a.py', [
    ' class Query(Map):\n-    def keys(self):\n+    def keys(self) -> List:\n         return []\n \n-    def items(self):\n+    def items(self) -> List:\n         return []\n \n class Headers(Map):\n-    def keys(self):\n+    def keys(self) -> List:\n         return []',
    '-        return None\n+        return self',
  ]);
  const cites = [
    citing(at('a.py', 'new', 2), at('a.py', 'new', 5), at('a.py', 'new', 9), at('a.py', 'new', 101)),
  ];
  const ranges = [
    named('Query', 1, 6, false),
    named('Query.keys', 2, 3),
    named('Query.items', 5, 6),
    named('Headers', 8, 120, false),
    named('Headers.keys', 9, 10),
    named('Headers.get', 99, 101),
  ];
  const shown = cutCited(cites, [diff], known('a.py', ranges)).flat();
  assert.deepEqual(
    shown.map(({ heading, lines }) => [heading, lines.filter(({ kind }) => kind === 'added').length]),
    [
      ['Query', 2],
      ['Headers.keys', 1],
      ['Headers.get', 1],
    ],
  );
  // Without names, a line that begins something else parts them.
  const unnamed = cutCited(cites, [diff]).flat();
  assert.deepEqual(
    unnamed.map(({ lines }) => lines.filter(({ kind }) => kind === 'added').length),
    [2, 1, 1],
  );
});

test('lines of two hunks are one excerpt where one function has them', () => {
  const diff = diffOf('a.ts', ['-  a();\n+  b();', '-  c();\n+  d();']);
  const cites = [citing(at('a.ts', 'new', 1), at('a.ts', 'new', 101))];
  assert.equal(only(cutCited(cites, [diff], known('a.ts', [named('launch', 1, 120)]))).heading, 'launch');
  assert.equal(cutCited(cites, [diff], known('a.ts', [named('Rocket', 1, 120, false)])).flat().length, 2);
});

test('what the first sentence is about comes first, and of references that hold others only these are shown', () => {
  const between = many(' ', 9, 'between');
  const diff = diffOf(
    'a.ts',
    `+  first();\n${between}\n+  ${'second'}();\n${between}\n${many('+', 9, 'many')}`,
  );
  const [whole, second] = [at('a.ts', 'new', 1, 29), at('a.ts', 'new', 11)];
  const sentences = (...some: Evidence[][]) => [
    { statements: some.map((evidence) => ({ basis: 'diff' as const, evidence })) },
  ];
  const [first] = cutCited(sentences([whole, second], [at('a.ts', 'new', 21, 29)]), [diff]).flat();
  assert.ok(first && printed(first).includes('+  second();'));
  const exact = only(cutCited(sentences([whole, second]), [diff]));
  assert.deepEqual(
    exact.lines.filter(({ kind }) => kind === 'added').map(({ text }) => text.trim()),
    ['second();'],
  );
});

test('of more cited lines than fit those stay that most sentences cite, whole statements, and what a test expects', () => {
  const body = `+test('x', () => {\n${many('+', 16, 'prepare')}\n+  assert.equal(\n+    run(),\n+    'the new message',\n+  );\n+});`;
  const diff = diffOf('a.test.ts', body, { status: 'added' });
  const span = { fileName: 'a.test.ts', startLine: 18, endLine: 21, side: 'new' as const };
  const statement: UnitChange = { kind: 'added', of: 'code', old: null, new: span, counterpart: null };
  const cut = (...evidence: Evidence[]) =>
    printed(only(cutCited([citing(...evidence)], [diff], known('a.test.ts', [], [statement]))));
  assert.deepEqual(cut(at('a.test.ts', 'new', 1), at('a.test.ts', 'new', 20)), [
    "+test('x', () => {",
    '⋯',
    '+  assert.equal(',
    '+    run(),',
    "+    'the new message',",
    '+  );',
  ]);
  const whole = cut(at('a.test.ts', 'new', 1, 22));
  assert.ok(whole.length <= 16 && whole.includes("+    'the new message',") && whole.includes('⋯'));
  const twice = [
    {
      statements: [
        { basis: 'diff' as const, evidence: [at('a.test.ts', 'new', 1, 22)] },
        { basis: 'judgement' as const, evidence: [at('a.test.ts', 'new', 12, 13)] },
      ],
    },
  ];
  assert.ok(printed(only(cutCited(twice, [diff]))).includes('+  prepare 10;'));
});

test('no changed line is shown twice in an article', () => {
  const diff = diffOf('a.ts', '+  a();\n   b();\n-  c();\n+  d();\n   e();\n-  f();\n+  g();');
  const changes = [
    citing(at('a.ts', 'new', 1), at('a.ts', 'new', 3)),
    citing(at('a.ts', 'new', 3), at('a.ts', 'new', 5)),
    citing(at('a.ts', 'new', 1)),
  ];
  const changedIn = (excerpts: Excerpt[]): string[] =>
    excerpts.flatMap((one) => printed(one).filter((text) => /^[+-]/.test(text)));
  assert.deepEqual(cutCited(changes, [diff]).map(changedIn), [
    ['+  a();', '-  c();', '+  d();'],
    ['-  f();', '+  g();'],
    [],
  ]);
});

function madeDiff(chance: Chance, path: string): FileDiff {
  const sides = [' ', ' ', '+', '-', '+-'];
  const bodies = Array.from({ length: chance.from(1, 4) }, () =>
    Array.from({ length: chance.from(1, 14) }, () => {
      const side = chance.one(sides);
      const run = () => chance.from(1, 6) * (chance.from(0, 3) === 0 ? 3 : 1);
      return side === '+-'
        ? `${many('-', run())}\n${many('+', run())}`
        : many(side, run(), `w${chance.from(0, 9)}`);
    }).join('\n'),
  );
  return diffOf(path, bodies);
}

const keyOf = ({ side, oldLine, newLine, text }: DiffLine) => JSON.stringify([side, oldLine, newLine, text]);

test('whatever is cited of whatever diff, every line stands in it with its sign and numbers, in order and within the bounds', () => {
  let shown = 0;
  for (let seed = 1; seed <= 400; seed += 1) {
    const chance = new Chance(seed);
    const diff = ['a.ts', 'b.ts', 'c.ts'].map((path) => madeDiff(chance, path));
    const changes = Array.from({ length: chance.from(1, 4) }, () =>
      citing(
        ...Array.from({ length: chance.from(1, 4) }, () => {
          const start = chance.from(1, 430);
          const side = chance.one<'old' | 'new'>(['old', 'new']);
          return at(chance.one(['a.ts', 'b.ts', 'c.ts', 'd.ts']), side, start, start + chance.from(0, 60));
        }),
      ),
    );
    const excerpts = cutCited(changes, diff);
    assert.ok(excerpts.flat().length <= 6 && excerpts.every(({ length }) => length <= 3));
    for (const excerpt of excerpts.flat()) {
      shown += 1;
      checkExcerpt(
        excerpt,
        diff.find(({ path }) => path === excerpt.fileName)?.hunks.map((hunk) => [...linesOf(hunk)]) ?? [],
      );
    }
  }
  assert.ok(shown > 200, `${shown} excerpts were looked at`);
});

function checkExcerpt({ lines }: Excerpt, hunks: DiffLine[][]): void {
  const places = new Map(hunks.flat().map((line, place) => [keyOf(line), place]));
  const changed = lines.filter(({ kind }) => kind === 'added' || kind === 'removed');
  assert.ok(lines.length <= 16 && changed.length <= 12 && changed.length > 0);
  assert.ok(lines[0]?.kind !== 'gap' && lines.at(-1)?.kind !== 'gap');
  let last = -1;
  let isAfterGap = true;
  const told = new Set<number>();
  for (const { kind, ...line } of lines) {
    if (kind === 'gap') {
      assert.deepEqual(line, { oldLine: null, newLine: null, text: '' });
      isAfterGap = true;
      continue;
    }
    const place = places.get(keyOf({ side: kind, ...line }));
    assert.ok(place !== undefined, `${kind} ${line.text} stands in the diff`);
    assert.ok(isAfterGap ? place > last : place === last + 1, 'lines that are left out are a gap');
    told.add(place);
    last = place;
    isAfterGap = false;
  }
  checkWhole(told, hunks);
}

/** A run that replaces something is shown whole or not at all. */
function checkWhole(told: Set<number>, hunks: DiffLine[][]): void {
  let place = 0;
  for (const hunk of hunks) {
    let run: number[] = [];
    const sides = new Set<string>();
    for (const line of [...hunk, null]) {
      if (line && line.side !== 'context') {
        run.push(place);
        sides.add(line.side);
      } else {
        const shown = run.filter((one) => told.has(one)).length;
        assert.ok(sides.size < 2 || shown === 0 || shown === run.length, 'no replacement is torn');
        run = [];
        sides.clear();
      }
      if (line) place += 1;
    }
  }
}
