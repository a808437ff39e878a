import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runToEnd } from '../../test/start-service.ts';

test('a name that is no command, also one that every object knows, gets a sentence, what was probably meant, and the overview', async () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'srve']) {
    const command = [process.execPath, 'bin/pullquote.cjs', name];
    const { code, stdout, stderr } = await runToEnd({ command });
    assert.equal(code, 2, name);
    assert.equal(stdout, '', name);
    assert.ok(
      stderr.startsWith(
        `There is no command ${name}.${name === 'srve' ? ' Did you mean serve?' : ''}\n\npullquote: turns`,
      ),
      stderr,
    );
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});

test('help of a command is its own, what is wrong with a parameter is one whole sentence, and a shell completes both', async () => {
  const run = (...parameters: string[]) =>
    runToEnd({ command: [process.execPath, 'bin/pullquote.cjs', ...parameters] });
  const complete =
    'source <("$0" bin/pullquote.cjs completion bash); COMP_WORDS=(pullquote explain --br); COMP_CWORD=2; _pullquote; ' +
    'echo "$COMPREPLY"; COMP_WORDS=(pullquote expl); COMP_CWORD=1; _pullquote; echo "$COMPREPLY"';
  const [help, flag, none, wrong, completed] = await Promise.all([
    run('help', 'import'),
    run('import', '--help'),
    run('help', 'srve'),
    run('facts', 'acme/rocket', '1', '--jsn'),
    runToEnd({ command: ['bash', '-c', complete, process.execPath] }),
  ]);
  assert.match(help.stdout, /^Usage: pullquote import /);
  assert.deepEqual([help.code, help.stdout], [0, flag.stdout]);
  assert.deepEqual(
    [none.code, none.stderr.split('\n')[0]],
    [2, 'There is no command srve. Did you mean serve?'],
  );
  assert.ok(
    wrong.stderr.startsWith("Unknown option '--jsn'. Did you mean --json?\n\nUsage: pullquote facts "),
    wrong.stderr,
  );
  assert.deepEqual([completed.stdout, completed.stderr], ['--brief\nexplain\n', '']);
});
