import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { StatedFact } from '../draft.ts';
import { checkSentence } from './check-sentence.ts';
import { Ground } from './ground.ts';

const at = (fileName: string, side: 'old' | 'new', startLine: number, endLine = startLine): Evidence => ({
  fileName,
  startLine,
  endLine,
  side,
});

/** Whether a sentence and its facts are true of a diff. */
function holds(diff: FileDiff[], text: string, evidence: Evidence[], facts: StatedFact[]): boolean {
  const sentence = { text, basis: 'diff' as const, quote: null, evidence, words: [], facts };
  const place = { fileName: evidence[0]?.fileName ?? null, isSummary: false, before: [] };
  return checkSentence(sentence, new Ground({ diff, words: [] }), place).kept !== null;
}

test('a function copied to two files is not called moved to one of them', () => {
  const body = (sign: string) => `\n${sign}def conf do\n${sign}  read_conf(:repo)\n${sign}end\n`;
  const gone = diffOf('test/repo_test.exs', body('-'));
  const [one, other] = [diffOf('test/callbacks_test.exs', body('+')), diffOf('test/my_repo.exs', body('+'))];
  const facts = (toFile: string): StatedFact[] => [
    { relation: 'moved', thing: 'function', name: 'conf', fromFile: 'test/repo_test.exs', toFile },
  ];
  const evidence = [at('test/repo_test.exs', 'old', 1)];
  const said = 'The function `conf` moves to `test/my_repo.exs`.';
  assert.equal(holds([gone, other], said, evidence, facts('test/my_repo.exs')), true);
  assert.equal(holds([gone, one, other], said, evidence, facts('test/my_repo.exs')), false);
});

test('a removed picture is not called added', () => {
  const logo = { ...diffOf('logo.png', '', { status: 'removed' }), hunks: [], isBinary: true };
  const facts: StatedFact[] = [{ relation: 'file', path: 'logo.png', status: 'removed', from: null }];
  const say = (text: string) =>
    checkSentence(
      { text, basis: 'diff', quote: null, evidence: [], words: [], facts },
      new Ground({ diff: [logo], words: [] }),
      { fileName: 'logo.png', isSummary: false, before: [] },
    ).kept !== null;
  assert.equal(say('This binary file is removed.'), true);
  assert.equal(say('This binary file is added.'), false);
});

test('a type before a method name is its return type, and a Maven package is named by both of its parts', () => {
  const specs = diffOf(
    'Specs.cs',
    '\n-    public void Should_hold()\n+    public async Task Should_hold()\n     {\n',
  );
  const returns: StatedFact[] = [{ relation: 'becomes', of: ['Should_hold'], from: 'void', to: 'Task' }];
  const lines = [at('Specs.cs', 'old', 1), at('Specs.cs', 'new', 1)];
  assert.equal(holds([specs], '`Should_hold` now returns `Task` instead of `void`.', lines, returns), true);
  const pom = diffOf(
    'pom.xml',
    '\n <dependency>\n   <groupId>com.google.guava</groupId>\n   <artifactId>guava</artifactId>\n-  <version>32.1.1-jre</version>\n+  <version>32.1.2-jre</version>\n',
  );
  const version = (of: string): StatedFact[] => [
    { relation: 'becomes', of: [of], from: '32.1.1-jre', to: '32.1.2-jre' },
  ];
  const said = (of: string) => `Upgrades \`${of}\` from \`32.1.1-jre\` to \`32.1.2-jre\`.`;
  const places = [at('pom.xml', 'old', 4), at('pom.xml', 'new', 4)];
  const [right, wrong] = ['com.google.guava:guava', 'com.google.guava:failureaccess'];
  assert.equal(holds([pom], said(right), places, version(right)), true);
  assert.equal(holds([pom], said(wrong), places, version(wrong)), false);
});

test('a moved test is not called added, and a shortened name is not a dependency', () => {
  const name = 'a crash returns an error page';
  const files = [
    diffOf('test/stack_test.exs', `\n-  test "${name}" do\n-  end\n`),
    diffOf('test/error_test.exs', `\n+  test "${name}" do\n+  end\n`),
  ];
  assert.equal(holds(files, `Adds the test \`${name}\`.`, [at('test/error_test.exs', 'new', 1)], []), false);
  const mix = diffOf('mix.exs', '\n-{:decimal, "~> 1.1"}\n+{:decimal, "~> 1.2"}\n');
  const says = (of: string) =>
    holds(
      [mix],
      `Changes \`${of}\` from \`~> 1.1\` to \`~> 1.2\`.`,
      [at('mix.exs', 'new', 1)],
      [{ relation: 'becomes', of: [of], from: '~> 1.1', to: '~> 1.2' }],
    );
  assert.equal(says('decimal'), true);
  assert.equal(says('deci'), false);
});

