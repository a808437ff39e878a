import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { readFacts } from '../../reading/read-facts.ts';
import type { ArticleSource } from '../article-source.ts';
import { spokenWords } from '../spoken-words.ts';
import { Ground } from '../verify/ground.ts';
import { verifyDrafts } from '../verify/verify-drafts.ts';
import { type AuthorWords, readAuthorWords } from './read-author-words.ts';

const code = diffOf(
  'src/queue.ts',
  '\n const a = 1;\n-const limit = 1;\n+export function shelf() {\n+  return 2;\n+}\n',
);

interface Words {
  title?: string;
  body?: string;
  author?: string;
  commits?: string[];
  issues?: { number: number; title: string; body: string | null }[];
  diff?: FileDiff[];
}

/** What is read out of words; whatever it is, the check keeps all of it. */
function read({ title = 'Keep jobs in order', body = '', author = 'ada', ...words }: Words): AuthorWords {
  const { commits: messages = [], issues: linkedIssues = [], diff = [code] } = words;
  const text = { repository: 'shop/parcel', title, body, labels: [], commitMessages: messages };
  const facts = readFacts(text, diff);
  const commits = messages.map((message) => ({ author: 'ada', message }));
  const source: ArticleSource = {
    ...text,
    author,
    isClone: false,
    commits,
    comments: [],
    linkedIssues,
    facts,
    diff,
  };
  const found = readAuthorWords(source);
  const draft = {
    title: found.title,
    ownTitle: found.ownTitle,
    scope: null,
    authorWords: null,
    tests: null,
    standfirst: null,
    changeTypes: [],
    background: found.why,
    mainChanges: [],
    notablePoints: found.callouts,
    also: [],
  };
  const cleaned = { speaker: author, where: 'description' as const, text: facts.description.text };
  const { articles, verification } = verifyDrafts(
    [draft],
    new Ground({ diff, words: [...spokenWords(source), cleaned] }),
  );
  assert.equal(verification.dropped, 0);
  assert.equal(articles[0]?.title, found.title.text);
  return found;
}

const whyOf = ({ why }: AuthorWords) => why.map(({ source, text }) => [source, text]);
const calloutsOf = ({ callouts }: AuthorWords) =>
  callouts.flatMap(({ label, sentences }) => sentences.map(({ source, text }) => [label, source, text]));

test('a title is what its author wrote, with a capital letter and without what machines read', () => {
  const table: [title: string, shown: string][] = [
    ['feat(queue)!: keep jobs in order (#12)', 'Keep jobs in order'],
    ['[queue][v2] :sparkles: keep jobs in order', 'Keep jobs in order'],
    ['PARC-1234: keep jobs in order', 'Keep jobs in order'],
    ['gh-1234: Keep jobs in order (GH-99)', 'Keep jobs in order'],
    ['bug: QueueFixer - keep jobs in order (#12)', 'Bug: QueueFixer - keep jobs in order'],
    ['fix(queue): crash when jobs are empty', 'Fix: crash when jobs are empty'],
    ['fix: properly keep jobs in order', 'Properly keep jobs in order'],
    ['fix: should not keep jobs twice', 'Should not keep jobs twice'],
    ['fix: 待ち行列の順序を保つ', '待ち行列の順序を保つ'],
    ['deprecate: Raise the level of old calls', 'Raise the level of old calls'],
    ['minor: keep jobs in order', 'Keep jobs in order'],
    ['workflow: keep jobs in order', 'Keep jobs in order'],
    ['fix: npm scripts stop on Windows', 'Fix: npm scripts stop on Windows'],
    ['feat: npm scripts stop on Windows', 'npm scripts stop on Windows'],
    ['useQueue returns a stable object', 'useQueue returns a stable object'],
    ['shelf is read once for all workers', 'shelf is read once for all workers'],
    ['parcel prints its version', 'parcel prints its version'],
    ['UTF-16 names no longer crash the parser', 'UTF-16 names no longer crash the parser'],
    ['待ち行列の順序を保つ', '待ち行列の順序を保つ'],
    ['[pdata] Remove deprecated API', 'pdata: Remove deprecated API'],
    ['docs(jwt): update', 'jwt: update'],
    ['perf: constant-time comparison of tokens', 'Constant-time comparison of tokens'],
    ['no-comma-dangle reports nothing twice', 'no-comma-dangle reports nothing twice'],
    ['eslint-plugin rules are read once', 'eslint-plugin rules are read once'],
  ];
  for (const [title, shown] of table) assert.equal(read({ title }).title.text, shown, title);
  const commits = ['Keep jobs in order', 'Sort by age'];
  assert.equal(
    read({ title: '', commits }).title.text,
    '',
    'of a range without a name, none speaks for the others',
  );
});

