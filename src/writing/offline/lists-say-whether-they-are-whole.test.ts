import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, toldOf, write } from '../../../test/write-offline.ts';

const told = (path: string, body: string | string[]): string => allOf(write([diffOf(path, body)]).en);

test('a command that reads like words and goes with another is not passed over in silence', () => {
  const steps = `
       - name: Run the tests
         run: |
-          cd tests
-          nim c -r tester
-          # they are run by another file
+          nimble test
       - run: ./install
`;
  assert.match(
    told('.github/workflows/test.yml', steps),
    /Removes `cd tests`, among other lines, and adds `nimble test`\./,
  );
});

test('only the side of which something is left out is told as a part, in every language', () => {
  const settings = `
 module Shards
+  LOCK_FILENAME = "shard.lock"
+  INSTALL_FOLDER = "libs"
+  CACHE_FOLDER = ".shards"
+  VERSION_TABLE = { "a" => 1 }
   SPEC = "shard.yml"
-  DEFAULT_GROUPS = ["development"]
+  @@production = false
+  @@verbose = true
+  @@colours = "always"
 end
`;
  const { en, ja } = write([diffOf('src/config.cr', settings)], { title: 'Lock files' });
  assert.match(allOf(en), /among other lines, and removes `DEFAULT_GROUPS = \["development"\]`\./);
  assert.doesNotMatch(allOf(ja), /\["development"\]` など/);
  assert.match(allOf(ja), / など を追加|など を追加|などを追加/);
});

test('functions that come or go beside those that are named are not denied', () => {
  const script = `
+checksum_of() {
+  sum "$1"
+}
+
-install_node_binary() {
-  fetch_node "$1"
-  unpack_node "$1"
-}
-
-install_iojs_binary() {
-  fetch_iojs "$1"
-  echo 'a different thing'
-}
+install_binary() {
+  fetch_any "$1" "$2"
+  unpack_any "$1" "$2"
+}
+
+download_artifact() {
+  curl "$1"
+}
 main "$@"
`;
  const text = told('install.sh', script);
  for (const [verb, names] of [
    ['Adds', ['checksum_of', 'install_binary', 'download_artifact']],
    ['Removes', ['install_node_binary', 'install_iojs_binary']],
  ] as const) {
    const sentence = new RegExp(`${verb} the functions? [^.]*\\.`).exec(text)?.[0] ?? '';
    const isWhole = names.every((name) => sentence.includes(name));
    assert.ok(sentence === '' || isWhole || sentence.includes('among others'), sentence);
  }
});

test('what heads a part of every entry is no section that the document gets', () => {
  const report = `
 # dplyr
 
 ### CRAN
 
 It could not be checked.
 
+# immcp
+
+### Devel
+
+It fails.
+
+### CRAN
+
+It fails.
+
+# groupr
+
+### Devel
+
+It fails, too.
+
 # later
`;
  const text = told('revdep/failures.md', report);
  assert.match(text, /Adds the sections “immcp” and “groupr”, among others\./);
  assert.doesNotMatch(text, /“CRAN”|“Devel”/);
});

test('files that were taken out of another one are told as that, however many they are', () => {
  const lines = (name: string) =>
    Array.from({ length: 14 }, (_, at) => `check ${name} number ${at} holds again`);
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
  const whole = names
    .flatMap(lines)
    .map((line) => `-${line}`)
    .join('\n');
  const files = names.map((name) =>
    diffOf(
      `tests/t${name}.nim`,
      lines(name)
        .map((line) => `+${line}`)
        .join('\n'),
      { status: 'added' },
    ),
  );
  const fresh = diffOf('src/new.nim', Array.from({ length: 20 }, (_, at) => `+fresh line ${at}`).join('\n'), {
    status: 'added',
  });
  const text = allOf(
    write([...files, fresh, diffOf('tests/tester.nim', `\n import unittest\n${whole}\n`)]).en,
  );
  assert.match(
    text,
    /8 new|are new \(112 lines in all\); most of their lines stood in `tests\/tester\.nim` before\./,
  );
  assert.doesNotMatch(text, /and \d+ more files are new \([\d,]+ lines in all\)\./);
});

test('lines that went to another file with a qualifier before their names are not new there', () => {
  const gone = `
 module Factories
-  def clear_repositories
-    run "rm -rf #{CACHE_DIRECTORY}/*"
-    run "rm -rf #{INSTALL_PATH}/*"
-  end
 end
`;
  const come = `
 require "minitest"
+  def clear_repositories
+    run "rm -rf #{ Shards::CACHE_DIRECTORY }/*"
+    run "rm -rf #{ Shards::INSTALL_PATH }/*"
+  end
`;
  const text = allOf(write([diffOf('test/factories.cr', gone), diffOf('test/test_helper.cr', come)]).en);
  assert.doesNotMatch(text, /(?:Adds|adds|Removes|removes) `run "rm -rf/);
});

test('an entry of a list that was made anew is not what became of the entry that stood there', () => {
  const entry = (sign: string, name: string, owner: string) =>
    [
      `# ${name}`,
      '',
      '<details>',
      '',
      '* Version: 1.0.0',
      `* GitHub: https://github.com/${owner}/${name}`,
      `* Source code: https://github.com/cran/${name}`,
      '* Date: 2021',
      '',
      '</details>',
      '',
    ]
      .map((line) => `${sign}${line}`)
      .join('\n');
  const body = `\n${entry('-', 'brolgar', 'njtierney')}\n${entry('+', 'admiral', 'pharmaverse')}\n${entry('+', 'amt', 'jsigner')}\n # later\n`;
  assert.doesNotMatch(told('revdep/problems.md', body), /becomes/);
});

test('where all functions that come are named, no others are said to come', () => {
  const one = `
 $script:state = $null
 
+function New-EscapedErrorRecord ([string] $Name) {
+    # class of errors that nobody catches
+    [ErrorRecord]::new($Name)
+}
+
 function Invoke-Block ($Block) {
-    & $Block
+    . $Block
 }
`;
  const text = told('src/Runtime.ps1', one);
  assert.doesNotMatch(text, /New-EscapedErrorRecord`, among others/);
});

test('headings that stand where others stood are no new sections', () => {
  const retitled = `
 Pausable
 ========
 
-modifier stopInEmergency
+modifier whenNotPaused()
 """"""""""""""""""""""""""
 
-Throws while it is stopped.
+Throws while it is paused.
 
-release( ) external onlyOwner
+unpause() onlyOwner returns (bool)
 """"""""""""""""""""""""""""""""""""""""
 
 Goes on.
`;
  assert.doesNotMatch(told('docs/source/pausable.rst', retitled), /Adds the sections?/);
  const split = `
-### NuGet-style operators
+### Strategy modifiers
 
 To override the strategy, use ! or @.
 
+### Min modifier
+
+It takes the lowest version.
+
 ### Others
`;
  const text = told('docs/content/dependencies.md', split);
  assert.doesNotMatch(
    text,
    /Adds the sections?|(?:Removes from|Adds to) the document: “(?:NuGet-style operators|Strategy modifiers)/,
  );
});

test('a line that is told of a file in which others change is told as a part', () => {
  const body = `
 let find (folder : string) =
-    let files = Directory.GetFiles folder
+    let files = Directory.GetFiles(folder, "*.nupkg")
     files
 
 let parse name =
+    if name = "" then failwith "There is no name"
+    let parts = splitName name
     toVersion name
`;
  const text = told('src/Local.fs', body);
  assert.ok(!/becomes [^.]*\.nupkg"\)`\.$/m.test(text), text);
});

test('sections that only lead elsewhere, or stand in an example, are no others that come', () => {
  const document = diffOf('README.md', [
    `
+## Release of packages
+
+Every package has one.
+
+\`\`\`yml
+# packages.yml
+packages: []
+\`\`\`
 
 Text below.
`,
    '\n-#### pretty_time ([source](macros/logger/pretty_time.sql))\n+#### pretty_time ([source](macros/helpers/pretty_time.sql))\n \n Text.\n',
    '\n-### Logger\n+### Helpers\n \n More text.\n',
  ]);
  const lines = toldOf(write([document]).en, 'README.md');
  assert.match(lines, /Adds the section “Release of packages”\./);
});

test('what moves to another file is not one of those that go', () => {
  const shown = `
 impl Shown {
-    fn phase(state: &State) -> f64 {
-        f64::atan2(state.im, state.re)
-    }
-
-    fn format_label(label: &BigUint, count: usize) -> String {
-        format!("|{}>", label.to_str_radix(2).pad(count))
-    }
-
     fn show(&self) {
-        Self::phase(state);
+        run(state);
     }
 }
`;
  const output = `
 use num::BigUint;
 
+fn format_label(label: &BigUint, count: usize) -> String {
+    format!("|{}>", label.to_str_radix(2).pad(count))
+}
+
 fn other() {}
`;
  const { en } = write([diffOf('src/show.rs', shown), diffOf('src/output.rs', output)]);
  assert.match(toldOf(en, 'src/show.rs'), /Removes the method `phase`\./);
});
