import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { QuoteSource } from '../../domain/article.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { Sentence, SpokenWords } from '../draft.ts';
import { checkSentence } from './check-sentence.ts';
import { Ground } from './ground.ts';

const changelog = diffOf(
  'CHANGELOG.md',
  '\n # 2.0\n \n+- **breaking:** Parcels are weighed once, which is\n+  faster for most shops ([#12])\n',
);
const code = diffOf(
  'src/limit.ts',
  '\n function open() {\n+  // Two bookings at once: the unique index\n+  // lets only one of them in.\n+  lock();\n }\n',
);
const ground = new Ground({
  diff: [changelog, code],
  words: [
    { speaker: 'ann', where: 'title', text: 'Raise the limit' },
    {
      speaker: 'ann',
      where: 'description',
      text: 'Since **2.1.0** we wait\nlonger, but only [at night](https://x.example). Nobody is refused.\n\n- Shops may opt out',
    },
    {
      speaker: 'ann',
      where: 'commit',
      text: 'fix(limit): wait longer (#12)\n\nBREAKING CHANGE: Callers must wait.',
    },
    { speaker: '#7', where: 'issue', text: '#7 One client blocks everybody\n\nIt happens at night.' },
  ],
});

interface Said {
  evidence?: Evidence[];
  basis?: Sentence['basis'];
}

const at = (fileName: string, startLine: number, endLine: number): Evidence[] => [
  { fileName, startLine, endLine, side: 'new' },
];

function holds(source: QuoteSource, text: string, { evidence = [], basis = 'words' }: Said = {}): boolean {
  const where: SpokenWords['where'] = source === 'changelog' ? 'code' : source;
  const words = [{ speaker: 'ann', where, text }];
  const sentence: Sentence = { text, basis, source, quote: null, evidence, words, facts: [] };
  return checkSentence(sentence, ground, { fileName: null, isTitle: false, before: [] }).kept !== null;
}

test('a quotation holds where all of it stands, and need not say who speaks', () => {
  assert.ok(holds('description', 'Since 2.1.0 we wait longer, but only at night.'));
  assert.ok(holds('description', 'Nobody is refused.'));
  assert.ok(holds('description', 'Shops may opt out'));
  assert.ok(holds('commit', 'Wait longer'));
  assert.ok(holds('commit', 'Callers must wait.'));
  assert.ok(holds('issue', 'One client blocks everybody'));
  assert.ok(holds('issue', 'It happens at night.'));
});

test('a changed word, half of a sentence, two that are glued together and another source are refused', () => {
  assert.ok(!holds('description', 'Since 2.1.0 we wait shorter, but only at night.'));
  assert.ok(!holds('description', 'Since 2.1.0 we wait longer'));
  assert.ok(!holds('description', 'we wait longer, but only at night.'));
  assert.ok(!holds('description', 'Nobody is refused. Shops may opt out'));
  assert.ok(!holds('description', 'Since 2.1.0 we wait longer… Nobody is refused.'));
  assert.ok(!holds('commit', 'Nobody is refused.'));
  assert.ok(!holds('description', 'Callers must wait.'));
  assert.ok(!holds('issue', 'Raise the limit'));
  assert.ok(!holds('description', 'Nobody is refused.', { basis: 'diff' }));
  assert.ok(!holds('description', 'Nobody\u200b is refused.'));
});

test('what a changelog or a comment says is quoted from the lines that are cited, and each from its own', () => {
  const entry = 'Parcels are weighed once, which is faster for most shops';
  const comment = 'Two bookings at once: the unique index lets only one of them in.';
  assert.ok(holds('changelog', entry, { evidence: at('CHANGELOG.md', 3, 4) }));
  assert.ok(holds('code', comment, { evidence: at('src/limit.ts', 2, 3) }));
  assert.ok(!holds('changelog', entry));
  assert.ok(!holds('code', entry, { evidence: at('CHANGELOG.md', 3, 4) }));
  assert.ok(!holds('changelog', comment, { evidence: at('src/limit.ts', 2, 3) }));
  assert.ok(!holds('changelog', 'Parcels are weighed once', { evidence: at('CHANGELOG.md', 3, 4) }));
});