test('a title that is too long ends where a clause does, and one that a host cut off is put together again', () => {
  const long = `Keep the jobs of all tenants in the order in which they were created when ${'several '.repeat(4)}workers start`;
  assert.equal(
    read({ title: long }).title.text,
    'Keep the jobs of all tenants in the order in which they were created…',
  );
  const cut = read({ title: 'Keep the jobs of tenants in ord…', body: '…er after a restart\n\nMore.' });
  assert.equal(cut.title.text, 'Keep the jobs of tenants in order after a restart');
});

test('a title that says nothing gives way to a commit that no later one takes back', () => {
  const merge = 'Merge pull request #4 from ada/patch-1';
  const commits = ['Disable travis for the main branch', 'Read the limit once', 'Remove travis'];
  assert.equal(read({ title: merge, commits }).title.text, 'Read the limit once');
  assert.equal(
    read({ title: 'Patch 1', commits: ['wip', 'Read the limit once'] }).title.text,
    'Read the limit once',
  );
  assert.equal(
    read({ title: 'Update queue.ts', commits: ['Read the limit once'] }).title.text,
    'Read the limit once',
  );
  assert.equal(
    read({ title: 'Fix bug', body: 'Reads the limit only once.' }).title.text,
    'Reads the limit only once',
  );
  assert.equal(read({ title: '#123', commits: ['Fix typo'] }).title.text, '#123');
  const { title, ownTitle } = read({ title: 'Merge pull request #4 from ada/read-limit-once' });
  assert.deepEqual([title.text, ownTitle], ['Read limit once', 'Read limit once']);
});

test('the sentence that says most is quoted, and two others beside it, each whole', () => {
  const failed = 'Jobs of one tenant ran twice because two workers read the same row.';
  const first = 'This PR locks the row before it is read.';
  const leaning = 'It is released when the job ends, which means that a crash cannot leave it behind.';
  const { quote, why } = read({
    body: `## Summary\n\n${first} ${leaning}\n\n${failed}\n\n- one\n- two\n\n## Test plan\n\nRan it twice because it failed once.`,
  });
  assert.deepEqual(quote, { text: failed, from: 'description' });
  assert.deepEqual(
    why.map(({ source, text }) => [source, text]),
    [
      ['description', first],
      ['description', leaning],
    ],
  );
});

test('what leans on a sentence that is not shown, asks, thanks or speaks to reviewers is not told', () => {
  for (const body of [
    'Fixes #3.\n\nThanks for the great tool!',
    'It also breaks when the queue is empty because of that.',
    'Let me know whether this is the right place, since I am not sure.',
    'Should we do the same for other queues because they fail too?',
    '- fails on start\n- fails on stop',
    '<!-- Describe why the change is needed -->\n\n## Checklist\n\n- [x] I have read the guidelines because I must',
    'It fails because ![shot](https://example.com/a.png) nobody knows why the queue is empty.',
    'See https://example.com/issue because it fails there and nobody knows why.',
    '```\nIt fails because the queue is empty.\n```',
  ]) {
    const { quote, why } = read({ body });
    assert.deepEqual([quote, why], [null, []], body);
  }
});

test('without a description, a commit says why below its subject; then an issue by its title; then subjects are listed', () => {
  const said = 'Two workers could read the same row, so that a job ran twice.';
  const commits = [`Keep jobs in order\n\n${said}\n\nSigned-off-by: Ada <ada@example.org>`];
  assert.deepEqual(read({ commits }).quote, { text: said, from: 'commit' });
  const issues = [{ number: 7, title: 'Jobs of one tenant run twice', body: null }];
  const byIssue = read({ commits: ['Keep jobs in order'], issues });
  assert.deepEqual(whyOf(byIssue), [['issue', 'Jobs of one tenant run twice']]);
  assert.deepEqual(
    whyOf(
      read({
        commits: [
          'feat: lock the row of a job',
          'fix: free the lock after a crash',
          'fix: tell who holds the lock',
          'Keep jobs in order',
        ],
      }),
    ),
    [
      ['commit', 'Lock the row of a job'],
      ['commit', 'Free the lock after a crash'],
      ['commit', 'Tell who holds the lock'],
    ],
  );
  assert.deepEqual(whyOf(read({ commits: ['lint', 'wip', 'fix tests', 'Lock the row of a job'] })), []);
});

test('the words of machines and of releases are nobody’s reason', () => {
  const body =
    'Bumps [left-pad](https://x.example) from 1.2.0 to 1.3.0.\n\nIt was slow because of a bug in it.';
  for (const words of [
    { author: 'dependabot[bot]', title: 'Bump left-pad from 1.2.0 to 1.3.0', body },
    { title: 'Release 2.0.0', body: 'Jobs are kept in order, because they ran twice.' },
  ]) {
    const { quote, why, callouts } = read(words);
    assert.deepEqual([quote, why, callouts], [null, [], []]);
  }
});

