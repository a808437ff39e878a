import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articleMarkdown, type MarkdownSource } from './article-markdown.ts';

const plain: MarkdownSource = {
  owner: 'acme',
  repo: 'rocket',
  prNumber: 7,
  hostPrUrl: null,
  authorLogin: 'rin',
  content: {
    aiGeneratedTitle: 'A title',
    headSha: 'a'.repeat(40),
    background: [{ text: 'Because.', basis: 'words', evidence: [] }],
    mainChanges: [],
    notablePoints: [],
    writer: { kind: 'offline' },
    coverage: { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 },
    verification: { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0 },
  },
};

const print = (content: Partial<MarkdownSource['content']>, rest: Partial<MarkdownSource> = {}) =>
  articleMarkdown({ ...plain, ...rest, content: { ...plain.content, ...content } }, 'en').split('\n');

const titleLine = (title: string) => print({ aiGeneratedTitle: title })[0];
/** The background stands between its heading and the line above the footer. */
const background = (text: string) =>
  print({ background: [{ text, basis: 'words', evidence: [] }] })
    .slice(6, -5)
    .join('\n');
const at = (fileName: string, hostUrl: string | null = null) => ({
  fileName,
  startLine: 3,
  endLine: 5,
  side: 'new' as const,
  hostUrl,
});
const say = (text: string, evidence: ReturnType<typeof at>[] = []) => ({
  text,
  basis: 'diff' as const,
  evidence,
});
/** What is told once as a whole and once by the sentence. */
const change = (fileName: string, changeTypes: ('FEAT' | 'FIX')[], statements: ReturnType<typeof say>[]) => ({
  fileName,
  changeTypes,
  statements,
  description: '',
  evidence: [],
});
const changeTo = (fileName: string) =>
  print({
    mainChanges: [change(fileName, ['FIX'], [say('Changed.', [at(fileName)])])],
  }).find((line) => line.startsWith('### '));

test('an article is a page with a heading for each of its parts, and evidence as links', () => {
  const url = 'https://forge.example.org/acme/rocket/pull/7';
  const lines = print(
    {
      mainChanges: [
        change(
          'src/a.ts',
          ['FEAT', 'FIX'],
          [
            say('Adds `open`.', [at('src/a.ts', `${url}/files#diff-1R3-R5`)]),
            say('`shut` goes.', [at('src/a.ts'), at('src/b.ts')]),
          ],
        ),
      ],
      notablePoints: [
        {
          categories: ['RISK'],
          statements: [
            { ...say('It is new.'), evidence: [{ ...at('src/b.ts'), endLine: 3, side: 'old' }] },
            { ...say('Nobody has tried it.'), basis: 'judgement' },
          ],
          point: '',
          evidence: [],
        },
      ],
    },
    { hostPrUrl: url },
  );
  assert.deepEqual(lines.slice(0, -2), [
    '# A title',
    '',
    `[acme/rocket#7](${url}) · rin · \`aaaaaaaaaa\``,
    '',
    '## Background and purpose',
    '',
    'Because.',
    '',
    '## Main changes',
    '',
    '### `src/a.ts` (FEAT, FIX)',
    '',
    `Adds \`open\`. (see: [+3–5](${url}/files#diff-1R3-R5)) \`shut\` goes. (see: +3–5, \`src/b.ts\` +3–5)`,
    '',
    '## Worth noting',
    '',
    '- **RISK** It is new. (see: `src/b.ts` −3) *Judgement:* Nobody has tried it.',
    '',
    '---',
    '',
  ]);
});

