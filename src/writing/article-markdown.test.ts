import assert from 'node:assert/strict';
import { test } from 'node:test';
import { articleMarkdown, type MarkdownSource } from './article-markdown.ts';

const plain: MarkdownSource = {
  owner: 'acme',
  repo: 'rocket',
  prNumber: 7,
  hostPrUrl: null,
  authorLogin: 'rin',
  state: 'merged',
  content: {
    aiGeneratedTitle: 'A title',
    standfirst: null,
    quote: null,
    counts: { files: 1, additions: 0, deletions: 0, commits: 0, parts: [] },
    headSha: 'a'.repeat(40),
    background: [],
    mainChanges: [],
    notablePoints: [],
    also: [],
    writer: { kind: 'offline' },
    coverage: { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 },
    verification: { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
  },
};

const print = (content: Partial<MarkdownSource['content']>, rest: Partial<MarkdownSource> = {}) =>
  articleMarkdown({ ...plain, ...rest, content: { ...plain.content, ...content } }, 'en').split('\n');

const footerIn = (language: string, verification: Partial<MarkdownSource['content']['verification']>) =>
  articleMarkdown(
    {
      ...plain,
      content: { ...plain.content, verification: { ...plain.content.verification, ...verification } },
    },
    language,
  )
    .trimEnd()
    .split('\n')
    .at(-1) ?? '';

const titleLine = (title: string) => print({ aiGeneratedTitle: title })[0];
/** The background stands between its heading and the line above the footer. */
const background = (text: string) =>
  print({ background: [say(text, [], 'words')] })
    .slice(8, -5)
    .join('\n');
const at = (fileName: string, hostUrl: string | null = null) => ({
  fileName,
  startLine: 3,
  endLine: 5,
  side: 'new' as 'old' | 'new',
  hostUrl,
});
const say = (
  text: string,
  evidence: ReturnType<typeof at>[] = [],
  basis: 'diff' | 'words' | 'judgement' = 'diff',
) => ({ id: '0123456789ab', text, basis, evidence });
type Change = MarkdownSource['content']['mainChanges'][number];
/** What is told once as a whole and once by the sentence. */
const change = (
  fileName: string,
  statements: Change['statements'],
  more: Partial<Pick<Change, 'changeTypes' | 'excerpts'>> = {},
): Change => ({
  fileName,
  changeTypes: [],
  statements,
  description: '',
  evidence: [],
  excerpts: [],
  ...more,
});
const changeTo = (fileName: string) =>
  print({ mainChanges: [change(fileName, [say('Changed.', [at(fileName)])])] }).find((line) =>
    line.startsWith('### '),
  );
const point = (label: 'breaking' | null, ...statements: Change['statements']) => ({
  categories: ['RISK' as const],
  label,
  statements,
  point: '',
  evidence: [],
});
const line = (kind: 'context' | 'added' | 'removed', number: number, text: string) => ({
  kind,
  oldLine: kind === 'added' ? null : number,
  newLine: kind === 'removed' ? null : number,
  text,
});
const gap = { kind: 'gap' as const, oldLine: null, newLine: null, text: '' };

test('an article is a page with all of its blocks in order, sentences with evidence as links, and excerpts behind what cites them', () => {
  const url = 'https://forge.example.org/acme/rocket/pull/7';
  const lines = print(
    {
      quote: { text: 'Nobody *knew*.', from: 'changelog' },
      standfirst: say('Guests see `n` count down.', [at('src/a.ts')]),
      counts: {
        files: 4,
        additions: 12,
        deletions: 3,
        commits: 1,
        parts: [
          { kind: 'source', files: 2 },
          { kind: 'test', files: 1 },
          { kind: 'lock', files: 1 },
        ],
      },
      background: [{ ...say('Because.', [], 'words'), source: 'description' }],
      notablePoints: [
        point(
          null,
          say('It is new.', [{ ...at('src/b.ts'), endLine: 3, side: 'old' }]),
          say('Untried.', [], 'judgement'),
        ),
        point('breaking', say('`shut` is gone.', [at('CHANGELOG.md')]), say('So is `lid`.')),
      ],
      mainChanges: [
        change(
          'src/a.ts',
          [
            say('Adds `open`.', [at('src/a.ts', `${url}/files#diff-1R3-R5`)]),
            say('`shut` goes.', [at('src/a.ts'), at('src/b.ts')]),
            say('Doors stay open.', [], 'judgement'),
          ],
          {
            changeTypes: ['FEAT', 'FIX'],
            excerpts: [
              {
                fileName: 'src/a.ts',
                heading: 'door',
                lines: [
                  line('context', 2, '{'),
                  line('removed', 3, '  shut();'),
                  line('added', 3, '  open();'),
                  gap,
                  line('added', 9, '}\r'),
                ],
              },
            ],
          },
        ),
        change('src/c.ts', [say('New:', [at('src/c.ts')])], {
          excerpts: [
            {
              fileName: 'src/d.TS',
              heading: null,
              lines: [line('added', 1, 'a'), gap, line('added', 9, 'b')],
            },
          ],
        }),
      ],
      also: [
        {
          kind: 'sameEdit',
          statement: say('`{}` → `null`'),
          times: 23,
          files: ['a', 'b', 'c', 'd', 'e', 'f'],
          filesTotal: 9,
          additions: 23,
          deletions: 23,
        },
        {
          kind: 'test',
          statement: say('New: “counts”', [at('t.ts')]),
          times: null,
          files: ['t.ts'],
          filesTotal: 1,
          additions: 2,
          deletions: 0,
        },
        {
          kind: 'generated',
          statement: say('Generated.'),
          times: null,
          files: ['dist/x|y.js'],
          filesTotal: 1,
          additions: 1,
          deletions: 1,
        },
      ],
    },
    { hostPrUrl: url },
  );
  assert.deepEqual(lines.slice(0, -2), [
    '# A title',
    '',
    `[acme/rocket#7](${url}) · rin · merged · \`aaaaaaaaaa\``,
    '',
    '> Nobody \\*knew\\*.',
    '>',
    '> — rin, in the changelog',
    '',
    'Guests see `n` count down.',
    '',
    '4 files · +12 −3 · 2 source, 1 test, 1 lock file · 1 commit',
    '',
    '## Why',
    '',
    'Because. (the author, in the description)',
    '',
    '> **Breaking**',
    '>',
    '> `shut` is gone.',
    '>',
    '> So is `lid`. (see: `CHANGELOG.md` +3–5)',
    '',
    '## What changed',
    '',
    '### `src/a.ts` (FEAT, FIX)',
    '',
    `Adds \`open\`. \`shut\` goes. (see: [+3–5](${url}/files#diff-1R3-R5))`,
    '',
    '`door`',
    '',
    '```diff',
    ' {',
    '-  shut();',
    '+  open();',
    ' ⋯',
    '+}',
    '```',
    '',
    '*Judgement:* Doors stay open.',
    '',
    '### `src/c.ts`',
    '',
    'New:',
    '',
    '`src/d.TS`',
    '',
    '```ts',
    'a',
    '⋯',
    'b',
    '```',
    '',
    '## Also',
    '',
    '- **The same edit** `{}` → `null` · 23 times · `a`, `b`, `c`, `d`, `e`, `f` and 3 more',
    '- **Tests** (`t.ts`): New: “counts” · +2 −0',
    '- `dist/x|y.js`: Generated. · +1 −1',
    '',
    '## Watch for',
    '',
    '- **RISK** It is new. *Judgement:* Untried. (see: `src/b.ts` −3)',
    '',
    '---',
    '',
  ]);
});

test('where the sentences of a paragraph can be seen stands once behind them, in four places at most', () => {
  const lines = (fileName: string, startLine: number, endLine = startLine, side: 'old' | 'new' = 'new') => ({
    ...at(fileName),
    startLine,
    endLine,
    side,
  });
  const statements = [
    say('One.', [lines('a.ts', 200, 211), lines('a.ts', 207, 207, 'old')]),
    say('Two.', [lines('b.ts', 7), lines('a.ts', 203), lines('a.ts', 212, 215)]),
    say('Three.', [lines('b.ts', 8)], 'judgement'),
  ];
  const places = '(see: `a.ts` +200–215, −207, `b.ts` +7–8)';
  assert.ok(print({ background: statements }).includes(`One. Two. *Judgement:* Three. ${places}`));
  const points = print({ notablePoints: [point(null, ...statements), point('breaking', ...statements)] });
  assert.ok(points.includes(`- **RISK** One. Two. *Judgement:* Three. ${places}`));
  assert.ok(points.includes(`> *Judgement:* Three. ${places}`));
  const far = Array.from({ length: 7 }, (_, index) => lines('c.ts', index * 10 + 1));
  assert.ok(
    print({ background: [say('Far.', far)] }).includes('Far. (see: `c.ts` +1, +11, +21, +31 and 3 more)'),
  );
});

test('of what a model’s sentences cite, what the excerpt behind them does not show is told', () => {
  const mainChanges = [
    change('a.ts', [say('It is.', [at('b.ts'), { ...at('a.ts'), startLine: 9, endLine: 9 }, at('a.ts')])], {
      excerpts: [{ fileName: 'a.ts', heading: null, lines: [line('added', 4, 'x')] }],
    }),
  ];
  assert.ok(print({ mainChanges, writer: { kind: 'ai' } }).includes('It is. (see: +9, `b.ts` +3–5)'));
  assert.ok(print({ mainChanges }).includes('It is.'), 'captions are about the excerpt');
});

test('an excerpt of a model’s is always headed by what it lies in, without what opens a block', () => {
  const headed = (kind: 'ai' | 'offline', heading: string) => {
    const excerpt = { fileName: 'a.py', heading, lines: [line('added', 3, 'x')] };
    const mainChanges = [
      change('a.py', [say('In `Query` and `Headers`.', [at('a.py')])], { excerpts: [excerpt] }),
    ];
    return print({ mainChanges, writer: { kind } }).filter((text) => /^`\w/.test(text));
  };
  assert.deepEqual(headed('ai', 'Query'), ['`Query`']);
  assert.deepEqual(headed('offline', 'Query'), []);
  assert.deepEqual(headed('offline', 'MultiPartParser:'), ['`MultiPartParser`']);
  assert.deepEqual(headed('offline', 'impl Display {'), ['`impl Display`']);
});

test('a fence is longer than any in the lines, and no line of an excerpt becomes two or turns around', () => {
  const fenced = (...texts: string[]) => {
    const lines = texts.map((text, index) => line('added', index + 1, text));
    const printed = print({
      mainChanges: [
        change('a.md', [say('New:')], { excerpts: [{ fileName: 'a.md', heading: null, lines }] }),
      ],
    });
    return printed.slice(printed.indexOf('New:') + 2, -5);
  };
  assert.deepEqual(fenced('```js', 'x', '````', '~~~'), ['`````md', '```js', 'x', '````', '~~~', '`````']);
  assert.deepEqual(fenced('<b>', '\ta\u2028b\u202ec\rd\0\u{e0041}'), [
    '```md',
    '<b>',
    '\ta⟨U+2028⟩b⟨U+202E⟩c⟨U+000D⟩d⟨U+0000⟩⟨U+E0041⟩',
    '```',
  ]);
});

test('an article without a thing to say of a block has no heading for it', () => {
  assert.deepEqual(print({}).slice(0, 7), [
    '# A title',
    '',
    'acme/rocket#7 · rin · merged · `aaaaaaaaaa`',
    '',
    '1 file',
    '',
    '---',
  ]);
  assert.ok(print({ mainChanges: [change('a.ts', [say('Changed.')])] }).includes('### `a.ts`'));
  const japanese = articleMarkdown(
    { ...plain, content: { ...plain.content, notablePoints: [point('breaking', say('消えます。'))] } },
    'ja',
  );
  assert.match(japanese, /^> \*\*互換性\*\*\n>\n> 消えます。$/m);
});

test('the head says what has become of the pull request, in the language of the article', () => {
  const headIn = (language: string) =>
    (['open', 'closed', 'merged'] as const).map(
      (state) =>
        articleMarkdown({ ...plain, state }, language)
          .split('\n')[2]
          ?.split(' · ')[2],
    );
  assert.deepEqual(headIn('en'), ['open', 'closed', 'merged']);
  assert.deepEqual(headIn('ja'), ['オープン', 'クローズ済み', 'マージ済み']);
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
  assert.ok(print({ notablePoints: [point(null, ...statements)] }).includes('- **RISK** a - b'));
  assert.match(print({}, { authorLogin: 'a\n\n# b' })[2] ?? '', / · a \\# b · /);
  assert.equal(changeTo('a\n\n# b\t.ts'), '### `a⟨U+000A⟩⟨U+000A⟩# b⟨U+0009⟩.ts`');
  assert.equal(changeTo('a\u202egpj.ts'), '### `a⟨U+202E⟩gpj.ts`');
  const hidden = [say('a\u200bb `c\u202ed` \u{e0041}e 👩\u200d🚀')];
  assert.ok(print({ background: hidden }).includes('a⟨U+200B⟩b `c⟨U+202E⟩d` ⟨U+E0041⟩e 👩\u200d🚀'));
});

test('code stays code, and what only looks like it cannot let markup out', () => {
  assert.equal(background('Calls `<T>(a_b, *c)` twice'), 'Calls `<T>(a_b, *c)` twice');
  assert.equal(background('a ` b <i> `c` \\`d`'), 'a ` b <i> `c` \\`d\\`');
  assert.equal(background('``<i>`'), '\\`\\`\\<i\\>\\`');
  assert.equal(background('`a``<i>`'), '\\`a\\`\\`\\<i\\>\\`');
  assert.equal(background('`a\n\n<i>`'), '\\`a\n\n\\<i\\>\\`');
});

test('a name may hold anything, backticks too', () => {
  assert.equal(changeTo('a|b<i>[c](d)*.ts'), '### `a|b<i>[c](d)*.ts`');
  assert.equal(changeTo('a`b.ts'), '### `` a`b.ts ``');
  assert.equal(changeTo('``a`'), '### ``` ``a` ```');
  assert.equal(changeTo(' a '), '### `  a  `');
});

test('an address cannot end its link', () => {
  const [, , line = ''] = print({}, { hostPrUrl: 'https://a.example/x(y)?<z> \\#a' });
  assert.ok(line.startsWith('[acme/rocket#7](https://a.example/x%28y%29?%3Cz%3E%20%5C#a) · '), line);
});

test('the footer says how many claims were found, how many rules alone have checked and how many were left out, and no more', () => {
  const told = (found: Parameters<typeof footerIn>[1]) => [footerIn('en', found), footerIn('ja', found)];
  const [whole = '', inJapanese = ''] = told({ claims: 12, verified: 11, repaired: 1, judged: 12 });
  assert.match(
    whole,
    / All 12 claims were borne out by the diff, or by the words that they report\. A second reader agreed with 12\.$/,
  );
  assert.match(
    inJapanese,
    /。12 件の記述すべてを、差分か、引かれた言葉の中に確認しました。うち 12 件は第二の読み手も認めました。$/,
  );
  const [some = '', someInJapanese = ''] = told({
    claims: 16,
    verified: 11,
    repaired: 1,
    judged: 12,
    unjudged: 3,
    dropped: 1,
  });
  assert.match(
    some,
    /12 of 16 claims were borne out by the diff, or by the words that they report\. A second reader agreed with 12\. Names and numbers of 3 more were checked by rules alone; no second reader read them\. 1 sentence that could not be confirmed was left out\.$/,
  );
  assert.match(
    someInJapanese,
    /16 件の記述のうち 12 件を、差分か、引かれた言葉の中に確認しました。うち 12 件は第二の読み手も認めました。ほかの 3 件は名前と数値を規則だけで照合したもので、第二の読み手は読んでいません。確認できなかった 1 件は載せていません。$/,
  );
  const [unread = '', unreadInJapanese = ''] = told({ claims: 3, unjudged: 3 });
  assert.match(
    unread,
    /changed lines\. Names and numbers of 3 claims were checked by rules alone; no second reader read them\.$/,
  );
  assert.doesNotMatch(unreadInJapanese, /確認しました/);
  for (const text of [unread, some]) assert.doesNotMatch(text, /All/);
});

test('the end of an article says who wrote it, and why no model did', () => {
  const by = (writer: MarkdownSource['content']['writer'], language = 'en') =>
    articleMarkdown({ ...plain, content: { ...plain.content, writer } }, language)
      .split('---')
      .at(-1) ?? '';
  assert.match(
    by({ kind: 'ai', provider: 'compatible', model: 'small' }),
    /Written by compatible\/small\. Read:/,
  );
  const failed = { kind: 'offline', standsIn: true, because: 'failed' } as const;
  assert.match(by(failed), /without a language model\. The model gave no usable answer\. Read:/);
  assert.match(by(failed, 'ja'), /モデルから使える回答が得られませんでした。/);
});
