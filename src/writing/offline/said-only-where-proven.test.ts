import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, backgroundOf, toldOf, write } from '../../../test/write-offline.ts';
import { parseDiff } from '../../reading/parse-diff.ts';

const told = (path: string, body: string): string => toldOf(write([diffOf(path, body)]).en, path);

test('a condition is told as changed only where the branch below it stays', () => {
  const kept = '\n function f(a: number) {\n-  if (a > 1) {\n+  if (a > 2) {\n     run(a);\n   }\n }\n';
  assert.match(told('src/a.ts', kept), /the condition `a > 1` becomes `a > 2`/);
  const another =
    '\n function f(a: number) {\n-  if (a > 1) {\n-    a = fold(a);\n+  if (a > 2) {\n+    return 0;\n   }\n }\n';
  assert.doesNotMatch(told('src/a.ts', another), /condition/);
});

test('a condition that only follows a name that changes around it is not told as another', () => {
  const renamed =
    '\n function f(list: number[]) {\n-  list.forEach((a) => {\n+  list.forEach((b) => {\n     let n = 0;\n-    if (seen.has(a)) {\n+    if (seen.has(b)) {\n       n += 1;\n     }\n   });\n }\n';
  assert.doesNotMatch(told('src/a.ts', renamed), /condition/);
});

test('what shares its name with something that stays is neither new nor gone', () => {
  const overload =
    '\n export class Monitor {\n   request(a: A): void;\n+  request(b: B): void {\n+    log(b);\n+  }\n   done() {\n   }\n }\n';
  assert.doesNotMatch(told('src/monitor.ts', overload), /Adds the method/);
  const gone = diffOf('src/a.ts', '\n const x = 1;\n-export function toExtras(b: B) {\n-  return b;\n-}\n');
  const other = diffOf('src/b.ts', '\n const y = 1;\n+const z = toExtras(y);\n');
  assert.doesNotMatch(allOf(write([gone, other]).en), /public declaration|Removes the function/);
  assert.match(allOf(write([gone]).en), /The public declaration of `toExtras` is removed/);
});

test('a file that becomes a link is told as one', () => {
  const printed = `diff --git a/docs/manual.yml b/docs/manual.yml
deleted file mode 100644
index 1111111..0000000
--- a/docs/manual.yml
+++ /dev/null
@@ -1,2 +0,0 @@
-title: Manual
-body: Some words of it
diff --git a/docs/manual.yml b/docs/manual.yml
new file mode 120000
index 0000000..2222222
--- /dev/null
+++ b/docs/manual.yml
@@ -0,0 +1 @@
+v1.7/manual.yml
\\ No newline at end of file
`;
  const { en, ja } = write(parseDiff(Buffer.from(printed)));
  assert.equal(toldOf(en, 'docs/manual.yml'), 'This is now a symbolic link to `v1.7/manual.yml`.');
  assert.equal(toldOf(ja, 'docs/manual.yml'), '`v1.7/manual.yml` へのシンボリックリンクになります。');
});

test('a new file says where most of its lines stood before', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `const constant${index} = compute(${index});`);
  const print = (sign: string) => lines.map((line) => `${sign}${line}`).join('\n');
  const old = diffOf('src/all.ts', `\n const first = 1;\n${print('-')}\n const last = 1;`);
  const now = diffOf('src/constants.ts', `\n${print('+')}\n`, { status: 'added' });
  assert.match(
    toldOf(write([old, now]).en, 'src/constants.ts'),
    /^This file is new \(12 lines\); most of its lines stood in `src\/all\.ts` before\./,
  );
});

test('a test that several files lose has come from none of them', () => {
  const body = (sign: string) =>
    `\n const x = 1;\n${sign}test('the limit holds', () => {\n${sign}  assert.ok(x);\n${sign}});\n`;
  const { en } = write([
    diffOf('src/a.test.ts', body('-')),
    diffOf('src/b.test.ts', body('-')),
    diffOf('src/all.test.ts', body('+')),
  ]);
  assert.doesNotMatch(allOf(en), /the limit holds/);
});

