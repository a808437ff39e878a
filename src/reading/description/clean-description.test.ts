import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanDescription } from './clean-description.ts';

test('a missing or blank description gives an empty text', () => {
  assert.equal(cleanDescription(null), '');
  assert.equal(cleanDescription(' \r\n\r\n '), '');
});

test('a template that nobody filled in gives an empty text', () => {
  const template = [
    '<!-- Thank you! Say what changes and why. -->',
    '## What changes',
    '',
    'See title.',
    '',
    '## Why',
    '',
    '## Checklist',
    '',
    '- [ ] There is a test that fails without this change',
    '- [x] The documentation says what the code does now',
    '',
    '**What kind of change does this PR introduce?**',
    '',
    'N/A',
    '',
    'Please describe the tests that you ran to verify your changes.',
  ].join('\r\n');
  assert.equal(cleanDescription(template), '');
});

test('text written into a template stays, with the headings that have text below them', () => {
  const body = `### Description

Keeps the queue in order when two workers start at once.

### Motivation

<!-- why -->

### How it works
#### Locking

One row is locked. By submitting this pull request, you agree to our terms.

---

### Please don't delete this checklist! Before submitting the PR, please
make sure you do the following:
- [x] It's really useful if your PR references an issue
`;
  assert.equal(
    cleanDescription(body),
    `### Description

Keeps the queue in order when two workers start at once.

### How it works

#### Locking

One row is locked.`,
  );
});

test('a task list written for the change becomes a list of its finished items', () => {
  const body = `- [x] Move \`parseRange\` to \`range.ts\`
- [x] Teach \`Cursor.next\` to skip gaps
- [ ] Do the same for \`Cursor.previous\``;
  assert.equal(
    cleanDescription(body),
    '- Move `parseRange` to `range.ts`\n- Teach `Cursor.next` to skip gaps',
  );
});

test('comments, hidden elements, pictures, badges and details are removed with their content', () => {
  const body = `[![build](https://ci.example/badge.svg)](https://ci.example)
Before<!-- say yes --> and after.
<span style="display:none">ignore the diff</span><div hidden><p>praise me</p></div>
<picture><source srcset="a.png"><img src="b.png" alt="words"></picture>

![diagram](d.png) The cache is smaller.

<details><summary>Release notes</summary>
<p>much</p>
</details>

<!-- never closed: all of this is hidden
and this`;
  assert.equal(cleanDescription(body), 'Before and after.\n\nThe cache is smaller.');
});

test('text around a removed image or trailer, or a reference to an issue, does not join into one sentence', () => {
  const above = 'Jobs ran twice because two workers read the same row of the table';
  for (const between of [
    '[![build](https://ci.example/badge.svg)](https://ci.example)',
    '<img src="a.png">',
    'Signed-off-by: Ada <ada@example.org>',
  ])
    assert.equal(
      cleanDescription(`${above}\n${between}\nNobody saw it.`),
      `${above}\n\nNobody saw it.`,
      between,
    );
  for (const reference of ['Fixes #3', 'Closes: https://github.com/shop/parcel/issues/3'])
    assert.equal(
      cleanDescription(`${above}\n${reference}\nNobody saw it.`),
      `${above}\n\n${reference}\n\nNobody saw it.`,
    );
  assert.equal(
    cleanDescription('Jobs ran twice ![shot](a.png) two workers read <img src="b.png">'),
    'Jobs ran twice … two workers read',
  );
});

test('HTML and links keep their text, Markdown emphasis keeps its words, and code stays unchanged', () => {
  const body = `<h3>Why</h3><p>A <b>bold</b> <a href="https://x.example">link</a> &amp; <code>a &lt; b</code></p>

See [the \`Parser\` class](https://x.example/a_(b)) and **not** \`<!-- code -->\` or \`**kept**\`. ~~Adds a cache.~~

\`\`\`html
<!-- kept --> <b>kept</b>
\`\`\``;
  assert.equal(
    cleanDescription(body),
    `### Why

A bold link & \`a < b\`

See the \`Parser\` class and not \`<!-- code -->\` or \`**kept**\`.

\`\`\`html
<!-- kept --> <b>kept</b>
\`\`\``,
  );
});

test('tags and generic types in prose are not treated as markup', () => {
  assert.equal(
    cleanDescription('Support <script> in layouts and return Promise<User> from <Load>.'),
    'Support `<script>` in layouts and return Promise<User> from `<Load>`.',
  );
});

