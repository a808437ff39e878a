import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { write } from '../../../test/write-offline.ts';
import type { FileDiff } from '../../reading/file-diff.ts';

const code = diffOf('src/print.ts', '\n function print() {\n-  send(1);\n+  if (isOpen) send(1);\n }');
const tell = (diff: FileDiff[]) => {
  const { tests } = write([code, ...diff]).en;
  const en = tests?.statements.map(({ text }) => text) ?? [];
  return { added: tests?.added ?? [], total: tests?.addedTotal, en };
};

test('the first five new tests are named, and all are counted', () => {
  const cases = Array.from(
    { length: 7 },
    (_, at) => `+test('prints page ${at}', () => {\n+  print(${at});\n+});`,
  );
  const { added, total } = tell([diffOf('test/print.test.ts', `\n start();\n${cases.join('\n')}\n`)]);
  assert.equal(added.length, 5);
  assert.equal(added[0], 'prints page 0');
  assert.equal(total, 7);
});

test('a test whose body existed before is renamed, not new', () => {
  const { added } = tell([
    diffOf(
      'tests/test_a.py',
      '\n-def test_a():\n+def test_that_a_prints():\n     a = start()\n     assert a\n',
    ),
    diffOf('tests/test_b.py', '\n start()\n+def test_twice():\n+    assert b\n'),
    diffOf('tests/test_c.py', '\n start()\n+def test_twice():\n+    assert c\n'),
  ]);
  assert.deepEqual(added, ['test_twice']);
});

test('a changed assertion shows both sides', () => {
  const { en } = tell([
    diffOf(
      'tests/test_count.py',
      `
 def test_count():
     pages = read()
-    assert len(pages) == 3
+    assert len(pages) == 4
     close(pages)`,
    ),
  ]);
  assert.deepEqual(en, ['Assertion of `test_count`: `assert len(pages) == 3` → `assert len(pages) == 4`.']);
});

test('an unrelated assertion in the same place is not a changed one', () => {
  const { en } = tell([
    diffOf(
      'tests/test_count.py',
      '\n def test_count():\n-    assert url.query == b""\n+    assert has_port(address)\n     close()',
    ),
  ]);
  assert.deepEqual(en, []);
});

test('removed tests are named', () => {
  const { en } = tell([
    diffOf('test/print.test.ts', "\n start();\n-test('prints twice', () => {\n-  print(2);\n-});\n stop();"),
  ]);
  assert.deepEqual(en, ['Removed tests: `prints twice`.']);
});