test('an entry of a changelog is told with the heading that says what became of it', () => {
  const entry = (heading: string) =>
    diffOf(
      'CHANGELOG.md',
      `\n # Changelog\n \n ## Unreleased\n \n+### ${heading}\n+\n+- Pool option \`size\`\n \n`,
    );
  const { en, ja } = write([entry('Removed')], { title: 'Tidy the pool' });
  assert.match(allOf(en), /Under “Removed”, the changelog says: “Pool option `size`”\./);
  assert.match(allOf(ja), /変更履歴の「Removed」の節には「Pool option `size`」とあります。/);
  assert.doesNotMatch(allOf(write([entry('Pools')]).en), /the changelog says/i);
});

test('somebody is not quoted with words for what the quotation leaves out', () => {
  const said = (body: string) =>
    backgroundOf(write([diffOf('src/a.ts', '\n-const a = 1;\n+const a = 2;\n')], { body }).en);
  assert.doesNotMatch(
    said('Select actions do not work.\n\nMore work is needed in that case, because they fail.'),
    /that case/,
  );
  assert.doesNotMatch(
    said(
      'Steps that fail:\n\n- the user connects because of a push\n- the server shuts down because of it\n',
    ),
    /The author writes/,
  );
});

test('a title that says too little gets what the lines show beside it', () => {
  const diff = [diffOf('src/limits.ts', '\n const a = 1;\n-const most = 10;\n+const most = 20;\n')];
  const titles = (title: string, commitMessages: string[] = []) => {
    const { en, ja } = write(diff, { title, commitMessages });
    return [en.title, ja.title];
  };
  assert.deepEqual(titles('Limit improvements'), [
    'Limit improvements: `const most = 10` becomes `const most = 20`',
    '「Limit improvements」: `const most = 10` が `const most = 20` に変わります',
  ]);
  assert.deepEqual(titles('Update limits.ts', ['Allow twenty requests at once']), [
    'Allows twenty requests at once',
    '「Allow twenty requests at once」',
  ]);
  assert.deepEqual(titles('Fixes #123'), titles('issue-123-limits'));
  assert.doesNotMatch(titles('Merge old master to the latest')[0] ?? '', /Merge/);
  assert.equal(
    titles('[Regression] The limit only accepts strings')[1],
    '「The limit only accepts strings」(修正)',
  );
});

test('where nothing but a changelog changes, its entry is told of that file', () => {
  const { en } = write([
    diffOf('CHANGELOG.md', '\n # Changelog\n \n+- The pool takes a size for each host\n \n'),
  ]);
  assert.match(toldOf(en, 'CHANGELOG.md'), /The changelog says: “The pool takes a size for each host”\./);
});

test('what a release lists in its changelog is not told as what it is for', () => {
  const entry = diffOf(
    'CHANGELOG.md',
    '\n # Changelog\n \n ## Unreleased\n \n+- The pool now closes what nobody uses any more.\n \n',
  );
  const pool = diffOf('src/pool.ts', '\n-const size = 1;\n+const size = 2;\n');
  const background = (title: string) => backgroundOf(write([pool, entry], { title }).en);
  assert.match(background('Tidy the pool'), /The pool now closes/);
  assert.doesNotMatch(background('Misc stuff for v0.15 release'), /The pool/);
});

test('a list that is not all of it says so', () => {
  const swapped = (path: string) =>
    diffOf(path, '\n-const limit = defaults.limit;\n+const limit = settings.limit;\n');
  const files = Array.from({ length: 6 }, (_, index) => swapped(`src/part${index}.ts`));
  const beside = diffOf('doc/limits.md', '\n-Look at `defaults.limit`.\n+Look at `settings.limit`.\n');
  assert.match(allOf(write(files).en), /The same is done in .* and 2 more files\./);
  const part = write([...files, beside]);
  assert.match(allOf(part.en), /The same is done in .*, among others\./);
  assert.match(allOf(part.ja), /同じ変更が .* などにもあります。/);
  const removed = (path: string, body: string) =>
    allOf(write([diffOf(path, `\n const standing = 1;\n${body}\n`)]).en);
  const nested =
    '-pub fn openDocument(uri: []const u8) void {\n-    load(uri);\n-}\n-    pub const Status = enum { none, done };';
  assert.match(
    removed('src/store.zig', nested),
    /declaration of `openDocument` is removed, among others\.\nCode that relies on them/,
  );
  const many = ['a', 'b', 'c', 'd'].map((name) => `-pub fn ${name}Document() void {}`).join('\n');
  assert.match(
    removed('src/store.zig', `${many}\n-    pub const Status = enum { none };`),
    /are removed, among others\./,
  );
  const both =
    '-export function openDocument(uri: string) {\n-  return load(uri);\n-}\n-export const enum Status { none }';
  assert.match(
    removed('src/store.ts', both),
    /declarations of `openDocument` and `Status` are removed\.\nCode that relies on them/,
  );
});

