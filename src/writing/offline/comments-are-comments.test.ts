import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, toldOf, write } from '../../../test/write-offline.ts';

const told = (path: string, body: string | string[]): string => toldOf(write([diffOf(path, body)]).en, path);

test('a number sign begins no comment where the language has another sign for it', () => {
  const racket =
    '\n (define-syntax-class spec\n-  #:literals (:)\n+  #:datum-literals (:)\n   (pattern [x : y]))\n';
  assert.match(told('lib/contract.rkt', racket), /^`#:literals \(:\)` becomes `#:datum-literals \(:\)`/);
  const language = '\n-#lang typed/racket\n+#lang typed/racket/base\n \n (provide x)\n';
  assert.doesNotMatch(told('lib/base.rkt', language), /“lang|comment/);
});

test('a comment is told by the sign of its own language', () => {
  const says = (path: string, opens: string, closes = ''): string =>
    told(
      path,
      `\n first\n+${opens} Sets the header that browsers need, because they ask for one.${closes}\n second\n`,
    );
  for (const [path, opens, closes] of [
    ['a.rkt', ';;'],
    ['a.lean', '--'],
    ['a.lean', '/--', ' -/'],
    ['a.elm', '{-|', ' -}'],
    ['a.ml', '(**', ' *)'],
    ['a.erl', '%%'],
    ['a.f90', '!'],
    ['a.adb', '--'],
    ['a.pp', '#'],
  ] as const) {
    assert.match(says(path, opens, closes), /A new comment says: “Sets the header/, `${path} ${opens}`);
  }
  for (const [path, opens] of [
    ['a.rkt', '#'],
    ['a.c', '#'],
    ['a.py', '--'],
    ['a.unknown', '#:'],
  ] as const)
    assert.doesNotMatch(says(path, opens), /comment/, `${path} ${opens}`);
});

test('what a text says that is a value is no comment', () => {
  const template = `
 {% macro test_unique(model) %}
+{%- set deprecated = '
+Warning: this test is going away.
+Starting in version 0.20.0, the built-in unique test supports a condition of its own.
+Use that one.
+' -%}
 {{ log(deprecated) }}
`;
  assert.doesNotMatch(told('macros/test_unique.sql', template), /comment/);
  const kotlin =
    '\n val help =\n+  """\n+  Sets the header that browsers need, because they ask for one.\n+  """\n print(help)\n';
  assert.doesNotMatch(told('src/Help.kt', kotlin), /comment|documentation/);
});

test('comments of several lines hold no code, whatever they are closed with', () => {
  const before = '\n {-| Decodes a page.\n \n';
  const example = `${before}-    decode first page\n+    decode second page\n \n -}\n decode = 1\n`;
  assert.doesNotMatch(
    allOf(write([diffOf('src/Page.elm', example)]).en),
    /`decode first page` becomes `decode second/,
  );
});

test('a comment that stands in the file already is not new', () => {
  const buttons = [
    '\n class Buttons\n {\n+#if flash\n+\t/**\n+\t * Placed where others have the button to jump.\n+\t */\n+\tvar one = 8;\n+#else\n',
    '\n \t/**\n \t * Placed where others have the button to jump.\n \t */\n \tvar one = 2;\n+#end\n }\n',
  ];
  assert.doesNotMatch(told('input/Buttons.hx', buttons), /comment/);
});

test('a comment of something new is told only beside what it is about', () => {
  const camera = `
 class Cameras
 {
+	/**
+	 * Lists every camera that things are drawn to by default, because most name none.
+	 */
+	public function listDefaults(all:Array<Camera>):Array<Camera>
+	{
+		return all.filter(isDefault);
+	}
 	var count = 0;
-	var size = compute(1, 2);
+	var size = compute(1, 3);
 }
`;
  const lines = told('input/Cameras.hx', camera);
  assert.ok(!lines.includes('A new comment') || lines.includes('listDefaults'), lines);
});

test('only what documents is called documentation', () => {
  const script =
    '\n import os\n+# Where the index is that every test is run against here\n+INDEX = "https://example.com"\n print(1)\n';
  assert.match(told('scripts/check.py', script), /Its comment says: “Where the index is/);
});

test('a text that documents a file is no code, and one that is a value no documentation', () => {
  const head = `
 # -*- coding: utf-8 -*-
 
 """
+shop.cookies
+~~~~~~~~~~~~
+
 Keeps what a browser has been told to keep.
 """
`;
  assert.doesNotMatch(told('shop/cookies.py', head), /Adds `shop\.cookies`/);
  const value = `
 def help():
+    usage = """
+    Every order is kept for a year because somebody may ask for it later.
+    """
     return usage
`;
  assert.doesNotMatch(told('shop/help.py', value), /documentation/);
});

test('what a comment says further down is not told as left out of it', () => {
  const jar = `
     def iterkeys(self):
         """Returns an iterator of names of cookies
-        from the jar. See itervalues() and iteritems()."""
+        from the jar.
+
+        .. seealso:: itervalues() and iteritems().
+        """
         for cookie in iter(self):
`;
  assert.doesNotMatch(told('shop/cookies.py', jar), /instead of “from the jar\. See/);
});

test('what documents something new is not told without it, nor is a name in a box', () => {
  const lean = `
 namespace List
+/--
+Computes the partial sums of the elements of a list.
+
+\`[a, b].partialSums = [0, a, a + b]\`
+-/
+def partialSums [Add α] [Zero α] (l : List α) : List α :=
+  l.scanl (· + ·) 0
 
 end List
`;
  const lines = told('Data/List/Basic.lean', lean);
  assert.ok(!lines.includes('A new comment') || lines.includes('`def partialSums'), lines);
  const box = `
    -------------------
-   -- Remote_Head_Commit --
+   -- Remote_Commit --
    -------------------
-   function Remote_Head_Commit (From : URL) return String
+   function Remote_Commit (From : URL) return String
`;
  assert.doesNotMatch(told('src/git.adb', box), /comment now says/);
});
