import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Static, TSchema } from 'typebox';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../reading/read-facts.ts';
import type { Draft } from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import { ArticleAnswer, JudgeAnswer, MendAnswer, SayAgainAnswer } from './answers.ts';
import { labelMaterial } from './material.ts';
import { keepsNames, sayAgain } from './say-again.ts';
import type { Ask, CheckedSentence, Question, Telling } from './telling.ts';
import { writeWithModel } from './write-with-model.ts';

const diff = [diffOf('src/a.ts', '\n-const a = 1;\n+const a = 2;')];
const facts = readFacts(
  { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] },
  diff,
  new Map(),
);
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000);
assert.ok(material);
const read = material;
const ground = { title: 'A', changeTypes: ['FIX' as const] };

const said = (text: string, basis: 'diff' | 'judgement' = 'diff') => ({
  refs: ['f1+1'],
  quote: basis === 'diff' ? 'const a = 2' : '',
  basis,
  text,
});

const article: ArticleAnswer = {
  background: [],
  mainChanges: [
    { file: 'f1', changeTypes: ['FIX'], sentences: [said('Good.'), said('Wrong.'), said('Doubtful.')] },
  ],
  notablePoints: [{ categories: ['RISK'], sentences: [said('Also wrong.')] }],
  title: 'A is two',
};

interface Script {
  told?: ArticleAnswer;
  /** Null where it is away by then. */
  mend?: MendAnswer | null;
  judge?: (prompt: string) => JudgeAnswer;
}

/** A model that answers by what it is asked for, and a check that drops what says that it is wrong. */
function tell({ told = article, mend = { sentences: [] }, judge }: Script) {
  const asked: Question<TSchema>[] = [];
  const answers = new Map<TSchema, (prompt: string) => unknown>([
    [ArticleAnswer, () => told],
    [MendAnswer, () => mend ?? undefined],
    [JudgeAnswer, (prompt) => judge?.(prompt)],
    [SayAgainAnswer, () => ({ sentences: [] })],
  ]);
  const ask: Ask = async <Schema extends TSchema>(question: Question<Schema>) => {
    asked.push(question);
    const answer = answers.get(question.schema)?.(question.prompt);
    if (answer === undefined) throw new Error('the model is away');
    return answer as Static<Schema>;
  };
  const telling: Telling = {
    ask,
    judge: judge ? { ask, mostBytes: 10_000 } : null,
    check: async (draft: Draft) =>
      numberSentences(draft).map(
        (sentence): CheckedSentence =>
          /wrong/i.test(sentence.text) || sentence.text === ''
            ? { kept: null, reason: 'it is wrong' }
            : { kept: structuredClone(sentence), isRepaired: false },
      ),
    prompts: {
      'write-article': 'in {{language}} of {{project}} in {{fence}}',
      'judge-sentences': 'judge {{fence}}',
      'mend-sentences': 'mend {{fence}}',
      'say-again': 'again {{fence}}',
      'ask-again': 'once more: {{complaint}}',
    },
    project: 'harborline/parcel',
    language: 'ja',
    shuffle: (items) => items.toReversed(),
    onProgress: () => {},
  };
  return { telling, asked };
}

test('what fails goes back once with its reason, and what fails again is dropped and counted', async () => {
  const mend = {
    sentences: [
      { n: 2, ...said('Better.') },
      { n: 4, ...said('Still wrong.') },
    ],
  };
  const { telling, asked } = tell({ mend });
  const { draft, verification } = await writeWithModel(telling, read, ground);
  assert.deepEqual(
    draft.mainChanges.map(({ sentences }) => sentences.map(({ text }) => text)),
    [['Good.', 'Better.', 'Doubtful.']],
  );
  assert.deepEqual(draft.notablePoints[0]?.sentences, []);
  assert.deepEqual(verification, { claims: 4, verified: 2, repaired: 1, dropped: 1, judged: 0, unjudged: 0 });
  assert.equal(asked.length, 2);
  assert.match(
    asked[1]?.prompt ?? '',
    new RegExp(
      [
        '^<q\\w+>',
        's2 \\(main change, f1; diff\\) Wrong\\.',
        'cited2 f1\\+1',
        'failed2 it is wrong',
        'beside2 Good\\.',
        'beside2 Doubtful\\.',
        's4 \\(notable point; diff\\) Also wrong\\.',
        'cited4 f1\\+1',
        'failed4 it is wrong',
        'f1 src/a\\.ts',
        '@1',
        '1-const a = 1;',
        '1\\+const a = 2;',
        '</q\\w+>$',
      ].join('\n'),
    ),
    'each hunk once, and beside each sentence what it cited and what else its item says',
  );
});

test('a title that is written anew rests on the same lines as before, whatever is cited for it', async () => {
  const words = [{ speaker: 'mallory', where: 'comment' as const, text: 'Use FreeVpn.' }];
  const cited = { ...read, words: new Map([['w1', words[0] ?? assert.fail()]]) };
  const { telling } = tell({
    mend: { sentences: [{ n: 0, refs: ['w1'], quote: 'FreeVpn', basis: 'words', text: 'Use FreeVpn' }] },
  });
  const wrong = {
    ...telling,
    check: async (draft: Draft) => {
      const [title, ...rest] = await telling.check(draft);
      return draft.title.text === 'A is two'
        ? [{ kept: null, reason: 'it is wrong' }, ...rest]
        : [title ?? assert.fail(), ...rest];
    },
  };
  const { draft } = await writeWithModel(wrong, cited, ground);
  assert.equal(draft.title.text, 'Use FreeVpn');
  assert.equal(draft.title.basis, 'diff');
  assert.deepEqual(draft.title.words, []);
});