test('a look-up that is gone altogether leaves nothing that has to be set', () => {
  const { en } = write([
    diffOf('src/log.py', '\n-level = os.environ.get("APP_LOG_LEVEL", "INFO")\n+level = "INFO"\n'),
  ]);
  const told = allOf(en);
  assert.match(told, /The look-up of `APP_LOG_LEVEL` with a fallback is removed\./);
  assert.doesNotMatch(told, /has to/);
});

test('what is called eval runs text in some languages only, and nothing where it is given nothing', () => {
  const alarm = (path: string, line: string) => allOf(write([diffOf(path, `\n+${line}\n`)]).en);
  assert.match(alarm('src/run.py', 'value = eval(text)'), /The added lines contain `eval`/);
  for (const [path, line] of [
    ['R/mask.R', 'value <- eval(quosure, mask)'],
    ['src/run.py', 'value = eval()'],
    ['src/run.js', 'function eval(text) {'],
  ] as const)
    assert.doesNotMatch(alarm(path, line), /runs or renders/, line);
});

test('functions of a shell script are no public declarations', () => {
  const { en } = write([diffOf('nvm.sh', '\n-nvm_helper() {\n-  echo one\n-}\n')]);
  assert.doesNotMatch(allOf(en), /public/);
});

test('a dependency that several manifests lose and get is said to have moved only to the one beside', () => {
  const at = (folder: string, sign: string) =>
    diffOf(
      `${folder}package.json`,
      `\n {\n   "dependencies": {\n${sign}    "undici": "8.0.0",\n     "zod": "4.0.0"\n   }\n }\n`,
    );
  const { en } = write([at('a/', '-'), at('b/', '-'), at('', '+')]);
  assert.doesNotMatch(allOf(en), /Moves|Adds `undici`|Drops/);
  assert.match(allOf(write([at('a/', '-'), at('', '+')]).en), /Moves `undici`/);
});

test('a type takes nothing, and what is taken apart has no name', () => {
  const type =
    '\n-export type Check = (value: string) => boolean;\n+export type Check = (value: string, c: Context) => boolean;\n';
  assert.doesNotMatch(told('src/check.ts', type), /now takes/);
  const apart =
    '\n-export function make({ id }: Options): Css {\n+export function make({ id, slug }: Options): Css {\n   return css(id);\n }\n';
  assert.doesNotMatch(told('src/css.ts', apart), /now takes/);
});

test('where nothing else can be told of a change, the lines of a short place are shown whole', () => {
  const versions = '\n rvm:\n-  - 2.2.8\n-  - 2.3.5\n+  - 2.2.9\n+  - 2.3.6\n+  - 2.5.0\n   - head\n';
  assert.equal(
    told('.travis.yml', versions),
    'Removes `- 2.2.8` and `- 2.3.5` and adds `- 2.2.9`, `- 2.3.6` and `- 2.5.0`.',
  );
});

test('what something else stands in the place of is not merely said to be removed from a document', () => {
  const replaced =
    '\n # Install\n \n-Run the old installer of your platform and follow it.\n+    npm install pullquote\n \n That is all.\n';
  assert.doesNotMatch(told('README.md', replaced), /^Removes from the document[^|]*$/);
});

test('what a test throws is no error message of the program', () => {
  const body = '\n+throw new Error("teardown failed");\n';
  assert.match(told('src/run.ts', body), /error message/);
  assert.doesNotMatch(told('test/run.test.ts', body), /error message/);
});

test('events and modifiers of Solidity are no methods, and a contract is no class', () => {
  const { en } = write([
    diffOf(
      'contracts/Pausable.sol',
      '\n+contract Pausable {\n+  event Pause();\n+  modifier whenPaused() {\n+    _;\n+  }\n+  function pause() public {\n+    emit Pause();\n+  }\n+}\n',
    ),
  ]);
  assert.doesNotMatch(allOf(en), /class|method[^.]*`(?:Pause|whenPaused)`/);
});

