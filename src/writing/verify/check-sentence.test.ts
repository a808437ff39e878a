import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { Evidence, NamedRange } from '../../reading/facts.ts';
import type { Draft, Sentence } from '../draft.ts';
import { checkSentence } from './check-sentence.ts';
import { Ground } from './ground.ts';
import { asWritten, checkDraft, verifyDraft } from './verify-drafts.ts';

const store = diffOf(
  'src/store.ts',
  `
 export function flush(store) {
-  store.items.clear();
   store.close();
 }
 export function reset(store) {
+  store.items.clear();
+  store.items = createItems();
   store.open();
 }
`,
);
const moved = [
  diffOf('src/schema.ts', '\n+export type Schema = {\n+  name: string;\n+};\n'),
  diffOf(
    'src/middleware.ts',
    '\n-export type Schema = {\n-  name: string;\n-};\n+import type { Schema } from "./schema";\n',
  ),
];
const other = diffOf('src/other.ts', '\n+export const patience = 5;\n');
const range = (name: string, side: Evidence['side'], startLine: number, endLine: number): NamedRange => ({
  name,
  isFunction: true,
  side,
  startLine,
  endLine,
});
const ground = new Ground({
  diff: [store, other, ...moved],
  words: [{ speaker: 'ann', where: 'description', text: 'Flushing must not clear anything.' }],
  ranges: new Map([
    [
      'src/store.ts',
      [
        range('Store.flush', 'old', 1, 4),
        range('Store.flush', 'new', 1, 3),
        range('Store.reset', 'old', 5, 7),
        range('Store.reset', 'new', 4, 8),
      ],
    ],
  ]),
});
const at = (side: Evidence['side'], startLine: number, endLine = startLine): Evidence => ({
  fileName: 'src/store.ts',
  startLine,
  endLine,
  side,
});

const say = (text: string, evidence: Evidence[], more: Partial<Sentence> = {}): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: [],
  ...more,
});
const reasonOf = (text: string, evidence: Evidence[]): string | null => {
  const verdict = checkSentence(say(text, evidence), ground, {
    fileName: null,
    isSummary: false,
    before: [],
  });
  return verdict.kept ? null : verdict.reason;
};

test('a function that lost its code to another one may be said to no longer have it, but the code itself is not called removed', () => {
  const gone = [at('old', 2)];
  assert.equal(reasonOf('`flush` drops `store.items.clear()`.', gone), null);
  assert.equal(reasonOf('It no longer calls `store.items.clear()`.', gone), null);
  assert.equal(reasonOf('`reset` now calls `store.items.clear()`.', [at('new', 5)]), null);
  assert.match(reasonOf('`store.items.clear()` is removed.', gone) ?? '', /is not removed/);
  assert.match(
    reasonOf('`reset` no longer calls `store.items.clear()`.', [at('new', 5)]) ?? '',
    /is not removed/,
  );
});

test('a method that moved to another class is not called removed', () => {
  const moved = diffOf(
    'src/doors.ts',
    '\n class A {\n-  close() {\n-  }\n }\n class B {\n+  close() {\n+  }\n }\n',
  );
  const ranges = [range('A.close', 'old', 2, 3), range('B.close', 'new', 4, 5)];
  const known = new Ground({ diff: [moved], words: [], ranges: new Map([['src/doors.ts', ranges]]) });
  const holds = (text: string, line: Evidence = at('old', 2)): boolean =>
    checkSentence(say(text, [{ ...line, fileName: 'src/doors.ts' }]), known, {
      fileName: null,
      isSummary: false,
      before: [],
    }).kept !== null;
  assert.equal(holds('`close` is removed.'), false);
  assert.equal(holds('`A` loses `close`.'), true, 'the class that it left is named');
  assert.equal(holds('`A.close` is removed.'), true);
  assert.equal(holds('`close` is removed from `doors`.'), false);
  assert.equal(holds('`B` gains `close`.', at('new', 5)), true);
});

test('lines that stay can be quoted if removed lines stood between them', () => {
  const quoting = say('`flush` calls `store.close()`.', [at('new', 1, 2)], { quote: 'store.close();' });
  const verdict = checkSentence(quoting, ground, { fileName: null, isSummary: false, before: [] });
  assert.deepEqual(verdict.kept?.evidence, [at('new', 1, 2), at('old', 2)]);
});

test('a sentence that says that code stays as it was may cite lines that stay, and one that says that it changes may not', () => {
  const stays = [at('new', 2)];
  for (const text of [
    '`store.close()` の呼び出しは変わりません。',
    '`store.close()` はこれまでどおり呼ばれます。',
    '`store.close()` does not change.',
    '`store.close()` runs as before.',
  ])
    assert.equal(reasonOf(text, stays), null, text);
  for (const text of ['`store.close()` が変わります。', 'The call of `store.close()` changes.'])
    assert.match(reasonOf(text, stays) ?? '', /no lines that changed/, text);
});

