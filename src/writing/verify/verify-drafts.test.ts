import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { statementsOf } from '../../domain/articles.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { Draft, Sentence, SpokenWords, StatedFact } from '../draft.ts';
import { Ground, type Material } from './ground.ts';
import { asWritten, verifyDraft } from './verify-drafts.ts';

const limit = diffOf(
  'src/limit.ts',
  [
    `
 export function limitRate(options) {
+  // Two bookings at once: the unique index
+  // lets only one of them in.
-  const timeout = 30;
+  const timeout = 60;
   return open(options);
 }
`,
    `
-export function shut(door) {
-  door.close();
-}
+export function openDoor(door, slowly = false) {
+  check(door);
+  door.openUp();
+}
`,
  ],
  { start: 10 },
);
const manifest = diffOf(
  'package.json',
  `
   "dependencies": {
-    "pin-project": "1.0.9",
+    "pin-project-lite": "0.2.7",
+    "undici": "8.12.4"
   }
`,
);
const oldHome = diffOf('src/old.ts', '\n-export class Parcel {\n-  weigh() {}\n-}\n');
const newHome = diffOf('src/new.ts', '\n+export class Parcel {\n+  weigh() {}\n+}\n');
const logo = { ...diffOf('logo.png', ''), hunks: [], isBinary: true };
const material: Material = {
  diff: [limit, manifest, oldHome, newHome, logo],
  words: [
    { speaker: 'ann', where: 'title', text: 'Raise the limit' },
    {
      speaker: 'ann',
      where: 'description',
      text: 'Since **2.1.0** we wait longer. It says “The Book” in §5.',
    },
    { speaker: '#7', where: 'issue', text: '#7 One client blocks everybody' },
  ],
};

const at = (fileName: string, side: 'old' | 'new', startLine: number, endLine = startLine): Evidence => ({
  fileName,
  startLine,
  endLine,
  side,
});
const timeout = at('src/limit.ts', 'new', 13);
const door = at('src/limit.ts', 'new', 110, 113);
const shut = at('src/limit.ts', 'old', 110, 112);

const say = (text: string, evidence: Evidence[], more: Partial<Sentence> = {}): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: [],
  ...more,
});

const draftOf = (sentences: Sentence[], more: Partial<Draft> = {}): Draft => ({
  title: say('', []),
  ownTitle: 'Raise the limit',
  scope: null,
  authorWords: null,
  tests: null,
  changeTypes: ['FIX'],
  background: [],
  mainChanges: [],
  notablePoints: [{ categories: ['TECH'], label: null, severity: null, sentences }],
  standfirst: null,
  also: [],
  ...more,
});

const verify = (draft: Draft, { diff, words }: Material = material) =>
  asWritten(verifyDraft(draft, new Ground({ diff, words })));
const check = (sentence: Sentence, among: Material = material) =>
  verify(draftOf([sentence]), among).notablePoints[0]?.statements[0] ?? null;
const holds = (text: string, evidence: Evidence[], facts: StatedFact[] = []): boolean =>
  check(say(text, evidence, { facts })) !== null;

test('a name, version or piece of code passes if the cited lines contain it whole', () => {
  assert.ok(holds('In `limitRate`, `const timeout = 30` becomes `const timeout = 60`.', [timeout]));
  assert.ok(holds('Brings `undici` `8.12.4`, as package.json shows.', [at('package.json', 'new', 2, 3)]));
  assert.ok(holds('A long line: `export function openDoor(door, …`', [door]));
  assert.ok(holds('`limitRate` waits for 60.', [timeout]));
});

test('shortened names, shortened versions and unknown names are rejected', () => {
  assert.equal(holds('It is about `limit`.', [timeout]), false);
  assert.equal(
    holds('It is about `pin-project`.', [at('package.json', 'new', 2)]),
    true,
    'the old line has it',
  );
  assert.equal(holds('It is about `project-lite`.', [at('package.json', 'new', 2)]), false);
  assert.equal(holds('It needs 0.2 of it.', [at('package.json', 'new', 2)]), false);
  assert.equal(holds('It needs `8.12.4-rc.1`.', [at('package.json', 'new', 3)]), false);
  assert.equal(holds('Calls deleteEverything() twice.', [timeout]), false);
  assert.equal(holds('Moves it to src/secret/place.ts.', [timeout]), false);
});