test('an empty file is not binary, whatever it is called', () => {
  const { en } = write(
    parseDiff(Buffer.from('diff --git a/a.nupkg b/a.nupkg\nnew file mode 100644\nindex 0000000..e69de29\n')),
  );
  assert.doesNotMatch(allOf(en), /binary/);
});

test('a file that only becomes executable is not said to be binary', () => {
  const mode = 'diff --git a/a.ttf b/a.ttf\nold mode 100644\nnew mode 100755\n';
  assert.doesNotMatch(allOf(write(parseDiff(Buffer.from(mode))).en), /binary/);
});

test('a name of which some places get another one is not told to become one of them', () => {
  const lines = ['a', 'b', 'c', 'd'].map(
    (one) => `-  echo ${one}Done\n+  output ${one}Done\n   rest ${one}\n`,
  );
  const body = `\n main = do\n${lines.join('')}-  echo failed\n+  logWarning failed\n`;
  assert.doesNotMatch(told('src/Cache.hs', body), /^`echo` becomes `output`/);
});

test('what Lisp writes behind a hash is code', () => {
  const body = '\n (should\n-  #("a b c" 0 1)\n+  #("a b c d" 0 1)\n )\n';
  assert.doesNotMatch(told('test/debug-tests.el', body), /Only comments/);
});

test('lines that come where others went, or go where others come, say so', () => {
  const path = 'rules/settings.bzl';
  const both = write([
    diffOf(
      path,
      '\n string_setting = rule(\n     attrs = {\n-        "scope": attr.string(\n-            default = "universal",\n-        ),\n+        "scope": _SCOPE_ATTR,\n     },\n )\n',
    ),
  ]);
  assert.match(toldOf(both.en, path), /, and other lines take (?:its|their) place\.$/);
  assert.match(toldOf(both.ja, path), /を削除し、代わりに別の行を入れています。$/);
  const alone = write([diffOf(path, '\n attrs = {\n+    "scope": _SCOPE_ATTR,\n }\n')]);
  assert.equal(toldOf(alone.en, path), 'Adds `"scope": _SCOPE_ATTR`.');
});

test('what stays beside it is not told as gone', () => {
  const fewer =
    '\n build:\n   steps:\n-    - run: make release\n     - uses: setup\n     - run: make release\n     - uses: upload\n';
  assert.doesNotMatch(told('ci/build.yml', fewer), /Removes/);
});

test('a statement becomes only what begins as it does, or reads almost the same', () => {
  const path = 'manifests/dev.pp';
  const spread = diffOf(
    path,
    '\n class apache::dev {\n-  package{$apache::params::apache_dev: ensure => installed}\n+  package { "apache_dev_package":\n+    name => $apache::params::apache_dev,\n+    ensure => installed\n+  }\n }\n',
  );
  const { en } = write([spread], { title: 'Name the package of apache_dev' });
  assert.doesNotMatch(toldOf(en, path), /becomes/);
});

test('a statement of several lines becomes no other where a third one further down is more like it', () => {
  const types = `
 ;; types
-(def-type HashtableTop ()
-  [#:mask mask:hash]
-  [#:singleton -HashtableTop])
+(def-structural Immutable-HashTable ([key #:covariant] [value #:covariant])
+  [#:mask mask:immutable-hash])
 
-;; TODO separate mutable/immutable Hashtables
-(def-structural Hashtable ([key #:invariant] [value #:invariant])
-  [#:mask mask:hash])
+(def-type Mutable-HashTableTop ()
+  [#:mask mask:mutable-hash]
+  [#:singleton -Mutable-HashTableTop])
 
`;
  assert.doesNotMatch(told('src/types.rkt', types), /HashtableTop.* becomes/);
});

test('what only moves down is not what other lines take the place of', () => {
  const path = 'theories/bigop.v';
  const lemma = 'Lemma big_allpairs I (F : I -> R) : \\big[op/idx]_(i <- r) F i = foldr op idx r.';
  const moved = `\n Section All.\n-${lemma}\n-Proof. by elim: r => //= x s IHs. Qed.\n+Lemma big_sigma J (G : J -> S) : sum_of J G = compute_all J G.\n+Proof. exact: sumP. Qed.\n+\n+${lemma}\n+Proof. exact: big_sigma. Qed.\n End All.\n`;
  assert.doesNotMatch(told(path, moved), /place/);
});

