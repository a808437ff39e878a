import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../test/start-service.ts';

test('a name that is no command, also one that every object knows, gets a sentence and the overview', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'srve']) {
    const command = [process.execPath, 'bin/pullquote.cjs', name];
    const { code, stdout, stderr } = await runToEnd({ command });
    assert.equal(code, 2, name);
    assert.equal(stdout, '', name);
    assert.ok(stderr.startsWith(`There is no command ${name}.\n\npullquote: turns`), stderr);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});

test('help of a command is its own, and what is wrong with a parameter is one whole sentence', async () => {
  const run = (...parameters: string[]) =>
    runToEnd({ command: [process.execPath, 'bin/pullquote.cjs', ...parameters] });
  const [help, flag, none, wrong] = await Promise.all([
    run('help', 'import'),
    run('import', '--help'),
    run('help', 'srve'),
    run('facts', 'acme/rocket', '1', '--jsn'),
  ]);
  assert.match(help.stdout, /^Usage: pullquote import /);
  assert.deepEqual([help.code, help.stdout], [0, flag.stdout]);
  assert.deepEqual([none.code, none.stderr.split('\n')[0]], [2, 'There is no command srve.']);
  assert.ok(wrong.stderr.startsWith("Unknown option '--jsn'.\n\nUsage: pullquote facts "), wrong.stderr);
});
