import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { toldOf, write } from '../../../test/write-offline.ts';

const told = (body: string | string[], path = 'README.md'): string =>
  toldOf(write([diffOf(path, body)]).en, path);

test('how a document is laid out and emphasized is not what it says', () => {
  const list = `
 Arguments of the macro:
-* \`lower_bound\` (required): The name of the column that represents the lower bound
-* **Note**: the upper bound has to be _larger_ than the lower one
+- \`lower_bound\` (required): The name of the column that represents the lower bound
+- *Note*: the upper bound has to be larger than the lower one
 
`;
  assert.doesNotMatch(told(list), /becomes|Removes|Adds to/);
  const item =
    '\n Steps:\n-* The service is started by hand here.\n+- The service is started by systemd here.\n \n';
  assert.match(
    told(item),
    /“The service is started by hand here\.” becomes “The service is started by systemd/,
  );
});

test('an entry of which only the description goes is not told as removed', () => {
  const entry = `
 ### Defined types
 
-* [\`apache::vhost\`](#apachevhost): Allows specialised configurations for virtual hosts that possess requirements
-outside of the defaults.
+* [\`apache::vhost\`](#apachevhost)
 * [\`apache::mod\`](#apachemod)
`;
  assert.doesNotMatch(told(entry), /Removes/);
});

test('what a document goes on saying in other words is not told as left out', () => {
  const paragraph = `
 #### get_column_values
-This macro returns the unique values for a column in a given relation.
-It takes an optional \`default\` argument for compiling when the relation does not already exist.
+This macro returns the unique values for a column in a given relation as an array.
+
+Arguments:
+- \`column\` (required): The name of the column of which you wish to find the values
+- \`default\` (optional): The results that the macro returns while the relation has not been created
 
`;
  assert.doesNotMatch(told(paragraph), /It takes an optional/);
});

test('files that went into another one in other quotation marks are told with that', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `{name: 'signal_${index}', wave: 'x=.xxxx'},`);
  const gone = diffOf('doc/timing.json', lines.map((line) => `-${line}`).join('\n'), { status: 'removed' });
  const quoted = lines.map((line) => `+   ${line.replace(/(\w+):/g, '"$1":').replaceAll("'", '"')}`);
  const here = diffOf('doc/unit.rst', `\n .. wavedrom::\n${quoted.join('\n')}\n \n Text.\n`);
  assert.match(
    toldOf(write([gone, here]).en, 'doc/timing.json'),
    /This file is removed \(12 lines\); most of its lines now stand in `doc\/unit\.rst`\./,
  );
});

test('a sentence that reads almost as before is told as that', () => {
  const version = '\n ## Versions\n-The oldest Rust is 1.78.\n+The oldest Rust is 1.80.\n \n';
  assert.match(told(version), /1\.78.*becomes.*1\.80/);
});

test('a heading whose words stand in a longer one has not gone', () => {
  const retitled = `
 Macros
 ======
 
-Operations on macros
+What are macros for?
 --------------------
 
 Some words about them.
 
+Macro namespaces and operations on macros
+-----------------------------------------
+
+Some more words about all of them.
`;
  assert.doesNotMatch(told(retitled, 'docs/macros.rst'), /Removes/);
});

test('what an example gives a type to has not gone where another line does', () => {
  const interfaces = `
   hooks: {
+    setup?: (options: {
+      injectTranslations: (
+        translations: Record<string, string>
+      ) => void;
+    }) => void;
     other: () => void;
-      injectTranslations: (dict: { [lang: string]: Record<string, string> }) => void;
+      useTranslations: (lang: string) => Translate;
   }
`;
  assert.doesNotMatch(told(interfaces), /Removes `injectTranslations/);
});

test('a heading that says only what became of the entries below it is no section', () => {
  const changelog = '\n ## [Unreleased]\n \n+### Added\n+- `forget_file`\n+\n ### Fixed\n';
  assert.doesNotMatch(told(changelog, 'CHANGELOG.md'), /“Added”/);
});
