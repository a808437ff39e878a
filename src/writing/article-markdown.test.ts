import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hunk } from '../contract/article-parts.ts';
import { articleMarkdown, type MarkdownSource } from './article-markdown.ts';

const plain: MarkdownSource = {
  owner: 'acme',
  repo: 'rocket',
  prNumber: 7,
  hostPrUrl: null,
  title: 'A title',
  authorLogin: 'rin',
  state: 'merged',
  content: {
    languageCode: 'en',
    aiGeneratedTitle: 'A title',
    standfirst: null,
    scope: null,
    authorWords: null,
    quote: null,
    changeTypes: [],
    readingMinutes: 1,
    backgroundAndPurpose: '',
    counts: { files: 1, additions: 0, deletions: 0, commits: 0, parts: [] },
    headSha: 'a'.repeat(40),
    background: [],
    mainChanges: [],
    notablePoints: [],
    tests: null,
    also: [],
    summaryGeneratedAt: '2026-03-01T09:30:00.000Z',
    baseSha: 'b'.repeat(40),
    writer: { kind: 'offline' },
    coverage: { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 },
    verification: { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
  },
};

const print = (content: Partial<MarkdownSource['content']>, rest: Partial<MarkdownSource> = {}) =>
  articleMarkdown({ ...plain, ...rest, content: { ...plain.content, ...content } }, 'en').split('\n');

const titleLine = (title: string) => print({ aiGeneratedTitle: title })[0];
/** The background: the lines between the counts and the rule above the footer. */
const background = (text: string) =>
  print({ background: [say(text, [], 'words')] })
    .slice(6, -5)
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

const change = (fileName: string, statements: Change['statements'], more: Partial<Change> = {}): Change => ({
  heading: null,
  fileName,
  changeTypes: [],
  statements,
  description: '',
  evidence: [],
  hunk: null,
  ...more,
});
const changeTo = (fileName: string) => print({ mainChanges: [change(fileName, [say('Changed.')])] })[8];
const point = (label: 'breaking' | null, ...statements: Change['statements']) => ({
  categories: ['RISK' as const],
  label,
  severity: null,
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
const hunkOf = (fileName: string, lines: ReturnType<typeof line>[], more: Partial<Hunk> = {}): Hunk => ({
  fileName,
  heading: null,
  lines,
  moreBefore: 0,
  moreAfter: 0,
  ...more,
});

const url = 'https://forge.example.org/acme/rocket/pull/7';
const told: Partial<MarkdownSource['content']> = {
  standfirst: say('Guests see `n` count down.', [at('src/a.ts')]),
  scope: { kind: 'noPublicChange', statement: say('No exported name changes.') },
  authorWords: {
    from: 'description',
    markdown: 'Nobody *knew*.\n\n- one <b>\n\n```js\na_b\n```',
    more: false,
  },
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
  notablePoints: [
    point(
      null,
      say('It is new.', [{ ...at('src/b.ts'), endLine: 3, side: 'old' }]),
      say('Untried.', [], 'judgement'),
    ),
    point('breaking', say('`shut` is gone.', [at('CHANGELOG.md')]), say('So is `lid`.')),
    point(null, say('Third.')),
  ],
  mainChanges: [
    change('src/a.ts', [], {
      hunk: hunkOf(
        'src/a.ts',
        [line('context', 2, '{'), line('removed', 3, '  shut();'), line('added', 3, '  open();\r')],
        { heading: 'door', moreAfter: 34 },
      ),
    }),
    change(
      'src/c.ts',
      [say('Moved from `src/d.ts`.', [at('src/c.ts', `${url}/files#diff-1R3-R5`), at('src/b.ts')])],
      {
        hunk: hunkOf('src/c.ts', [line('added', 3, 'a'), line('added', 4, 'b'), line('added', 5, 'c')]),
      },
    ),
  ],
  tests: { added: ['counts', 'a `b`'], addedTotal: 5, statements: [say('“waits” is no longer skipped.')] },
  also: [
    {
      ...{ statement: say('`{}` → `null`'), times: 23, files: ['a', 'b', 'c'], filesTotal: 9 },
      ...{ additions: 23, deletions: 23 },
    },
    {
      ...{ statement: say('Lock file updated.'), times: null, files: ['x|y.lock'], filesTotal: 1 },
      ...{ additions: 1, deletions: 1 },
    },
  ],
};

test('the rest of an article is headed "Also" only below changes, tests or dependencies', () => {
  const headingsOf = (content: Partial<MarkdownSource['content']>) =>
    print(content).filter((line) => line.startsWith('## '));
  const [also] = told.also ?? [];
  assert.ok(also);
  assert.deepEqual(headingsOf({ also: [also] }), ['## The change']);
  assert.deepEqual(headingsOf({ also: [also], tests: told.tests ?? null }), ['## Tests', '## Also']);
});

test('an article without a model has its blocks in order: risks, the author’s words, hunks, tests and the rest', () => {
  assert.deepEqual(print(told, { hostPrUrl: url }).slice(0, -2), [
    '# A title',
    '',
    'Guests see `n` count down.',
    '',
    `[acme/rocket#7](${url}) · rin · merged · \`aaaaaaaaaa\` · Breaking`,
    '',
    '4 files · +12 −3 · 2 source, 1 test, 1 lock file · 1 commit',
    '',
    '**No exported name changes.**',
    '',
    '> **Breaking** `shut` is gone.',
    '>',
    '> So is `lid`. (`CHANGELOG.md`)',
    '',
    '> **Risk** It is new.',
    '>',
    '> *Inference*: Untried. (`src/b.ts`)',
    '',
    '> **Risk** Third.',
    '',
    '## In the author’s words',
    '',
    '> Nobody \\*knew\\*.',
    '>',
    '> - one \\<b\\>',
    '>',
    '> ```',
    '> a_b',
    '> ```',
    '>',
    '> — rin, in the description',
    '',
    '## The change',
    '',
    '`src/a.ts` › `door`',
    '',
    '```diff',
    ' {',
    '-  shut();',
    '+  open();',
    '```',
    '',
    '⋯',
    '',
    'Moved from `src/d.ts`.',
    '',
    '`src/c.ts`',
    '',
    '```diff',
    '+a',
    '+b',
    '+c',
    '```',
    '',
    '## Tests',
    '',
    'New: `counts`, `` a `b` `` and 3 more',
    '',
    '“waits” is no longer skipped.',
    '',
    '## Also',
    '',
    '- `{}` → `null`',
    '- Lock file updated.',
    '',
    '---',
    '',
  ]);
});

test('an article by a model has headings, and each of two risks follows the section that cites its lines', () => {
  const [first, second] = told.mainChanges ?? [];
  assert.ok(first && second);
  const lines = print({
    ...told,
    writer: { kind: 'ai' },
    background: [say('Because.', [], 'words')],
    tests: null,
    mainChanges: [
      { ...first, heading: 'Doors open', statements: [say('They do.', [at('src/a.ts')])] },
      {
        ...second,
        heading: 'Lids move',
        hunk: null,
        statements: [...second.statements, say('It opens.', [{ ...at('src/b.ts'), side: 'old' }])],
        evidence: second.statements.flatMap(({ evidence }) => evidence),
      },
    ],
  });
  const places = [
    'acme/rocket#7 · rin · merged · `aaaaaaaaaa` · Breaking · 4 files · +12 −3',
    'Because.',
    '## Doors open',
    'They do.',
    '`src/a.ts` › `door`',
    '> **Breaking** `shut` is gone.',
    '## Lids move',
    'Moved from `src/d.ts`. It opens.',
    '> **Risk** It is new.',
    '## Also',
    '- `{}` → `null`',
    '---',
  ].map((text) => lines.indexOf(text));
  assert.ok(!places.includes(-1), String(places));
  assert.deepEqual(
    places.toSorted((one, other) => one - other),
    places,
  );
  for (const text of ['> **Risk** Third.', '## The change', '## In the author’s words'])
    assert.ok(!lines.includes(text), text);
  const bare = print({ ...told, writer: { kind: 'ai' } });
  assert.ok(bare.includes('## In the author’s words'), 'where nothing else says why');
});

test('a translated headline is followed by the original title, and quoted words name their language', () => {
  const content = { ...plain.content, languageCode: 'ja', aiGeneratedTitle: '引数 `backend` を削除' };
  const words = { from: 'commit' as const, markdown: 'It was never used.', more: false };
  const japanese = articleMarkdown(
    { ...plain, title: 'Drop the backend argument', content: { ...content, authorWords: words } },
    'ja',
  );
  assert.match(japanese, /^# 引数 `backend` を削除\n\n原題：Drop the backend argument\n/);
  assert.match(japanese, /^> — rin、コミットメッセージより · 原文（英語）$/m);
  const english = articleMarkdown({ ...plain, title: '引数を削除する', content: plain.content }, 'en');
  assert.match(english, /^Original title: 引数を削除する$/m);
  assert.doesNotMatch(articleMarkdown({ ...plain, title: 'Other words' }, 'en'), /Original title/);
});

test("Markdown in the author's words cannot leave the quotation", () => {
  const quoted = (markdown: string) => {
    const lines = print({ authorWords: { from: 'description', markdown, more: false } });
    return lines.slice(lines.indexOf('## In the author’s words') + 2, -7);
  };
  assert.deepEqual(quoted('# A\n1. b ![x](y)\n---\n~~~html\n<b>'), [
    '> # A',
    '> 1. b !\\[x\\](y)',
    '> \\---',
    '> ~~~',
    '> <b>',
    '> ~~~',
  ]);
  assert.deepEqual(quoted('```\n```js\n[x](y)'), ['> ```', '> ```js', '> [x](y)', '> ```']);
  assert.deepEqual(quoted('```\n````\n<i>\n@ann <!-- a\nb -->'), [
    '> ```',
    '> ````',
    '> \\<i\\>',
    '> @ann \\<!-- a',
    '> b --\\>',
  ]);
});

test('a fence is longer than any in its lines, and invisible characters in code are shown as ⟨U+…⟩', () => {
  const fenced = (...texts: string[]) => {
    const lines = texts.map((text, index) => line('added', index + 1, text));
    const printed = print({
      mainChanges: [change('a.md', [], { hunk: hunkOf('a.md', lines) })],
    });
    return printed.slice(printed.indexOf('`a.md`') + 2, -5);
  };
  assert.deepEqual(fenced('```js', 'x', '````', '~~~'), [
    '`````diff',
    '+```js',
    '+x',
    '+````',
    '+~~~',
    '`````',
  ]);
  assert.deepEqual(fenced('<b>', '\ta\u2028b\u202ec\rd\0\u{e0041}'), [
    '```diff',
    '+<b>',
    '+\ta⟨U+2028⟩b⟨U+202E⟩c⟨U+000D⟩d⟨U+0000⟩⟨U+E0041⟩',
    '```',
  ]);
});

test('a block without content has no heading', () => {
  assert.deepEqual(print({}).slice(0, 7), [
    '# A title',
    '',
    'acme/rocket#7 · rin · merged · `aaaaaaaaaa`',
    '',
    '1 file',
    '',
    '---',
  ]);
  assert.ok(print({ mainChanges: [change('a.ts', [say('Changed.')])] }).includes('`a.ts`'));
  const japanese = articleMarkdown(
    { ...plain, content: { ...plain.content, notablePoints: [point('breaking', say('消えます。'))] } },
    'ja',
  );
  assert.match(japanese, /^> \*\*互換性に影響\*\*：消えます。$/m);
});

test('the head names the state of the pull request in the language of the article', () => {
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

test('markup in titles, names and sentences is escaped', () => {
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

test('text that would begin a list, quotation, heading, rule or code block is escaped', () => {
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

test('titles, points and names stay on one line, and invisible characters in them are shown', () => {
  assert.equal(titleLine('a\n\n<b>\n# c #'), '# a \\<b\\> \\# c \\#');
  const statements = [say('a\n\n- b')];
  assert.ok(print({ notablePoints: [point(null, ...statements)] }).includes('> **Risk** a - b'));
  assert.match(print({}, { authorLogin: 'a\n\n# b' })[2] ?? '', / · a \\# b · /);
  assert.equal(changeTo('a\n\n# b\t.ts'), '`a⟨U+000A⟩⟨U+000A⟩# b⟨U+0009⟩.ts`');
  assert.equal(changeTo('a\u202egpj.ts'), '`a⟨U+202E⟩gpj.ts`');
  const hidden = [say('a\u200bb `c\u202ed` \u{e0041}e 👩\u200d🚀')];
  assert.ok(print({ background: hidden }).includes('a⟨U+200B⟩b `c⟨U+202E⟩d` ⟨U+E0041⟩e 👩\u200d🚀'));
});

test('code spans stay code, and unbalanced backticks cannot release markup', () => {
  assert.equal(background('Calls `<T>(a_b, *c)` twice'), 'Calls `<T>(a_b, *c)` twice');
  assert.equal(background('a ` b <i> `c` \\`d`'), 'a ` b <i> `c` \\`d\\`');
  assert.equal(background('``<i>`'), '\\`\\`\\<i\\>\\`');
  assert.equal(background('`a``<i>`'), '\\`a\\`\\`\\<i\\>\\`');
  assert.equal(background('`a\n\n<i>`'), '\\`a\n\n\\<i\\>\\`');
});

test('file names with backticks or Markdown are shown unchanged in code spans', () => {
  assert.equal(changeTo('a|b<i>[c](d)*.ts'), '`a|b<i>[c](d)*.ts`');
  assert.equal(changeTo('a`b.ts'), '`` a`b.ts ``');
  assert.equal(changeTo('``a`'), '``` ``a` ```');
  assert.equal(changeTo(' a '), '`  a  `');
});

test('an address with brackets or spaces cannot end its link', () => {
  const [, , line = ''] = print({}, { hostPrUrl: 'https://a.example/x(y)?<z> \\#a' });
  assert.ok(line.startsWith('[acme/rocket#7](https://a.example/x%28y%29?%3Cz%3E%20%5C#a) · '), line);
});

test("an article's footer says how many files and lines were read, and that they were read in parts", () => {
  const read = (coverage: Partial<MarkdownSource['content']['coverage']>, language = 'en') =>
    articleMarkdown(
      {
        ...plain,
        content: { ...plain.content, coverage: { ...plain.content.coverage, filesTotal: 3, ...coverage } },
      },
      language,
    )
      .split('---\n\n')
      .at(-1) ?? '';
  const all = { filesRead: 3, linesRead: 42, linesTotal: 42, notes: { total: 66, used: 61 } };
  assert.match(read(all), /^The whole change was read, in parts: 3 files, 42 changed lines\. /);
  const some = { filesRead: 2, linesRead: 40, linesTotal: 42, skippedTotal: 1 };
  assert.match(read(some), /^2 of 3 files and 40 of 42 changed lines were read\. /);
  assert.match(read(some, 'ja'), /^3 ファイルのうち 2 ファイル、変更 42 行のうち 40 行に目を通しました。/);
});

test('the footer names the model, or the reason that none wrote the article', () => {
  const by = (writer: MarkdownSource['content']['writer'], language = 'en') =>
    articleMarkdown({ ...plain, content: { ...plain.content, writer } }, language)
      .split('---')
      .at(-1) ?? '';
  assert.match(
    by({ kind: 'ai', provider: 'compatible', model: 'small' }),
    /changed lines\. Written by the language model small\./,
  );
  const failed = { kind: 'offline', standsIn: true, because: 'failed' } as const;
  assert.match(
    by(failed),
    /without a language model\. The model could not be reached, or gave no usable answer\./,
  );
  assert.match(by(failed, 'ja'), /モデルに接続できないか、有効な回答を得られませんでした。/);
});

test("the author's words link the issues they name, and say whether they are cut", () => {
  const words = { from: 'description' as const, markdown: 'Two took it.\n\nFixes #12, `#13`.', more: true };
  const onHost = print({ authorWords: words }, { hostPrUrl: url });
  assert.ok(onHost.includes('> Fixes [\\#12](https://forge.example.org/acme/rocket/issues/12), `#13`.'));
  assert.ok(onHost.includes('> — rin, in the description · Shortened'));
  assert.ok(print({ authorWords: words }, { hostPrUrl: null }).includes('> Fixes \\#12, `#13`.'));
});
