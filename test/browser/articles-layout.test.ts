import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { buildTestApp } from '../build-app.ts';
import { byRules, inJapanese, tellByHand } from '../doors/articles-by-hand.ts';
import { makeDoors } from '../doors/make-doors.ts';
import { git, makeClone } from '../make-clone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
makeDoors(root);
const options = makeClone(root, 'acme/options');
const folder = 'source/utilities-for-networks/is-network-error-helpers';
mkdirSync(join(options, folder), { recursive: true });
writeFileSync(join(options, folder, 'is-network-error.ts'), `export const long = '${'y'.repeat(300)}';\n`);
git(options, 'add', '--all');
const message =
  'fix: print with --paging=never and `--no-hscroll-indicator` at once (#2)\n\nUse `bat --paging=never`, or `--paging=always`, `--color=always`, and -p.';
git(options, 'commit', '--quiet', '--message', message);
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const browser = await openBrowser();

before(async () => {
  const token = await app.signUp('rin');
  for (const name of ['doors', 'options'])
    for (const language of ['en', 'ja']) {
      const path = `/repos/acme/${name}/pulls/2/article`;
      const { status, text, body } = await app.call('POST', path, { token, body: { language } });
      assert.equal(status, 201, text);
      const told = language === 'en' ? byRules() : inJapanese();
      if (name === 'doors') await tellByHand(app, { articleId: body.data.id, languageCode: language }, told);
    }
});

const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

test('a saved article is read from the disk on desktop and phone, light and dark, in both languages, without requests or scripts', async () => {
  const file = join(temporaryFolder(), 'saved.html');
  for (const [language, width, colorScheme] of [
    ['en', 1280, 'light'],
    ['ja', 390, 'dark'],
  ] as const) {
    const { text } = await app.call('GET', `/r/acme/doors/2.html?language=${language}`);
    writeFileSync(file, text);
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } });
    const seen: string[] = [];
    context.on('request', (request) => seen.push(request.url()));
    const page = await context.newPage();
    page.on('console', (said) => seen.push(said.text()));
    await page.goto(`file://${file}`);
    assert.equal(await overflow(page), 0);
    const evidence = page.locator('.evidence details').first();
    await evidence.locator('summary').click();
    assert.equal(await evidence.locator('.line').first().isVisible(), true);
    await page.locator('.byline a.counts').click();
    assert.equal(await page.locator('#file-1 .line').first().isVisible(), true);
    assert.deepEqual(seen, [`file://${file}`]);
    if (language === 'en') assert.deepEqual(await findAxeProblems(page, 'saved'), []);
    await context.close();
  }
});

test('old and new line numbers have a column each where a block has both, and one column where it has one', async () => {
  const { page, close } = await visit(browser, app, { viewport: { width: 1280, height: 844 } });
  for (const [path, columns] of [
    ['/r/acme/doors/2/diff?language=en', 5],
    ['/r/acme/options/2/diff?language=en', 4],
  ] as const) {
    await page.goto(path);
    const shown = await page
      .locator('.piece')
      .filter({ has: page.locator(columns === 5 ? '.context' : '.added') })
      .first()
      .locator('.line')
      .evaluateAll((lines) =>
        lines.map((line) => {
          const style = line.ownerDocument.defaultView?.getComputedStyle(line);
          return style?.gridTemplateColumns.split(' ').length;
        }),
      );
    assert.deepEqual(new Set(shown), new Set([columns]), path);
  }
  await page.goto('/r/acme/doors/2/diff?language=en');
  const both = page.locator('.line.context[data-old]').first();
  const content = (side: string) =>
    both.evaluate((line, of) => line.ownerDocument.defaultView?.getComputedStyle(line, of).content, side);
  assert.match((await content('::before')) ?? '', /^"\d+"/);
  assert.match((await content('::after')) ?? '', /^"\d+"/);
  await close();
});

test('on a phone nothing scrolls sideways, long lines wrap, names break at slashes only, and options never', async () => {
  const { page, close } = await visit(browser, app, { viewport: { width: 390, height: 844 } });
  for (const path of [
    '/r/acme/options/2?language=en',
    '/r/acme/options/2/diff?language=en',
    '/r/acme/options/2?language=ja',
    '/r/acme/options?tab=files',
    '/r/acme/options',
    '/',
  ]) {
    await page.goto(path);
    assert.equal(await overflow(page), 0, path);
    const heights = await page
      .locator('.kept, .whole, .file b')
      .evaluateAll((parts) =>
        parts.filter((one) => one.checkVisibility()).map((one) => one.getClientRects().length),
      );
    assert.ok(heights.length > 0 || path.endsWith('ja'), path);
    assert.deepEqual(
      heights.filter((lines) => lines > 1),
      [],
      path,
    );
  }
  await page.goto('/r/acme/options/2?language=en');
  assert.equal(await page.locator('.doing .first').isVisible(), false, 'tools are in a menu');
  await page.locator('.others > summary').click();
  assert.equal(await page.getByRole('link', { name: 'Full diff' }).isVisible(), true);
  assert.equal(await overflow(page), 0);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.locator('.others > summary').click();
  assert.equal(await page.getByRole('link', { name: 'Full diff' }).isVisible(), true);
  assert.equal(await page.getByRole('link', { name: 'Save' }).isVisible(), false);
  await close();
});
