import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { buildTestApp } from '../build-app.ts';
import { makeLongFile, tellOfLongFile } from '../make-long-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, watchIncidents } from './open-browser.ts';

const root = temporaryFolder();
makeLongFile(root, 'acme/long');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const browser = await openBrowser();
const nothingHappened = { told: [], foreign: [] };
const address = '/r/acme/long/2?language=en';

before(async () => {
  await tellOfLongFile(app, 'acme/long', await app.signUp('rin'));
});

async function visit(options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL: app.url, locale: 'en-US', ...options });
  context.setDefaultTimeout(15_000);
  const incidents = watchIncidents(context, app.url);
  return { context, page: await context.newPage(), incidents, close: () => context.close() };
}

const excerpt = (page: Page) => page.locator('#change-1 > .beat > .excerpt');
const numbersIn = (page: Page) =>
  excerpt(page)
    .locator('.line')
    .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('data-line'))));
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('more lines above and below an excerpt come into its place, aligned with it, and the keyboard stays there', async () => {
  const { page, incidents, close } = await visit();
  await page.goto(address);
  const above = excerpt(page).locator('a.gap', { hasText: 'above' });
  await above.click();
  await above.filter({ hasText: '19 more lines above' }).waitFor();
  assert.deepEqual(await numbersIn(page), from(20, 62));
  assert.equal(await above.evaluate((link) => link === document.activeElement), true);
  await page.keyboard.press('Enter');
  await above.waitFor({ state: 'detached' });
  assert.deepEqual(await numbersIn(page), from(1, 62));
  const indents = await excerpt(page)
    .locator('.indent')
    .evaluateAll((all) => all.map((one) => one.textContent?.length));
  assert.deepEqual(
    new Set(indents.slice(1)),
    new Set([2]),
    'what begins further left moves the others right',
  );
  assert.equal(indents[0], 0);
  const below = excerpt(page).locator('a.gap', { hasText: 'below' });
  await below.click();
  await below.filter({ hasText: '28 more lines below' }).waitFor();
  await below.click();
  await below.waitFor({ state: 'detached' });
  assert.deepEqual(await numbersIn(page), from(1, 130));
  const last = await excerpt(page)
    .locator('.indent')
    .evaluateAll((all) => all.map((one) => one.textContent?.length));
  assert.deepEqual([last[0], new Set(last.slice(1, -1)), last.at(-1)], [0, new Set([2]), 0]);
  assert.equal(new URL(page.url()).pathname, '/r/acme/long/2', 'the reader is where they were');
  assert.deepEqual(await findAxeProblems(page), []);
  assert.deepEqual(incidents, nothingHappened);
  await close();
});

test('where lines cannot be loaded, and without scripts, their link leads to them and back', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { context, page, incidents, close } = await visit({ javaScriptEnabled });
    await page.goto(address);
    if (javaScriptEnabled)
      await context.route('**/lines?*', (route) =>
        route.request().resourceType() === 'document' ? route.continue() : route.abort(),
      );
    await excerpt(page).locator('a.gap', { hasText: 'below' }).click();
    await page.waitForURL('**/r/acme/long/2/lines?*');
    assert.equal(await page.locator('.line').count(), 40);
    if (javaScriptEnabled) assert.deepEqual(await findAxeProblems(page), []);
    await page.getByRole('link', { name: 'Back to the article' }).click();
    await page.waitForURL(`**${address}`);
    assert.deepEqual(incidents, nothingHappened);
    await close();
  }
});
