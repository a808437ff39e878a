import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { program, runToEnd } from '../../test/start-service.ts';
import { type Listed, shells } from './completion.ts';
import { listCommands } from './run-command.ts';

test('an unknown command, even `constructor`, exits 2 with the overview, and a similar command is suggested', async () => {
  for (const name of ['constructor', 'srve']) {
    const command = [process.execPath, program, name];
    const { code, stdout, stderr } = await runToEnd({ command });
    assert.equal(code, 2, name);
    assert.equal(stdout, '', name);
    assert.ok(
      stderr.startsWith(
        `Unknown command: ${name}.${name === 'srve' ? ' Did you mean serve?' : ''}\n\npullquote turns`,
      ),
      stderr,
    );
    assert.doesNotMatch(stderr, /^ +at /m);
  }
});

test('`pullquote help import` prints the help of that command, an unknown option gets a suggestion, and bash completes commands and options', async () => {
  const run = (...parameters: string[]) => runToEnd({ command: [process.execPath, program, ...parameters] });
  const complete =
    'source <("$0" bin/pullquote.cjs completion bash); COMP_WORDS=(pullquote explain --br); COMP_CWORD=2; _pullquote; ' +
    'echo "$COMPREPLY"; COMP_WORDS=(pullquote expl); COMP_CWORD=1; _pullquote; echo "$COMPREPLY"';
  const [help, wrong, completed] = await Promise.all([
    run('help', 'import'),
    run('facts', 'acme/rocket', '1', '--jsn'),
    runToEnd({ command: ['bash', '-c', complete, process.execPath] }),
  ]);
  const known = (await listCommands()).find(({ name }) => name === 'import');
  assert.deepEqual([help.code, help.stdout], [0, `${known?.help}\n`]);
  assert.ok(
    wrong.stderr.startsWith("Unknown option '--jsn'. Did you mean --json?\n\nUsage: pullquote facts "),
    wrong.stderr,
  );
  assert.deepEqual([completed.stdout, completed.stderr], ['--brief\nexplain\n', '']);
});

const told: Listed = {
  name: 'tell',
  summary: "tell: a team's news",
  help: 'Usage: pullquote tell [--brief]\n\n  --brief   such as --no-more\n  --markdown-too',
  run: async () => {},
};

test('zsh and fish completions list each command with its summary and options, and all completions parse in the shells that are installed', async () => {
  assert.deepEqual(
    shells.fish([told]).split('\n').slice(1),
    [
      "-f -n __fish_use_subcommand -a tell -d 'tell: a team'\\''s news'",
      ...['brief', 'no-more', 'markdown-too', 'help'].map(
        (option) => `-n '__fish_seen_subcommand_from tell' -l ${option}`,
      ),
    ].map((line) => `complete -c pullquote ${line}`),
  );
  const zsh = shells.zsh([told]);
  assert.match(zsh, /^#compdef pullquote\n/);
  assert.ok(zsh.includes("\n  commands=(\n    'tell:tell\\: a team'\\''s news'\n  )\n"), zsh);
  assert.ok(zsh.includes('\n    tell) compadd -- --brief --no-more --markdown-too --help ;;\n'), zsh);
  const commands = await listCommands();
  for (const [shell, print] of Object.entries(shells)) {
    const { error, stderr, status } = spawnSync(shell, ['-n'], { input: print(commands), encoding: 'utf8' });
    // A shell that is not installed is skipped.
    if (!error) assert.deepEqual([stderr, status], ['', 0], shell);
  }
});
