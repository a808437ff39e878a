import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Draft,
  emptyDraft,
  emptySentence,
  mapSentences,
  numberSentences,
  placeSentences,
} from './draft.ts';

const say = (text: string) => ({ ...emptySentence, text });
const change = { fileName: 'a.ts', changeTypes: [], hunk: null };
const point = { categories: ['RISK' as const], label: null, severity: null };
const row = { times: null, files: [], additions: 0, deletions: 0 };
const draft: Draft = {
  ...emptyDraft,
  title: say('title 0'),
  standfirst: say('standfirst 0'),
  scope: { kind: 'tests', sentence: say('scope 0') },
  background: [say('background 0'), say('background 0')],
  mainChanges: [
    { ...change, heading: null, sentences: [say('change 0'), say('change 0')] },
    { ...change, heading: say('heading 1'), sentences: [say('change 1')] },
  ],
  notablePoints: [
    { ...point, sentences: [say('point 0')] },
    { ...point, sentences: [say('point 1')] },
  ],
  tests: { added: [], sentences: [say('test 0')] },
  also: [
    { ...row, sentence: say('also 0') },
    { ...row, sentence: say('also 1') },
  ],
};

test('each sentence of a draft has one id and knows its part, and title, lead, headings and scope come first', () => {
  const placed = placeSentences(draft);
  assert.deepEqual(
    placed.map(({ id, part, item, sentence }) => [id, `${part} ${item}`, sentence.text]),
    placed.map(({ sentence: { text } }, index) => [index, text, text]),
  );
  const first = ['title 0', 'standfirst 0', 'heading 1', 'scope 0', 'background 0'];
  assert.deepEqual(
    placed.slice(0, first.length).map(({ sentence }) => sentence.text),
    first,
  );
  assert.equal(placed.length, JSON.stringify(draft).match(/"text":/g)?.length);
});

test('replacing or removing a sentence by id leaves all others in place', () => {
  const texts = numberSentences(draft).map(({ text }) => text);
  for (const [wanted, text] of texts.entries()) {
    const replace = (by: string | null) =>
      mapSentences(draft, ({ id, sentence }) => (id === wanted ? (by === null ? null : say(by)) : sentence));
    const textsOf = (one: Draft) => numberSentences(one).map((sentence) => sentence.text);
    assert.deepEqual(textsOf(replace('another')), texts.with(wanted, 'another'), text);
    // A removed title becomes empty, because an article always has one.
    const without = wanted === 0 ? texts.with(0, '') : texts.toSpliced(wanted, 1);
    assert.deepEqual(textsOf(replace(null)), without, text);
  }
});