test('a method behind an annotation on the same line is found', () => {
  const code = diffOf(
    'Call.java',
    '\n   @Override public String toString() {\n-    return "a";\n+    return locate();\n   }\n',
  );
  const evidence = [at('Call.java', 'new', 2)];
  assert.equal(holds([code], '`toString` now calls `locate`.', evidence, []), true);
});

test('a return type with braces is compared whole', () => {
  const go = diffOf(
    'c.go',
    '\n-func (c *Context) Get(key string) (interface{}, bool) {\n+func (c *Context) Get(key string) (any, bool) {\n',
  );
  const returns: StatedFact[] = [
    { relation: 'becomes', of: ['Get'], from: '(interface{}, bool)', to: '(any, bool)' },
  ];
  const lines = [at('c.go', 'old', 1), at('c.go', 'new', 1)];
  assert.equal(
    holds([go], '`Get` now returns `(any, bool)` instead of `(interface{}, bool)`.', lines, returns),
    true,
  );
});

test('a private "#" is part of a method name, and moved tests and functions are not called added', () => {
  const hono = diffOf('hono.ts', '\n-  private dispatch(request) {\n+  #dispatch(request) {\n');
  const goes: StatedFact[] = [{ relation: 'goes', thing: 'method', name: '#dispatch' }];
  assert.equal(holds([hono], 'Removes the method `#dispatch`.', [at('hono.ts', 'old', 1)], goes), false);
  const files = [
    diffOf('a.test.js', "\n-  it('get /', () => {\n"),
    diffOf('b.test.js', "\n+    it('get /', async () => {\n"),
    diffOf('koin/c.kt', '\n-fun Routing.koin() = context\n val a = 1\n+fun Routing.koin() = context\n'),
  ];
  assert.equal(holds(files, 'Adds the test `get /`.', [at('b.test.js', 'new', 1)], []), false);
  assert.equal(holds(files, 'Adds the function `koin`.', [at('koin/c.kt', 'new', 2)], []), false);
});

test('a moved test is not called added, even if it is named like code', () => {
  const body = (sign: string) => `\n${sign}it('c.text', () => {\n${sign}  expect(c.text('x'))\n${sign}})\n`;
  const diff = [diffOf('test/hono.test.ts', body('-')), diffOf('src/context.test.ts', body('+'))];
  const evidence = [at('src/context.test.ts', 'new', 1)];
  assert.equal(holds(diff, 'Adds the test `c.text`.', evidence, []), false);
  assert.equal(holds(diff.slice(1), 'Adds the test `c.text`.', evidence, []), true);
});

test('version bounds may be in separate quotation marks', () => {
  const gemspec = diffOf('a.gemspec', "\n-s.add 'rack', '~> 2.2'\n+s.add 'rack', '>= 3.0.0', '< 4'\n");
  const evidence = [at('a.gemspec', 'old', 1), at('a.gemspec', 'new', 1)];
  const changes = (to: string): boolean =>
    holds([gemspec], `Changes \`rack\` from \`~> 2.2\` to \`${to}\`.`, evidence, [
      { relation: 'becomes', of: ['rack'], from: '~> 2.2', to },
    ]);
  assert.equal(changes('>= 3.0.0, < 4'), true);
  assert.equal(changes('>= 3.0.0, < 5'), false);
});

test('a dependency that stays in a manifest is neither added nor removed', () => {
  const mix = diffOf('mix.exs', '\n-      {:plug_crypto, "~> 1.1"},\n+      {:plug_crypto, version()},\n');
  const goes: StatedFact[] = [{ relation: 'goes', thing: 'dependency', name: 'plug_crypto' }];
  const comes: StatedFact[] = [{ relation: 'comes', thing: 'dependency', name: 'plug_crypto' }];
  assert.equal(holds([mix], 'Drops `plug_crypto`.', [at('mix.exs', 'old', 1)], goes), false);
  assert.equal(holds([mix], 'Adds `plug_crypto`.', [at('mix.exs', 'new', 1)], comes), false);
  const gone = diffOf('mix.exs', '\n-      {:plug_crypto, "~> 1.1"},\n');
  assert.equal(holds([gone], 'Drops `plug_crypto`.', [at('mix.exs', 'old', 1)], goes), true);
});

test('"upgrades" and "downgrades" are checked for each version in a list', () => {
  const manifest = diffOf(
    'go.mod',
    '\n-\tgithub.com/some/proto v1.3.0\n-\tgithub.com/some/net v0.0.0-20190301231341-16b79f2e4e95\n+\tgithub.com/some/proto v1.3.1\n+\tgithub.com/some/net v0.0.0-20190503192946-f4e77d36d62c\n',
  );
  const versions = [
    ['github.com/some/proto', 'v1.3.0', 'v1.3.1'],
    ['github.com/some/net', 'v0.0.0-20190301231341-16b79f2e4e95', 'v0.0.0-20190503192946-f4e77d36d62c'],
  ] as const;
  const facts = versions.map(([of, from, to]) => ({ relation: 'becomes' as const, of: [of], from, to }));
  const list = versions.map(([of, from, to]) => `\`${of}\` を \`${from}\` から \`${to}\` に`).join('、');
  const places = [
    at('go.mod', 'old', 1),
    at('go.mod', 'old', 2),
    at('go.mod', 'new', 1),
    at('go.mod', 'new', 2),
  ];
  assert.equal(holds([manifest], `依存関係の ${list}更新しています。`, places, facts), true);
  assert.equal(holds([manifest], `依存関係の ${list}引き下げています。`, places, facts), false);
});

