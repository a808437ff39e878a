import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersFrom } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { controlSentence } from './control-sentences.ts';
import { labelMaterial } from './material.ts';

const diff = [
  diffOf(
    'src/send.ts',
    '\n   check(mail);\n-  openSocket(mail);\n+  const parcel = wrapParcel(mail);\n+  if (!parcel) return;\n+  deliverLater(parcel);\n }\n',
    { heading: 'Sender.send' },
  ),
  diffOf(
    'src/other.ts',
    '\n-export const patience = 5;\n+export const patience = 9;\n \n+wrapParcel(patience);\n',
  ),
];
const text = { repository: 'acme/mail', title: 'A', body: null, commitMessages: [], labels: [] };
const facts = readFacts(text, diff, new Map());
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000) ?? assert.fail();

const say = (said: string): Sentence => ({
  text: said,
  basis: 'diff',
  quote: null,
  evidence: [{ fileName: 'src/send.ts', side: 'new', startLine: 2, endLine: 4 }],
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
    Array.from({ length: 200 }, () => {
      const sentence = controlSentence(material, { sentences, language, shuffle, used: 0 });
      return sentence?.text ?? assert.fail();
    }),
  );
}

const everywhere: Evidence[] = [
  { fileName: 'src/send.ts', side: 'new', startLine: 2, endLine: 4 },
  { fileName: 'src/other.ts', side: 'new', startLine: 1, endLine: 2 },
];

test('a known-false control sentence reverses a direction, condition, cause, replacement or scope of the cited lines', () => {
  const all = [...controls([{ ...say('It is another one.'), evidence: everywhere }])].join('\n');
  for (const one of [
    '`Sender.send` no longer uses `deliverLater`.',
    '`Sender.send` now uses `openSocket`.',
    '`Sender.send` returns at once if `parcel` is there.',
    'Because `parcel` is there, `Sender.send` does nothing more.',
    '`src/other.ts` had `9`; now it has `5`.',
    'Only `Sender.send` has to do with `wrapParcel`.',
  ])
    assert.ok(all.includes(one), `${one} in ${all}`);
});

test('all names of a known-false control sentence are in the lines that it cites', () => {
  for (const language of ['en', 'ja'])
    for (const one of controls([{ ...say('It is another one.'), evidence: everywhere }], language))
      for (const [, name = ''] of one.matchAll(/`([^`]+)`/g))
        assert.ok(
          diff.some(({ path, bytes }) => path === name || bytes.includes(name)),
          one,
        );
});

test('no control sentence says what another sentence says but for its names, and those left unsaid come first', () => {
  const listed = [
    { ...say('`Sender.send` no longer uses `openSocket`.'), evidence: everywhere },
    { ...say('`src/other.ts` had `5`; now it has `9`.'), evidence: everywhere },
  ];
  const all = controls(listed);
  const shape = (one: string) => one.replace(/`[^`]*`/g, '`');
  for (const one of all)
    assert.ok(
      listed.every((other) => shape(other.text) !== shape(one)),
      one,
    );
  for (const one of all) assert.match(one, /wrapParcel|deliverLater|parcel/, one);
});

test('a control sentence among sentences of another language is one of theirs with all names exchanged', () => {
  for (const one of controls([say('`send` appelle `deliverLater`.')], 'fr')) {
    assert.match(one, /^`\w+` appelle `\w+`\.$/);
    assert.doesNotMatch(one, /`(?:send|deliverLater)`/);
  }
});

test('if only white space changed, the known-false control sentence says that the file is gone, or that a deleted file is new', () => {
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
