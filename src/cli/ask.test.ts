import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { runHere } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { answerLines } from './ask.ts';

const clone = makeClone(temporaryFolder(), 'acme/rocket', 'feat: launch on time (#1)');
writeFileSync(join(clone, 'launch.ts'), 'export const defaultTimeout = 30;\n');
git(clone, 'add', '--all');
git(clone, 'commit', '--quiet', '--message', 'Wait longer (#7)\n\nOnce was not enough.');
const model = await startScriptedModel(writeObligingly);
const environment = { XDG_CACHE_HOME: temporaryFolder(), AI_BASE_URL: model.url, AI_MODEL: 'compatible/one' };

const ask = async (...parameters: string[]) => {
  const before = process.cwd();
  process.chdir(clone);
  try {
    return await runHere(environment, 'ask', ...parameters);
  } finally {
    process.chdir(before);
  }
};
const terminal = { columns: 60, hasColours: false, isUnicode: true };

test('`pullquote ask` without --ai searches, sends no model request, and labels the output as a search result', async () => {
  const { code, stdout, stderr } = await ask('7', 'Does it change the default timeout?', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  const answer = JSON.parse(stdout);
  assert.deepEqual([answer.prNumber, answer.found, answer.writer.kind], [7, true, 'offline']);
  assert.equal(model.heard.length, 0, 'nothing is sent to a model unless --ai is passed');
  const [question, name, , label, , ...rest] = answerLines(terminal, 'acme\u001b[31m#7', answer);
  assert.deepEqual([question, name], [answer.question, 'acme⟨U+001B⟩[31m#7']);
  assert.match(label ?? '', /^Search result: lines and words, not an answer\./);
  assert.match(rest.join('\n'), /^- Added in `launch\.ts`: [\s\S]*\n {4}launch\.ts:1$/m);
});

test('`pullquote ask` without a match says so, and what it searched', async () => {
  const { code, stdout } = await ask('7', 'Quaternions?', '--json', '--language', 'ja');
  const answer = JSON.parse(stdout);
  assert.deepEqual([code, answer.found], [0, false]);
  const lines = answerLines(terminal, '', answer).join('\n');
  assert.match(lines, /^検索結果：行と文[\s\S]*^- 該当する記述は見つかりませんでした。/m);
});

test("`pullquote ask --ai` prints the model's answer with the cited lines", async () => {
  const { code, stdout, stderr } = await ask('7', 'What is new?', '--json', '--ai');
  assert.deepEqual([code, stderr], [0, '']);
  const answer = JSON.parse(stdout);
  assert.deepEqual([answer.found, answer.writer.model, answer.usage.inputTokens > 0], [true, 'one', true]);
  const lines = answerLines(terminal, 'acme/rocket#7', answer).join('\n');
  assert.match(lines, /^ {4}launch\.ts:1\n {4}\+ export const defaultTimeout/m);
  assert.ok(!lines.includes('Search result'));
});

test('`pullquote ask` with a target but no question exits 2 and shows how to add a question', async () => {
  for (const target of ['3', 'acme/rocket#3', 'https://github.com/acme/rocket/pull/3']) {
    const { code, stderr } = await ask(target);
    assert.equal(code, 2);
    assert.ok(stderr.includes(`Add a question, as in: pullquote ask ${target} "…".\n\nUsage: `), stderr);
  }
});

test('`pullquote ask` with no question, one over 500 characters, or two targets exits 2 with its usage', async () => {
  for (const parameters of [[], ['7', ' '], ['7', 'x'.repeat(501)], ['7', '8', 'Why?']]) {
    const { code, stdout, stderr } = await ask(...parameters);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /\n\nUsage: pullquote ask \[TARGET\] QUESTION/);
  }
});
