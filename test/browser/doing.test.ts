import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { buildTestApp, freshDatabase, onPostgres } from '../build-app.ts';
import { openBrowser, watchIncidents } from './open-browser.ts';

/** One service shows the pages and writes nothing; another on the same database writes when the test wants it to. */
const skip = !onPostgres && 'two services share a database';

const database = await freshDatabase();
const app = await buildTestApp({ database, environment: { WRITERS: onPostgres ? '0' : '2' } });
const browser = await openBrowser();
const context = await browser.newContext({
  baseURL: app.url,
  locale: 'en-US',
  viewport: { width: 1280, height: 900 },
});
context.setDefaultTimeout(15_000);
const incidents = watchIncidents(context, app.url);
const page = await context.newPage();

const writer = () => buildTestApp({ database, environment: { WRITERS: '2' } });

async function requireAccessible(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    assert.deepEqual(found, [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}

test('somebody signs in with the printed link and signs up, with the keyboard only, and comes back to where they were', {
  skip,
}, async () => {
  await page.goto('/liked');
  assert.match(page.url(), /\/sign-in\?back=%2Fliked$/);
  await requireAccessible('sign-in');
  await page.getByLabel('Token').fill('pql_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'not accepted' }).waitFor();
  await page.goto(`/sign-in?back=%2Fliked#token=${app.tokenFor('zoe', { singleUse: true })}`);
  await page.waitForURL(/\/sign-up/);
  assert.equal(page.url().includes('token'), false);
  await requireAccessible('sign-up');
  await page.getByLabel('Language').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/liked');
  await page.getByText('You have liked nothing yet.').waitFor();
  await requireAccessible('liked');
});

test('what is pasted anywhere leads to its page', { skip }, async () => {
  await page.goto('/');
  const paste = (text: string) =>
    page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
  await paste('just some words');
  await paste('harborline/parcel#13');
  await page.waitForURL('**/r/harborline/parcel/13');
  await page.goto('/');
  await page.getByLabel('Paste a pull request').fill('harborline/parcel');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/r/harborline/parcel');
});

test('writing shows how far it is, can be cancelled, and arrives in two tabs at once', { skip }, async () => {
  await page.goto('/r/harborline/parcel/13');
  const write = (tab: Page) => tab.getByRole('button', { name: 'Write the article' }).click();
  await write(page);
  await page.getByText('Waiting for a writer').waitFor();
  await requireAccessible('progress');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor();
  const other = await context.newPage();
  await other.goto('/r/harborline/parcel/13');
  await Promise.all([write(page), write(other)]);
  for (const tab of [page, other]) await tab.getByText('Waiting for a writer').waitFor();
  const writing = await writer();
  for (const tab of [page, other]) {
    await tab.waitForURL('**/r/harborline/parcel/13?language=en');
    await tab.getByRole('heading', { level: 1, name: 'Lets recipients choose' }).waitFor();
  }
  await page.getByRole('button', { name: 'Write it in 日本語' }).click();
  await page.waitForURL('**?language=ja');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  await page.getByRole('link', { name: 'English' }).first().click();
  await page.waitForURL('**?language=en');
  await other.close();
  await writing.close();
});

test('evidence opens under its sentence, and an article is liked once, ranked, and unliked', {
  skip,
}, async () => {
  const evidence = page.locator('.evidence details').first();
  await evidence.locator('summary').click();
  assert.equal(await evidence.getAttribute('open'), '');
  await requireAccessible('article');
  const like = page.getByRole('button', { name: /Like/ });
  const liked = page.waitForResponse((response) => response.url().endsWith('/like'));
  await like.dblclick();
  await page.locator('.like .count', { hasText: /^1$/ }).waitFor();
  assert.equal(await like.getAttribute('aria-pressed'), 'true');
  assert.equal((await liked).status(), 201);
  await page.goto('/?period=weekly&language=en');
  await page.getByText('1 like', { exact: true }).waitFor();
  await page.goto('/liked');
  await page.getByRole('link', { name: 'Lets recipients choose' }).click();
  assert.equal(await like.getAttribute('aria-pressed'), 'true');
  const unliked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await like.press('Enter');
  assert.equal((await unliked).status(), 200);
  assert.equal(await like.getAttribute('aria-pressed'), 'false');
  await page.goto('/?period=weekly&language=en');
  await page.getByText('Nobody has liked an article in this time.').waitFor();
});

test('a like that is refused is put right, and a session that ended leads to signing in and back', {
  skip,
}, async () => {
  await page.goto('/r/harborline/parcel/13?language=en');
  const like = page.getByRole('button', { name: /Like/ });
  await page.route('**/like', (route) =>
    route.fulfill({ status: 503, json: { success: false, error: { code: 'UNAVAILABLE' } } }),
  );
  await like.click();
  await page.getByRole('alert').filter({ hasText: 'cannot look anything up' }).waitFor();
  assert.equal(await like.getAttribute('aria-pressed'), 'false');
  await page.unroute('**/like');
  const cookies = await context.cookies();
  await context.clearCookies();
  await like.click();
  await page.waitForURL(/\/sign-in\?back=/);
  assert.equal(new URL(page.url()).searchParams.get('back'), '/r/harborline/parcel/13?language=en');
  await context.addCookies(cookies);
  await page.reload();
  await page.waitForURL('**/r/harborline/parcel/13?language=en');
});

test('a repository is followed and left, with its latest pull requests', { skip }, async () => {
  await page.goto('/r/harborline/parcel');
  const follow = page.getByRole('button', { name: 'Follow' });
  const stored = page.waitForResponse('**/users/me/favorite-repositories?host=git');
  await follow.click();
  assert.equal((await stored).status(), 201);
  await page.goto('/favorites');
  assert.equal(await page.locator('.pulls li').count(), 3);
  await requireAccessible('favorites');
  await page.getByRole('button', { name: 'Stop following harborline/parcel' }).click();
  await page.locator('.favorites > li').waitFor({ state: 'detached' });
  await page.getByLabel('Repository').fill('nobody/nothing');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'nothing to read' }).waitFor();
});

test('settings change the language and the appearance, end sessions, and log out', { skip }, async () => {
  const token = app.tokenFor('zoe');
  await app.call('POST', '/auth/session', { token });
  await page.goto('/settings');
  await requireAccessible('settings');
  await page.getByRole('button', { name: 'Dark' }).first().click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.getByRole('button', { name: 'System' }).first().click();
  await page.getByRole('button', { name: /^End/ }).click();
  await page.locator('[data-session]').waitFor({ state: 'detached' });
  await page.getByLabel('Language', { exact: true }).selectOption('ja');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: '保存' }).waitFor();
  const deletion = page.getByRole('button', { name: 'アカウントの削除' });
  assert.ok(await deletion.isDisabled());
  await page.getByLabel('zoe').fill('zoe');
  assert.ok(await deletion.isEnabled());
  await page.getByRole('button', { name: 'ログアウト' }).click();
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('articles are read with scripts off', { skip }, async () => {
  const quiet = await browser.newContext({ baseURL: app.url, locale: 'en-US', javaScriptEnabled: false });
  const tab = await quiet.newPage();
  await tab.goto('/');
  await tab.getByRole('link', { name: 'Lets recipients choose' }).click();
  await tab.getByRole('heading', { name: 'What changed' }).waitFor();
  await tab.locator('.evidence summary').first().click();
  assert.equal(await tab.locator('.evidence details').first().getAttribute('open'), '');
  await tab.getByRole('link', { name: '日本語' }).first().click();
  assert.equal(await tab.locator('html').getAttribute('lang'), 'ja');
  await quiet.close();
});

test('nothing of all this broke a rule of the pages, or asked anybody else for anything', { skip }, () => {
  assert.deepEqual(incidents, { told: [], foreign: [] });
});