test('a file may be named only if it is cited', () => {
  assert.ok(holds('A comment in `src/limit.ts` says why.', [timeout]));
  assert.ok(holds('A comment in `limit.ts` says why.', [timeout]));
  assert.equal(holds('A comment in `src/old.ts` says why.', [timeout]), false);
  assert.equal(holds('A comment in `mit.ts` says why.', [timeout]), false);
});

test('a line elsewhere in the cited file that contains the name is added to the evidence', () => {
  const kept = check(say('It has to do with `openDoor`.', [timeout]));
  assert.deepEqual(kept?.evidence, [timeout, at('src/limit.ts', 'new', 110)]);
});

test('evidence outside of hunks, reversed or on unchanged lines is rejected', () => {
  for (const evidence of [
    [at('src/limit.ts', 'new', 1)],
    [at('src/limit.ts', 'new', 12, 40)],
    [at('src/limit.ts', 'new', 13, 12)],
    [at('src/limit.ts', 'new', 14)],
    [at('src/other.ts', 'new', 1)],
  ]) {
    assert.equal(holds('Something changes.', evidence), false, JSON.stringify(evidence));
  }
  const kept = check(say('Something changes.', [at('src/limit.ts', 'new', 99), timeout]));
  assert.deepEqual(kept?.evidence, [timeout]);
});

test('unchanged lines may be cited for a statement about them, and not for a change', () => {
  const stays = at('src/limit.ts', 'new', 14);
  const quoting = say('The `timeout` still goes to `open`.', [timeout, stays], {
    quote: 'return open(options)',
  });
  assert.deepEqual(check(quoting)?.evidence, [timeout, stays]);
  assert.equal(check({ ...quoting, evidence: [timeout] }), null, 'not cited');
  const alone = { ...quoting, evidence: [stays] };
  assert.deepEqual(check({ ...alone, text: 'The options go to `open`.' })?.evidence, [stays]);
  assert.equal(check({ ...alone, text: 'The options now go to `open`.' }), null);
  assert.equal(check({ ...alone, text: 'The options no longer go to `open`.' }), null);
});

test('a number must be in the cited lines or match the count of changed lines', () => {
  const lines = (value: number): StatedFact => ({
    relation: 'count',
    of: 'additions',
    value,
  });
  assert.ok(holds('12 lines added.', [timeout], [lines(12)]));
  assert.ok(holds('7 lines added.', [timeout]), 'in the file that is cited');
  assert.equal(holds('8 lines added.', [timeout], [lines(8)]), false);
  assert.equal(holds('8 lines added.', [timeout], [lines(12)]), false);
  assert.equal(holds('12 lines removed.', [timeout], [lines(12)]), false);
  assert.equal(holds('It waits for 61 seconds.', [timeout]), false);
  assert.equal(holds('It waits longer.', [timeout], [lines(11)]), false);
  assert.equal(holds('It closes #9.', [timeout]), false);
  assert.ok(holds('It waits for 60 seconds.', [timeout]));
});

test('a quotation must match word for word, apart from line breaks and an ellipsis', () => {
  assert.ok(
    holds('A comment says: “Two bookings at once: the unique index lets only one of them in.”', [timeout]),
  );
  assert.ok(
    holds('コメントには「Two bookings at once: the unique index … one of them in.」とあります。', [timeout]),
  );
  assert.equal(
    holds('A comment says: “Two bookings at once: the index lets only one of them in.”', [timeout]),
    false,
  );
  assert.equal(holds('A comment says: “This was never written.”', [timeout]), false);
});

test('French spaces inside quotation marks are not part of the quotation', () => {
  for (const text of ['On attend avec «timeout».', 'On attend avec «\u00a0timeout\u202f».'])
    assert.ok(holds(text, [timeout]), text);
  assert.equal(holds('On attend avec « patience ».', [timeout]), false);
});