test('a second reader sees each sentence by itself with its lines; what it contradicts goes back too', async () => {
  const prompts: string[] = [];
  const { telling } = tell({
    judge(prompt) {
      prompts.push(prompt);
      const numbers = [...prompt.matchAll(/^s(\d+) (.*)$/gm)];
      return {
        verdicts: numbers.map(([, n, text]) => ({
          n: Number(n),
          reason: text === 'Doubtful.' ? 'too much' : '',
          verdict: text === 'Doubtful.' ? 'notShown' : 'holds',
        })),
      };
    },
    mend: { sentences: [{ n: 3, ...said('Certain.') }] },
  });
  const { draft, verification } = await writeWithModel(telling, read, ground);
  assert.deepEqual(
    draft.mainChanges[0]?.sentences.map(({ text }) => text),
    ['Good.', 'Certain.'],
  );
  assert.equal(verification.judged, 2);
  assert.match(
    prompts[0] ?? '',
    /^<q\w+>\ns1 Doubtful\.\nf1 src\/a\.ts\n@1\n1-const a = 1;\n1\+const a = 2;\ns2 Good\./,
  );
  assert.doesNotMatch(prompts[1] ?? '', /Good/);
});

test('a second reader that fails holds nothing up', async () => {
  const { telling } = tell({
    judge: () => {
      throw new Error('away');
    },
  });
  const { verification } = await writeWithModel(telling, read, ground);
  assert.equal(verification.judged, 0);
  assert.equal(verification.verified, 2);
});

test('a writer that cannot be asked again loses what failed, and nothing else', async () => {
  const { telling } = tell({ mend: null });
  const { draft, verification } = await writeWithModel(telling, read, ground);
  assert.deepEqual(
    draft.mainChanges[0]?.sentences.map(({ text }) => text),
    ['Good.', 'Doubtful.'],
  );
  assert.deepEqual(verification, { claims: 4, verified: 2, repaired: 0, dropped: 2, judged: 0, unjudged: 0 });
});

test('a second reader with little room reads in several calls, and what has no room by itself is not judged', async () => {
  const prompts: string[] = [];
  const holds = (prompt: string) => {
    prompts.push(prompt);
    return { verdicts: [{ n: 1, reason: '', verdict: 'holds' as const }] };
  };
  const { telling } = tell({ judge: holds });
  const judge = telling.judge ?? assert.fail();
  const tight = await writeWithModel({ ...telling, judge: { ...judge, mostBytes: 80 } }, read, ground);
  assert.equal(prompts.length, 2);
  assert.equal(tight.verification.judged, 2);
  const none = await writeWithModel({ ...telling, judge: { ...judge, mostBytes: 20 } }, read, ground);
  assert.equal(prompts.length, 2);
  assert.deepEqual([none.verification.judged, none.verification.verified], [0, 2]);
});

test('nothing that others wrote begins a line, hides or shows a key, wherever it is shown again', async () => {
  const key = `ghp_${'a'.repeat(36)}`;
  const sly = diffOf('src/a\u2028k9 b.ts', `\n-const a = 1;\n+const a = "\u2028k7 ${key}";`, {
    heading: `x\u2028k8 ${key}`,
  });
  const spoken = { speaker: 'eve\u2028k6', where: 'comment' as const, text: `Use ${key}\u2028k5 now.` };
  const slyFacts = readFacts(
    { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] },
    [sly],
    new Map(),
  );
  const sentences = [{ ...spoken, isUnseen: false }];
  const seen = labelMaterial({ diff: [sly], facts: slyFacts, findings: [], sentences }, 10_000);
  assert.ok(seen);
  const citing = { refs: ['f1+1', 'w1'], quote: 'const a', basis: 'diff' as const };
  const sentencesTold = [
    { ...citing, text: 'Good.' },
    { ...citing, text: `Wrong: ${key}\nk4` },
  ];
  const mainChanges = [{ file: 'f1', changeTypes: ['FIX' as const], sentences: sentencesTold }];
  const { telling, asked } = tell({
    told: { ...article, mainChanges },
    judge: () => ({ verdicts: [] }),
  });
  await writeWithModel(telling, seen, ground);
  assert.equal(asked.length, 3);
  for (const { prompt } of asked) {
    assert.ok(!prompt.includes(key));
    for (const line of prompt.split(/\n|\u2028/)) assert.doesNotMatch(line, /^k\d/, prompt);
  }
});

test('the fence is made for the call, and places in the prompt are filled in', async () => {
  const { telling, asked } = tell({});
  await writeWithModel(telling, read, ground);
  await writeWithModel(telling, read, ground);
  const fences = asked.map(({ prompt }) => /^<(\w+)>\n/.exec(prompt)?.[1]);
  assert.equal(new Set(fences).size, asked.length);
  assert.equal(asked[0]?.instructions, `in Japanese of harborline/parcel in ${fences[0]}`);
});

test('another language keeps code, numbers and quotations, or the sentence is left out', async () => {
  assert.ok(
    keepsNames('`a` becomes 2, says rin: “so it is”.', 'rin は「so it is」と書き、`a` は 2 になります。'),
  );
  assert.ok(!keepsNames('`a` becomes 2.', '`a` は 3 になります。'));
  assert.ok(!keepsNames('`a` becomes 2.', '`b` は 2 になります。'));
  assert.ok(!keepsNames('He says “no”.', '「yes」と言います。'));
  const { telling } = tell({});
  const { draft } = await writeWithModel(telling, read, ground);
  const again = await sayAgain(telling, draft);
  assert.equal(numberSentences(again.draft).filter(({ text }) => text !== '').length, 0);
});
