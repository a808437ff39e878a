import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import { byFile } from '../../reading/read-facts.ts';
import { outlineFile } from '../../reading/symbols/outline-file.ts';
import { labelMaterial, type ShownDefinitions } from '../../writing/ai/material.ts';
import { prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { printCited, resolveReferences } from '../../writing/ai/references.ts';
import type { Draft, Sentence } from '../../writing/draft.ts';
import { outlineDiff } from './diff-tasks.ts';

const long = Array.from({ length: 60 }, (_, at) => `+  log('step ${at} of the way that this takes');`).join(
  '\n',
);
const whole = `export const attempts = 3;

function retry(send) {
  for (let at = 0; at < attempts; at += 1) {
    if (send()) return true;
  }
  return false;
}

function unused() {
  return 1;
}

${'\n'.repeat(85)}`;
const diff = [
  diffOf(
    'src/send.ts',
    `\n export function post(request) {\n-  return request();\n${long}\n+  return retry(request);\n }`,
    {
      start: 100,
    },
  ),
];

async function prepared() {
  const texts = [
    {
      place: 0,
      text:
        whole +
        diff[0]?.hunks[0]
          ?.text()
          .replace(/^-.*\n/gm, '')
          .replace(/^./gm, ''),
    },
  ];
  const outlines = await outlineDiff(diff, {
    wantTexts: async (wanted) => {
      const place = wanted.findIndex(({ path, side }) => path === 'src/send.ts' && side === 'new');
      if (texts[0]) texts[0].place = place;
    },
    nextText: async () => texts.shift() ?? null,
  });
  const text = { repository: 'acme/mail', title: 'Try again', body: null, commitMessages: [], labels: [] };
  const facts = readFacts(text, diff, byFile(outlines));
  return prepareWriting(
    { ...text, author: 'ann', isClone: true, commits: [], comments: [], linkedIssues: [], facts, diff },
    'en',
  );
}
const { material: source, check } = await prepared();
const material = labelMaterial(source, 1_000_000) ?? assert.fail();

test('an unchanged definition that a changed line calls is shown to the model, marked as unchanged; an uncalled one is not', () => {
  const text = material.lines.join('\n');
  assert.match(text, /^@ retry \(unchanged\)\n3 function retry\(send\) \{\n4 /m);
  assert.doesNotMatch(text, /unused/);
  const { evidence } = resolveReferences(['f1+3-5'], material);
  assert.deepEqual(evidence, [
    {
      fileName: 'src/send.ts',
      startLine: 3,
      endLine: 5,
      side: 'new',
      unchanged: true,
      lines: whole.split('\n').slice(2, 5),
    },
  ]);
  assert.match(printCited({ evidence, words: [], facts: [] }, material).join('\n'), /^5 {5}if \(send\(\)\)/m);
});

test('the unchanged rest of a changed function is shown for questions and left out for articles', () => {
  const text = 'function send() {\n  const a = 1;\n  const b = 2;\n  const c = 3;\n}\n';
  const side = { path: 'a.ts', kind: 'source', language: 'TypeScript', side: 'new', changed: [3] } as const;
  const uses = { here: () => false, elsewhere: () => false, isShown: (line: number) => line === 3 };
  const { definitions } = outlineFile(side, text, null, uses);
  assert.deepEqual(
    definitions.map(({ name, startLine, lines }) => [name, startLine, lines.length]),
    [
      ['send (rest)', 1, 2],
      ['send (rest)', 4, 2],
    ],
  );
  const [file, ...others] = source.facts.files;
  const facts = { ...source.facts, files: file ? [{ ...file, definitions }, ...others] : [] };
  const shown = (forQuestions?: ShownDefinitions) =>
    labelMaterial({ ...source, facts }, 1_000_000, forQuestions)?.lines.join('\n') ?? assert.fail();
  assert.match(shown({ share: 1, choose: (all) => all }), /^@ send \(rest\) \(unchanged\)\n1 function send/m);
  assert.doesNotMatch(shown(), /\(rest\)/);
});

test('unchanged definitions take at most a tenth of the prompt', () => {
  const shown = [...material.definitions.values()].flat().flatMap(({ lines }) => lines);
  assert.ok(shown.join('\n').length <= material.lines.join('\n').length / 10);
  const small = labelMaterial({ ...source, diff: [] }, 1_000_000) ?? assert.fail();
  assert.equal(small.definitions.size, 0);
});

const added = { fileName: 'src/send.ts', startLine: 161, endLine: 161, side: 'new' as const };
const defined = {
  fileName: 'src/send.ts',
  startLine: 3,
  endLine: 5,
  side: 'new' as const,
  unchanged: true as const,
};
function reasonOf(text: string, more: Partial<Sentence> = {}): string | null {
  const sentence: Sentence = {
    text,
    basis: 'diff',
    quote: 'retry(request)',
    evidence: [added, defined],
    words: [],
    facts: [],
    ...more,
  };
  const draft: Draft = {
    title: { ...sentence, text: '' },
    ownTitle: 'Try again',
    standfirst: null,
    scope: null,
    authorWords: null,
    changeTypes: [],
    background: [sentence],
    mainChanges: [],
    notablePoints: [],
    tests: null,
    also: [],
  };
  const outcome = check(draft)[1];
  return outcome?.kept === null ? outcome.reason : null;
}

test('a sentence may cite an unchanged definition, and is rejected if it says that something changes without a changed line, or names a call that is not there', () => {
  assert.equal(reasonOf('`post` now calls `retry`, which stops after `attempts` tries.'), null);
  assert.equal(reasonOf('It adds a call to `retry`.'), null);
  assert.equal(
    reasonOf('`retry` returns early when `send()` does.', { quote: 'if (send()) return true' }),
    null,
  );
  assert.match(
    reasonOf('It now waits for `attempts`.', { evidence: [defined], quote: 'if (send()) return true' }) ?? '',
    /no lines that changed/,
  );
  assert.equal(
    reasonOf('It waits for `attempts`.', { evidence: [defined], quote: 'if (send()) return true' }),
    null,
  );
  assert.match(reasonOf('`retry` calls `unused`.') ?? '', /does not stand/);
});

test('a sentence that says an unchanged definition was added, changed or removed is rejected', () => {
  for (const text of [
    'It adds `retry`.',
    'It introduces the function `retry`.',
    'The change rewrites `retry`.',
    '`retry` is new.',
    '`retry` was changed.',
    '`retry` is removed.',
    'The new `retry` helper tries again.',
    '`retry` now takes a function.',
    '`retry` を追加しています。',
    '関数 `retry` が変更されています。',
  ])
    assert.match(reasonOf(text) ?? '', /is defined as before/, text);
});

test('a changed call on `self` shows the method of its own class, not a method of the same name in another class', async () => {
  const text = `class Queue:
    def first(self, key):
        return None

class Headers:
    def first(self, key):
        return key.lower()

${'\n'.repeat(40)}
    def pop(self, key):
        return self.first(key)
`;
  const at = text.split('\n').findIndex((line) => line.includes('def pop')) + 1;
  const change = diffOf(
    'headers.py',
    '\n     def pop(self, key):\n-        return key\n+        return self.first(key)',
    {
      start: at,
    },
  );
  let place: number | null = null;
  const outlines = await outlineDiff([change], {
    wantTexts: async (wanted) => {
      place = wanted.findIndex(({ side }) => side === 'new');
    },
    nextText: async () => {
      const next = place === null ? null : { place, text };
      place = null;
      return next;
    },
  });
  const definitions = outlines.flatMap((outline) => outline.definitions ?? []);
  assert.deepEqual(
    definitions.map(({ name }) => name),
    ['Headers.first'],
  );
});