test('markup in the words of others is taken literally', () => {
  for (const [text, printed] of [
    ['<img src=x onerror=alert(1)>', '\\<img src=x onerror=alert(1)\\>'],
    ['[click](javascript:alert(1)) ![x](y)', '\\[click\\](javascript:alert(1)) !\\[x\\](y)'],
    ['<https://evil.example> [a]: b', '\\<https\\://evil.example\\> \\[a\\]: b'],
    ['see http://evil.example and www.evil.example', 'see http\\://evil.example and www\\.evil.example'],
    ['*a* _b_ ~~c~~ a|b \\*d\\*', '\\*a\\* \\_b\\_ \\~\\~c\\~\\~ a\\|b \\\\\\*d\\\\\\*'],
    ['costs $1 and $2', 'costs \\$1 and \\$2'],
    ['&lt;b&gt; &#60;i&#62; &copy; R&D; a && b', '\\&lt;b\\&gt; &\\#60;i&\\#62; \\&copy; R\\&D; a && b'],
  ] as const) {
    assert.equal(titleLine(text), `# ${printed}`);
    assert.equal(background(text), printed);
  }
  assert.match(print({}, { authorLogin: '<b>_rin_</b>' })[2] ?? '', / · \\<b\\>\\_rin\\_\\<\/b\\> · /);
  assert.match(print({}, { repo: '__init__' })[2] ?? '', /^acme\/\\_\\_init\\_\\_#7 · /);
});

test('what would begin a list, a quotation, a heading, a rule or a block of code is the beginning of a sentence', () => {
  for (const [text, printed] of [
    ['# no heading', '\\# no heading'],
    ['- no item', '\\- no item'],
    ['+ no item', '\\+ no item'],
    ['* no item', '\\* no item'],
    ['1. no item', '1\\. no item'],
    ['12) no item', '12\\) no item'],
    ['> no quotation', '\\> no quotation'],
    ['---', '\\---'],
    ['- - -', '\\- - -'],
    ['    no code', 'no code'],
    ['\tno code', 'no code'],
    ['```js', '\\`\\`\\`js'],
    ['~~~', '\\~\\~\\~'],
    ['a\n===', 'a ==='],
    ['a\n---', 'a ---'],
    ['a\r# b\r\n- c', 'a \\# b - c'],
    ['One.\n\n2. Two.\n \n- Three.', 'One.\n\n2\\. Two.\n\n\\- Three.'],
  ] as const)
    assert.equal(background(text), printed, text);
  assert.equal(background('1.5 times as fast, -1 at worst'), '1.5 times as fast, -1 at worst');
});

test('a title, a point and a name stay on their line whatever they hold', () => {
  assert.equal(titleLine('a\n\n<b>\n# c #'), '# a \\<b\\> \\# c \\#');
  const statements = [say('a\n\n- b')];
  const points = print({ notablePoints: [{ categories: ['TECH'], statements, point: '', evidence: [] }] });
  assert.ok(points.includes('- **TECH** a - b'));
  assert.match(print({}, { authorLogin: 'a\n\n# b' })[2] ?? '', / · a \\# b · /);
  assert.equal(changeTo('a\n\n# b\t.ts'), '### `a��# b�.ts` (FIX)');
  assert.equal(changeTo('a\u202egpj.ts'), '### `a�gpj.ts` (FIX)');
});

test('code stays code, and what only looks like it cannot let markup out', () => {
  assert.equal(background('Calls `<T>(a_b, *c)` twice'), 'Calls `<T>(a_b, *c)` twice');
  assert.equal(background('a ` b <i> `c` \\`d`'), 'a ` b <i> `c` \\`d\\`');
  assert.equal(background('``<i>`'), '\\`\\`\\<i\\>\\`');
  assert.equal(background('`a``<i>`'), '\\`a\\`\\`\\<i\\>\\`');
  assert.equal(background('`a\n\n<i>`'), '\\`a\n\n\\<i\\>\\`');
});

test('a name may hold anything, backticks too', () => {
  assert.equal(changeTo('a|b<i>[c](d)*.ts'), '### `a|b<i>[c](d)*.ts` (FIX)');
  assert.equal(changeTo('a`b.ts'), '### `` a`b.ts `` (FIX)');
  assert.equal(changeTo('``a`'), '### ``` ``a` ``` (FIX)');
  assert.equal(changeTo(' a '), '### `  a  ` (FIX)');
});

test('an address cannot end its link', () => {
  const [, , line = ''] = print({}, { hostPrUrl: 'https://a.example/x(y)?<z> \\#a' });
  assert.ok(line.startsWith('[acme/rocket#7](https://a.example/x%28y%29?%3Cz%3E%20%5C#a) · '), line);
});
