import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, makeClone } from '../../test/make-clone.ts';
import { program, runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { parseConfig } from '../config.ts';
import { describeFacts, readFactsOfClone } from './facts.ts';

/** Characters that a terminal executes, hides or reorders. */
const followed = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}/u;

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket');
const path = 'b\u001b]0;owned\u0007\u009b\u202e\nWorth attention\n  SECURITY none.ts';
writeFileSync(
  join(clone, path),
  'export const clear = "\u001b[2J\u009b31m\u202e";\n// \u200bnobody sees this\n',
);
git(clone, 'add', '--all');
const title = 'feat: launch \u001b[31mred\u009b1m \u202eevil\u{e0041}';
git(clone, 'commit', '--quiet', '--message', `${title} (#2)\n\nIt \u001b[1mmatters\u0007\r much.`);

const statements = (count: number, change = 0): string =>
  Array.from(
    { length: count },
    (_, index) => `touch(${index}, ${index % 2 === 0 ? change : 0});\nkeep();\n`,
  ).join('');
for (let number = 0; number < 40; number += 1) writeFileSync(join(clone, `f${number}.ts`), statements(60));
git(clone, 'add', '--all');
git(clone, 'commit', '--quiet', '--message', 'feat: begin much (#3)');
for (let number = 0; number < 40; number += 1) writeFileSync(join(clone, `f${number}.ts`), statements(60, 1));
git(clone, 'commit', '--quiet', '--all', '--message', 'feat: change much (#4)');

writeFileSync(join(clone, 'f0.ts'), `${statements(60, 1)}land();\n`);
writeFileSync(join(clone, 'f0.test.ts'), `import { test } from 'node:test';\n${statements(200)}`);
git(clone, 'add', '--all');
git(clone, 'commit', '--quiet', '--message', 'fix: land at the end (#5)');

const environment = { GIT_REPOS: root, PULLQUOTE_DATA: temporaryFolder() };
const run = (...parameters: string[]) =>
  runToEnd({ command: [process.execPath, program, ...parameters], environment });
const read = (number: number) => readFactsOfClone('acme', 'rocket', number, parseConfig(environment));

test('`pullquote facts` escapes control characters of titles and paths, and keeps a path with line breaks on one line', async () => {
  const { code, stdout, stderr } = await run('facts', 'acme/rocket', '2');
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, followed);
  assert.match(stdout, /^acme\/rocket#2: .*launch ⟨U\+001B⟩\[31mred⟨U\+009B⟩1m ⟨U\+202E⟩evil⟨U\+E0041⟩/);
  assert.match(
    stdout,
    /b⟨U\+001B⟩\]0;owned⟨U\+0007⟩⟨U\+009B⟩⟨U\+202E⟩⏎Worth attention⏎ {2}SECURITY none\.ts$/m,
  );
});

test('`pullquote facts --json` prints no raw control character, and parses back to the original path', async () => {
  const { code, stdout, stderr } = await run('facts', 'acme/rocket', '2', '--json');
  assert.equal(code, 0, stderr);
  assert.doesNotMatch(stdout, followed);
  assert.deepEqual(
    JSON.parse(stdout).files.map((file: { path: string }) => file.path),
    [path],
  );
});

test('error messages escape control characters of the parameters', async () => {
  for (const parameters of [['\u001b[31m'], ['facts', '\u009b/\u202e', '1'], ['token', '\u001b[2J']]) {
    const { code, stderr } = await run(...parameters);
    assert.notEqual(code, 0);
    assert.doesNotMatch(stderr, followed);
    assert.match(stderr, /⟨U\+/);
  }
});

test('`describeFacts` shortens a large pull request and counts what it leaves out, while the facts are complete', async () => {
  const { title, facts } = await read(4);
  const text = describeFacts('acme/rocket#4', title, facts);
  const lines = text.split('\n');
  assert.ok(lines.length < 200, `${lines.length} lines`);
  assert.ok(lines.every((line) => line.length < 300));
  assert.match(text, /^ {4}replaced code, 30 times: \[old 1\] → \[1\], .*, and 24 more$/m);
  assert.match(text, /^ {2}and 10 more$/m);
  assert.deepEqual(
    facts.files.map(({ changes }) => changes.length),
    Array(40).fill(30),
  );
});

test('`describeFacts` lists a source file before a longer test file', async () => {
  const { title, facts } = await read(5);
  assert.match(
    describeFacts('acme/rocket#5', title, facts),
    /^What changed, most important first\n {2}f0\.ts\n[\s\S]*^ {2}f0\.test\.ts$/m,
  );
});

test('`readFactsOfClone` rejects an unknown number and names the ref that would provide it', async () => {
  await assert.rejects(read(99), {
    message:
      /^acme\/rocket has no pull request 99\. Check the number\. A clone contains .*refs\/pull\/NUMBER\/head/,
  });
});
