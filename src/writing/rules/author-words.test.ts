import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceOf } from '../../../test/source-of.ts';
import { authorWordsOf, isMachine, quoteOf, withoutReferences, writerOf } from './author-words.ts';

type Known = Parameters<typeof sourceOf>[0];
const wordsOf = (known: Known) => {
  const words = authorWordsOf(sourceOf(known));
  return words && [words.from, words.markdown];
};

test('a description is shown whole, without template comments, checklists and trailers', () => {
  const body = [
    '## Why',
    'Two workers took the same job.',
    '- `take` locks the row',
    '- the lock is *short*',
    '<!-- Describe your change -->',
    '## Checklist',
    '- [x] I have added tests',
    '',
    'Signed-off-by: Ada <ada@example.org>',
  ].join('\n');
  assert.deepEqual(wordsOf({ body, commits: ['Add a lock'] }), [
    'description',
    '## Why\n\nTwo workers took the same job.\n\n- `take` locks the row\n- the lock is short',
  ]);
});

test('without a description, commit messages are quoted, without merges, fixups and reverted commits', () => {
  const table: [why: string, commits: string[], words: [string, string] | null][] = [
    [
      'only commit, named as the title',
      ['fix: keep jobs in order (#3)\n\nThey were not.'],
      ['commit', 'They were not.'],
    ],
    [
      'only commit, named otherwise',
      ['Lock the row\n\nTwo took it.'],
      ['commit', 'Lock the row\n\nTwo took it.'],
    ],
    ['nothing but the title', ['Keep jobs in order'], null],
    ['trailers', ['Keep jobs in order\n\nCo-authored-by: Bo <bo@example.org>'], null],
    [
      'subjects alone',
      [
        'Lock the row of a job',
        "Merge branch 'main'",
        'fixup! Lock the row',
        'wip',
        'fix lint',
        'Fix typo',
        'Free it at the end',
      ],
      null,
    ],
    [
      'with bodies',
      ['Lock the row of a job\n\nTwo took it.', 'Free it at the end'],
      ['commits', '- Lock the row of a job\n\n  Two took it.'],
    ],
    [
      'reverted',
      [
        'Lock the row of a job\n\nTwo took it.',
        'Sleep before each job\n\nIt is busy.',
        'Revert "Sleep before each job"',
      ],
      ['commits', '- Lock the row of a job\n\n  Two took it.'],
    ],
    [
      'a revert of something else',
      ['Revert "Sleep before each job"\n\nIt slept for ever.', 'Free it at the end'],
      ['commits', '- Revert "Sleep before each job"\n\n  It slept for ever.'],
    ],
    ['one of several', ['Keep jobs in order', 'wip', 'Rename a variable here'], null],
  ];
  for (const [why, commits, words] of table) assert.deepEqual(wordsOf({ commits }), words, why);
});

test('a description that only repeats the title or the commits is not quoted', () => {
  const commits = ['Lock the row of a job\n\nTwo took it.', 'Free it at the end'];
  const squashed = '* Lock the row of a job\n\n* Free it at the end';
  assert.equal(wordsOf({ body: squashed, commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: 'Keeps jobs in order.', commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: 'Closes #12', commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: `${squashed}\n\n* Tell who waits`, commits })?.[0], 'commits');
});

test("texts by bots and texts with an access token are not quoted, and a bot's merge is credited to its co-author", () => {
  assert.equal(wordsOf({ author: 'dependabot[bot]', body: 'Bumps a from 1 to 2 because it must be.' }), null);
  assert.equal(wordsOf({ body: `The token was ghp_${'a1'.repeat(18)} until today.` }), null);
  assert.ok(isMachine('renovate[bot]') && !isMachine('Abbot Smith'));
  assert.equal(
    writerOf('merge-bot[bot]', [{ author: 'merge-bot[bot]', message: 'x\n\nCo-authored-by: Ada <a@b.c>' }]),
    'Ada',
  );
});

test('long words are cut at a paragraph or line below 4,000 characters, and a cut code block is closed', () => {
  const paragraph = `${'Jobs wait for their turn. '.repeat(20).trim()}\n\n`;
  const long = authorWordsOf(sourceOf({ body: paragraph.repeat(12) }));
  assert.ok(long?.more && long.markdown.length <= 4_000 && long.markdown.endsWith('turn.'));
  const code = authorWordsOf(sourceOf({ body: `Like this:\n\n\`\`\`\n${'take(job)\n'.repeat(600)}\`\`\`` }));
  assert.ok(code?.more && code.markdown.length <= 4_000 && code.markdown.endsWith('take(job)\n```'));
  assert.equal(authorWordsOf(sourceOf({ body: 'Two took it.' }))?.more, false);
});

test('lists quote one or two sentences whole, and only the first of more', () => {
  const table: [body: string, quote: string | null][] = [
    ['Two workers took one job. Now they wait.', 'Two workers took one job. Now they wait.'],
    ['Two **workers** took one job. Now they wait. For long.', 'Two workers took one job.'],
    ['## Why\n\nTwo workers took one job.\n\nNow they wait.', 'Two workers took one job.'],
    ['This does:\n\n- lock the row\n- free it', null],
    ['Patches https://example.org/advisory', null],
  ];
  for (const [body, quote] of table)
    assert.equal(quoteOf(authorWordsOf(sourceOf({ body })), '')?.text ?? null, quote, body);
  assert.equal(
    quoteOf(authorWordsOf(sourceOf({ commits: ['Lock the row\n\nTwo took it.'] })), '')?.from,
    'commit',
  );
});

