import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const app = await buildTestApp({ environment: { GIT_REPOS: process.env.TEST_CLONES ?? '' } });
const browser = await openBrowser();

test('the first run has one filled button and says what happens next', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto('/');
  assert.equal(await page.locator('main .primary').count(), 1);
  await page.getByText('examples appear here within seconds').waitFor();
  assert.deepEqual(await findAxeProblems(page, 'first run'), []);
  await close();
  const own = await visit(browser, app, { token: app.tokenFor('ito') });
  await own.page.goto('/');
  await own.page.getByText('Press “Write” beside a repository.').waitFor();
  assert.equal(await own.page.locator('main .primary:visible').count(), 1);
  await own.close();
});

test('selected pull requests are written together, with and without scripts, and others can be selected afterwards', async () => {
  for (const [javaScriptEnabled, number] of [
    [true, 13],
    [false, 12],
  ] as const) {
    const { page, close } = await visit(browser, app, { token: app.tokenFor('rin'), javaScriptEnabled });
    await page.goto('/r/harborline/parcel?tab=pulls');
    const selected = page.getByRole('button', {
      name: javaScriptEnabled ? 'Write 1' : 'Write selected',
      exact: true,
    });
    assert.equal(await selected.count(), 0);
    await page.getByLabel(`Select #${number}`).check();
    await selected.click();
    if (!javaScriptEnabled)
      await waitUntil('it is written', async () => {
        await page.goto('/r/harborline/parcel?tab=pulls&state=all');
        return (await page.getByRole('link', { name: `Read #${number}` }).count()) === 1;
      });
    await page.getByRole('link', { name: `Read #${number}` }).waitFor();
    if (javaScriptEnabled) {
      await page.getByText('1 of 1 articles written.').waitFor();
      await page.getByLabel('Select #10').check();
      await selected.waitFor();
    }
    await close();
  }
});

test("a repository's tabs lead to releases with counted pull requests and to files, and a file leads to search results whose filters can be removed", async () => {
  const { page, close } = await visit(browser, app, { token: app.tokenFor('rin') });
  await page.goto('/r/harborline/parcel');
  await page.getByRole('link', { name: 'Atom', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Releases' }).click();
  await page.getByRole('link', { name: 'v1.2.0' }).waitFor();
  // Counting can take longer than a page waits for it.
  await waitUntil('pull requests are counted', async () => {
    await page.reload();
    return /v1\.2\.0\D[^v]*\d{4} \d+ pull request/.test(
      (await page.locator('.repositories').textContent()) ?? '',
    );
  });
  assert.deepEqual(await findAxeProblems(page, 'releases'), []);
  await page.getByRole('link', { name: 'Files', exact: true }).click();
  assert.deepEqual(await findAxeProblems(page, 'files'), []);
  await page.locator('.repositories a').first().click();
  await page.waitForURL(/\/find\?q=repo%3Aharborline%2Fparcel\+file%3A/);
  await page.locator('.row.found').first().waitFor();
  await page.locator('.chip[aria-current]').first().click();
  await page.locator('.chip[aria-current]').nth(1).waitFor({ state: 'detached' });
  await page.locator('.chip[aria-current]').waitFor();
  await close();
});

test('search shows results while typing, "/" focuses it, and "#13" opens that pull request', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto('/r/harborline/parcel');
  await page.keyboard.press('/');
  await page.keyboard.type('recipients');
  await page.locator('.found-list a').first().waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.found-list').isVisible(), false);
  await page.locator('.paste [name=url]').fill('#13');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/r/harborline/parcel/13');
  await page.goto('/find?q=recipients');
  await page.locator('.paste [name=url]').fill('nothing-like-this');
  await page.getByText('No results.').waitFor();
  assert.match(page.url(), /q=nothing-like-this/);
  assert.deepEqual(await findAxeProblems(page, 'nothing found'), []);
  await close();
});

test('the first page explains the product to visitors, counts articles by language, and lists no article twice', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto('/?language=ja');
  assert.match((await page.locator('.languages .total').textContent()) ?? '', /2/);
  await page.goto('/');
  await page.locator('.what').waitFor();
  assert.deepEqual(await findAxeProblems(page, 'first page'), []);
  await close();
  const { token } = { token: app.tokenFor('rin') };
  await app.call('POST', '/users/me', { token, body: { owner: 'harborline', repo: 'parcel' } });
  const own = await visit(browser, app, { token });
  await own.page.goto('/');
  await own.page.getByRole('heading', { name: 'New for you' }).waitFor();
  const titles = await own.page.locator('main :is(h2, h3) a').allTextContents();
  assert.equal(new Set(titles).size, titles.length);
  await own.close();
});

test('the interface language stays with the browser and the user, and does not change the language of articles', async () => {
  const { page, close } = await visit(browser, app, { javaScriptEnabled: false });
  await page.goto('/r/harborline/parcel/13');
  const title = await page.locator('h1').textContent();
  await page.getByRole('button', { name: '日本語' }).click();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  assert.equal(await page.locator('h1').textContent(), title);
  await page.goto('/?language=en');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  await close();
  const own = await visit(browser, app, { token: app.tokenFor('ito') });
  await own.page.goto('/');
  await own.page.getByRole('button', { name: '日本語' }).click();
  await own.page.getByRole('link', { name: '設定' }).click();
  await own.page.getByRole('heading', { name: 'セッション' }).waitFor();
  assert.equal(await own.page.getByLabel('記事の言語').inputValue(), 'en');
  await own.context.clearCookies({ name: 'pullquote_interface' });
  await own.page.reload();
  assert.equal(await own.page.locator('html').getAttribute('lang'), 'ja');
  await own.close();
});

test('on a phone a menu without scripts has all seven links', async () => {
  const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false };
  const { page, close } = await visit(browser, app, { token: app.tokenFor('ito'), ...phone });
  await page.goto('/');
  await page.getByText('メニュー').click();
  const names = await page.locator('.menu a:visible').allTextContents();
  assert.deepEqual(names.length, 7);
  await page.getByRole('link', { name: 'リポジトリ', exact: true }).click();
  await page.waitForURL('**/repositories');
  await close();
});

test("merge dates use the reader's time zone and interface language, and UTC without scripts", async () => {
  const token = app.tokenFor('rin');
  await app.call('POST', '/repos/harborline/parcel/pulls/15/article', { token, body: { language: 'en' } });
  const cases = [
    { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', shown: '2026/03/06 にマージ' },
    { locale: 'en-US', timezoneId: 'Asia/Tokyo', shown: 'merged Mar 6, 2026' },
    { locale: 'en-US', timezoneId: 'America/Los_Angeles', shown: 'merged Mar 5, 2026' },
    { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', javaScriptEnabled: false, shown: '2026/03/05 にマージ' },
  ];
  for (const { shown, ...reader } of cases) {
    const { page, close } = await visit(browser, app, reader);
    await page.goto('/r/harborline/parcel');
    const merged = page.getByText(shown, { exact: true });
    await merged.waitFor();
    assert.equal(await merged.locator('time').getAttribute('datetime'), '2026-03-05T19:54:26.000Z');
    await close();
  }
});
