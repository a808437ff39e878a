import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { checkSentence } from './check-sentence.ts';
import { occursIn } from './find-name.ts';
import { Ground } from './ground.ts';

/** A name, a line with another spelling of it, and similar names that the line does not contain. */
const table: [name: string, line: string, lies: string[]][] = [
  ['-a', 'cmd.Flags().BoolVarP(&all, "all", "a", false, "Show all")', ['-b', '-f', '--a']],
  ['-s', 'flags.StringVarP(&sort, "sort", "s", "a", "Order")', ['-a', '-o']],
  ['-v', 'flag.BoolVar(&verbose, "v", false, "say more")', ['-f', '-s']],
  ['-H', "    #[arg(long, short = 'H')]", ['-h', '-l']],
  ['-I', "            .short('I')", ['-i', '-s']],
  ['-q', "  .option('quiet', { alias: 'q', type: 'boolean' })", ['-t', '-u']],
  ['-o', '&cli.StringFlag{Name: "output", Aliases: []string{"o"}}', ['-n', '-s']],
  ['--all', 'cmd.Flags().BoolVarP(&all, "all", "a", false, "Show all")', ['--a', '--al', '--show-all']],
  ['--when', 'flags.String("when", "never", "When to color")', ['--never', '--color']],
  ['--no-color', '#[arg(long)]\npub no_color: bool,', ['--color', '--no-colors', '--no']],
  ['--no-color', '  noColor: Flags.boolean({ char: "n" }),', ['--color', '--boolean']],
  ['--no-ignore', '    Arg::new("no-ignore")', ['--ignore', '--no']],
  ['HTTP/2', 'case HTTP_2: return true', ['HTTP/1.1', 'HTTP/3']],
  ['HTTP/1.1', 'const HTTP_1_1 = "x"', ['HTTP/1.0', 'HTTP/2', 'HTTP/1']],
  ['HTTP/2', 'client = httpx.Client(http2=True)', ['HTTP/3', 'HTTP/1.1', 'HTTP/2.1']],
  ['TLS 1.3', 'minVersion: TLSv1_3', ['TLS 1.2', 'SSL 1.3']],
];

test('a name is found in each of its spellings, and similar names are not', () => {
  for (const [name, line, lies] of table) {
    assert.equal(occursIn(name, line), true, `${name} in ${line}`);
    for (const lie of lies) assert.equal(occursIn(lie, line), false, `${lie} in ${line}`);
  }
});

test('a letter or identifier names an option only where options are declared', () => {
  assert.equal(occursIn('-a', 'case "a": return 1'), false);
  assert.equal(occursIn('-a', 'letters.push("b", "a")'), false);
  assert.equal(occursIn('--no-color', 'const noColor = true;'), false);
  assert.equal(occursIn('--no-color', 'if (noColor == other) {}'), false);
});

const use = diffOf(
  'pkg/cmd/auth/status.go',
  '\n+\tcmd := &cobra.Command{\n+\t\tUse: "status",\n+\t}\n+\tcmd.Flags().BoolVarP(&all, "all", "a", false, "All")\n',
);
const ground = new Ground({ diff: [use], words: [] });
const holds = (text: string, startLine = 2): boolean =>
  checkSentence(
    {
      text,
      basis: 'diff',
      quote: null,
      evidence: [{ fileName: use.path, side: 'new', startLine, endLine: startLine }],
      words: [],
      facts: [],
    },
    ground,
    { fileName: null, isSummary: false, before: [] },
  ).kept !== null;

test('an option in another spelling may be called added on its line, but not removed', () => {
  assert.equal(holds('It adds `-a`.', 4), true);
  assert.equal(holds('It removes `-a`.', 4), false);
  assert.equal(holds('It adds `-b`.', 4), false);
});

test('a protocol version in prose is checked as a name, not as a number', () => {
  const two = diffOf('http.ts', '\n+if (version === HTTP_2) upgrade();\n');
  const say = (text: string) =>
    checkSentence(
      {
        text,
        basis: 'diff',
        quote: null,
        evidence: [{ fileName: 'http.ts', side: 'new', startLine: 1, endLine: 1 }],
        words: [],
        facts: [],
      },
      new Ground({ diff: [two], words: [] }),
      { fileName: null, isSummary: false, before: [] },
    ).kept !== null;
  assert.equal(say('Requests over HTTP/2 are upgraded.'), true);
  assert.equal(say('Requests over HTTP/3 are upgraded.'), false);
});