test('a value change belongs to the name in its own hunk, not in the one before', () => {
  const diff = diffOf('limits.toml', [
    '\n [timeout]\n-note = "slow"\n+note = "slower"\n',
    '\n [retries]\n-most = 5\n+most = 6\n',
  ]);
  const becomes = (name: string): boolean =>
    holds(
      [diff],
      `Changes \`${name}\` from \`5\` to \`6\`.`,
      [at('limits.toml', 'old', 102), at('limits.toml', 'new', 102)],
      [{ relation: 'becomes', of: [name], from: '5', to: '6' }],
    );
  assert.equal(becomes('retries'), true);
  assert.equal(becomes('timeout'), false);
});

test('sentences with false renames, moves, additions, counts and version directions are rejected', () => {
  const renamed: FileDiff = {
    ...diffOf('b.ts', '\n-go();\n+run();\n'),
    status: 'renamed',
    previousPath: 'a.ts',
  };
  const added = diffOf('c.ts', '\n+stop();\n', { status: 'added' });
  const file = (path: string, status: 'added' | 'renamed', from: string | null): StatedFact[] => [
    { relation: 'file', path, status, from },
  ];
  const says = (text: string, facts: StatedFact[] = []) =>
    holds([renamed, added], text, [at('b.ts', 'new', 1)], facts);
  assert.equal(says('The file has another name.', file('b.ts', 'renamed', 'a.ts')), true);
  assert.equal(
    says('The file has another name.', file('b.ts', 'renamed', 'c.ts')),
    false,
    'from another file',
  );
  assert.equal(says('A file comes.', file('c.ts', 'added', null)), false, 'a file that is not cited');
  assert.equal(says('The file is new.'), false);

  const left = diffOf('old.ts', '\n-class Parcel extends Box {\n-  weigh() {}\n-}\n');
  const came = diffOf('new.ts', '\n+export class Parcel {\n+  post() {}\n+}\n');
  const moved: StatedFact[] = [
    { relation: 'moved', thing: 'class', name: 'Parcel', fromFile: 'old.ts', toFile: 'new.ts' },
  ];
  assert.equal(holds([left, came], 'It has moved.', [at('new.ts', 'new', 1)], moved), false, 'only its name');

  const code = diffOf('a.ts', "\n+// The function open is planned.\n+const name = 'pin-project';\n");
  const comes: StatedFact[] = [{ relation: 'comes', thing: 'function', name: 'open' }];
  assert.equal(holds([code], 'It is new.', [at('a.ts', 'new', 1)], comes), false, 'in a comment');
  assert.equal(holds([code], 'It is about `pin`.', [at('a.ts', 'new', 2)], []), false, 'a part of a text');

  const tests = diffOf(
    'a.test.ts',
    "\n-test('one', () => {});\n+test('two', () => {});\n+test('three', () => {});\n",
  );
  const counts = (count: string) => holds([tests], `There are ${count}.`, [at('a.test.ts', 'new', 1, 2)], []);
  assert.deepEqual([counts('1 more tests'), counts('2 more tests')], [true, false]);

  const upgrades = (from: string, to: string) =>
    holds(
      [diffOf('go.mod', `\n-some/net ${from}\n+some/net ${to}\n`)],
      `Upgrades \`some/net\` from \`${from}\` to \`${to}\`.`,
      [at('go.mod', 'old', 1), at('go.mod', 'new', 1)],
      [{ relation: 'becomes', of: ['some/net'], from, to }],
    );
  assert.deepEqual(
    [upgrades('v1.2.0', 'v1.2.0.1'), upgrades('v1.2.0.1', 'v1.2.0')],
    [true, false],
    'a longer version',
  );
  assert.deepEqual(
    [upgrades('v2.0.0-rc.1', 'v2.0.0'), upgrades('v2.0.0', 'v2.0.0-rc.1')],
    [true, false],
    'before a release',
  );
});

test('a new dependency is accepted although lock file lines with its name are removed', () => {
  const diff = [
    diffOf('package.json', '\n+    "undici": "8.12.4"\n'),
    diffOf('package-lock.json', '\n-    "node_modules/undici": {\n'),
  ];
  const comes: StatedFact[] = [{ relation: 'comes', thing: 'dependency', name: 'undici' }];
  assert.equal(holds(diff, 'Adds `undici`.', [at('package.json', 'new', 1)], comes), true);
});
