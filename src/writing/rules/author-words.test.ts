import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceOf } from '../../../test/source-of.ts';
import { authorWordsOf, isMachine, quoteOf, withoutReferences, writerOf } from './author-words.ts';

type Known = Parameters<typeof sourceOf>[0];
const wordsOf = (known: Known) => {
  const words = authorWordsOf(sourceOf(known));
  return words && [words.from, words.markdown];
};

test('the description is shown whole, in order, without what nobody wrote for a reader', () => {
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

test('without a description, the commits speak, without steps and what was taken back', () => {
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

test('a description that repeats the title or lists the commits is none', () => {
  const commits = ['Lock the row of a job\n\nTwo took it.', 'Free it at the end'];
  const squashed = '* Lock the row of a job\n\n* Free it at the end';
  assert.equal(wordsOf({ body: squashed, commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: 'Keeps jobs in order.', commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: 'Closes #12', commits })?.[0], 'commits');
  assert.equal(wordsOf({ body: `${squashed}\n\n* Tell who waits`, commits })?.[0], 'commits');
});

test('machines are not quoted, nor is what looks like a key', () => {
  assert.equal(wordsOf({ author: 'dependabot[bot]', body: 'Bumps a from 1 to 2 because it must be.' }), null);
  assert.equal(wordsOf({ body: `The token was ghp_${'a1'.repeat(18)} until today.` }), null);
  assert.ok(isMachine('renovate[bot]') && !isMachine('Abbot Smith'));
  assert.equal(
    writerOf('merge-bot[bot]', [{ author: 'merge-bot[bot]', message: 'x\n\nCo-authored-by: Ada <a@b.c>' }]),
    'Ada',
  );
});

test('words are cut at a paragraph or line, and a code block is closed', () => {
  const paragraph = `${'Jobs wait for their turn. '.repeat(20).trim()}\n\n`;
  const long = authorWordsOf(sourceOf({ body: paragraph.repeat(12) }));
  assert.ok(long?.more && long.markdown.length <= 4_000 && long.markdown.endsWith('turn.'));
  const code = authorWordsOf(sourceOf({ body: `Like this:\n\n\`\`\`\n${'take(job)\n'.repeat(600)}\`\`\`` }));
  assert.ok(code?.more && code.markdown.length <= 4_000 && code.markdown.endsWith('take(job)\n```'));
  assert.equal(authorWordsOf(sourceOf({ body: 'Two took it.' }))?.more, false);
});

test('lists show one or two sentences whole, or the first of more', () => {
  const table: [body: string, quote: string | null][] = [
    ['Two workers took one job. Now they wait.', 'Two workers took one job. Now they wait.'],
    ['Two **workers** took one job. Now they wait. For long.', 'Two workers took one job.'],
    ['## Why\n\nTwo workers took one job.\n\nNow they wait.', 'Two workers took one job.'],
    ['This does:\n\n- lock the row\n- free it', null],
    ['Patches https://example.org/advisory', null],
  ];
  for (const [body, quote] of table)
    assert.equal(quoteOf(authorWordsOf(sourceOf({ body })))?.text ?? null, quote, body);
  assert.equal(
    quoteOf(authorWordsOf(sourceOf({ commits: ['Lock the row\n\nTwo took it.'] })))?.from,
    'commit',
  );
});

test('an entry of a changelog loses the references behind it', () => {
  assert.equal(withoutReferences('Jobs stay in order, see #12 (@ada)'), 'Jobs stay in order');
  assert.equal(withoutReferences('Jobs stay in order by #12.'), 'Jobs stay in order.');
  assert.equal(withoutReferences('Issue #12 is about order'), 'Issue #12 is about order');
});

test('commits of several people name their authors, without bots and side commits', () => {
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
  assert.equal(quoteOf(words), null);
});
