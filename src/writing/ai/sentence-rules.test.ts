import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { Sentence } from '../draft.ts';
import { createSentenceRules } from './sentence-rules.ts';

const file = diffOf(
  'src/limit.ts',
  `
 export function limit(options) {
+  // Two bookings at once would otherwise take the same seat twice.
-  const timeout = 30;
+  const timeout = 60;
 }
`,
  { start: 10 },
);
const words = {
  speaker: 'rin',
  where: 'description' as const,
  text: 'Night orders were promised a day too early because of zones.',
};
const found = (text: string, evidence: Sentence['evidence'] = []) => ({ text, evidence });
const rule = createSentenceRules({ diff: [file], words: [words], findings: [found('nothing is measured')] });

const sentence = (text: string, more: Partial<Sentence> = {}): Sentence => ({
  text,
  basis: 'diff',
  quote: 'const timeout = 60',
  evidence: [{ fileName: 'src/limit.ts', startLine: 12, endLine: 12, side: 'new' }],
  words: [],
  facts: [],
  ...more,
});

const reasonOf = (said: Sentence): string | null => {
  const verdict = rule(said);
  return verdict.kind === 'broken' ? verdict.reason : null;
};

test('a plain sentence with its quote in what it cites is kept as it is', () => {
  assert.deepEqual(rule(sentence('The `timeout` is 60.')), {
    kind: 'kept',
    sentence: sentence('The `timeout` is 60.'),
    isRepaired: false,
  });
});

test('a quote that stands in one other place of the file moves the reference there', () => {
  const moved = rule(sentence('It was 30.', { quote: 'const timeout = 30' }));
  assert.ok(moved.kind === 'kept' && moved.isRepaired);
  assert.deepEqual(moved.sentence.evidence, [
    { fileName: 'src/limit.ts', side: 'old', startLine: 11, endLine: 11 },
  ]);
});

test('a quote that stands nowhere, or in several places, breaks the rule; so does none', () => {
  assert.match(reasonOf(sentence('It is 90.', { quote: 'const timeout = 90' })) ?? '', /does not stand/);
  assert.match(
    reasonOf(sentence('It has a timeout.', { quote: 'timeout', evidence: [] })) ?? '',
    /does not stand/,
  );
  assert.match(reasonOf(sentence('It is 60.', { quote: null })) ?? '', /no quote/);
});

test('who cites a finding alone quotes nothing, whether the finding has facts or only a place', () => {
  const place = { fileName: 'src/limit.ts', startLine: 11, endLine: 12, side: 'new' as const };
  const informed = createSentenceRules({
    diff: [file],
    words: [],
    findings: [found('No test changes.', [place])],
  });
  const said = sentence('No test changes.', { quote: null, evidence: [place] });
  assert.equal(informed(said).kind, 'kept');
  const more = [place, { ...place, startLine: 12 }];
  assert.equal(informed({ ...said, evidence: more }).kind, 'broken');
});

test('addresses, markup, what cannot be seen and keys fail wherever they stand', () => {
  for (const text of [
    'See https://evil.example/x for more.',
    'See evil.example/x for more.',
    'Write to eve@evil.example now.',
    'See `http://evil.example`.',
    'A <img src=x> stands here.',
    'A [link](x) stands here.',
    '**Bold** claims.',
    '# Heading',
    '- item',
    'It &lt;b&gt; escapes.',
    'It hides\u202e this.',
    'Two\nlines.',
    'An `open code mark.',
    `The key is \`ghp_${'a'.repeat(36)}\`.`,
    '',
  ])
    assert.notEqual(reasonOf(sentence(text)), null, text);
  assert.equal(reasonOf(sentence('The type is `Vec<T>` and `a[0](x)` in `index.d.ts`.')), null);
});

test('what somebody says names who says it and cites it; seven words of others stand in quotation marks', () => {
  const said = { basis: 'words' as const, quote: 'a day too early' };
  assert.equal(
    reasonOf(sentence('The author says that orders came a day too early.', { ...said, words: [words] })),
    null,
  );
  assert.equal(reasonOf(sentence('rin says so.', { ...said, words: [words] })), null);
  assert.match(reasonOf(sentence('Orders came a day too early.', { ...said, words: [words] })) ?? '', /who/);
  assert.match(reasonOf(sentence('The author says so.', { ...said, words: [] })) ?? '', /cites no words/);
  assert.match(
    reasonOf(sentence('Night orders were promised a day too early now.')) ?? '',
    /quotation marks/,
  );
  assert.match(
    reasonOf(sentence('Bookings at once would otherwise take the same seat.')) ?? '',
    /quotation marks/,
  );
  assert.equal(
    reasonOf(sentence('It says “two bookings at once would otherwise take the same seat twice”.')),
    null,
  );
});

test('measures, absence and praise fail, unless a finding says so', () => {
  for (const text of [
    'It is ten times faster.',
    'The branch is untested.',
    'An elegant change.',
    'テストはありません。',
    '10倍速くなります。',
    'It is twice as fast.',
    'It takes half the memory.',
    'It returns at once in all cases.',
    'どんな場合でもすぐに戻ります。',
  ])
    assert.match(reasonOf(sentence(text)) ?? '', /claims/, text);
  assert.equal(reasonOf(sentence('The delay is twice as long, and in any case the same for both.')), null);
  const informed = createSentenceRules({
    diff: [file],
    words: [],
    findings: [found('no tests were changed')],
  });
  assert.equal(informed(sentence('No tests come with it.')).kind, 'kept');
});

test("what stands in a file's name or in a string is somebody's wording too, and code in its marks is quoted as such", () => {
  const order = 'everybody should install the new agent on all machines today';
  const named = diffOf(`src/${order}.ts`, `\n+const a = "tell them that the moon is made of cheese";`);
  const held = createSentenceRules({ diff: [named], words: [], findings: [] });
  const evidence = [{ fileName: named.path, startLine: 1, endLine: 1, side: 'new' as const }];
  const said = (text: string) => held(sentence(text, { evidence, quote: 'const a' }));
  assert.match(JSON.stringify(said(`Now ${order}.`)), /somebody else's wording/);
  assert.match(JSON.stringify(said('Tell them that the moon is made of cheese.')), /somebody else's wording/);
  assert.equal(said('It says `tell them that the moon is made of cheese`.').kind, 'kept');
});
