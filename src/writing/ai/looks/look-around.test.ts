import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { changed } from '../../../../test/changed-clone.ts';
import { git, settings } from '../../../../test/make-clone.ts';
import { readFacts } from '../../../../test/read-facts.ts';
import { fitReply } from '../ask-model.ts';
import { labelMaterial } from '../material.ts';
import { LooksReply } from '../reply-forms.ts';
import { lookAround } from './look-around.ts';

const filler = (name: string, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `  // ${name} ${at}\n`).join('');

const box = (limit: number) => `export class Box {
  constructor(mails) {
    this.mails = mails;
  }

  // One.
  // Two.
  // Three.
  deliver(to) {
    const limit = ${limit};
    // Four.
    // Five.
    // Six.
    // Seven.
    return send(this.mails, to, limit);
  }
}
`;
const post = `import { Box } from './box.js';

export function post(
  mails,
  to,
) {
${filler('before', 30)}  if (to.isReady) {
${filler('inside', 8)}    for (const one of to.all) {
${filler('deep', 8)}      new Box(mails).deliver(one);
    }
  }
${filler('after', 30)}}
`;
const table = (word: string) =>
  Array.from({ length: 30 }, (_, at) => `export const ${word}${at} = ${at};\n`).join('');
const small = {
  'src/box.js': box(10),
  'src/post.js': post,
  'test/box.js': 'deliver(old);\n',
  'docs/box.md': 'old\n',
};
const isNow = {
  'src/box.js': box(20),
  'test/box.js': 'deliver(changedTest);\n',
  'docs/box.md': 'changedDocument\n',
};
const first = await changed('box', small, isNow);
const large = await changed(
  'boxes',
  { ...small, 'src/table.js': table('past') },
  { ...isNow, 'src/table.js': table('next') },
);

/** Looks around, with these replies in turn; returns the questions and what the writer sees. */
async function look(
  { diff, tree }: Pick<typeof first, 'diff' | 'tree'>,
  replies: object[][],
  rounds: 1 | 2 = 2,
) {
  const text = { repository: 'acme/box', title: 'Send more', body: null, commitMessages: [], labels: [] };
  const facts = readFacts(text, diff);
  const sentences = [{ speaker: 'ada', where: 'title' as const, text: 'Send more' }];
  const material = labelMaterial({ findings: [], facts, diff, sentences }, 100_000) ?? assert.fail();
  const asked: string[] = [];
  const found = await lookAround(
    {
      ask: async ({ prompt }) => {
        const fitted = fitReply(LooksReply, { looks: replies[asked.length] ?? [] });
        asked.push(prompt);
        return (fitted.fits ? fitted.reply : null) as never;
      },
      prompts: { 'look-around': '' },
      project: 'acme/box',
      language: 'en',
      tree,
      rounds,
      mostBytes: 100_000,
    },
    material,
    { diff, files: facts.files },
  );
  return { asked, shown: found.material.lines.slice(material.lines.length), change: material.lines };
}

test('a model is asked where to look with the changed lines of code, and only the names of tests and documents', async () => {
  const { asked } = await look(first, []);
  const [question = ''] = asked;
  assert.match(question, /^\d+\+ {4}const limit = 20;$/m);
  assert.match(question, /^f\d test\/box\.js, \+1 -1, test$/m);
  assert.match(question, /^w1 title, ada: Send more$/m);
  assert.doesNotMatch(question, /changedTest|changedDocument|export class Box/);
});

test('a large change gets a second round with the new results alone, unless everything is answered', async () => {
  const unanswered = [{ usages: 'mails' }, { show: 'src/nowhere.js' }];
  const { asked } = await look(large, [unanswered, []]);
  const [question = '', again = ''] = asked;
  assert.match(question, /new Box\(mails\)\.deliver\(one\)/);
  assert.match(question, /next29 = 29/);
  assert.match(again, /^look show "src\/nowhere\.js": 0 of 0 places shown, no such file to look at$/m);
  assert.doesNotMatch(again, /new Box\(mails\)\.deliver\(one\)|next29 = 29/);
  assert.ok(again.length < question.length);
  assert.equal((await look(large, [[{ usages: 'nowhere' }]])).asked.length, 1);
  assert.equal((await look(first, [unanswered])).asked.length, 1, 'a small change gets one round');
});