test('a function that begins the same in another file is not told as removed', () => {
  const gone = diffOf(
    'source/script.lisp',
    '\n (in-package :a)\n-(defun internal-page-name (url)\n-  (when (string= "nyxt" (scheme url)) (path url)))\n (defvar b)\n',
  );
  const come = diffOf(
    'source/urls.lisp',
    '\n (in-package :a)\n+(defun internal-page-name (url)\n+  "The name of the page."\n+  (unless (blank url) (or (host url) (path url))))\n (defvar c)\n',
  );
  assert.doesNotMatch(toldOf(write([gone, come]).en, 'source/script.lisp'), /Removes/);
});

test('a blank inside of quotes is no layout', () => {
  const renamed = '\n tags: [\n-  "keyword:semi rings"\n+  "keyword:semirings"\n ]\n';
  assert.doesNotMatch(told('mathcomp.opam', renamed), /Only line breaks/);
  const spaced = '\n tags: [\n-  "keyword:rings"\n+    "keyword:rings"\n ]\n';
  assert.match(told('mathcomp.opam', spaced), /Only line breaks/);
});

test('what a command declares for itself is not missed when the command goes', () => {
  const body =
    '-#!/usr/bin/env lua\n-function decompose(s)\n-  return s\n-end\n-\n-function tred(g)\n-  return g\n-end\n-print(tred(decompose(io.read())))';
  const gone = diffOf('etc/graph.lua', `\n${body}\n`, { status: 'removed' });
  assert.doesNotMatch(allOf(write([gone]).en), /public declaration/);
});

