import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { diffOf } from '../../../../test/diff-of.ts';
import { readFacts } from '../../../../test/read-facts.ts';
import { emptySentence } from '../../draft.ts';
import { prepareWriting } from '../prepare-writing.ts';
import { type PartReader, readParts } from './read-parts.ts';

const diff = Array.from({ length: 16 }, (_, at) => diffOf(`src/file${at}.ts`, `\n+const value = ${at};`));
const text = { repository: 'some/where', title: 'Values', body: null, commitMessages: [], labels: [] };
const source = { diff, facts: readFacts(text, diff, new Map()), findings: [], sentences: [] };
const prompts = {
  'write-article': '',
  'read-part': '',
  'judge-sentences': '',
  'mend-sentences': '',
  'say-again': '',
  'ask-again': '',
  'answer-question': '',
  'look-around': '',
  'from-review': '',
  'choose-points': '',
  'write-digest': '',
};
const checking = { check: async () => [], prompts, project: 'some/where', onProgress: () => {} };

test('parts of a diff that are too long for the model are halved, with at most `parallel` calls at a time', async () => {
  let open = 0;
  let mostOpen = 0;
  let asked = 0;
  const reader: PartReader = {
    name: 'reader',
    async ask({ prompt }) {
      asked += 1;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await turn();
      open -= 1;
      return (prompt.match(/^f\d+ /gm)?.length ?? 0) > 1 ? 'tooLong' : { notes: [] };
    },
    find: async () => null,
    save: async () => {},
    parallel: 2,
  };
  const { unread } = await readParts(checking, reader, source, [diff.slice(0, 8), diff.slice(8)]);
  assert.deepEqual([asked, unread.size, mostOpen], [30, 0, 2]);
});

test('notes of several parts with the same names and nearly the same words become one with the highest weight', async () => {
  const sentence = (text: string, fileName: string) => ({
    ...emptySentence,
    text,
    evidence: [{ fileName, side: 'new' as const, startLine: 1, endLine: 1 }],
  });
  const stored = [
    [{ weight: 3, sentence: sentence('The reader `Scan` now fails on lines that are too long.', 'a.go') }],
    [
      { weight: 5, sentence: sentence('The reader `Scan` fails on lines which are too long now.', 'b.go') },
      { weight: 4, sentence: sentence('The reader `Peek` now fails on lines that are too long.', 'b.go') },
    ],
  ].values();
  const reader: PartReader = {
    name: 'reader',
    ask: async () => 'failed',
    find: async () => stored.next().value ?? null,
    save: async () => {},
    parallel: 1,
  };
  const { notes } = await readParts(checking, reader, source, [diff.slice(0, 8), diff.slice(8)]);
  assert.deepEqual(
    notes.map(({ weight, sentence: { text, evidence } }) => [
      weight,
      text.match(/`\w+`/)?.[0],
      evidence.map(({ fileName }) => fileName).join(' '),
    ]),
    [
      [5, '`Scan`', 'a.go b.go'],
      [4, '`Peek`', 'b.go'],
    ],
  );
});

test('a rejected note is cut to the part that passes; without one, a note of weight 4 only names its file, and lighter notes and notes without lines are dropped', async () => {
  const part = diff.slice(0, 1);
  const { check } = prepareWriting(
    {
      ...text,
      commits: [],
      comments: [],
      linkedIssues: [],
      author: 'rin',
      isClone: true,
      facts: source.facts,
      diff,
    },
    'en',
  );
  const cited = { refs: ['f1+1'], quote: 'value = 0' };
  const notes = [
    { ...cited, weight: 5, text: 'It has `value`, so callers may break.' },
    { ...cited, weight: 3, text: 'It keeps `value`, which `nobody` reads.' },
    { ...cited, weight: 4, text: 'It has `another` value.' },
    { ...cited, weight: 3, text: 'It has `another` one.' },
    { ...cited, refs: [], weight: 5, text: 'It has no lines.' },
  ];
  const reader: PartReader = {
    name: 'reader',
    ask: async () => ({ notes }),
    find: async () => null,
    save: async () => {},
    parallel: 1,
  };
  const read = await readParts({ ...checking, check: async (draft) => check(draft) }, reader, source, [part]);
  assert.deepEqual(
    read.notes.map(({ sentence, weight, guess }) => [weight, sentence.text, guess]),
    [
      [5, 'It has `value`.', 'It has `value`, so callers may break.'],
      [3, 'It keeps `value`.', undefined],
      [4, 'Lines of `src/file0.ts` changed.', undefined],
    ],
  );
  assert.equal(read.dropped, 2);
});