test('a call in a long function is shown with its signature and the conditions around it', async () => {
  const { shown } = await look(first, []);
  const at = shown.indexOf('u1 src/post.js (unchanged)');
  const code = shown.slice(at).filter((line) => /^\d+ /.test(line) && !line.includes('//'));
  assert.deepEqual(
    code.slice(0, 7).map((line) => line.replace(/^\d+ /, '').trim()),
    [
      'export function post(',
      'mails,',
      'to,',
      ') {',
      'if (to.isReady) {',
      'for (const one of to.all) {',
      'new Box(mails).deliver(one);',
    ],
  );
});

test('a writer sees the unchanged rest of a short changed function, and the constructor of its class', async () => {
  const { shown, change } = await look(first, []);
  const rest = ['15     return send(this.mails, to, limit);', '2   constructor(mails) {'];
  for (const line of rest) {
    assert.ok(!change.includes(line));
    assert.ok(shown.includes(line), line);
  }
});

test('a request for lines of the change says so and shows the rest of their function, and one for a long function says which lines are shown', async () => {
  const looks = [
    { show: 'src/box.js', lines: [9, 11] },
    { show: 'src/post.js', name: 'post' },
    { show: 'src/box.js', name: 'nothing' },
    { show: 'src/box.js', lines: [900, 910] },
  ];
  const { shown } = await look(first, [looks]);
  const said = shown.filter((line) => line.startsWith('look show'));
  assert.deepEqual(said, [
    'look show "src/box.js" 9-11: 1 of 1 places shown, 3 of these lines are in the change itself, the rest of Box.deliver is shown',
    'look show "src/post.js" post: 1 of 1 places shown, lines 3-62 of 3-88',
    'look show "src/box.js" nothing: 0 of 0 places shown, no nothing in it',
    'look show "src/box.js" 900-910: 0 of 0 places shown, it has 17 lines',
  ]);
});

test('calls come before mentions and declarations, and those of a file with its own thing of that name last', async () => {
  const { looker } = await changed(
    'calls',
    {
      'src/box.js': box(10),
      'aside/own.js': 'export function deliver(x) {\n  return x;\n}\ndeliver(own);\n',
      'uses/one.js': '// One deliver(comment).\nlet send = deliver;\nnote("deliver");\nrun(deliver(used));\n',
    },
    { 'src/box.js': box(20) },
  );
  const own = looker({ lines: 1, bytes: 5_000 });
  await own.answer([{ kind: 'usages', text: 'deliver', in: '', name: '', lines: null, side: 'new' }], {
    share: 1,
  });
  assert.deepEqual(
    own.looked.map(({ fileName, startLine }) => [fileName, startLine]),
    [['uses/one.js', 4]],
  );
});

test('where changed functions are used is shown from code that calls them alone, as long as some does', async () => {
  const { shown } = await look(
    await changed(
      'callers',
      {
        'src/box.js': box(10),
        'src/names.js': "list('deliver');\n",
        'src/use.js': 'run(deliver(used));\n',
        'test/use.js': 'deliver(tested);\n',
        'docs/use.md': 'Call deliver(it).\n',
      },
      { 'src/box.js': box(20) },
    ),
    [],
  );
  assert.deepEqual(
    shown.filter((line) => /^u\d/.test(line)),
    ['u1 src/use.js (unchanged)'],
  );
});

test('a writer sees which removed and changed names the last release has, whatever came after it', async () => {
  const now = (body: string) => `export class Box {\n${body}}\n`;
  const method = (name: string) => `  ${name}() {\n    return 1;\n  }\n\n`;
  const [old, late, kept] = [method('old'), method('late'), method('kept')];
  const { diff, tree } = await changed(
    'released',
    { 'src/box.js': now(`${old}${late}${kept}`) },
    { 'src/box.js': now(`${kept}  fresh() {\n    return 2;\n  }\n`) },
    (folder) => {
      mkdirSync(join(folder, 'src'));
      const commitAt = (year: number, text: string) => {
        writeFileSync(join(folder, 'src/box.js'), text);
        git(folder, 'add', '--all');
        const env = { ...settings.env, GIT_COMMITTER_DATE: `${year}-02-03T00:00:00Z` };
        execFileSync('git', ['-C', folder, 'commit', '--quiet', '--message', 'Box'], { ...settings, env });
      };
      commitAt(2001, now(''));
      git(folder, 'tag', 'v9.0');
      commitAt(2002, now(old));
      git(folder, 'tag', 'v10.0');
      commitAt(2003, now(`${old}${late}`));
      git(folder, 'tag', 'v11.0-rc.1');
    },
  );
  const { shown } = await look({ diff, tree }, []);
  assert.deepEqual(
    shown.filter((line) => line.startsWith('release')),
    ['release v10.0 of 2002-02-03 has Box.old; has no Box.late'],
  );
});
