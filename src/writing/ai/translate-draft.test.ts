import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static, TSchema } from 'typebox';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import { type Draft, numberSentences, type Sentence } from '../draft.ts';
import { labelMaterial } from './material.ts';
import type { Ask, Question } from './prompts.ts';
import { headedByLead } from './summaries.ts';
import { differenceOfNames, translateDraft } from './translate-draft.ts';

const same = (text: string, other: string, speaker = 'rin') =>
  differenceOfNames({ text, words: [{ speaker, where: 'description', text: '' }] }, other);

test('a translation must name the same code, numbers, versions, quotations and people', () => {
  const english = '`a` becomes 2, says rin: “so it is”.';
  assert.equal(same(english, 'rin は「so it is」と書き、`a` は 2 になります。'), null);
  assert.equal(same(english, '« so it is », écrit rin : `a` devient 2.'), null);
  assert.match(same(english, '`a` は 2 になると「so it is」と書いています。') ?? '', /rin/);
  assert.match(same('`a` becomes 2.', '`a` は 3 になります。') ?? '', /2/);
  assert.match(same('`a` becomes 2.', '`a` は 2 か 3 になります。') ?? '', /3/);
  assert.match(same('`a` becomes 2.', '`b` は 2 になります。') ?? '', /`a`/);
  assert.match(same('`a` calls `a`.', '`a` をもう一度呼びます。') ?? '', /`a`/);
  assert.equal(same('It is tried 3 times at most.', '最大3回試します。'), null);
  assert.match(same('It needs v2.1 of it.', 'Il faut v2.2.') ?? '', /v2\.1/);
  assert.match(same('He says “no”.', '「yes」と言います。') ?? '', /no/);
});

test('without a second model to judge, a checked title and lead are not translated', async () => {
  const diff = [diffOf('src/a.ts', '\n-const a = 1;\n+const a = 2;')];
  const words = { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] };
  const facts = readFacts(words, diff, new Map());
  const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000);
  assert.ok(material);
  const evidence = [{ fileName: 'src/a.ts', side: 'new' as const, startLine: 1, endLine: 1 }];
  const sentence = (text: string): Sentence => ({
    text,
    basis: 'diff',
    quote: null,
    evidence,
    words: [],
    facts: [],
  });
  const known: Draft = {
    title: sentence('Two it is'),
    ownTitle: 'A',
    scope: null,
    authorWords: null,
    tests: null,
    standfirst: sentence('Everybody gets two.'),
    changeTypes: [],
    background: [],
    mainChanges: [
      {
        fileName: 'src/a.ts',
        changeTypes: [],
        sentences: [sentence('It is two.')],
        heading: null,
        hunk: null,
      },
    ],
    notablePoints: [],
    also: [],
  };
  const asked: string[] = [];
  const ask: Ask = async <Schema extends TSchema>({ prompt }: Question<Schema>) => {
    asked.push(prompt);
    const sentences = Array.from(prompt.matchAll(/^(\d+) /gm), ([, n]) => ({ n: Number(n), text: 'Deux.' }));
    return { sentences } as Static<Schema>;
  };
  const prompt = 'again {{fence}}';
  const said = await translateDraft(
    {
      ask,
      judge: null,
      check: async (draft) => numberSentences(draft).map((kept) => ({ kept, isRepaired: false })),
      prompts: {
        'read-part': '',
        'write-article': prompt,
        'judge-sentences': prompt,
        'mend-sentences': prompt,
        'say-again': prompt,
        'ask-again': prompt,
        'answer-question': '',
        'look-around': '',
        'from-review': '',
        'choose-points': '',
        'write-digest': '',
      },
      project: 'harborline/parcel',
      language: 'fr',
      shuffle: (items) => items,
      onProgress: () => {},
    },
    known,
    material,
  );
  assert.deepEqual([said?.draft.title.text, said?.draft.standfirst], ['', null], 'the own title stands');
  assert.deepEqual(
    said?.draft.mainChanges[0]?.sentences.map(({ text }) => text),
    ['Deux.'],
  );
  assert.equal(said?.verification.unjudged, 1);
  assert.doesNotMatch(asked.join(), /Two it is|Everybody/, 'nor is it asked for');
});

test("without a title in the article's language, a short lead in that language becomes the headline", () => {
  const summary = (text: string): Sentence => ({
    text,
    basis: 'diff',
    quote: null,
    evidence: [],
    words: [],
    facts: [],
  });
  const draft = (title: string, lead: string): Draft => ({
    title: summary(title),
    ownTitle: 'Allow two of them at once',
    standfirst: summary(lead),
    scope: null,
    authorWords: null,
    tests: null,
    changeTypes: [],
    background: [],
    mainChanges: [],
    notablePoints: [],
    also: [],
  });
  const headed = (title: string, lead: string, language = 'ja') => {
    const { title: said, standfirst } = headedByLead(draft(title, lead), language);
    return [said.text, standfirst?.text ?? null];
  };
  assert.deepEqual(headed('', '二つまで同時に使えます。'), ['二つまで同時に使えます', null]);
  assert.deepEqual(headed('二つまで', '同時に使えます。'), ['二つまで', '同時に使えます。']);
  assert.deepEqual(headed('', 'Two work at once.', 'en'), ['', 'Two work at once.']);
  const long = '長'.repeat(90);
  assert.deepEqual(headed('', long), ['', long]);
});