test('a type that moved to another file may be "no longer exported", but not "removed"', () => {
  const gone = [{ ...at('old', 1), fileName: 'src/middleware.ts' }];
  assert.equal(reasonOf('The middleware no longer exports `Schema`.', gone), null);
  assert.match(reasonOf('`Schema` is removed.', gone) ?? '', /is not removed/);
  assert.match(reasonOf('It no longer has `Schema`.', gone) ?? '', /is not removed/);
});

test('a cited finding proves the names and numbers in it', () => {
  const found = { relation: 'found' as const, text: 'The same edit in 8 lines of 6 files: `Intn` → `IntN`.' };
  const holds = (text: string): boolean =>
    checkSentence(say(text, [at('new', 5)], { facts: [found] }), ground, {
      fileName: null,
      isSummary: false,
      before: [],
    }).kept !== null;
  assert.ok(holds('6ファイルにある8行に `IntN` があります。'));
  assert.equal(holds('6ファイルにある9行に `IntN` があります。'), false);
  assert.equal(holds('7 files have `IntN`.'), false);
});

test('"creates `items`" is rejected if `items` is not new; "creates its `items`" passes', () => {
  const list = diffOf('src/list.ts', '\n-  const items = load();\n+  const items = loadAll();\n');
  const known = new Ground({ diff: [list], words: [] });
  const holds = (text: string): boolean =>
    checkSentence(say(text, [{ ...at('new', 1), fileName: 'src/list.ts' }]), known, {
      fileName: null,
      isSummary: false,
      before: [],
    }).kept !== null;
  assert.equal(holds('It creates its `items` by `loadAll()`.'), true);
  assert.equal(holds('It creates `items`.'), false);
});

test('the class or method around the cited lines may be named, and no other', () => {
  assert.equal(reasonOf('`Store.reset` clears first.', [at('new', 5)]), null);
  assert.equal(reasonOf('`Store` clears first.', [at('new', 5)]), null);
  assert.match(reasonOf('`Store.flush` clears first.', [at('new', 5)]) ?? '', /does not stand/);
});

test('a rejection lists every name and number that the cited lines lack', () => {
  const reason = reasonOf('It adds `nowhere`, `nothing` and `store.close()`, 77 times.', [at('new', 5)]);
  assert.equal(
    reason,
    '`nowhere` does not stand in what is cited; `nothing` does not stand in what is cited; the number `77` does not stand in what is cited',
  );
  assert.equal(
    reasonOf('It adds `store.close()` and drops `createItems`.', [at('new', 5, 6)]),
    '`createItems` is not removed in what is cited; `store.close()` is not added in what is cited',
  );
});

const draftOf = (sentences: Sentence[]): Draft => ({
  title: say('', []),
  ownTitle: 'Clear later',
  scope: null,
  authorWords: null,
  tests: null,
  changeTypes: ['FIX'],
  background: [],
  mainChanges: [],
  notablePoints: [{ categories: ['TECH'], label: null, severity: null, sentences }],
  standfirst: null,
  also: [],
});
const judgement = say('Callers see `createItems` run.', [], { basis: 'judgement' });

test('a judgement is checked even if its preceding sentence failed, but published only after one that holds', () => {
  const failed = say('It adds `nowhere`.', [at('new', 5, 6)]);
  const verdicts = checkDraft(draftOf([failed, judgement]), ground);
  assert.deepEqual(
    verdicts.map(({ kept }) => kept !== null),
    [true, false, true],
  );
  const held = say('`flush` drops `store.items.clear()`.', [at('old', 2)]);
  const elsewhere = { ...failed, evidence: [{ ...at('new', 1), fileName: 'src/other.ts' }] };
  for (const sentences of [
    [failed, judgement],
    [{ ...failed, text: '' }, judgement],
    [held, elsewhere, { ...judgement, text: 'Callers need `patience`.' }],
  ]) {
    const { notablePoints } = asWritten(verifyDraft(draftOf(sentences), ground));
    const told = notablePoints.flatMap(({ statements }) => statements);
    assert.deepEqual(
      told.filter(({ basis }) => basis === 'judgement'),
      [],
    );
  }
});

test('a judgement may follow a quotation only if that cites lines', () => {
  const words = [
    { speaker: 'ann', where: 'description' as const, text: 'Flushing must not clear anything.' },
  ];
  const said = say('The author writes that flushing must not clear.', [at('old', 2)], {
    basis: 'words',
    words,
  });
  const kept = (sentences: Sentence[]) =>
    asWritten(verifyDraft(draftOf(sentences), ground)).notablePoints[0]?.statements.length;
  const follows = say('Items outlive a flush.', [], { basis: 'judgement' });
  assert.equal(kept([said, follows]), 2);
  assert.equal(kept([{ ...said, evidence: [] }, follows]), 1);
});
