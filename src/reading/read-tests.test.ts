import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import type { FileKind } from './facts.ts';
import { type FileDiff, WholeDiff } from './file-diff.ts';
import { readTests } from './read-tests.ts';

function testsIn(file: FileDiff, kind: FileKind) {
  const whole = new WholeDiff();
  whole.note(file);
  return readTests(file, kind, whole);
}

const namesIn = (path: string, body: string) =>
  testsIn(diffOf(path, body), 'test').map(({ change, name }) => `${change} ${name}`);

test('JavaScript tests are named by their string argument', () => {
  assert.deepEqual(
    namesIn(
      'a.test.ts',
      `
 describe('outer', () => {
+  it('adds', () => {})
+  test.only("it's quoted", async () => {})
+  t.test(\`with ticks\`, (t) => {})
+  it.each([1, 2])('takes %s', () => {})
+  test(
+    'stands on a line of its own',
+    () => {})
-  it('subtracts', () => {})
+  pattern.test('no test')
+  'nor this',`,
    ),
    [
      'added adds',
      "added it's quoted",
      'added with ticks',
      'added takes %s',
      'added stands on a line of its own',
      'removed subtracts',
    ],
  );
});

test('a test name on both sides is neither added nor removed', () => {
  assert.deepEqual(namesIn('a.test.js', "-it('a', f)\n+it('a', g)\n+it('b', g)"), ['added b']);
});

test('tests in Python, Go, Java, Kotlin, C#, Ruby, Elixir, PHP and C++ are found, and helpers are not', () => {
  assert.deepEqual(namesIn('test_a.py', '+async def test_one(x):\n+def tester():\n+def testTwo(self):'), [
    'added test_one',
    'added testTwo',
  ]);
  assert.deepEqual(
    namesIn(
      'a_test.go',
      '+func TestMain(m *testing.M) {\n+func TestX(t *testing.T) {\n+\tt.Run("sub case", func() {',
    ),
    ['added TestX', 'added sub case'],
  );
  assert.deepEqual(namesIn('ATest.java', ' @Test\n @Timeout(3)\n+  void works() {\n+  void helper() {'), [
    'added works',
  ]);
  assert.deepEqual(namesIn('ATest.kt', '+  @Test fun `does it`() {'), ['added does it']);
  assert.deepEqual(namesIn('ATests.cs', '+[Fact]\n+public async Task Works()\n+public void Helper()'), [
    'added Works',
  ]);
  assert.deepEqual(namesIn('a_spec.rb', '+  context "when off" do\n+    it \'runs\' do'), ['added runs']);
  assert.deepEqual(namesIn('a_test.exs', '+  describe "run/2" do\n+    test "runs" do'), ['added runs']);
  assert.deepEqual(namesIn('ATest.php', '+    public function testRuns(): void'), ['added testRuns']);
  assert.deepEqual(namesIn('a_test.cc', '+TEST_F(Suite, Case) {'), ['added Suite.Case']);
});

test('in a Rust source file, only functions marked as tests are tests', () => {
  const file = diffOf(
    'src/lib.rs',
    '+#[tokio::test]\n+#[ignore]\n+async fn reads() {}\n+fn helper() {}\n+// test',
  );
  assert.deepEqual(
    testsIn(file, 'source').map(({ name }) => name),
    ['reads'],
  );
});

test("evidence is the test's line in the new file if added, and in the old file if removed", () => {
  const body = " x\n-it('old')\n+it('new', () => run())";
  const [added, removed] = testsIn(diffOf('a.test.js', body, { start: 7 }), 'test');
  assert.deepEqual(added?.evidence, { fileName: 'a.test.js', startLine: 8, endLine: 8, side: 'new' });
  assert.deepEqual(removed?.evidence, { fileName: 'a.test.js', startLine: 8, endLine: 8, side: 'old' });
});

test('source files, fixtures and lines of a megabyte have no tests', () => {
  assert.deepEqual(testsIn(diffOf('a.test.js', "+it('a')"), 'source'), []);
  assert.deepEqual(namesIn('tests/fixtures/a.test.js', "+it('a')"), []);
  assert.deepEqual(namesIn('a.test.js', `+it('${'a'.repeat(1_000_000)}')`), []);
});

test('a test whose first line alone was replaced is renamed, not added and removed', () => {
  assert.deepEqual(
    namesIn('a.test.js', "-it('adds', () => {\n+it('adds numbers', () => {\n   expect(add(1, 2)).toBe(3)"),
    ['kept adds numbers', 'kept adds'],
  );
});

test('older JUnit and PHPUnit styles are found, and C# tests with attributes over several lines', () => {
  assert.deepEqual(namesIn('ATest.java', '+  public void testReads() {\n+  void helper() {'), [
    'added testReads',
  ]);
  assert.deepEqual(namesIn('ATest.php', '+    final public function testReads(): void'), ['added testReads']);
  assert.deepEqual(
    namesIn(
      'ATests.cs',
      '+    [Theory]\n+    [InlineData("a",\n+        "b")]\n+    // the rest\n+    [InlineData("c")]\n+    public void Reads(string x)',
    ),
    ['added Reads'],
  );
});

test('a test with almost the same name in the same place is renamed, even if its whole body is new', () => {
  assert.deepEqual(
    namesIn(
      'a_spec.rb',
      `
-  it "keeps semicolons" do
-    a
-    b
-    c
-    d
+  it "keeps semicolons only in a body" do
+    e
+    f
+    g
+    h
`,
    ),
    ['kept keeps semicolons only in a body', 'kept keeps semicolons'],
  );
});

test('a test inside a multi-line string is not a test', () => {
  const body =
    '\n+def test_outer():\n+    run("""\n+def test_inner():\n+    pass\n+""")\n+def test_last():\n+    """One line."""\n';
  assert.deepEqual(namesIn('tests/test_runner.py', body), ['added test_outer', 'added test_last']);
});
