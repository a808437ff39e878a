import assert from 'node:assert/strict';
import type { PublishedContent } from '../../src/db/articles.ts';
import { jsonText, sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';
import { minified } from './make-doors.ts';
import {
  change,
  freshHunk,
  line,
  matchHunk,
  point,
  quoted,
  row,
  statement,
  type Told,
} from './stated-parts.ts';

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

/** An article as rules write it: author's words, hunks, risks of each kind, tests and the remaining changes. */
export const byRules = (): Told => ({
  writer: { kind: 'offline' },
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
  scope: { kind: 'noPublicChange', statement: statement('No exported name changes.') },
  authorWords: { from: 'description', markdown: description, more: false },
  tests: {
    added: ['reserved words are paths like any other', 'finds `*`'],
    addedTotal: 4,
    statements: [statement('“a path is found” is no longer skipped.', [['test/router.test.ts', 'old', 2]])],
  },
  background: [],
  mainChanges: [
    change('src/router.ts', [], {
      description: 'src/router.ts › Router.match',
      evidence: statement('', [['src/router.ts', 'new', 16, 21]]).evidence,
      hunk: matchHunk,
    }),
    change(
      'src/nothing-found.ts',
      [statement('Moved from `src/nothing.ts`.', [['src/nothing-found.ts', 'new', 1, 5]])],
      { hunk: freshHunk },
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
    row(statement('New section “Reserved words” in `docs/paths.md`.', [['docs/paths.md', 'new', 3, 5]]), [
      'docs/paths.md',
    ]),
    row(
      statement('`{}` → `Object.create(null)`', [['src/trie/node.ts', 'new', 1]]),
      ['src/trie/node.ts', 'src/router.ts'],
      { times: 3, filesTotal: 5 },
    ),
  ],
});

/** An article as a model writes it: sections with headings and hunks, cited lines outside hunks, judgements. */
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
      {
        heading: '`/constructor` is a path like any other',
        changeTypes: ['FIX'],
        hunk: { ...matchHunk, moreAfter: 34 },
      },
    ),
    change(
      'src/nothing-found.ts',
      [statement('`nothingFound` is one frozen object for all.', [['src/nothing-found.ts', 'new', 2, 5]])],
      {
        heading: 'Nothing found is one object',
        changeTypes: ['REFACTOR'],
        hunk: freshHunk,
      },
    ),
  ],
  tests: null,
  notablePoints: [
    point(null, ['RISK'], [statement('`params` has no prototype.', [['src/router.ts', 'new', 21]])]),
    point(null, ['TECH'], [statement('Nobody has measured it.', [['src/router.ts', 'new', 5]])]),
    point('deprecated', ['TECH'], [statement('`shut` is deprecated.', [['CHANGELOG.md', 'new', 1]])]),
  ],
  writer: { kind: 'ai', provider: 'compatible', model: 'scripted' },
});

/** The article by a model in Japanese. */
export const inJapanese = (): Told => ({
  ...byModel(),
  aiGeneratedTitle: '予約語のパスが `Object.prototype` に届かなくなります',
  standfirst: statement('`/constructor` へのリクエストは、ほかのパスと同じように扱われます。', [
    ['src/router.ts', 'new', 21],
  ]),
  background: [
    statement('作成者は「予約語のパス」と題しています。', [], { basis: 'words' }),
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
      { changeTypes: ['FIX'], hunk: matchHunk },
    ),
  ],
  notablePoints: [
    point(
      'breaking',
      ['RISK'],
      [statement('`Match.params` のプロトタイプがなくなります。', [['CHANGELOG.md', 'new', 1]])],
    ),
  ],
  also: [row(statement('ロックファイルの更新（内容の読み取りは省略）。'), ['package-lock.json'])],
});

/** A small article with a line of 100 kB, a line with bidi characters, and a pull quote. */
export const small = (): Told => ({
  ...byRules(),
  aiGeneratedTitle: 'One line, and it is long',
  standfirst: null,
  scope: null,
  quote: null,
  authorWords: { from: 'commit', markdown: 'Replace `{}` in a few places.', more: false },
  tests: null,
  mainChanges: [
    change('dist/router.js', [statement('`router` is one line.', [['dist/router.js', 'new', 1]])], {
      hunk: {
        fileName: 'dist/router.js',
        heading: null,
        lines: [line('removed', 1, '\u202eif (a) {\u2066 \t'), line('added', 1, minified.trimEnd())],
        moreBefore: 0,
        moreAfter: 7,
      },
    }),
  ],
  notablePoints: [],
  also: [],
  counts: { files: 1, additions: 1, deletions: 1, commits: 3, parts: [{ kind: 'generated', files: 1 }] },
});

/** Replaces the content of a stored article, also in lists, and the description of its pull request. */
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
