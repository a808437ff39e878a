import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentencesIn as splitSentences } from './markdown-blocks.ts';
import { splitLine } from './sentences.ts';

test('a full stop ends a sentence only where a sentence ends', () => {
  assert.deepEqual(
    splitSentences(
      'Moves it to index.ts. Then v1.2.3 is used, e.g. by Node.js 24 vs. 22. See https://x.example/a?b=c. And so on etc. The end... of it!',
    ),
    [
      'Moves it to index.ts.',
      'Then v1.2.3 is used, e.g. by Node.js 24 vs. 22.',
      'See https://x.example/a?b=c.',
      'And so on etc.',
      'The end... of it!',
    ],
  );
});

test('sentences that begin small are told apart', () => {
  assert.deepEqual(splitSentences('it was slow. now it is not.'), ['it was slow.', 'now it is not.']);
});

test('nothing inside code, brackets or quotation marks of a script ends a sentence', () => {
  assert.deepEqual(splitSentences('Calls `a. B. c` twice. (It waits. Then it goes.) Done.'), [
    'Calls `a. B. c` twice.',
    '(It waits. Then it goes.) Done.',
  ]);
  assert.deepEqual(splitSentences('「待つ。行く。」と表示します。次です！'), [
    '「待つ。行く。」と表示します。',
    '次です！',
  ]);
});

test('full stops of Chinese and Japanese need no blank behind them', () => {
  assert.deepEqual(splitSentences('修复了竞争。现在更快！对吗？是'), [
    '修复了竞争。',
    '现在更快！',
    '对吗？',
    '是',
  ]);
});

test('an item of a list is a sentence, and headings, quotes, tables and code are none', () => {
  const text = `## Heading

- first item
- second item. With more.
  1. inner

> somebody said. this.

| a | b |
| --- | --- |

\`\`\`
code. Code.
\`\`\`

Last line
without a stop`;
  assert.deepEqual(splitSentences(text), [
    'first item',
    'second item.',
    'With more.',
    'inner',
    'Last line without a stop',
  ]);
});

test('brackets and backticks that are never closed hide nothing', () => {
  assert.deepEqual(splitSentences('One ( two. Three ` four. Five'), ['One ( two.', 'Three ` four.', 'Five']);
});

test('a sentence of people is read up to 4,000 characters and then marked as cut, one of a document whole', () => {
  const long = `${'word '.repeat(900)}end.`;
  assert.deepEqual(splitSentences(`${long} Next.`), [`${long.slice(0, 4_000)}…`, 'Next.']);
  assert.deepEqual(splitLine(`${long} Next.`), [long, 'Next.']);
});
