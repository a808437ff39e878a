import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { type Asked, questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type HeardRequest, type Script, startScriptedModel } from '../../test/model/scripted-model.ts';
import type { Reply } from '../../test/model/wire.ts';
import { rowsToRun } from '../../test/tables.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';

const root = temporaryFolder();
const model = await startScriptedModel(writeObligingly);
const environment = {
  GIT_REPOS: root,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_CONTEXT_TOKENS: '32000',
  AI_PART_TOKENS: '4000',
  AI_PARALLEL_CALLS: '2',
  WRITERS: '1',
};
const app = await buildTestApp({ environment });
const token = await app.signUp('ann');
const clone = makeClone(root, 'acme/rocket');

/** Replies with an article that has one sentence to mend. */
function writeWithMistake(request: HeardRequest): Reply {
  const reply = writeObligingly(request);
  if (questionIn(request).asked !== 'article') return reply;
  const answer = JSON.parse(reply.text ?? '{}');
  const [first] = answer.sections[0].sentences;
  answer.sections[0].sentences.push({ ...first, quote: 'nowhere', text: 'It adds `nowhere`.' });
  return { ...reply, text: JSON.stringify(answer) };
}

const steps: [Asked, step: string, calls: number][] = [
  ['notes', 'reading parts', 2],
  ['article', 'writing', 1],
  ['verdicts', 'checking claims', 1],
  ['mended', 'mending', 1],
  ['said again', 'writing', 1],
];

// Two code paths are cancelled: calls about a part, and all other calls.
const cancelled = rowsToRun(steps, ([asked]) => (asked === 'notes' ? 'part' : 'article'));
for (const [index, [fatal, step, calls]] of cancelled.entries()) {
  test(`cancelling during a model call ends the call and makes no further one: ${fatal}`, async () => {
    const number = index + 2;
    makeLargePullRequest(clone, number, 8);
    const path = `/repos/acme/rocket/pulls/${number}/article`;
    const hanging: HeardRequest[] = [];
    const { promise: areAllAsked, resolve } = Promise.withResolvers<void>();
    const hang: Script = (request) => {
      if (questionIn(request).asked !== fatal) return writeWithMistake(request);
      if (hanging.push(request) === calls) resolve();
      return { silent: true };
    };
    model.play(hang);
    const job = await app.call('POST', path, {
      token,
      body: { language: 'fr' },
      headers: { prefer: 'respond-async' },
    });
    assert.equal(job.status, 202, job.text);
    await areAllAsked;
    await waitUntil(`its progress says ${step}`, async () => {
      const { state, progress } = (await app.call('GET', `/jobs/${job.body.data.id}`, { token })).body.data;
      return state === 'running' && progress.step === step;
    });
    const before = model.heard.length;
    const { body } = await app.call('DELETE', `/jobs/${job.body.data.id}`, { token });
    assert.equal(body.data.state, 'cancelled');
    await Promise.all(hanging.map(({ isOver }) => isOver));
    model.play(writeObligingly);
    // With one writer, starting another article proves that this one was given up.
    makeClone(root, `acme/after-${fatal.replace(' ', '-')}`, `feat: launch after ${fatal} (#1)`);
    const next = await app.call('POST', `/repos/acme/after-${fatal.replace(' ', '-')}/pulls/1/article`, {
      token,
      body: { language: 'en' },
    });
    assert.equal(next.status, 201, next.text);
    for (const request of model.heard.slice(before))
      assert.doesNotMatch(questionIn(request).material, new RegExp(`large-${number}`));
  });
}