test('keys, hidden characters and addresses are quoted from nowhere', () => {
  const key = `ghp_${'a1B2c3D4'.repeat(5)}`;
  const { quote, why, callouts } = read({
    body: `The job fails because the token ${key} is missing.\n\nThis is a breaking change for ${key} and all callers.`,
  });
  assert.deepEqual([quote, why, callouts], [null, [], []]);
  const hidden = read({ body: 'Jobs ran\u200b twice be\u202ecause two workers read the same row.' });
  assert.equal(hidden.quote?.text, 'Jobs ran twice because two workers read the same row.');
});

test('what authors warn of is quoted under its label', () => {
  const table: [body: string, expected: (string | null)[][]][] = [
    [
      'Locks rows.\n\nBREAKING CHANGE: `open` needs a lock now.',
      [['breaking', 'description', '`open` needs a lock now.']],
    ],
    [
      '## Breaking changes\n\n- `open` takes a lock as its first argument\n\n## Migration\n\nPass `null` where there is no lock.',
      [
        ['breaking', 'description', '`open` takes a lock as its first argument'],
        ['migration', 'description', 'Pass `null` where there is no lock.'],
      ],
    ],
    [
      'Deprecates `shut` in favor of `close`. The queue is 3x faster than before, 12 ms instead of 36 ms.',
      [
        ['deprecated', 'description', 'Deprecates `shut` in favor of `close`.'],
        ['measured', 'description', 'The queue is 3x faster than before, 12 ms instead of 36 ms.'],
      ],
    ],
    [
      'Names are escaped, which closes a path traversal.\n\n**Known limitations**\n\nLinks are still followed.',
      [
        ['security', 'description', 'Names are escaped, which closes a path traversal.'],
        ['limits', 'description', 'Links are still followed.'],
      ],
    ],
  ];
  for (const [body, expected] of table) assert.deepEqual(calloutsOf(read({ body })), expected, body);
  const footer = read({
    commits: ['Lock rows\n\nBREAKING-CHANGE: `open` needs a lock now.', 'Read the limit once'],
  });
  assert.deepEqual(calloutsOf(footer), [['breaking', 'commit', '`open` needs a lock now.']]);
  const short = { title: 'feat!: lock rows', body: 'BREAKING CHANGE: drops Node 20' };
  assert.deepEqual(calloutsOf(read(short)), [['breaking', 'description', 'drops Node 20']]);
});

test('a title that is marked as breaking says so where nothing else does, and with its mark', () => {
  for (const [title, shown = title] of [
    ['feat(queue)!: keep jobs in order (#12)', 'feat(queue)!: keep jobs in order'],
    ['[BREAKING] Keep jobs in order', 'BREAKING Keep jobs in order'],
    ['breaking: keep jobs in order'],
  ] as const)
    assert.deepEqual(calloutsOf(read({ title })), [['breaking', 'title', shown]], title);
  for (const title of ['Revert "feat!: keep jobs"', 'fix: breaking change in jobs'])
    assert.deepEqual(read({ title }).callouts, [], title);
});

test('what is no warning of this change is not told as one', () => {
  for (const body of [
    'This is not a breaking change for anybody who calls it.',
    'There are no breaking changes in here at all.',
    '## Breaking changes\n\nN/A\n\n## Migration\n\nNone needed.',
    'If we renamed it, that would be a breaking change for callers.',
    '- [ ] Breaking change (fix or feature that would cause existing functionality to change)',
    'The `set-output` command was deprecated by the host last year.',
    'Removes the deprecated `shut` function from the queue.',
    'The timeout is 30 seconds instead of 20 seconds.',
    'Currently queues do not support more than one worker yet.',
    '| before | after |\n| --- | --- |\n| 36 ms | 12 ms, 3x faster |',
  ]) {
    assert.deepEqual(read({ body }).callouts, [], body);
  }
});

test('an entry of a changelog is quoted as such, with its lines, and by its heading it is a warning', () => {
  const changelog = diffOf(
    'CHANGELOG.md',
    '\n ## Breaking changes\n \n+- `open` takes a lock as its first argument, see #12 (@ada)\n \n ## Fixed\n \n+- Jobs of one tenant no longer run twice when two workers start. (#12)\n',
  );
  const found = read({ diff: [code, changelog] });
  assert.deepEqual(calloutsOf(found), [
    ['breaking', 'changelog', '`open` takes a lock as its first argument'],
  ]);
  assert.equal(found.callouts[0]?.sentences[0]?.evidence[0]?.fileName, 'CHANGELOG.md');
  assert.deepEqual(found.quote, {
    text: 'Jobs of one tenant no longer run twice when two workers start.',
    from: 'changelog',
  });
});
