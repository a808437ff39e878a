import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { makeClone } from '../test/make-clone.ts';
import { writeObligingly } from '../test/model/obliging-writer.ts';
import { startScriptedModel } from '../test/model/scripted-model.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

/** What this thread has loaded, without the parser that undici loads with the first connection, whatever that is for. */
const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:') && !url.includes('/undici/')) loaded.push(url);
    return next(url, context);
  },
});

const { buildTestApp } = await import('../test/build-app.ts');

test('the first question and the first article of a model load no code in the thread that answers requests', async () => {
  const root = temporaryFolder();
  makeClone(root, 'acme/rocket', 'feat: launch on time (#1)');
  const model = await startScriptedModel(writeObligingly);
  const environment = { GIT_REPOS: root, AI_MODEL: 'compatible/scripted', AI_BASE_URL: model.url };
  const app = await buildTestApp({ environment });
  const token = await app.signUp('ann');
  const path = '/repos/acme/rocket/pulls/1';
  await app.call('POST', `${path}/ingest`, { token });
  loaded.length = 0;
  const body = { question: 'What says that this is a rocket?', language: 'en' };
  const answer = await app.call('POST', `${path}/questions`, { token, body });
  assert.equal(answer.body.data?.writer.kind, 'ai', answer.text);
  const article = await app.call('POST', `${path}/article`, { token, body: { language: 'en' } });
  assert.equal(article.status, 201, article.text);
  assert.deepEqual(loaded, []);
});
