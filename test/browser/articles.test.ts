import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildTestApp } from '../build-app.ts';
import { makeLongFile, tellOfLongFile } from '../make-long-file.ts';
import { runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
makeLongFile(root, 'acme/long');
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const browser = await openBrowser();
const address = '/r/acme/long/2?language=en';

before(async () => {
  await tellOfLongFile(app, 'acme/long', await app.signUp('rin'));
});

const hunk = (page: Page) => page.locator('#change-1 > .hunk');
const numbersIn = (page: Page) =>
  hunk(page)
    .locator('.line')
    .evaluateAll((lines) => lines.map((line) => Number(line.getAttribute('data-line'))));
const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

test('gaps of a hunk expand in place, aligned with it, and the focus stays on the gap', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto(address);
  const above = hunk(page).locator('a.gap', { hasText: 'above' });
  await above.click();
  await above.filter({ hasText: '19 more lines above' }).waitFor();
  assert.deepEqual(await numbersIn(page), from(20, 62));
  assert.equal(await page.locator('a.gap:focus', { hasText: 'above' }).count(), 1);
  await page.keyboard.press('Enter');
  await above.waitFor({ state: 'detached' });
  assert.deepEqual(await numbersIn(page), from(1, 62));
  const indents = await hunk(page)
    .locator('.indent')
    .evaluateAll((all) => all.map((one) => one.textContent?.length));
  assert.deepEqual(
    new Set(indents.slice(1)),
    new Set([2]),
    'what begins further left moves the others right',
  );
  assert.equal(indents[0], 0);
  const below = hunk(page).locator('a.gap', { hasText: 'below' });
  await below.click();
  await below.filter({ hasText: '28 more lines below' }).waitFor();
  await below.click();
  await below.waitFor({ state: 'detached' });
  assert.deepEqual(await numbersIn(page), from(1, 130));
  const last = await hunk(page)
    .locator('.indent')
    .evaluateAll((all) => all.map((one) => one.textContent?.length));
  assert.deepEqual([last[0], new Set(last.slice(1, -1)), last.at(-1)], [0, new Set([2]), 0]);
  assert.equal(new URL(page.url()).pathname, '/r/acme/long/2', 'the reader is where they were');
  if (runsWholeTables) assert.deepEqual(await findAxeProblems(page), []);
  await close();
});

test('if lines cannot be loaded, or without scripts, a gap leads to a page with the lines and back', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { context, page, close } = await visit(browser, app, { javaScriptEnabled });
    await page.goto(address);
    if (javaScriptEnabled)
      await context.route('**/lines?*', (route) =>
        route.request().resourceType() === 'document' ? route.continue() : route.abort(),
      );
    await hunk(page).locator('a.gap', { hasText: 'below' }).click();
    await page.waitForURL('**/r/acme/long/2/lines?*');
    assert.equal(await page.locator('.line').count(), 40);
    if (javaScriptEnabled) assert.deepEqual(await findAxeProblems(page), []);
    await page.getByRole('link', { name: 'Back to the article' }).click();
    await page.waitForURL(`**${address}`);
    await close();
  }
});

const markedIn = (page: Page, selector: string) =>
  page
    .locator(`#change-1 ${selector}`)
    .evaluateAll((found) =>
      found
        .filter((one) => one.checkVisibility())
        .map((one) => one.getAttribute('data-line') ?? one.textContent),
    );
const sentence = (page: Page, words: string) => page.locator('.sentence', { hasText: words });

test('a click on a sentence opens and marks only its lines, and a second click clears them', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto(address);
  const lines = page.locator('#change-1 .evidence .lines');
  await sentence(page, 'It closes, too.').click();
  await page.mouse.move(0, 0);
  assert.equal(await lines.isVisible(), true);
  assert.deepEqual(await markedIn(page, '.line.marked'), ['130']);
  assert.deepEqual(await markedIn(page, '.sentence.marked'), ['It closes, too.']);
  await sentence(page, 'It opens with a name.').click();
  assert.deepEqual(await markedIn(page, '.line.marked'), ['1']);
  await sentence(page, 'It begins at 60.').click();
  assert.equal(await lines.isVisible(), false, 'its lines stand in the hunk');
  assert.deepEqual(await markedIn(page, '.line.marked'), ['60']);
  // Another position, because two clicks at the same one would select a word.
  await sentence(page, 'It begins at 60.').click({ position: { x: 8, y: 8 } });
  await page.mouse.move(0, 0);
  assert.deepEqual(await markedIn(page, '.line.marked'), []);
  await page.locator('h1').click();
  await page.keyboard.press('e');
  await page.locator('.line.marked').nth(1).waitFor();
  assert.deepEqual(
    await markedIn(page, '.line.marked'),
    ['1', '130'],
    'all evidence bars what all sentences cite',
  );
  await close();
});

test('evidence that opens below the window is scrolled into view', async () => {
  const { page, close } = await visit(browser, app, { viewport: { width: 1280, height: 500 } });
  await page.goto(address);
  const said = sentence(page, 'It closes, too.');
  await said.evaluate((one) => one.scrollIntoView({ block: 'end' }));
  await said.click();
  const box = await page.locator('#change-1 .line.marked').first().boundingBox();
  assert.ok(box && box.y >= 0 && box.y + box.height <= 500, JSON.stringify(box));
  await close();
});

