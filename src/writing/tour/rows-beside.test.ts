import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { write } from '../../../test/write-offline.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { readFacts } from '../../reading/read-facts.ts';
import { prepareWriting } from '../ai/prepare-writing.ts';
import type { WrittenArticle } from '../written-article.ts';

const printed = ({ also }: Pick<WrittenArticle, 'also'>): string[] =>
  also.map(
    ({ kind, statement, times, files, additions, deletions }) =>
      `${kind}${times ?? ''} ${statement.text} | ${files.join(' ')} +${additions} −${deletions}`,
  );

/** The rows beside an article of a model's that tells of some files. */
function rowsBeside(diff: FileDiff[], told: string[]): string[] {
  const text = { repository: 'some/where', title: 'Change it', body: '', commitMessages: [], labels: [] };
  const facts = readFacts(text, diff, new Map());
  const nobodyElse = { commits: [], comments: [], linkedIssues: [] };
  const source = { ...text, ...nobodyElse, author: 'ada', isClone: true, facts, diff };
  const mainChanges = told.map((fileName) => ({
    fileName,
    changeTypes: [],
    sentences: [],
    heading: null,
    hunk: null,
    excerpts: [],
  }));
  const title = { text: '', basis: 'diff' as const, quote: null, evidence: [], words: [], facts: [] };
  const { publish } = prepareWriting(source, 'en');
  const draft = {
    title,
    ownTitle: 'x',
    scope: null,
    authorWords: null,
    tests: null,
    standfirst: null,
    changeTypes: [],
    background: [],
    mainChanges,
  };
  return printed(publish({ ...draft, notablePoints: [], also: [] }).article);
}

const rust = diffOf(
  'src/json.rs',
  `
 fn read(bytes: &[u8]) -> Value {
-    parse(bytes)
+    parse_with_path(bytes)
 }
 #[cfg(test)]
 mod tests {
+    #[test]
+    fn invalid_json_data() {
+        assert_eq!(read(b"{"), Value::Null);
+    }
 }`,
);

test('rows beside an article of a model’s tell of files that it does not tell, with their own numbers, and none is without files', () => {
  const guide = diffOf('docs/guide.md', '\n+Paths are told in errors now.');
  assert.deepEqual(rowsBeside([rust, guide], ['src/json.rs']), [
    'documentation “Paths are told in errors now.” | docs/guide.md +1 −0',
  ]);
  const imports = (name: string) =>
    diffOf(`test/${name}.js`, "\n-import got from '../source';\n+import got from '../dist';");
  const [row, ...others] = rowsBeside([...'abcd'].map(imports), ['test/a.js']);
  assert.deepEqual(
    [row, others],
    ["sameEdit3 `'../source'` → `'../dist'` | test/b.js test/c.js test/d.js +3 −3", []],
  );
});

test('tests that stand beside what they test are told with the file that has them', () => {
  assert.deepEqual(printed(write([rust]).en), ['test New: `invalid_json_data`. | src/json.rs +5 −1']);
});

test('of files in which the same was done there is one row, and none beside that of the edit', () => {
  const imports = (name: string) =>
    diffOf(`test/${name}.test.js`, "\n-import got from '../source';\n+import got from '../dist';");
  const diff = [...[...'abcde'].map(imports), diffOf('.gitignore', '\n+dist')];
  const rows = printed(write(diff).en);
  assert.equal(rows.filter((row) => row.includes('test/c.test.js')).length, 1, rows.join('\n'));
  const commented = ['x', 'y'].map((name) =>
    diffOf(`src/${name}.ts`, `\n-// Says ${name}.\n+// Says ${name} again.\n const ${name} = 1;`),
  );
  const source = diffOf('src/z.ts', '\n export function z() {\n-  return 1;\n+  return 2;\n }');
  assert.deepEqual(printed(write([source, ...commented]).en), [
    'source Comments only. | src/x.ts src/y.ts +2 −2',
  ]);
});

test('of a few entries of a changelog each is told; of more, how many others there are', () => {
  const entry = (letter: string) => `+- **added**: \`${letter}\` can be read from the outside ([#12])\n`;
  const source = diffOf('src/z.ts', '\n export function z() {\n-  return 1;\n+  return 2;\n }');
  const rowFor = (letters: string, path = 'CHANGELOG.md') => {
    const list = diffOf(
      path,
      ` # Unreleased\n\n${[...letters].map(entry).join('')}+\n+[#12]: https://example.org/12\n`,
    );
    return printed(write([source, list]).en).find((row) => row.startsWith('documentation'));
  };
  const told = (letter: string) => `“added: \`${letter}\` can be read from the outside”`;
  assert.equal(rowFor('ab'), `documentation ${told('a')} ${told('b')} | CHANGELOG.md +4 −0`);
  assert.equal(rowFor('abcde'), `documentation ${told('a')} And 4 more entries. | CHANGELOG.md +7 −0`);
});
