import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../test/diff-of.ts';
import { classifyFile } from './classify-file.ts';
import { type FileDiff, WholeDiff } from './file-diff.ts';
import { readSurfaces } from './read-file.ts';

function wholeOf(file: FileDiff): WholeDiff {
  const whole = new WholeDiff();
  whole.note(file);
  return whole;
}

function surfacesIn(path: string, body: string | string[], status: 'added' | 'modified' = 'modified') {
  const file = diffOf(path, body, { start: 20, status });
  const { kind, language } = classifyFile(file);
  return readSurfaces(file, kind, language, { whole: wholeOf(file), fresh: null }).map(
    ({ change, name }) => `${change} ${name}`,
  );
}

const options: [string, string, string[]][] = [
  ['src/cli.ts', "+  .option('-p, --port <port>', 'the port')", ['added --port']],
  ['src/other.ts', "+  name: { type: 'string' },", []],
  ['a.py', '+parser.add_argument("-v", "--verbose", action="store_true")', ['added --verbose']],
  ['a.py', '+    parser.add_argument(\n+        "--level",', ['added --level']],
  ['a.py', '+@click.option("--name", default="x")', ['added --name']],
  ['cmd/a.go', '+\tcmd.Flags().BoolVarP(&o.clean, "clean", "c", false, "x")', ['added --clean']],
  ['cmd/a.go', '+\t_ = cmd.Flags().MarkHidden("clean")', []],
  ['src/a.rs', '+  #[clap(short, long)]\n+  pub no_bundle: bool,', ['added --no-bundle']],
  ['src/cli.ts', "-  .option('--a', 'old words')\n+  .option('--a', 'new words')", ['changed --a']],
  ['src/cli.ts', "-.option('--a', 'words')\n+    .option('--a', 'words')", []],
];

for (const [path, body, names] of options) {
  test(`command-line options of ${JSON.stringify(body)} in ${path}: ${names.join() || 'none'}`, () => {
    assert.deepEqual(surfacesIn(path, body), names);
  });
}

test('options in tests, examples and documentation are ignored', () => {
  for (const path of ['test/a.ts', 'examples/a.ts', 'docs/a.ts'])
    assert.deepEqual(surfacesIn(path, "+  .option('--port', 'the port')"), [], path);
});

test('options in a Rust unit test are ignored, and a line of a megabyte does not hide the next option', () => {
  assert.deepEqual(surfacesIn('src/a.rs', ' #[test]\n fn lists() {\n+  Arg::new("x").long("name")'), []);
  const long = `+  .option('--long', '${'a.get('.repeat(200_000)}')`;
  assert.deepEqual(surfacesIn('src/a.ts', `${long}\n+  .option('--port', 'p')`), ['added --port']);
});

test('evidence is the line in the old file for a removed option, and in the new file for an added one', () => {
  const file = diffOf('src/a.ts', " x\n-  .option('--old', 'o')\n+  .option('--new', 'n')", { start: 5 });
  assert.deepEqual(
    readSurfaces(file, 'source', 'TypeScript', { whole: wholeOf(file), fresh: null }).map(
      ({ evidence }) => evidence,
    ),
    [
      { fileName: 'src/a.ts', startLine: 6, endLine: 6, side: 'old' },
      { fileName: 'src/a.ts', startLine: 6, endLine: 6, side: 'new' },
    ],
  );
});