test('keys open all evidence and move between sentences, which are not tab stops, and typing in a field triggers none', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto(address);
  assert.equal(await page.locator('.sentence[tabindex="0"]').count(), 0);
  const open = page.locator('.evidence details[open]');
  const files = await page.locator('.evidence details').count();
  await page.keyboard.press('e');
  assert.equal(await open.count(), files);
  await page.locator('#evidence[aria-pressed=true]').waitFor();
  await page.getByRole('button', { name: 'Evidence' }).click();
  assert.equal(await open.count(), 0);
  await page.getByLabel('paste a URL').fill('');
  await page.keyboard.type('eejk');
  assert.equal(await open.count(), 0, 'who types is typing');
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.locator('h1').click();
  for (const key of ['j', 'j', 'j', 'j', 'j', 'k', 'Enter']) await page.keyboard.press(key);
  assert.equal(await page.locator('.sentence:focus').textContent(), 'It opens with a name.');
  const inView = `(() => {
    const [sentence, hunk] = [document.activeElement, document.querySelector('#change-1 > .hunk')].map((one) => one.getBoundingClientRect());
    return sentence.top >= 0 && hunk.bottom <= innerHeight;
  })()`;
  assert.equal(await page.evaluate(inView), true, 'a sentence is in view with its hunk');
  assert.deepEqual(await markedIn(page, '.line.marked'), ['1']);
  await page.keyboard.press('Enter');
  assert.equal(await open.count(), 0);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  assert.match(await help.innerText(), /Open the evidence of a sentence/);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL('**/r/acme/long');
  await close();
});

test('copy buttons copy the link, the Markdown or the hunk and confirm it, and report a failure', async () => {
  const { context, page, close } = await visit(browser, app);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${address}#change-1`);
  await page.locator('.others summary').click();
  const copied = async (name: string) => {
    // An empty clipboard shows that the next text is from this click.
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole('button', { name, exact: true }).first().click();
    let text: unknown;
    await waitUntil('it is copied', async () => {
      text = await page.evaluate('navigator.clipboard.readText()');
      return text !== '';
    });
    await page.getByRole('status').filter({ hasText: 'Copied.' }).waitFor();
    return text;
  };
  assert.equal(await copied('Copy link'), `${app.url}${address}`);
  assert.equal(await copied('Copy'), 'at60 = 60;\nat61 = 61;\nat62 = 62;');
  const markdown = await copied('Copy as Markdown');
  assert.match(String(markdown), /^# (?:Feature: a|A) long class\n/);
  await page.route('**/article?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await page.getByRole('status').filter({ hasText: 'blocked copying' }).waitFor();
  await close();
});

test('a printed article is light, with its evidence open and without buttons', async () => {
  const { page, close } = await visit(browser, app, { colorScheme: 'dark' });
  await page.goto(address);
  await page.getByRole('button', { name: 'Dark' }).click();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.evidence .line').first().isVisible(), true);
  assert.equal(await page.locator('main button:visible, a.gap:visible').count(), 0);
  assert.equal(await page.locator('.map figcaption').isVisible(), true, 'the legend is printed');
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('.hatch')).opacity"), '0.75');
  assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(251, 250, 247)');
  await close();
});

test('without scripts an article shows no buttons', async () => {
  const { page, close } = await visit(browser, app, { javaScriptEnabled: false });
  await page.goto(address);
  assert.equal(await page.locator('main button:visible').count(), 0);
  await close();
});

test('the first sentence is visible without scrolling on desktop and phone, and the actions fit one row', async () => {
  for (const [width, height, most] of [
    [1280, 900, 520],
    [390, 844, 560],
  ] as const) {
    const { page, close } = await visit(browser, app, { viewport: { width, height } });
    await page.goto(address);
    const first = await page.locator('.standfirst, .text .told').first().boundingBox();
    assert.ok(first && first.y <= most, `${first?.y} at ${width}`);
    const row = await page.locator('.doing').boundingBox();
    assert.ok(row && row.height < 60, 'the row does not wrap');
    assert.equal(await page.locator('.map figcaption').isVisible(), false);
    await page.locator('.map summary').click();
    assert.equal(await page.locator('.map figcaption').isVisible(), true);
    await close();
  }
});

test('a hunk links to the full diff, which shows sentences beside the lines they cite', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto(address);
  await hunk(page).locator('figcaption > a').click();
  await page.waitForURL('**/r/acme/long/2/diff?language=en#file-1');
  assert.equal(await page.locator('.changed .line').count(), 130);
  const note = page.locator('.notes a', { hasText: 'It closes, too.' });
  assert.equal(await note.isVisible(), true);
  assert.equal(await page.locator('.line[data-line="130"][data-sentences]').count(), 1);
  assert.deepEqual(await findAxeProblems(page), []);
  await note.click();
  await page.waitForURL(/\/r\/acme\/long\/2\?language=en#/);
  await close();
});
