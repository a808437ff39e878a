import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type HeardRequest, startScriptedModel } from '../../test/model/scripted-model.ts';
import type { Reply } from '../../test/model/wire.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const model = await startScriptedModel(writeObligingly);
const parallelCalls = 2;
const app = await buildTestApp({
  environment: {
    GIT_REPOS: root,
    AI_MODEL: 'compatible/scripted',
    AI_BASE_URL: model.url,
    AI_CONTEXT_TOKENS: '32000',
    AI_PART_TOKENS: '8000',
    AI_PARALLEL_CALLS: String(parallelCalls),
    AI_ARTICLES_PER_DAY: '1000',
  },
  frozen: true,
  waits: [],
});
await app.signUp('ann');
const clone = makeClone(root, 'acme/rocket');
let last = 1;

type Answer = (request: HeardRequest, turn: number) => Reply | Promise<Reply>;

/** Writes about a new pull request, with scripted replies about its parts. */
async function write(answer: Answer, files = 12) {
  last += 1;
  makeLargePullRequest(clone, last, files);
  return ask(last, answer);
}

async function ask(number: number, answer: Answer) {
  let turn = 0;
  model.play((request) =>
    questionIn(request).asked === 'notes' ? answer(request, turn++) : writeObligingly(request),
  );
  const before = model.heard.length;
  // Closes a circuit breaker that the test before has opened.
  app.advance(11 * 60_000);
  const reply = await app.call('POST', `/repos/acme/rocket/pulls/${number}/article`, {
    token: app.tokenFor('ann'),
    body: { language: 'en' },
  });
  assert.equal(reply.status, 201, reply.text);
  const asked = model.heard.slice(before).map(questionIn);
  return {
    number,
    content: reply.body.data.contents.en,
    parts: asked.filter((one) => one.asked === 'notes'),
    composed: asked.find((one) => one.asked === 'article')?.material ?? '',
  };
}

const noted = (...notes: object[]): Reply => ({ text: JSON.stringify({ notes }) });

const notesIn = (material: string): string[] => material.match(/^n\d+ .*$/gm) ?? [];

const droppedLately = (): unknown => app.logLines().findLast((line) => 'droppedNotes' in line)?.droppedNotes;

test("a model's notes without lines, or with lines of another part of the diff or false quotes, are dropped and counted", async () => {
  const good = { refs: ['f1+2'], quote: 'left: number', weight: 1 };
  const { composed, parts, content } = await write((_, turn) =>
    noted(
      { ...good, text: `Part ${turn} has lost its lines.`, refs: [] },
      { ...good, text: 'The file `part-9.ts` counts what is left.', refs: ['f99+2'] },
      { ...good, text: 'Words are no lines.', refs: ['w1'] },
      { ...good, text: 'It stands far below.', refs: ['f1+9999'] },
      { ...good, text: 'It quotes what is not there.', quote: 'nothing of the kind' },
      { ...good, text: 'It takes `left`.' },
    ),
  );
  assert.equal(content.writer.kind, 'ai');
  assert.deepEqual(
    notesIn(composed).map((line) => line.replace(/.*\) /, '')),
    ['It takes `left`.'],
    'and what every part says is said once',
  );
  assert.equal(droppedLately(), parts.length * 5);
});

const other = (index: number): string =>
  ['m', 'mm', 'mmm'].map((word) => word + 'abcdefghijklmnopqrst'[index]).join(' ');

test('a repeated note is kept once, and each part contributes at most eight notes', async () => {
  const { composed, parts } = await write(() =>
    noted(
      ...Array.from({ length: 20 }, (_, index) => ({
        refs: ['f1+2'],
        quote: 'left: number',
        weight: 99,
        text: index < 4 ? 'It takes `left`.' : `It takes \`left\`, ${other(index)}.`,
      })),
    ),
  );
  assert.equal(notesIn(composed).length, 5, 'of the first eight, four say the same');
  assert.equal(droppedLately(), parts.length * 12, 'what only repeats another is not counted');
});

test('a part that is too long is halved down to a hunk, and a file whose hunk is too long is listed as not read', async () => {
  writeFileSync(join(clone, 'wide.ts'), `${'let before = 1;\n'.repeat(200)}`);
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', 'feat: be wide (#90)');
  const lines = Array.from({ length: 200 }, (_, index) =>
    index % 40 === 5 ? `let now${index} = 2;` : 'let before = 1;',
  );
  writeFileSync(join(clone, 'wide.ts'), `${lines.join('\n')}\n`);
  const { content, parts } = await write((request) => {
    const { material } = questionIn(request);
    const hunks = material.match(/^@\d+/gm)?.length ?? 0;
    const isTooLong = hunks > 1 || material.includes('now85');
    return isTooLong ? { error: { status: 400, code: 'context_length_exceeded' } } : writeObligingly(request);
  });
  assert.equal(content.writer.kind, 'ai');
  assert.deepEqual(content.coverage.skipped, [
    { fileName: 'wide.ts', reason: 'the model could not read it' },
  ]);
  const ofHunk = parts.filter(({ material }) => material.includes('now85')).map(({ material }) => material);
  assert.equal(ofHunk.at(-1)?.match(/^@\d+/gm)?.length, 1, 'down to the hunk alone');
  assert.ok(parts.some(({ material }) => material.includes('now165') && !material.includes('now85')));
});

test('after a model failure no further parts are requested, and finished notes are reused later', async () => {
  const { promise: hasFailed, resolve } = Promise.withResolvers<void>();
  const failing = await write(async (request, turn) => {
    if (turn > 0) {
      resolve();
      return { error: { status: 401, code: 'invalid_api_key' } };
    }
    await hasFailed;
    return writeObligingly(request);
  }, 30);
  assert.deepEqual([failing.content.writer.kind, failing.content.writer.because], ['offline', 'failed']);
  // The other call may end before the failure arrives, and request one more part.
  const mostAsked = parallelCalls + 1;
  assert.ok(failing.parts.length <= mostAsked, `${failing.parts.length} were asked for`);
  app.advance(24 * 60 * 60_000);
  const [first] = failing.parts;
  const healed = await ask(failing.number, writeObligingly);
  assert.equal(healed.content.writer.kind, 'ai');
  const fileOf = (material = '') => /^f1 (\S+)/m.exec(material)?.[1];
  assert.ok(!healed.parts.some(({ material }) => fileOf(material) === fileOf(first?.material)));
  assert.ok(healed.parts.length > mostAsked, 'there were more to ask for');
});

test('if no part can be read, the model is not asked to compose an article', async () => {
  const { content, composed } = await write(() => ({ text: 'No.', ends: 'refused' }));
  assert.deepEqual([content.writer.kind, content.writer.because], ['offline', 'failed']);
  assert.equal(composed, '');
});
