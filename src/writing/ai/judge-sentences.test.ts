import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import type { Sentence } from '../draft.ts';
import { judgeSentences, type SentenceToJudge } from './judge-sentences.ts';
import { labelMaterial, withLooked } from './material.ts';
import type { WritingDeps } from './prompts.ts';
import type { JudgeReply } from './reply-forms.ts';

const diff = [diffOf('src/a.ts', '\n-const a = 1;\n+const a = 2;'), diffOf('src/b.ts', '\n+import b;')];
const facts = readFacts(
  { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] },
  diff,
  new Map(),
);
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000) ?? assert.fail();

const sentence = (text: string, fileName = 'src/a.ts'): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence: [{ fileName, side: 'new', startLine: 1, endLine: 1 }],
  words: [],
  facts: [],
});
const three: SentenceToJudge[] = ['One.', 'Two.', 'Three.'].map((text, index) => ({
  index,
  sentence: sentence(text),
  name: null,
}));

type Verdicts = JudgeReply['verdicts'];
interface Asked {
  n: number;
  text: string;
}

/** A scripted judge; records its prompts. */
function reader(reply: (asked: Asked[], turn: number) => Verdicts | null, mostBytes = 10_000) {
  const prompts: string[] = [];
  const ask = async ({ prompt }: { prompt: string }) => {
    prompts.push(prompt);
    const asked = [...prompt.matchAll(/^s(\d+) \([^)]*\) (.*)$/gm)].map(([, n, text = '']) => ({
      n: Number(n),
      text,
    }));
    const verdicts = reply(asked, prompts.length - 1);
    return verdicts && { verdicts };
  };
  const deps = {
    judge: { ask, mostBytes },
    prompts: { 'judge-sentences': 'judge {{fence}}' },
    project: 'harborline/parcel',
    language: 'en',
    shuffle: (items: unknown[]) => items.toReversed(),
  } as unknown as WritingDeps;
  return { deps, prompts };
}

const isControl = ({ text }: Asked): boolean => text.includes('`');
const verdict = ({ n }: Asked, said: Verdicts[number]['verdict']) => ({ n, reason: '', verdict: said });
const fairly = (asked: Asked[]) =>
  asked.map((one) => verdict(one, isControl(one) ? 'contradicted' : 'holds'));

test('the judge gets every sentence with its labels, each hunk once, and one false control sentence', async () => {
  const { deps, prompts } = reader(fairly);
  assert.deepEqual(
    await judgeSentences(deps, three, material),
    new Map([
      [0, null],
      [1, null],
      [2, null],
    ]),
  );
  const [prompt = ''] = prompts;
  assert.equal(prompts.length, 1);
  assert.equal(prompt.match(/^1\+const a = 2;$/gm)?.length, 1);
  assert.equal(prompt.match(/^s\d+ \(f1[+-]1(?:, f1\+1)?\) /gm)?.length, 4);
  assert.match(prompt, /^s\d+ \([^)]*\) .*`/m);
});

const readers: Record<string, (asked: Asked[], turn: number) => Verdicts> = {
  'that agrees with every sentence': (asked) => asked.map((one) => verdict(one, 'holds')),
  'without verdicts': () => [],
  'with verdicts on other numbers': (asked) =>
    asked.map(({ n }) => ({ n: n + 40, reason: '', verdict: 'holds' })),
  'without a verdict on the control sentence': (asked) =>
    asked.filter((one) => !isControl(one)).map((one) => verdict(one, 'holds')),
};

for (const [what, reply] of Object.entries(readers))
  test(`a judge ${what} is asked once more, and then its verdicts are ignored`, async () => {
    const { deps, prompts } = reader(reply);
    assert.deepEqual(await judgeSentences(deps, three, material), new Map());
    assert.equal(prompts.length, 2);
  });

test('contradictory verdicts on a sentence count as a complaint, in either order', async () => {
  for (const order of [['holds', 'notShown'] as const, ['notShown', 'holds'] as const]) {
    const { deps } = reader((asked) => asked.flatMap((one) => order.map((said) => verdict(one, said))));
    const judged = await judgeSentences(deps, three, material);
    assert.deepEqual(
      [...judged.values()].map((complaint) => typeof complaint),
      ['string', 'string', 'string'],
    );
  }
});

test('a sentence that the judge left out is asked about once more, alone', async () => {
  const { deps, prompts } = reader((asked, turn) =>
    fairly(asked).filter((_, at) => turn > 0 || asked[at]?.text !== 'Two.'),
  );
  assert.equal((await judgeSentences(deps, three, material)).get(1), null);
  assert.doesNotMatch(prompts[1] ?? '', /One|Three/);
});

test('a complaint of the second model counts even if it missed the known-false control sentence', async () => {
  const { deps } = reader((asked) =>
    asked.map((one) => verdict(one, one.text === 'Two.' ? 'contradicted' : 'holds')),
  );
  assert.deepEqual([...(await judgeSentences(deps, three, material)).keys()], [1]);
});

test('without cited lines no known-false control sentence can be made, and only complaints of the second model count', async () => {
  const { deps } = reader((asked) =>
    asked.map((one) => verdict(one, one.text === 'Two.' ? 'contradicted' : 'holds')),
  );
  const lineless = labelMaterial({ diff: [], facts, findings: [], sentences: [] }, 10_000) ?? assert.fail();
  assert.deepEqual([...(await judgeSentences(deps, three, lineless)).keys()], [1]);
});

test('an unavailable judge is not asked again, and no sentence is judged', async () => {
  const { deps, prompts } = reader(() => null);
  assert.equal((await judgeSentences(deps, three, material)).size, 0);
  assert.equal(prompts.length, 1);
});

test('a judge with a small context gets several calls, and a sentence that does not fit alone is not judged', async () => {
  const { deps, prompts } = reader(fairly, 1_070);
  assert.equal((await judgeSentences(deps, three, material)).size, 3);
  assert.equal(prompts.length, 3);
  const none = reader(fairly, 900);
  assert.equal((await judgeSentences(none.deps, three, material)).size, 0);
  assert.equal(none.prompts.length, 0);
});

test('the second model sees all known users of a name in a sentence, and how many are not shown', async () => {
  const run = (fileName: string, line: string) => ({
    fileName,
    side: 'new' as const,
    startLine: 7,
    lines: ['// Here.', line],
    name: '',
  });
  const looked = [run('src/save.ts', 'send(draft);'), run('src/flush.ts', 'send(mail);')];
  const around = {
    ...withLooked(material, looked),
    usages: new Map([['send', 'look usages "send": 2 of 5 places shown, 3 more']]),
  };
  const cited = { fileName: 'src/save.ts', side: 'new' as const, startLine: 8, endLine: 8 };
  const asked = async (text: string) => {
    const only = { ...sentence(text), evidence: [{ ...cited, unchanged: true as const }] };
    const { deps, prompts } = reader(() => null);
    await judgeSentences(deps, [{ index: 0, sentence: only, name: null }], around);
    return prompts[0] ?? '';
  };
  assert.match(
    await asked('`save` is the only user of `send`.'),
    /^u2 src\/flush\.ts \(unchanged\)\n8 send\(mail\);\nlook usages "send": 2 of 5 places shown, 3 more$/m,
  );
  assert.doesNotMatch(await asked('`save` stays.'), /flush|look usages/);
});
