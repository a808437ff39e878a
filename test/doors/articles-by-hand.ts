import assert from 'node:assert/strict';
import type { PublishedContent } from '../../src/db/articles.ts';
import { jsonText, sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';
import { minified } from './make-doors.ts';
import {
  change,
  freshExcerpt,
  gap,
  line,
  matchExcerpt,
  point,
  quoted,
  row,
  statement,
  type Told,
} from './told-parts.ts';

export const description = `Paths such as \`/constructor\` matched what every object has.

# What is different

The tables of [the routers](https://forge.example.org/docs) have no prototype. See ![the trace](https://forge.example.org/trace.png).

- \`Match.params\` has none either
- <b>bold</b> words stay words
  1. even nested
  2. and counted

<!-- Please describe your change. -->
<details><summary>Measurements</summary>

| Router | Before | After |
|---|---|---|
| trie | 1.2 ms | 1.1 ms |

</details>

\`\`\`ts
router.match('/__proto__');
\`\`\`

> Nobody should have to know [this](javascript:alert(1)).

Closes #1.
`;

/** As rules write it: the author's sentences, a caption for each excerpt, callouts of each kind, and a row for everything else. */
export const byRules = (): Told => ({
  aiGeneratedTitle: 'Reserved words in paths no longer reach `Object.prototype`',
  standfirst: statement('`Router.match` returns `Object.create(null)` instead of `{}`.', [
    ['src/router.ts', 'new', 21],
  ]),
  changeTypes: [],
  quote: { text: 'Paths such as `/constructor` matched what every object has.', from: 'description' },
  counts: {
    files: 7,
    additions: 16,
    deletions: 5,
    commits: 3,
    parts: [
      { kind: 'source', files: 3 },
      { kind: 'test', files: 1 },
      { kind: 'documentation', files: 2 },
      { kind: 'generated', files: 1 },
    ],
  },
  background: [statement('The tables of the routers have no prototype.', [], quoted)],
  mainChanges: [
    change(
      'src/router.ts',
      [
        statement('In `Router.match`:', [
          ['src/router.ts', 'new', 16, 21],
          ['src/router.ts', 'old', 16],
        ]),
      ],
      {
        excerpts: [matchExcerpt],
      },
    ),
    change(
      'src/nothing-found.ts',
      [
        statement('New public constant `nothingFound`: “What is answered where no path fits.”', [
          ['src/nothing-found.ts', 'new', 1, 5],
        ]),
      ],
      {
        excerpts: [freshExcerpt],
      },
    ),
  ],
  notablePoints: [
    point('measured', ['PERF'], [statement('“trie 1.2 ms 1.1 ms”', [], quoted)]),
    point(
      'breaking',
      ['RISK'],
      [statement('“`Match.params` has no prototype.”', [['CHANGELOG.md', 'new', 1]])],
    ),
    point(
      'breaking',
      ['RISK'],
      [statement('`nothingFound` cannot be changed.', [['src/nothing-found.ts', 'new', 2]])],
    ),
    point('migration', ['TECH'], [statement('“Call `Object.hasOwn` instead of a method.”', [], quoted)]),
    point('limits', ['TECH'], [statement('“Only two of the routers were changed.”', [], quoted)]),
    point(
      null,
      ['RISK', 'TECH'],
      [statement('`Router.routes` has no prototype.', [['src/router.ts', 'new', 5]])],
    ),
  ],
  also: [
    row(
      'documentation',
      statement('New section: “Reserved words”. “A path may be called `constructor`.”', [
        ['docs/paths.md', 'new', 3, 5],
      ]),
      ['docs/paths.md'],
    ),
    row('test', statement('New: “reserved words are paths like any other”. Changed: “a path is found”.'), [
      'test/router.test.ts',
    ]),
    row('generated', statement('Generated, 1 file'), ['dist/router.js'], { additions: 1, deletions: 0 }),
    row(
      'sameEdit',
      statement('`{}` → `Object.create(null)`', [['src/trie/node.ts', 'new', 1]]),
      ['src/trie/node.ts', 'src/router.ts'],
      { times: 3, filesTotal: 5 },
    ),
    row('source', statement('Two helpers move.'), ['src/a/one.ts', 'src/a/b/two.ts']),
  ],
});

/** As a model writes it: prose, excerpts behind the sentences that cite them, lines that no excerpt shows, judgements. */
export const byModel = (): Told => ({
  ...byRules(),
  aiGeneratedTitle: 'The router answers `nothingFound`, and its tables have no prototype',
  standfirst: statement(
    'Code that calls a method of `Match.params` no longer works; whoever asks for `/constructor` gets a 404.',
    [['src/router.ts', 'new', 21]],
  ),
  changeTypes: ['FIX', 'TEST', 'DOCS'],
  quote: null,
  background: [
    statement('Rin Example titles the change “reserved words in paths”.', [], { basis: 'words' }),
    statement('Until now, `routes` was an object like any other.', [['src/router.ts', 'old', 5]]),
  ],
  mainChanges: [
    change(
      'src/router.ts',
      [
        statement('`match` falls back to `*`.', [
          ['src/router.ts', 'new', 16],
          ['src/router.ts', 'old', 16],
        ]),
        statement('It returns `nothingFound` where no path fits.', [
          ['src/router.ts', 'new', 21],
          ['src/router.ts', 'old', 21],
        ]),
        statement('The table itself has no prototype, either.', [
          ['src/router.ts', 'new', 5],
          ['src/trie/node.ts', 'new', 1],
        ]),
        statement('Whoever enumerates it sees only paths.', [], { basis: 'judgement' }),
      ],
      { changeTypes: ['FIX'], excerpts: [matchExcerpt] },
    ),
    change(
      'src/nothing-found.ts',
      [statement('`nothingFound` is one frozen object for all.', [['src/nothing-found.ts', 'new', 2, 5]])],
      {
        changeTypes: ['REFACTOR'],
        excerpts: [freshExcerpt],
      },
    ),
  ],
  notablePoints: [
    point(null, ['RISK'], [statement('`params` has no prototype.', [['src/router.ts', 'new', 21]])]),
  ],
  writer: { kind: 'ai', provider: 'compatible', model: 'scripted' },
});

/** The same in Japanese. */
export const inJapanese = (): Told => ({
  ...byModel(),
  aiGeneratedTitle: '予約語のパスが `Object.prototype` に届かなくなります',
  standfirst: statement('`/constructor` へのリクエストは、ほかのパスと同じように扱われます。', [
    ['src/router.ts', 'new', 21],
  ]),
  background: [
    statement('作者は「予約語のパス」と題しています。', [], { basis: 'words' }),
    statement('これまで `routes` は普通のオブジェクトでした。', [['src/router.ts', 'old', 5]]),
  ],
  mainChanges: [
    change(
      'src/router.ts',
      [
        statement('`match` は `*` にも当たります。', [['src/router.ts', 'new', 16]]),
        statement('該当がなければ `nothingFound` を返します。', [['src/router.ts', 'new', 21]]),
        statement('列挙しても見えるのはパスだけです。', [], { basis: 'judgement' }),
      ],
      { changeTypes: ['FIX'], excerpts: [matchExcerpt] },
    ),
  ],
  notablePoints: [
    point(
      'breaking',
      ['RISK'],
      [statement('`Match.params` のプロトタイプがなくなります。', [['CHANGELOG.md', 'new', 1]])],
    ),
  ],
  also: [row('test', statement('新規：「予約語も普通のパス」'), ['test/router.test.ts'])],
});

/** A small one, with a line of 100 kB, one that turns around, and commit subjects for a reason. */
export const small = (): Told => ({
  ...byRules(),
  aiGeneratedTitle: 'One line, and it is long',
  standfirst: null,
  quote: null,
  background: ['Replace `{}` in a few places', 'Add a test', 'Fix the other routers too'].map((text) =>
    statement(text, [], { basis: 'words', source: 'commit' }),
  ),
  mainChanges: [
    change('dist/router.js', [statement('In `router`:', [['dist/router.js', 'new', 1]])], {
      excerpts: [
        {
          fileName: 'dist/router.js',
          heading: null,
          lines: [
            line('removed', 1, '\u202eif (a) {\u2066 \t'),
            line('added', 1, minified.trimEnd()),
            gap,
            line('context', 9, '}'),
          ],
        },
      ],
    }),
  ],
  notablePoints: [],
  also: [],
  counts: { files: 1, additions: 1, deletions: 1, commits: 3, parts: [{ kind: 'generated', files: 1 }] },
});

/** Has a stored article say something else, in its lists too, and its pull request a description. */
export async function tellByHand(
  { database }: Pick<TestApp, 'database'>,
  { articleId, languageCode }: { articleId: string; languageCode: string },
  told: Told,
  body: string | null = description,
): Promise<void> {
  const [row] = await database.query<{ content: PublishedContent }>(sql`
    SELECT body AS content FROM article_contents WHERE article_id = ${articleId} AND language_code = ${languageCode}`);
  assert.ok(row);
  const content: PublishedContent = { ...row.content, ...told };
  const { aiGeneratedTitle, standfirst, quote, changeTypes } = content;
  await database.query(sql`
    UPDATE article_contents SET body = ${jsonText(content)}, title = ${aiGeneratedTitle}, change_types = ${changeTypes},
      standfirst = ${standfirst?.text ?? null}, quote = ${quote === null ? null : jsonText(quote)}, revision = revision + 1
    WHERE article_id = ${articleId} AND language_code = ${languageCode}`);
  await database.query(sql`
    UPDATE pull_request_contents SET body = ${body} FROM articles
    WHERE articles.id = ${articleId} AND pull_request_contents.pull_request_id = articles.pull_request_id`);
}
