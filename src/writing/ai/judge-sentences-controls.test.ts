import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersFrom } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import type { Sentence } from '../draft.ts';
import { controlSentence } from './judge-sentences.ts';
import { labelMaterial } from './material.ts';

const diff = [
  diffOf(
    'src/send.ts',
    '\n export function send(mail) {\n-  openSocket(mail);\n+  const parcel = wrapParcel(mail);\n+  deliverLater(parcel);\n }\n',
  ),
  diffOf('src/other.ts', '\n+export const retryLimit = 5;\n'),
];
const text = { repository: 'acme/mail', title: 'A', body: null, commitMessages: [], labels: [] };
const facts = readFacts(text, diff, new Map());
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000) ?? assert.fail();

const say = (said: string): Sentence => ({
  text: said,
  basis: 'diff',
  quote: null,
  evidence: [{ fileName: 'src/send.ts', side: 'new', startLine: 2, endLine: 3 }],
  words: [],
  facts: [],
});

function controls(sentences: Sentence[], language = 'en'): Set<string> {
  const random = numbersFrom(7);
  const shuffle = <Item>(items: Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  return new Set(
    Array.from({ length: 60 }, () => {
      const sentence = controlSentence(material, { sentences, language, shuffle, used: 0 });
      return sentence?.text ?? assert.fail();
    }),
  );
}

test('a control sentence for the judge is a sentence of the article with its direction, a name or a number changed', () => {
  const all = controls([say('`send` now calls `deliverLater` for `mail`.')]);
  assert.ok(all.has('`send` no longer calls `deliverLater` for `mail`.'));
  assert.ok(all.has('`send` now calls `deliverLater` for `retryLimit`.'));
  for (const one of all) assert.notEqual(one, '`send` now calls `deliverLater` for `mail`.');
  const limit = [{ fileName: 'src/other.ts', side: 'new' as const, startLine: 1, endLine: 1 }];
  assert.deepEqual([...controls([{ ...say('It tries 5 times.'), evidence: limit }])], ['It tries 6 times.']);
});

test('if no sentence can be changed, a control sentence says the opposite of the cited lines, in English and Japanese', () => {
  for (const language of ['en', 'ja'])
    for (const one of controls([say('It is another one.')], language))
      assert.match(
        one,
        /(?:wrapParcel|deliverLater|parcel)` を削除|no longer uses `|openSocket` を追加|now uses `openSocket/,
      );
});

test('a control sentence among French sentences is French', () => {
  const all = controls([say('`send` appelle `deliverLater` pour `mail`.')], 'fr');
  for (const one of all) assert.match(one, /appelle .*pour/);
});

test('if only white space changed, a control sentence says that the file is gone, or that a deleted file is new', () => {
  const controlOf = (lines: string) => {
    const spaced = [diffOf('docs/guide.md', lines)];
    const about = { diff: spaced, facts: readFacts(text, spaced, new Map()), findings: [], sentences: [] };
    const shown = labelMaterial(about, 10_000) ?? assert.fail();
    const shuffle = <Item>(items: Item[]): Item[] => items;
    return controlSentence(shown, { sentences: [], language: 'en', shuffle, used: 0 })?.text;
  };
  assert.equal(controlOf('\n-# Guide  \n+# Guide\n'), '`docs/guide.md` no longer exists.');
  assert.equal(controlOf('\n-#\n'), '`docs/guide.md` did not exist before.');
});
