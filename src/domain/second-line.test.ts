import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondLineOf, type Touches } from './second-line.ts';

const none: Touches = {
  places: [],
  scopeKind: null,
  scope: null,
  otherFile: null,
  files: 1,
  newTests: 0,
};
const known = {
  languageCode: 'en',
  aiGeneratedTitle: 'A title',
  standfirst: null,
  quote: null,
  touches: none,
};

test("`secondLineOf` returns the lead, else the author's sentence, else what the change touches", () => {
  const quote = { text: 'Nobody knew when it would end.' };
  assert.deepEqual(secondLineOf({ ...known, standfirst: 'Jobs stay in order.', quote }), {
    text: 'Jobs stay in order.',
    from: 'lead',
  });
  for (const standfirst of [null, 'A title'])
    assert.deepEqual(secondLineOf({ ...known, standfirst, quote }), { text: quote.text, from: 'author' });
  assert.equal(secondLineOf(known)?.from, 'touches');
  assert.equal(secondLineOf({ ...known, touches: { ...none, files: 0 } }), null);
});

test('`secondLineOf` names public functions first, then others and files, says if there are more, and counts new tests', () => {
  const table: [touches: Partial<Touches>, english: string, japanese: string][] = [
    [
      {
        places: [
          ['context.go', 'saveFile'],
          ['context.go', 'Context.SaveUploadedFile'],
          ['context_test.go', 'TestSaves'],
        ],
        newTests: 1,
      },
      'In `Context.SaveUploadedFile` and `saveFile` · 1 new test',
      '`Context.SaveUploadedFile`、`saveFile` を変更 · テスト 1 件を追加',
    ],
    [
      {
        places: [
          ['a.py', 'Client._send'],
          ['a.py', 'Client.get'],
          ['docs/use.md', 'How to use it'],
          ['a.py', 'Client.get'],
          ['b.py', 'main'],
          ['c.py', null],
        ],
        files: 4,
      },
      'In `Client.get`, `main`, `Client._send` and more',
      '`Client.get`、`main`、`Client._send` などを変更',
    ],
    [{ places: [['test/a.test.ts', 'waits']] }, 'In `waits`', '`waits` を変更'],
    [{ places: [['bson.go', null]], files: 3 }, 'In `bson.go` and more', '`bson.go` などを変更'],
    [{ places: [['README.md', 'man']] }, 'In `README.md`', '`README.md` を変更'],
    [
      { places: [['readme.md', null]], scopeKind: 'documentation', scope: 'Documentation only' },
      'In `readme.md` · Documentation only',
      '`readme.md` を変更 · Documentation only',
    ],
    [
      { places: [['go.sum', null]], scopeKind: 'dependencies', scope: 'Dependencies only: `a` 1 → 2' },
      'Dependencies only: `a` 1 → 2',
      'Dependencies only: `a` 1 → 2',
    ],
    [{ otherFile: 'package-lock.json' }, 'In `package-lock.json`', '`package-lock.json` を変更'],
    [
      { files: 2, newTests: 1_200 },
      'In 2 files · 1,200 new tests',
      '2 件のファイルを変更 · テスト 1,200 件を追加',
    ],
  ];
  for (const [touches, english, japanese] of table)
    for (const [languageCode, text] of [
      ['en', english],
      ['de', english],
      ['ja', japanese],
    ] as const)
      assert.deepEqual(secondLineOf({ ...known, languageCode, touches: { ...none, ...touches } }), {
        text,
        from: 'touches',
      });
});