test('a call that goes on in lines which change as well is not shown without them', () => {
  const wrapped =
    '\n fn (s Slider) draw() {\n-\td.draw_rect_filled(middle, pos, s.thumb_width, s.thumb_height,\n-\t\ts.style.thumb_color)\n+\td.draw_rounded_rect_filled(middle, pos, s.thumb_width,\n+\t\ts.thumb_height, s.radius, s.style.thumb_color)\n }\n';
  assert.doesNotMatch(told('src/slider.v', wrapped), /thumb_width` becomes|becomes `[^`]*thumb_width`/);
});

test('a name joined by hyphens is told whole', () => {
  const renamed = ['open', 'close', 'next', 'last']
    .map((name) => `-  (${name} keep-search-hints-p)\n+  (${name} keep-search-marks-p)\n   (log ${name})`)
    .join('\n');
  assert.doesNotMatch(told('source/buffer.lisp', `\n (defun f ()\n${renamed})\n`), /`hints`/);
});

test('sections that are underlined count among those that come', () => {
  const printed = `diff --git a/docs/faq.rst b/docs/faq.rst
index 1111111..2222222 100644
--- a/docs/faq.rst
+++ b/docs/faq.rst
@@ -1,2 +1,6 @@
 Some words.
 
+What are the aims?
+==================
+
+Many words about the aims.
@@ -20,4 +24,10 @@
 Some words.
 
-Is it lazy?
-===========
+Is it eager?
+============
+
+Can I define laws?
+==================
+
+Where is the package manager?
+=============================
`;
  const { en } = write(parseDiff(Buffer.from(printed)));
  assert.match(toldOf(en, 'docs/faq.rst'), /Adds the section “What are the aims\?”, among others\./);
});

test('a sentence whose beginning stood there before is not told as added', () => {
  const longer =
    '\n * C\n \n-  Compile to C.\n+  Compile to C. With this directive, gambit will generate a file instead of an executable.\n+\n+  .. code-block:: shell\n+\n+    $ idris2 -o main.c Main.idr\n \n';
  assert.doesNotMatch(told('docs/gambit.rst', longer), /Adds to the document: “Compile to C/);
});

test('the same edit throughout a file is not one among others', () => {
  const each = Array.from({ length: 15 }, (_, at) => `-export\n+export %inline\n Cast A${at} B where`).join(
    '\n',
  );
  const said = told('libs/Cast.idr', `\n module Cast\n${each}\n`);
  assert.match(said, /%inline/);
  assert.doesNotMatch(said, /among/);
});

test('what closes a bracket is not made out of what closes another', () => {
  const heads = `
 @view
 func owner{
-}() -> (res: felt):
-    return (res)
-end
-func constructor{
-}(initial_owner: felt):
+}() -> (owner: felt):
+    return (owner=get_owner())
+end
+func initializer{
+}(owner: felt):
     write(owner)
 end
`;
  assert.doesNotMatch(told('contracts/Ownable.cairo', heads), /`\}\(/);
});

test('a line that is wrapped in its place becomes the longer one', () => {
  const wrapped = '\n program rift;\n-{$apptype GUI}\n+{$IFDEF Windows}{$apptype GUI}{$ENDIF}\n uses game;\n';
  assert.equal(
    told('rift.lpr', wrapped),
    '`{$apptype GUI}` becomes `{$IFDEF Windows}{$apptype GUI}{$ENDIF}`.',
  );
});

test('a line that gives way to one that stands elsewhere as well is not told as removed', () => {
  const path = 'docs/tooltips.md';
  const cells =
    '\n <tr>\n-<td>string | false</td>\n+<td>string | element | false</td>\n <td>container</td>\n </tr>\n <tr>\n-<td>string</td>\n+<td>string | false</td>\n <td>selector</td>\n </tr>\n';
  assert.doesNotMatch(told(path, cells), /Removes/);
});

test('a branch that is asked otherwise is not told as removed', () => {
  const branch =
    '\n   if (response is Response) {\n     use(response);\n-  } else if (response is error) {\n+  } else {\n     fail(response);\n   }\n';
  assert.doesNotMatch(told('tests/caller_test.bal', branch), /Removes (?!.*adds)/);
  assert.doesNotMatch(told('src/caller.ts', branch), /Removes (?!.*adds)/);
});

test('an attribute before a type is no part of it, and what may be left out may be undefined', () => {
  const header =
    '\n #pragma once\n-void* native_dlopen(const char* path);\n+[[nodiscard]] void* native_dlopen(const char* path);\n int other();\n';
  assert.doesNotMatch(allOf(write([diffOf('vm/os.hpp', header)]).en), /now returns?|public declaration/);
  const types =
    '\n export const a = 1;\n-export function json(data: any, init?: ResponseInit | undefined): Response;\n+export function json(data: any, init?: ResponseInit): Response;\n';
  assert.doesNotMatch(allOf(write([diffOf('src/index.d.ts', types)]).en), /The parameter|public declaration/);
});

test('a year behind a hyphen is a place where it gives way', () => {
  const lines = ['# Copyright (c) 2014-2021, Ada', '# since 2021', 'a = "2010-2021"', 'b = "2015-2021"'];
  const body = lines
    .map((line) => `-${line}\n+${line.replace('2021', '2022')}\n x = ${line.length}`)
    .join('\n');
  assert.doesNotMatch(told('about.py', `\n import os\n${body}\n`), /in [23] places/);
});

test('a heading of which only signs are left is not told', () => {
  const heading =
    '\n # Pervasives\n+### Pervasives.**(\\*\\*)**\n+\n+Raises a number to a power of another one.\n';
  assert.doesNotMatch(told('stdlib/pervasives.md', heading), /Pervasives\.\(/);
});

test('an item that gives way to one that stands elsewhere as well is not told as removed', () => {
  const path = 'ci/matrix.yml';
  const items =
    '\n first:\n-  - stable\n+  - nightly\n   - beta\n second:\n-  - oldest\n+  - stable\n   - beta\n';
  assert.doesNotMatch(told(path, items), /Removes/);
});

test('where the same is told of a part of two files, they are not said to have the same done to them', () => {
  const year = (body: string) =>
    `\n ;;; File\n-(define-type tgroup id: 1)\n+(define-type tgroup id: 2)\n (define b 1)\n${body}`;
  const { en } = write([
    diffOf('lib/thread.scm', year(' (define c 1)\n+(include (quote (list d))\n')),
    diffOf('lib/std.scm', year(' (define f 1)\n+(include (quote (vector g))\n')),
  ]);
  assert.doesNotMatch(allOf(en), /The same is done in/);
});

test('since when something is whose is not told', () => {
  const years =
    '\n-;;; Copyright (c) 1994-2019 by Marc\n+;;; Copyright (c) 1994-2020 by Marc\n (define a 1)\n-(run)\n+(run fast)\n';
  assert.doesNotMatch(allOf(write([diffOf('lib/thread.scm', years)]).en), /Copyright/);
});