test('facts about additions, removals, moves and changed values are checked in the lines', () => {
  const cases: [StatedFact, Evidence[], boolean][] = [
    [{ relation: 'comes', thing: 'function', name: 'openDoor' }, [door], true],
    [{ relation: 'comes', thing: 'function', name: 'limitRate' }, [timeout], false],
    [{ relation: 'goes', thing: 'function', name: 'openDoor' }, [door], false],
    [{ relation: 'goes', thing: 'function', name: 'shut' }, [shut], true],
    [{ relation: 'comes', thing: 'class', name: 'Parcel' }, [at('src/new.ts', 'new', 1, 3)], false],
    [{ relation: 'goes', thing: 'class', name: 'Parcel' }, [at('src/old.ts', 'old', 1, 3)], false],
    [
      { relation: 'moved', thing: 'class', name: 'Parcel', fromFile: 'src/old.ts', toFile: 'src/new.ts' },
      [at('src/new.ts', 'new', 1, 3)],
      true,
    ],
    [
      { relation: 'moved', thing: 'class', name: 'Parcel', fromFile: 'src/new.ts', toFile: 'src/old.ts' },
      [at('src/new.ts', 'new', 1, 3)],
      false,
    ],
    [{ relation: 'comes', thing: 'dependency', name: 'undici' }, [at('package.json', 'new', 3)], true],
    [{ relation: 'goes', thing: 'dependency', name: 'pin-project' }, [at('package.json', 'old', 2)], true],
    [{ relation: 'becomes', of: [], from: 'shut', to: 'openDoor' }, [door], true],
    [{ relation: 'becomes', of: [], from: 'openDoor', to: 'shut' }, [door], false],
    [{ relation: 'becomes', of: [], from: 'timeout = 30', to: 'timeout = 60' }, [timeout], true],
    [{ relation: 'becomes', of: [], from: 'timeout = 60', to: 'timeout = 30' }, [timeout], false],
    [{ relation: 'becomes', of: ['timeout'], from: '30', to: '60' }, [timeout], true],
    [{ relation: 'becomes', of: ['timeout'], from: '60', to: '30' }, [timeout], false],
    [{ relation: 'becomes', of: ['door'], from: '30', to: '60' }, [timeout], false],
    [{ relation: 'file', path: 'logo.png', status: 'added', from: null }, [], false],
    [{ relation: 'file', path: 'src/limit.ts', status: 'added', from: null }, [timeout], false],
  ];
  for (const [fact, evidence, isTrue] of cases) {
    // The names occur in the sentence, so that only the relation decides.
    const names = Object.values(fact)
      .flat()
      .filter((value) => typeof value === 'string' && /[\w.]/.test(value));
    const text = `About ${names
      .filter((name) => name !== fact.relation && !('thing' in fact && name === fact.thing))
      .map((name) => `\`${name}\``)
      .join(', ')}.`;
    const shown = evidence.length === 0 ? 'A picture.' : text;
    assert.equal(holds(shown, evidence, [fact]), isTrue, JSON.stringify(fact));
  }
});

test('an added parameter or changed return type is checked against both headers of the function', () => {
  const grown = diffOf(
    'src/grow.ts',
    `
-export function grow(
-  tree: Tree,
-): Tree {
+export function grow(
+  tree: Tree,
+  height: number,
+  limit?: number,
+): Promise<Tree> {
`,
  );
  const facts = (fact: StatedFact): boolean => {
    const sentence = say('`grow` changes.', [at('src/grow.ts', 'new', 1, 5)], { facts: [fact] });
    return check(sentence, { diff: [grown], words: [] }) !== null;
  };
  const parameter = { relation: 'parameter', of: 'grow', change: 'added' } as const;
  assert.ok(facts({ ...parameter, name: 'height' }));
  assert.ok(facts({ ...parameter, name: 'limit' }));
  assert.equal(facts({ ...parameter, name: 'tree' }), false);
  assert.equal(facts({ ...parameter, name: 'height', change: 'removed' }), false);
  const returns = { relation: 'becomes' as const, of: ['grow'] };
  assert.ok(facts({ ...returns, from: 'Tree', to: 'Promise<Tree>' }));
  assert.equal(facts({ ...returns, from: 'Promise<Tree>', to: 'Tree' }), false);
});

test('verbs about a marked name are checked against the lines, in English and Japanese', () => {
  const cases: [string, Evidence[], boolean][] = [
    ['Adds the function `openDoor`.', [door], true],
    ['Removes the function `openDoor`.', [door], false],
    ['Removes the function `shut`.', [shut], true],
    ['`shut` is gone.', [shut], true],
    ['`openDoor` is gone.', [door], false],
    ['`openDoor` now calls `check`.', [door], true],
    ['`openDoor` no longer calls `check`.', [door], false],
    ['Replaces `shut` with `openDoor`.', [shut, door], true],
    ['Replaces `openDoor` with `shut`.', [shut, door], false],
    ['Replaces `check` with `slowly`.', [door], false],
    [
      'The class `Parcel` moves from `src/limit.ts` to `src/new.ts`.',
      [timeout, at('src/new.ts', 'new', 1, 3)],
      false,
    ],
    ['Uses `const timeout = 60` instead of `const timeout = 30`.', [timeout], true],
    ['Uses `const timeout = 30` instead of `const timeout = 60`.', [timeout], false],
    ['Takes `slowly` rather than `check`: both are new.', [door], true],
    ['`slowly` の代わりに `check` を使う書き方もあります。', [door], true],
    ['Adds the class `Parcel`.', [at('src/new.ts', 'new', 1, 3)], false],
    ['関数 `openDoor` を追加しています。', [door], true],
    ['関数 `openDoor` を削除しています。', [door], false],
    ['`check` を呼ぶようになります。', [door], true],
    ['`check` を呼ばなくなります。', [door], false],
    ['`const timeout = 30` が `const timeout = 60` に変わります。', [timeout], true],
    ['`const timeout = 60` が `const timeout = 30` に変わります。', [timeout], false],
    ['クラス `Parcel` を追加しています。', [at('src/new.ts', 'new', 1, 3)], false],
    ['`openDoor` now takes a parameter, `slowly`.', [door], true],
    ['`slowly` now takes a parameter, `openDoor`.', [door], false],
    ['`openDoor` は引数 `slowly` を取ります。', [door], true],
    ['`slowly` は引数 `openDoor` を取るようになり、`shut` を取らなくなります。', [door, shut], false],
    ['`slowly` は引数 `openDoor` を受け取ります。', [door], false],
    ['The timeout, which was short, gets another value: `60`.', [timeout], true],
    ['Nobody has to remove `openDoor` by hand.', [door], true],
  ];
  for (const [text, evidence, isTrue] of cases) assert.equal(holds(text, evidence), isTrue, text);
});

test('a sentence that contradicts its facts is rejected, even if both are true', () => {
  const fact: StatedFact = {
    relation: 'moved',
    thing: 'class',
    name: 'Parcel',
    fromFile: 'src/old.ts',
    toFile: 'src/new.ts',
  };
  const evidence = [at('src/new.ts', 'new', 1, 3)];
  assert.ok(holds('The class `Parcel` moves here from `src/old.ts`.', evidence, [fact]));
  assert.equal(holds('It waits longer.', [timeout], [fact]), false, 'neither place is cited');
  const becomes = (from: string): StatedFact => ({ relation: 'becomes', of: ['timeout'], from, to: '60' });
  assert.deepEqual(
    ['30', '45'].map((from) => holds('It waits longer.', [timeout], [becomes(from)])),
    [true, false],
  );
  assert.equal(holds('Adds the class `Parcel`.', evidence, [fact]), false);
});

test('a quotation must match its speaker and source, and its numbers must be in the quoted words', () => {
  const words: SpokenWords[] = [
    { speaker: 'ann', where: 'description', text: 'Since 2.1.0 we wait longer.' },
  ];
  const tell = (text: string, cited = words) =>
    check(say(text, [], { basis: 'words', words: cited })) !== null;
  assert.ok(tell('The author writes that it waits longer since 2.1.0.'));
  assert.ok(tell('作者は「Since 2.1.0 we wait longer.」と書いています。'));
  assert.equal(tell('The author writes that it waits longer since 2.2.0.'), false);
  assert.equal(
    tell('The author writes so.', [{ speaker: 'ann', where: 'commit', text: 'Since 2.1.0 we wait longer.' }]),
    false,
  );
  const pieces = (text: string): SpokenWords[] => [{ speaker: 'ann', where: 'description', text }];
  assert.ok(tell('The author writes so.', pieces('Since 2.1.0 … longer.')));
  assert.equal(tell('The author writes so.', pieces('longer. … Since 2.1.0')), false);
  assert.ok(tell('It closes #7.', [{ speaker: 'ann', where: 'issue', text: 'One client blocks everybody' }]));
});

test('two judgements are kept, after a sentence with evidence that passed', () => {
  const judge = say('Callers have to follow.', [], { basis: 'judgement' });
  const { notablePoints } = verify(draftOf([judge, say('Adds `openDoor`.', [door]), judge, judge, judge]));
  assert.deepEqual(
    notablePoints[0]?.statements.map(({ basis }) => basis),
    ['diff', 'judgement', 'judgement'],
  );
  assert.equal(verify(draftOf([say('Adds `nothing`.', [door]), judge])).notablePoints.length, 0);
});

test('a section may begin in another file, loses only a failed heading, and disappears if no sentence passes', () => {
  const change = (sentences: Sentence[], heading: Sentence | null = null): Draft =>
    draftOf([], {
      mainChanges: [
        {
          fileName: 'src/limit.ts',
          changeTypes: ['FIX'],
          sentences,
          heading,
          hunk: null,
        },
      ],
    });
  const elsewhere = say('`undici` is there.', [at('package.json', 'new', 3)]);
  const own = say('Adds `openDoor`.', [at('package.json', 'new', 3), door]);
  const [told] = verify(change([elsewhere, own])).mainChanges;
  assert.deepEqual(
    told?.statements.map(({ text }) => text),
    ['`undici` is there.', 'Adds `openDoor`.'],
  );
  const headingOf = (text: string) => verify(change([own], say(text, [door]))).mainChanges[0]?.heading;
  assert.equal(headingOf('`openDoor` opens it'), '`openDoor` opens it');
  assert.equal(headingOf('`closeDoor` opens it'), null);
  assert.deepEqual(verify(change([say('Adds `nothing`.', [door])])).mainChanges, []);
});

test('an article of uncertain type has no change types, whatever types its sections have', () => {
  const change = {
    fileName: 'src/limit.ts',
    changeTypes: ['TEST' as const],
    sentences: [say('Adds `openDoor`.', [door])],
    fallback: null,
    heading: null,
    hunk: null,
  };
  const typesOf = (whole: Draft['changeTypes']) =>
    verify(draftOf([], { changeTypes: whole, mainChanges: [change] })).changeTypes;
  assert.deepEqual(typesOf([]), []);
  assert.deepEqual(typesOf(['FIX']), ['FIX', 'TEST']);
});

test("a model's title that fails its check is replaced with the pull request's title", () => {
  const titled = (text: string) => verify(draftOf([], { title: say(text, [door]) })).title;
  assert.equal(titled('Adds `openDoor`'), 'Adds `openDoor`');
  assert.equal(titled('Adds `closeDoor`'), 'Raise the limit');
});

test('a text that contains the other may be its new value, but not in reverse order', () => {
  const diff = [
    diffOf('test/a_spec.rb', '\n-  it "keeps semicolons" do\n+  it "keeps semicolons in a body" do\n'),
  ];
  const renamed = (from: string, to: string) => {
    const text = `The test “${from}” is now called “${to}”.`;
    const evidence = [at('test/a_spec.rb', 'old', 1), at('test/a_spec.rb', 'new', 1)];
    const sentence = say(text, evidence, { facts: [{ relation: 'becomes', of: [], from, to }] });
    return check(sentence, { diff, words: [] }) !== null;
  };
  assert.ok(renamed('keeps semicolons', 'keeps semicolons in a body'));
  assert.ok(!renamed('keeps semicolons in a body', 'keeps semicolons'));
});

test('a function moved only where its body is the same, not merely its name', () => {
  const diff = [
    diffOf('src/a.rs', '\n-fn poll(self) {\n-    self.inner.poll()\n-}\n'),
    diffOf('src/b.rs', '\n+fn poll(self) {\n+    self.inner.poll()\n+}\n'),
    diffOf('src/c.rs', '\n+fn poll(self) {\n+    Ready(None)\n+}\n'),
  ];
  const moved = (toFile: string) => {
    const sentence = say(`The function \`poll\` moves to \`${toFile}\`.`, [at('src/a.rs', 'old', 1)], {
      facts: [{ relation: 'moved', thing: 'function', name: 'poll', fromFile: 'src/a.rs', toFile }],
    });
    return check(sentence, { diff, words: [] }) !== null;
  };
  assert.ok(moved('src/b.rs'));
  assert.ok(!moved('src/c.rs'));
});