test('a changelog entry loses the references at its end', () => {
  assert.equal(withoutReferences('Jobs stay in order, see #12 (@ada)'), 'Jobs stay in order');
  assert.equal(withoutReferences('Jobs stay in order by #12.'), 'Jobs stay in order.');
  assert.equal(withoutReferences('Issue #12 is about order'), 'Issue #12 is about order');
});

test('commits of several people name their authors, without bots', () => {
  const commits = [
    { author: 'ada', message: 'Lock the row of a job\n\nTwo took it.\n\n[pre-commit.ci] auto fixes' },
    {
      author: 'pre-commit-ci[bot]',
      message: 'Order jobs by their age\n\nThe oldest come first.',
    },
    { author: 'bo', message: 'Free it at the end\n\nOthers wait.' },
  ];
  const words = authorWordsOf({ ...sourceOf({}), commits });
  assert.equal(
    words?.markdown,
    '- Lock the row of a job — ada\n\n  Two took it.\n\n- Free it at the end — bo\n\n  Others wait.',
  );
  assert.equal(quoteOf(words, ''), null);
});

test('a commit that names code which is not in the diff is left out of the list of commits', () => {
  const commits = [
    { author: 'ada', message: 'Add `limit` to the queue\n\nOne client could starve all the others.' },
    { author: 'ada', message: 'Search subtrees\n\nfindHandler(path) is called findAll(path) now.' },
    {
      author: 'ada',
      message: 'Keep jobs in order\n\nGitHub and `TypeError` say that they were taken at random.',
    },
  ];
  const words = authorWordsOf({ ...sourceOf({ title: 'Be fair' }), commits });
  assert.match(words?.markdown ?? '', /starve[\s\S]*at random/);
  assert.doesNotMatch(words?.markdown ?? '', /findHandler/);
});

test('a revert shows which change it reverts and why', () => {
  const title = 'Revert "Improve user feedback (#1300)"';
  const sha = 'This reverts commit 0123456789abcdef0123456789abcdef01234567.';
  const squashed = `* ${title}\n\n${sha}\n\nIt broke on Windows.\n\n* Test that it reloads\n\nNobody did.`;
  const table: [body: string | null, commits: string[], markdown: string, inList: string | null][] = [
    ['Reverts encode/uvicorn#1300', [], 'Reverts encode/uvicorn#1300', null],
    [
      'Reverts encode/uvicorn#1300\n\nIt broke `--reload` on Windows.',
      [],
      'Reverts encode/uvicorn#1300\n\nIt broke `--reload` on Windows.',
      'It broke `--reload` on Windows.',
    ],
    [null, [`${title}\n\n${sha}\n\nIt broke.`], `${sha}\n\nIt broke.`, 'It broke.'],
    [
      squashed,
      [],
      `${sha}\n\nIt broke on Windows.\n\n- Test that it reloads\n\n  Nobody did.`,
      'It broke on Windows.',
    ],
  ];
  assert.equal(authorWordsOf(sourceOf({ title, commits: [`${title}\n\n${sha}`] })), null);
  for (const [body, commits, markdown, inList] of table) {
    const words = authorWordsOf(sourceOf({ title, body, commits }));
    assert.equal(words?.markdown, markdown);
    assert.equal(quoteOf(words, title)?.text ?? null, inList);
  }
});

test("references to issues are part of the author's words, and are not quoted in lists", () => {
  assert.deepEqual(wordsOf({ body: 'Two took it.\nFixes #12\nNobody saw.' }), [
    'description',
    'Two took it.\n\nFixes #12\n\nNobody saw.',
  ]);
  assert.deepEqual(wordsOf({ body: 'Closes #12' }), ['description', 'Closes #12']);
  assert.equal(quoteOf(authorWordsOf(sourceOf({ body: 'Closes #12' })), ''), null);
  assert.equal(
    quoteOf(authorWordsOf(sourceOf({ body: 'Fixes #12\n\nTwo took it.' })), '')?.text,
    'Two took it.',
  );
});

test("the author's words are marked as cut if they leave out commits", () => {
  const isCut = (known: Known): boolean | undefined => authorWordsOf(sourceOf(known))?.more;
  const one = 'Lock the row of a job\n\nTwo took it.';
  assert.equal(isCut({ commits: [one, 'Free it at the end\n\nOthers wait.'] }), false);
  assert.equal(isCut({ commits: [one, 'Free it at the end'] }), true);
  assert.equal(isCut({ body: '* Keep jobs in order\n\nTwo took it.\n\n* Free it at the end' }), true);
  assert.equal(isCut({ body: `* ${one}\n\n* Free it at the end\n\nOthers wait.` }), false);
});

test('texts of bots and subjects of merges are not quoted, even if a person merged them', () => {
  const bumped = 'Bumps [left-pad](https://x.example/left-pad) from 1.2.0 to 1.3.0.';
  const signed = 'Signed-off-by: dependabot[bot] <support@example.org>';
  assert.equal(wordsOf({ title: 'Newer left-pad', body: `${bumped}\n\n${signed}` }), null);
  assert.equal(wordsOf({ commits: [`Newer left-pad\n\n${bumped}\n\n${signed}`] }), null);
  assert.deepEqual(wordsOf({ body: "Merge branch 'main' into order\n\nTwo took it." }), [
    'description',
    'Two took it.',
  ]);
});

test('a description that only repeats the title is not quoted, regardless of prefix, case and punctuation', () => {
  const title = 'fix(queue): keep jobs in order (#12)';
  for (const body of ['Fix: Keep jobs in order.', '[queue] KEEP JOBS IN ORDER', 'Fix keep jobs in order!'])
    assert.equal(wordsOf({ title, body }), null, body);
  const body = 'Keep jobs in order.\n\nTwo took it.';
  assert.equal(quoteOf(authorWordsOf(sourceOf({ title, body })), title)?.text, 'Two took it.');
});
