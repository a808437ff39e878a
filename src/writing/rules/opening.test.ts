import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { sourceOf } from '../../../test/source-of.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { openingOf } from './opening.ts';

const openingsOf = (known: Parameters<typeof sourceOf>[0]) => openingOf(sourceOf(known));

const go = (path: string, body: string): FileDiff => diffOf(path, ` package queue\n${body}`);
const added = go('queue.go', '+// Take takes the next job of all.\n+func Take() int {\n+\treturn 1\n+}');
const errors = diffOf(
  'src/Errors.java',
  `${'ABCDEF'.replace(/./g, (letter) => `+public class ${letter}Exception extends Exception {\n+}\n+\n`)} // End`,
);
const body = go('queue.go', ' func take() {\n-\treturn 1\n+\tn := locked()\n+\treturn n\n }');
const pinned = (...names: string[]): FileDiff =>
  diffOf(
    'package.json',
    `   "devDependencies": {\n${names.map((name) => `-    "${name}": "1.2.0",`).join('\n')}\n${names
      .map((name, at) => `+    "${name}": "${at === 0 ? '2.0.0' : '1.3.0'}",`)
      .join('\n')}\n   }`,
  );
const [moved] = parseDiff(
  Buffer.from('diff --git a/a/x.go b/b/x.go\nsimilarity index 100%\nrename from a/x.go\nrename to b/x.go\n'),
);

test('an English title gets a Japanese headline if certain facts cover all of it', () => {
  const table: [title: string, ja: string, diff: FileDiff[]][] = [
    ['feat: add Take', '公開関数 `Take` を追加', [added]],
    ['feat: add public exceptions', '公開クラスを 6 件追加', [errors]],
    ['Remove Take', '公開関数 `Take` を削除', [go('queue.go', '-func Take() int {\n-\treturn 1\n-}')]],
    [
      'Remove the wait argument from Take',
      '`Take` から引数 `wait` を削除',
      [
        go(
          'queue.go',
          '-func Take(job int, wait bool) int {\n+func Take(job int) int {\n \treturn run(job)\n }',
        ),
      ],
    ],
    [
      'Change the default of limit in take',
      '`take` の引数 `limit` の既定値を `1` から `2` に変更',
      [
        diffOf(
          'src/Queue.kt',
          '-fun take(limit: Int = 1): Int {\n+fun take(limit: Int = 2): Int {\n     return run(limit)\n }',
        ),
      ],
    ],
    [
      'chore(deps): bump undici from 1.2.0 to 2.0.0',
      '`undici` を 1.2.0 から 2.0.0 に更新',
      [pinned('undici')],
    ],
    [
      'Update dev dependencies',
      '開発用の依存関係を 3 件更新（メジャー 1 件）',
      [pinned('undici', 'tsx', 'vite')],
    ],
    [
      'docs: update the README',
      'README を更新。本体コードの変更なし',
      [diffOf('README.md', ' # Queue\n-A queue.\n+A queue of jobs.\n+\n+## Use\n+\n+Call it.')],
    ],
    [
      'Add docs/queue.md',
      '`docs/queue.md` を追加',
      [diffOf('docs/queue.md', '+# Queue\n+A queue.', { status: 'added' })],
    ],
    [
      'Test TestTakes',
      'テスト `TestTakes` を追加。本体コードの変更なし',
      [diffOf('queue_test.go', ' package queue\n+func TestTakes(t *testing.T) {\n+\ttake()\n+}')],
    ],
    [
      'ci: ubuntu-24.04',
      '`ci.yml` の `ubuntu-22.04` を `ubuntu-24.04` に変更',
      [diffOf('.github/workflows/ci.yml', ' on: push\n-  runs-on: ubuntu-22.04\n+  runs-on: ubuntu-24.04')],
    ],
    [
      'Update ci.yml',
      'ビルド・CI 設定を変更（`ci.yml`）。本体コードの変更なし',
      [diffOf('.github/workflows/ci.yml', ' on: push\n+  env: dev\n+  shell: bash')],
    ],
    [
      'Fix a comment in a.go',
      '`a.go` のコメントに `and waits` を追加',
      [diffOf('src/a.go', ' package a\n\n-// A takes a job\n+// A takes a job and waits\n func A() {}')],
    ],
    ['Move a/x.go to b/x.go', '移動のみ（`a/x.go` → `b/x.go`）', moved ? [moved] : []],
    [
      'Rename size to length in take',
      '`take` の `size` を `length` に変更',
      [go('queue.go', ' func take() {\n-\treturn size + 1\n+\treturn length + 1\n }')],
    ],
    ['Keep jobs in order', 'Keep jobs in order', [body, go('lock.go', '-var a = 1\n+var a = 2')]],
  ];
  for (const [title, headline, diff] of table) {
    const ranges: Record<string, [string, number, number][]> = {
      'queue.go': [['take', 2, 5]],
      'README.md': [
        ['Queue', 1, 3],
        ['Use', 4, 6],
      ],
    };
    const { en, ja } = openingsOf({ title, diff, ranges });
    assert.equal(ja.title.text, headline);
    assert.equal(en.title.text, title);
    assert.ok(ja.title.text.length <= 80);
  }
});

