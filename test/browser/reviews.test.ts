import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const app = await buildTestApp();
const token = await app.signUp('zoe');
await app.call('POST', '/repos/harborline/parcel/pulls/15/article', { token, body: { language: 'en' } });
const browser = await openBrowser();

test('the whole review is one click away from the article, accessible, and needs no script, also on a phone', async () => {
  const { page, close } = await visit(browser, app, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await page.goto('/r/harborline/parcel/15?language=en');
  await page.getByRole('link', { name: 'Read the whole review' }).click();
  await page.getByText('Where is it read?').waitFor();
  await page.getByText('A comment by a bot').click();
  await page.getByText('All 74 tests passed.').waitFor();
  await page.getByRole('link', { name: 'By file' }).click();
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  await close();
  const other = await visit(browser, app, { viewport: { width: 390, height: 844 } });
  await other.page.goto('/r/harborline/parcel/15/review');
  const { scrollWidth, clientWidth } = await other.page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  assert.equal(scrollWidth, clientWidth);
  assert.deepEqual(await findAxeProblems(other.page), []);
  await other.close();
});
