import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkedIssues as linkedIssuesIn } from './linked-issues.ts';

const linkedIssues = (
  title: string,
  body: string | null,
  commitMessages: string[],
  repository = 'O/r',
): number[] => linkedIssuesIn({ repository, title, body, commitMessages });

test('closing words in title, description and commit messages link each issue once, sorted', () => {
  const body = 'Fixes #12, closes: #3 and RESOLVED #12.\r\nfixed [#5](https://x.example/5)';
  assert.deepEqual(linkedIssues('fix: resolves #40 (#41)', body, ['fix it\n\nCloses #8']), [3, 5, 8, 12, 40]);
});

test('words that only resemble closing words link no issue', () => {
  assert.deepEqual(
    linkedIssues(
      'prefix #1',
      'Refs #2, see #3, unfixed #4, fixing #5, fix-#6, fix 7, #8, has been fixed #9',
      [],
    ),
    [],
  );
});

test("the pull request's own number in its title is not an issue", () => {
  assert.deepEqual(linkedIssues('Fix (#7)', 'Closes #7. Fixes #9', []), [9]);
});

test('closing words in code, quotes and comments link no issue', () => {
  const body = '`fixes #1`\n\n```\nfixes #2\n```\n\n> fixes #3\n\n<!-- fixes #4 -->\n\nFixes #5';
  assert.deepEqual(linkedIssues('', body, []), [5]);
});

test("an issue named with a repository counts only if it is the pull request's own repository", () => {
  assert.deepEqual(linkedIssues('', 'Fixes https://github.com/o/r/issues/4 and closes o/r#6', []), [4, 6]);
  assert.deepEqual(linkedIssues('', 'Fixes #1, fixes o/r#2, fixes other/thing#3', []), [1, 2]);
  assert.deepEqual(linkedIssues('', 'Fixes https://github.com/other/thing/issues/4', []), []);
  assert.deepEqual(linkedIssues('', 'Closes other/r#6', []), []);
});

test('an owner may be a nested group, in a short reference and in a URL', () => {
  const body =
    'Closes group/sub/x#3, fixes https://gitlab.example/Group/sub/x/-/issues/4 and https://gitlab.example/group/sub/x/-/issues/5, ' +
    'fixes https://gitea.example/group/sub/x/issues/6';
  assert.deepEqual(linkedIssues('', body, [], 'group/sub/x'), [3, 4, 6]);
  assert.deepEqual(linkedIssues('', body, [], 'sub/x'), []);
  assert.deepEqual(linkedIssues('', body, [], 'group/sub'), []);
  assert.deepEqual(linkedIssues('', 'Closes https://h.example/a/issues/issues/7', [], 'a/issues'), [7]);
});

test('an empty description links no issue, and hostile text does not hide a later reference', () => {
  assert.deepEqual(linkedIssues('', null, []), []);
  for (const piece of ['fixes ', 'fixes a/b', 'fixes https://a/b/c/', 'fixes a/b/c/', '/c-d.e', '` ', '> ']) {
    const hostile = piece.repeat(900);
    assert.deepEqual(linkedIssues(hostile, `${hostile}\n\nfixes #7`, []), [7], piece);
  }
});
