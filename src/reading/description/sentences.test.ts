import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentencesIn } from './markdown-blocks.ts';
import { splitLine } from './sentences.ts';

test('full stops in file names, versions, URLs and abbreviations do not end a sentence', () => {
  assert.deepEqual(
    sentencesIn(
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

test('a sentence may begin with a lowercase letter', () => {
  assert.deepEqual(sentencesIn('it was slow. now it is not.'), ['it was slow.', 'now it is not.']);
});

test('full stops inside code, brackets and Japanese quotation marks do not end a sentence', () => {
  assert.deepEqual(sentencesIn('Calls `a. B. c` twice. (It waits. Then it goes.) Done.'), [
    'Calls `a. B. c` twice.',
    '(It waits. Then it goes.) Done.',
  ]);
  assert.deepEqual(sentencesIn('「待つ。行く。」と表示します。次です！'), [
    '「待つ。行く。」と表示します。',
    '次です！',
  ]);
});

test('Chinese and Japanese full stops end a sentence without a space after them', () => {
  assert.deepEqual(sentencesIn('修复了竞争。现在更快！对吗？是'), [
    '修复了竞争。',
    '现在更快！',
    '对吗？',
    '是',
  ]);
});

test('list items are split into sentences, and headings, quotes, tables and code are left out', () => {
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
  assert.deepEqual(sentencesIn(text), [
    'first item',
    'second item.',
    'With more.',
    'inner',
    'Last line without a stop',
  ]);
});

test('unclosed brackets and backticks do not hide the text after them', () => {
  assert.deepEqual(sentencesIn('One ( two. Three ` four. Five'), ['One ( two.', 'Three ` four.', 'Five']);
});

test('`sentencesIn` cuts a sentence at 4,000 characters with an ellipsis, and `splitLine` keeps it whole', () => {
  const long = `${'word '.repeat(900)}end.`;
  assert.deepEqual(sentencesIn(`${long} Next.`), [`${long.slice(0, 4_000)}…`, 'Next.']);
  assert.deepEqual(splitLine(`${long} Next.`), [long, 'Next.']);
});
