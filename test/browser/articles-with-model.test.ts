import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { makeHistory } from '../make-history.ts';
import { writeObligingly } from '../model/obliging-writer.ts';
import { startScriptedModel } from '../model/scripted-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/comet', 'acme/vault']) makeHistory(root, name, 4);
const model = await startScriptedModel(writeObligingly);
const app = await buildTestApp({
  environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/vault=zoe', OPERATORS: 'zoe' },
  waits: [],
});
const token = app.tokenFor('zoe');
await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
await app.signUp('yuki');
for (const name of ['rocket', 'comet', 'vault'])
  for (const number of [2, 3, 4]) {
    const path = `/repos/acme/${name}/pulls/${number}/article`;
    const { status, text } = await app.call('POST', path, { token, body: { language: 'en' } });
    assert.equal(status, 201, text);
  }
const browser = await openBrowser();
const english = 'Write with the model';

async function connectModel(): Promise<void> {
  const writer = { provider: 'anthropic', model: 'claude-sonnet-4-5', baseUrl: model.url, apiKey: 'sk-test' };
  const { status, text } = await app.call('PUT', '/service/model', { token, body: { writer } });
  assert.equal(status, 200, text);
}

test('an article without a model offers to be written with the one that is connected, with its price, and shows the new text', async () => {
  const { page, close } = await visit(browser, app, { token });
  const offer = page.getByRole('button', { name: english });
  await page.goto('/r/acme/rocket/2');
  assert.equal(await offer.count(), 0, 'there is no model');
  await connectModel();
  await page.reload();
  assert.match((await page.locator('.stale').textContent()) ?? '', /About [\d,]+ tokens, \$\d\.\d\d/);
  assert.deepEqual(await findAxeProblems(page), []);
  await offer.click();
  await page.getByText('Written by the language model claude-sonnet-4-5.').waitFor();
  assert.equal(await offer.count(), 0);
  await page.goto('/r/acme/vault/2');
  await page.getByText('without a language model').waitFor();
  assert.equal(await offer.count(), 0, 'the model may not read it');
  await close();
});

test('without scripts and in Japanese, the button writes with the model too, and visitors have none', async () => {
  const { page, close } = await visit(browser, app, {
    token: app.tokenFor('yuki'),
    javaScriptEnabled: false,
  });
  await page.goto('/r/acme/rocket/3');
  const offer = page.getByRole('button', { name: 'モデルで作り直す' });
  assert.match((await page.locator('.stale').textContent()) ?? '', /約 [\d,]+ トークン、約 \d\.\d\d ドル/);
  await offer.click();
  // The page loads again until the article is there.
  await page.getByText('claude-sonnet-4-5').waitFor();
  assert.equal(await offer.count(), 0);
  await close();
  const visitor = await visit(browser, app);
  await visitor.page.goto('/r/acme/rocket/4');
  assert.equal(await visitor.page.getByRole('button', { name: english }).count(), 0);
  await visitor.close();
});

test('a repository offers to rewrite its newest articles with the model, with the price before, progress and a way to cancel', async () => {
  const { page, close } = await visit(browser, app, { token });
  await page.goto('/r/acme/comet');
  const part = page.locator('.import').filter({ has: page.getByRole('button', { name: /^Rewrite/ }) });
  const offer = page.getByRole('button', { name: 'Rewrite the newest 3 with the model' });
  assert.match((await part.locator('.offer').textContent()) ?? '', /About [\d,]+ tokens, \$\d\.\d\d/);
  assert.deepEqual(await findAxeProblems(page), []);
  const heard = model.heard.length;
  model.play([{ silent: true }]);
  await offer.click();
  await waitUntil('the model is asked', () => model.heard.length > heard);
  await page.getByText(/^Writing 1 of 3/).waitFor();
  await page.reload();
  await page.getByText(/^Writing 1 of 3/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await offer.waitFor();
  model.play(writeObligingly);
  await offer.click();
  await page.getByText('3 of 3 articles written.').waitFor();
  await page.reload();
  await page.locator('#listed .rows li').first().waitFor();
  assert.equal(await offer.count(), 0);
  await close();
});