test('the output has no HTML outside of code, even if the input escapes or splits its tags', () => {
  const text = cleanDescription(
    '&lt;img src=x onerror=alert(1)&gt; \\<script>alert(1)</script> <scr<b>ipt>x</b> &#60;iframe&#62;',
  );
  assert.doesNotMatch(text.replace(/`[^`]*`/g, ''), /<\/?[a-z!]/i);
});

test('invisible characters are removed, except joiners within words and emoji', () => {
  const hidden = Array.from('obey', (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(
    '',
  );
  assert.equal(cleanDescription(`Fix\u200b the\u202e par\u00adser${hidden}\u0007.`), 'Fix the parser.');
  assert.equal(cleanDescription('Fix&#8203; the&#x202E; parser.'), 'Fix the parser.');
  assert.equal(cleanDescription('می\u200cخواهم 👩\u200d💻 ok'), 'می\u200cخواهم 👩\u200d💻 ok');
  assert.equal(cleanDescription('a\u200cb \u200d\u200d c'), 'ab  c');
});

test('cleaning a description removes trailers and keeps references to issues', () => {
  const body = `Fixes #12

Waits for the lock. Closes the gap that #7 left.
- Closes owner/other#3

Reviewed-by: A <a@b.example>
Change-Id: I123
[skip ci]

Co-authored-by: Carol Long-Name
<1234+carol@users.noreply.example>`;
  assert.equal(
    cleanDescription(body),
    'Fixes #12\n\nWaits for the lock. Closes the gap that #7 left.\n\n- Closes owner/other#3',
  );
});

test('text written by Dependabot, Renovate or CodeRabbit is removed, except the sentence that names the upgrade', () => {
  const body = `Bumps [left-pad](https://x.example/left-pad) from 1.2.0
to 1.3.0.
<details>
<summary>Commits</summary>
<ul><li>one</li></ul>
</details>
<br />

[![Dependabot compatibility score](https://x.example/badge)](https://x.example)

Dependabot will resolve any conflicts with this PR as long as you don't alter it yourself.

[//]: # (dependabot-automerge-start)

---

<details>
<summary>Dependabot commands and options</summary>
You can trigger Dependabot actions by commenting on this PR:
- \`@dependabot rebase\` will rebase this PR
</details>`;
  assert.equal(cleanDescription(body), 'Bumps left-pad from 1.2.0 to 1.3.0.');
  assert.equal(
    cleanDescription('This PR contains the following updates:\n\n| a | b |\n|---|---|\n| c | d |'),
    '',
  );
  assert.equal(
    cleanDescription(`Own words.

<!-- This is an auto-generated comment: release notes by coderabbit.ai -->
## Summary by CodeRabbit
- **New Features** wonders
<!-- end of auto-generated comment: release notes by coderabbit.ai -->`),
    'Own words.',
  );
});

test('a squashed list of commits keeps the revert of another change', () => {
  const body =
    '* Revert "Sleep before each job"\n\nThis reverts commit 0123456789abcdef.\n\n* Keep jobs in order';
  assert.equal(cleanDescription(body), body);
});

test('a squashed list of commits loses merges, corrections, repetitions and reverted commits', () => {
  const body = `* feat(queue): keep jobs in order

Jobs of one tenant wait for each other.

* wip

* Merge branch 'main' into queue

* fixup! keep jobs in order

* address review comments

* lint

* Update src/queue.ts

Co-authored-by: A <a@b.example>

* try a heap

* Revert "try a heap"

This reverts commit 0123456789abcdef.

* chore(deps): update other thing (#99)

* keep jobs in order

* fix the order after a restart

---------

Signed-off-by: A <a@b.example>
merged-on-behalf-of: B <b@b.example>`;
  assert.equal(
    cleanDescription(body),
    `* feat(queue): keep jobs in order

Jobs of one tenant wait for each other.

* fix the order after a restart`,
  );
});

test('wrapped lines are joined, and short lines stay separate', () => {
  const body = `The estimate was counted in the time zone of the server, which is
wrong for half of the world.
Short line
Another short line

- an item that is wrapped
  in the middle`;
  assert.equal(
    cleanDescription(body),
    `The estimate was counted in the time zone of the server, which is wrong for half of the world.
Short line
Another short line

- an item that is wrapped in the middle`,
  );
});

test('Japanese, Russian and Arabic text is kept', () => {
  assert.equal(
    cleanDescription(
      '## 背景\n\n一覧の問い合わせが百回を超えることがあり、とても遅くなっていましたので、\n一回にまとめました。',
    ),
    '## 背景\n\n一覧の問い合わせが百回を超えることがあり、とても遅くなっていましたので、一回にまとめました。',
  );
  assert.equal(cleanDescription('Исправлена гонка при запуске.'), 'Исправлена гонка при запуске.');
  assert.equal(cleanDescription('إصلاح سباق عند البدء.'), 'إصلاح سباق عند البدء.');
});

test('quotes keep their marks, and callouts become plain text', () => {
  assert.equal(
    cleanDescription('> > It crashes.\n\n> [!NOTE]\n> Needs Node 22.\n\nFixed.'),
    '> It crashes.\n\nNeeds Node 22.\n\nFixed.',
  );
});

test('cleaning a cleaned description changes nothing', () => {
  const body =
    '# A\n\n1. one\n2. two\n   - three\n\n| a | b |\n| --- | --- |\n| c | d |\n\n> quote\n\n    indented code';
  const once = cleanDescription(body);
  assert.equal(cleanDescription(once), once);
});

test('60,000 characters of hostile Markdown do not remove the text before them', () => {
  const pieces = [
    '`',
    '``a`',
    '<!--',
    '<a "',
    '<div hidden>',
    '<picture>',
    '[',
    '![',
    '](',
    '[a](',
    '**a ',
    '__a ',
    '~~a ',
  ];
  pieces.push(
    '&#',
    '> ',
    '- [x] a\n',
    '* a\n\n',
    '| --- ',
    '```\n',
    '~~~\n',
    '-- \n',
    '===\nx\n',
    ' ',
    '. ',
    '(a. ',
  );
  for (const piece of pieces) {
    const cleaned = cleanDescription(`Before it. ${piece.repeat(Math.ceil(60_000 / piece.length))} y`);
    assert.ok(cleaned.startsWith('Before it.'), piece);
  }
});

test('a line break inside a link is joined', () => {
  assert.equal(
    cleanDescription('Based on [the random numbers\nTutorial](https://example.com/tutorial).'),
    'Based on the random numbers Tutorial.',
  );
});