test('a title stays if a headline would name only part of it', () => {
  for (const title of [
    'Keep jobs in order',
    'feat: add Take and Peek',
    'fix: Take panics on empty queues',
    'Add Take without which workers starve',
  ])
    assert.equal(openingsOf({ title, diff: [added] }).ja.title.text, title);
});

test('a title keeps its "fix" prefix, without which it would say the opposite', () => {
  const { en } = openingsOf({
    title: 'fix(response): panic on Hijack when the wrapper is unsupported',
    diff: [body],
  });
  assert.equal(en.title.text, 'fix(response): panic on Hijack when the wrapper is unsupported');
});

test('--help and --version are not called new, because a parser may have provided them before', () => {
  const options =
    '+    parser.add_argument("--help", help="Say how.")\n+    parser.add_argument("--version")\n';
  const opened = openingsOf({ diff: [diffOf('src/cli.py', ` def main():\n${options}     run()`)] });
  assert.doesNotMatch(JSON.stringify(opened), /New|追加|--help/);
});

test("a pull request's title is kept if it is in the article's language, or if no fact can replace it", () => {
  const japanese = openingsOf({ title: 'ジョブの順序を保つ', diff: [added] });
  assert.equal(japanese.ja.title.text, 'ジョブの順序を保つ');
  assert.equal(japanese.en.title.text, 'New function `Take`');
  const unsure = openingsOf({ diff: [diffOf('data/a.bin', '-a\n+b')] });
  assert.equal(unsure.ja.title.text, 'Keep jobs in order');
});

test('a code comment is quoted inside an English lead and below a Japanese one', () => {
  const { en, ja } = openingsOf({ title: 'Add Take', diff: [added] });
  assert.equal(en.standfirst?.text, 'New function `Take`: “Take takes the next job of all.”');
  assert.equal(en.background[0]?.text, '');
  assert.equal(ja.standfirst?.text, '');
  assert.deepEqual(
    ja.background.map(({ text, basis, source }) => [text, basis, source]),
    [['Take takes the next job of all.', 'words', 'code']],
  );
});

test('a key in a code comment is not quoted', () => {
  const key = `sk_${'live'}_${'4eC39HqLyjWDarjtT1zdp7dc'}`;
  const lines = [`+// Take begins with ${key} of all.`, '+func Take() int {', '+\treturn 1', '+}'];
  const opened = openingsOf({ diff: [go('queue.go', lines.join('\n'))] });
  assert.match(JSON.stringify(opened), /Take/);
  assert.doesNotMatch(JSON.stringify(opened), /_live_/);
});

test('the changelog entry is the lead in every language, in its own words', () => {
  const changelog = diffOf(
    'CHANGELOG.md',
    ' # Next\n+- Jobs are never lost when it stops (#12)\n+- Jobs free their locks\n+- Colours follow the terminal',
  );
  const { en, ja } = openingsOf({ diff: [body, changelog] });
  for (const article of [en, ja]) {
    assert.deepEqual(
      [article.standfirst, ...article.background].map((one) => [one?.text, one?.source]),
      [
        ['Jobs are never lost when it stops', 'changelog'],
        ['Jobs free their locks', 'changelog'],
      ],
    );
  }
});

test('a breaking change is stated once, with its label', () => {
  const { en, ja } = openingsOf({ diff: [go('queue.go', '-func Take() int {\n-\treturn 1\n-}')] });
  assert.equal(en.standfirst?.text, '');
  assert.deepEqual(
    [en, ja].map(({ notablePoints: [point] }) => [point?.label, point?.sentences[0]?.text]),
    [
      ['breaking', 'Removed function `Take`.'],
      ['breaking', '公開関数 `Take` を削除。'],
    ],
  );
});

test('the scope of a change is stated in English and Japanese', () => {
  const { en, ja } = openingsOf({ diff: [pinned('undici', 'tsx')] });
  assert.equal(en.scope?.sentence.text, 'Dependencies only');
  assert.equal(ja.scope?.sentence.text, '変更範囲：依存関係のみ');
});
