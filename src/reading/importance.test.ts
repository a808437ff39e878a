import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { readFacts } from '../../test/read-facts.ts';

const orderOf = (title: string, files: [path: string, body: string][]) =>
  readFacts(
    { repository: 'some/where', title, body: null, labels: [], commitMessages: [] },
    files.map(([path, body]) => diffOf(path, body)),
    new Map(),
  ).files.map(({ path }) => path);

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `+step${index}()`).join('\n');

test('with equal changes, source files rank before tests, and tests before lock files', () => {
  const body = lines(20);
  assert.deepEqual(
    orderOf('Make it better', [
      ['package-lock.json', body],
      ['test/a.test.ts', body],
      ['src/a.ts', body],
    ]),
    ['src/a.ts', 'test/a.test.ts', 'package-lock.json'],
  );
});

test('the changed file named in the title ranks first', () => {
  assert.deepEqual(
    orderOf('Make the router faster', [
      ['src/server.ts', lines(5)],
      ['src/router.ts', lines(5)],
    ]),
    ['src/router.ts', 'src/server.ts'],
  );
});

test("a typo fix in a code comment ranks below a change of the documentation's configuration", () => {
  assert.deepEqual(
    orderOf('Use the theme of the house', [
      ['src/cli.py', '-# Find the the module.\n+# Find the module.'],
      ['docs/conf.py', '-html_theme = "plain"\n+html_theme = "house"\n+html_theme_options = {}\n'],
    ]),
    ['docs/conf.py', 'src/cli.py'],
  );
});

test('moved code does not raise the rank of a file', () => {
  const body = lines(30);
  assert.deepEqual(
    orderOf('Something else', [
      ['src/old.ts', body.replaceAll('+', '-')],
      ['src/new.ts', body],
      ['src/limit.ts', '-const limit = 10\n+const limit = 20'],
    ])[0],
    'src/limit.ts',
  );
});