test('a dependency or test is new even if code on the other side mentions its name', () => {
  const diff = [
    diffOf('Gemfile', "\n+gem 'minitest'\n"),
    diffOf('test/helper.rb', "\n-require 'minitest'\n"),
    diffOf('test/a_test.exs', '\n-  def transaction(x) do\n+  test "transaction" do\n'),
  ];
  const comes = (thing: 'dependency' | 'test', name: string, text: string, fileName: string) => {
    const sentence = say(text, [at(fileName, 'new', 1)], { facts: [{ relation: 'comes', thing, name }] });
    return check(sentence, { diff, words: [] }) !== null;
  };
  assert.ok(comes('dependency', 'minitest', 'Adds `minitest`.', 'Gemfile'));
  assert.ok(comes('test', 'transaction', 'Adds the test “transaction”.', 'test/a_test.exs'));
});

test('sentence ids match those of stored articles, and equal sentences are numbered in stored order', () => {
  const same = say('It waits longer.', [timeout]);
  const meant = say('It may wait for long.', [], { basis: 'judgement' });
  const change = { fileName: 'src/limit.ts', changeTypes: [], heading: same, hunk: null };
  const row = { times: null, files: ['src/limit.ts'], additions: 1, deletions: 1 };
  const written = asWritten(
    draftOf([same, meant], {
      title: same,
      standfirst: same,
      scope: { kind: 'tests', sentence: same },
      background: [meant, same, meant],
      mainChanges: [
        { ...change, sentences: [same, say('', [timeout])] },
        { ...change, sentences: [say('It opens.', [timeout, door]), same] },
      ],
      tests: { added: [], sentences: [same] },
      also: [{ ...row, sentence: same }],
    }),
  );
  const ids = Object.entries(statementsOf(written)).map(([part, said]) => [
    part,
    ...said.map(({ id }) => id),
  ]);
  assert.deepEqual(ids, [
    ['standfirst', '9486c0733943-2'],
    ['scope', '9486c0733943'],
    ['background', '9486c0733943-3', '6e8f1a5a367c'],
    ['changes', '9486c0733943-4', 'd8779f6e9d37', '9486c0733943-5'],
    ['points', '9486c0733943-6', '6e8f1a5a367c-2'],
    ['tests', '9486c0733943-7'],
    ['also', '9486c0733943-8'],
  ]);
});

test('a title may use names from the description, but not from a comment', () => {
  const titleIf = (where: 'description' | 'comment') =>
    verify(draftOf([], { title: say('Raises `limitTotal`', [timeout]) }), {
      ...material,
      words: [{ speaker: 'ann', where, text: 'Or is it limitTotal?' }],
    }).title;
  assert.deepEqual([titleIf('description'), titleIf('comment')], ['Raises `limitTotal`', 'Raise the limit']);
});
