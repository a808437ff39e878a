import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { makeClone } from '../make-clone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
makeClone(root, 'acme/secret', 'feat: launch on time (#1)\n\nThe old clock was five seconds late.');
makeClone(root, 'acme/rocket', 'feat: fly (#1)');
const app = await buildTestApp({ environment: { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' } });
const token = app.tokenFor('ann');
await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
for (const name of ['secret', 'rocket'])
  await app.call('POST', `/repos/acme/${name}/pulls/1/article`, { token, body: { language: 'en' } });
const browser = await openBrowser();

test('a question asked with the keyboard is answered in place, and can be shared and deleted', async () => {
  const { page, close } = await visit(browser, app, { token });
  await page.goto('/r/acme/secret/1?language=en');
  await page.keyboard.press('a');
  await page.keyboard.type('What says that this is acme?');
  await page.keyboard.press('Enter');
  const answer = page.locator('.answer');
  await answer.getByText('Search result: lines and words, not an answer').waitFor();
  await answer.getByText('This is acme/secret.').waitFor();
  await page.locator('.answer:focus').waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await answer.getByText('Only you see this').waitFor();
  await answer.getByRole('button', { name: 'Share' }).click();
  await answer.getByRole('button', { name: 'Stop sharing' }).waitFor();
  await answer.getByRole('button', { name: 'Delete' }).click();
  await answer.waitFor({ state: 'detached' });
  await close();
});

test('without scripts, a question about a repository leads to its answer', async () => {
  const { page, close } = await visit(browser, app, { token, javaScriptEnabled: false });
  await page.goto('/r/acme/secret?tab=articles');
  await page.getByRole('textbox', { name: 'Search this repository' }).fill('Was the clock late?');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForURL(/\/r\/acme\/secret\?tab=articles#answer-/);
  await page.locator('.answer').getByText('The old clock was five seconds late.').waitFor();
  await page.locator('.answer .source').getByText('#1').first().waitFor();
  await close();
});

test('without an account, an article links to sign-in instead of a question field', async () => {
  const { text } = await app.call('GET', '/r/acme/rocket/1');
  assert.match(text, /<a href="\/sign-in\?back=[^"]+">Sign in to search<\/a>/);
  assert.doesNotMatch(text, /name="question"/);
});
