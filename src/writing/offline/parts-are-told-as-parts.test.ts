import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { allOf, toldOf, write } from '../../../test/write-offline.ts';

test('a comment that is told of a file in which code changes is told as a part, and alone only for want of that', () => {
  const workflow = diffOf(
    '.github/workflows/versions.yaml',
    `
           make generate
 
-          # Reset the lock file if no dependencies were updated
-          changedFiles=$(git diff --name-only | grep -vc 'jsonnetfile.lock.json')
-          if [[ "$changedFiles" -eq 0 ]]; then
+          # Reset the lock file if no dependencies were updated at all.
+          if ! git diff --name-only | grep -qv 'jsonnetfile.lock.json'; then
             git checkout -- jsonnetfile.lock.json;
           fi
`,
  );
  const { en, ja } = write([workflow]);
  assert.match(allOf(en), /Among other edits, a comment now says|among other (?:edits|lines)|in place of/);
  assert.match(allOf(ja), /いくつかの変更があります|など|とともに/);
  const beside = diffOf('lib/pages.adb', [
    '\n procedure Show is\n-   --  Shows the first page of them\n+   --  Shows the first page of them all\n begin\n',
    '\n    Open (File);\n+   Close (File, Reason => Finished);\n end Show;\n',
  ]);
  const lines = toldOf(write([beside]).en, 'lib/pages.adb');
  assert.match(lines, /A comment now says “Shows the first page of them all”/);
  assert.match(lines, /Adds `Close \(File, Reason => Finished\)`/);
});

test('what is done in many files is not told of those in which other things are done, too', () => {
  const bump = (path: string, more: string[] = []) =>
    diffOf(path, ['\n labels:\n-  version: 2.0.0-rc.0\n+  version: 2.0.0-rc.1\n name: metrics\n', ...more]);
  const files = [
    bump('manifests/role.yaml', ['\n rules:\n-- apiGroups:\n-  - extensions\n-  - apps\n verbs:\n']),
    bump('manifests/service.yaml'),
    bump('manifests/account.yaml'),
  ];
  const { en } = write(files);
  assert.match(toldOf(en, 'manifests/role.yaml'), /becomes `version: 2\.0\.0-rc\.1`, among other edits\./);
  const others = allOf(en)
    .split('\n')
    .filter((line) => line.includes('The same is done in'));
  assert.ok(
    others.every((line) => !line.includes('role.yaml')),
    others.join('\n'),
  );
});

test('a line that goes while another comes elsewhere in the file is told as a part', () => {
  const expected =
    '\n-issue-1277.dfy(11,7): Error: shift amount must be non-negative\n issue-1277.dfy(11,7): Error: the calculation step might not hold\n+issue-1277.dfy(11,10): Error: when converting shift amount to a bit vector, the value to be converted might not fit in bv3\n \n';
  const { en, ja } = write([diffOf('Test/issue-1277.dfy.expect', expected)]);
  assert.match(toldOf(en, 'Test/issue-1277.dfy.expect'), /must be non-negative`, among other edits\./);
  assert.match(toldOf(ja, 'Test/issue-1277.dfy.expect'), /を削除しています \(ほかにも変更があります\)。/);
});
