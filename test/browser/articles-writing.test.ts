import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { writeSamples } from '../../src/code-hosts/git/open-git-host.ts';
import { buildTestApp, freshDatabase } from '../build-app.ts';
import { git, makeClone } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
await writeSamples(root, process.env.PATH ?? '');
const rocket = makeClone(root, 'acme/rocket');
makeHistory(root, 'acme/comet', 3);

const database = await freshDatabase();
const serve = (writers: number) =>
  buildTestApp({ database, environment: { WRITERS: String(writers), GIT_REPOS: root } });
/** Serves pages only: no writers. */
const app = await serve(0);
const needsWriter = Promise.withResolvers<void>();
/** Started outside of the tests, because a service started inside a test ends with that test. */
const writer = needsWriter.promise.then(() => serve(2));
/** Starts writing articles, by another service on the same database. */
async function startWriter(): Promise<void> {
  needsWriter.resolve();
  await writer;
}
const browser = await openBrowser();
const { context, page, close } = await visit(browser, app, { token: app.tokenFor('zoe') });
const write = (tab: Page) => tab.getByRole('button', { name: 'Write article' });

test('requested articles are shown as waiting, also after a reload, and can be cancelled together', async () => {
  await page.goto('/r/acme/comet');
  const pending = page.locator('.pulls .pending:visible');
  await page.getByRole('button', { name: /^Write all 3/ }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  assert.deepEqual(await pending.allTextContents(), ['waiting', 'waiting', 'waiting']);
  await page.reload();
  await page.getByText('Waiting for a writer').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Write all 3/ }).isVisible(), false);
  assert.equal(await pending.count(), 3);
  assert.deepEqual(await findAxeProblems(page), []);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor();
  await page.getByRole('button', { name: /^Write all 3/ }).waitFor();
  assert.equal(await pending.count(), 0);
});

test('pasting a pull request or repository anywhere opens its page, and other text is ignored', async () => {
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
  await page.getByLabel('paste a URL').fill('harborline/parcel');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/r/harborline/parcel');
});

test('a pull request pasted signed out is requested once after sign-up, and shown waiting after a reload and on another device', async () => {
  const own = await visit(browser, app);
  const tab = own.page;
  await tab.goto('/');
  await tab.getByLabel('paste a URL').fill(' harborline/parcel#12 ');
  await tab.keyboard.press('Enter');
  await tab.getByRole('button', { name: 'Sign in to write article' }).click();
  await tab.getByLabel('Token').fill(app.tokenFor('uma'));
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/\/sign-up/);
  await tab.getByRole('button', { name: 'Continue' }).click();
  await tab.waitForURL('**/r/harborline/parcel/12');
  const waiting = tab.getByText('Waiting for a writer');
  await waiting.waitFor();
  assert.equal(await write(tab).isVisible(), false);
  assert.deepEqual(await findAxeProblems(tab), []);
  assert.deepEqual(
    (await own.context.cookies()).map(({ name }) => name),
    ['pullquote_session'],
  );
  await tab.reload();
  await waiting.waitFor();
  const elsewhere = await visit(browser, app, { token: app.tokenFor('uma') });
  await elsewhere.page.goto('/r/harborline/parcel/12');
  await elsewhere.page.getByText('Waiting for a writer').waitFor();
  await elsewhere.page.getByRole('button', { name: 'Cancel' }).click();
  await tab.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor();
  await tab.reload();
  await write(tab).waitFor();
  assert.equal(await waiting.isVisible(), false);
  await Promise.all([own.close(), elsewhere.close()]);
});

test('writing shows progress, can be cancelled, and finishes in two tabs at once; without scripts the page reloads', async () => {
  await page.goto('/r/harborline/parcel/13');
  await write(page).click();
  await page.getByText('Waiting for a writer').waitFor();
  const cancelled = page.getByRole('alert').filter({ hasText: 'Cancelled.' });
  // The response is held back, so that the event arrives first.
  const answered = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.route('**/jobs/*', async (route) => {
    const response = await route.fetch();
    await cancelled.waitFor();
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await answered;
  await page.unroute('**/jobs/*');
  const other = await context.newPage();
  await other.goto('/r/harborline/parcel/13');
  await Promise.all([write(page).click(), write(other).click()]);
  const quiet = await visit(browser, app, { token: app.tokenFor('noa'), javaScriptEnabled: false });
  await quiet.page.goto('/r/harborline/parcel/11');
  await write(quiet.page).click();
  for (const tab of [page, other, quiet.page]) await tab.getByText('Waiting for a writer').waitFor();
  assert.equal(await quiet.page.locator('meta[http-equiv=refresh]').count(), 1, 'it loads again by itself');
  await startWriter();
  for (const tab of [page, other]) {
    await tab.waitForURL('**/r/harborline/parcel/13?language=en');
    await tab.getByRole('heading', { level: 1, name: 'Let recipients choose' }).waitFor();
  }
  await other.close();
  await page.getByRole('button', { name: 'Write it in Japanese' }).click();
  await page.waitForURL('**?language=ja');
  assert.equal(await page.locator('main article').getAttribute('lang'), 'ja');
  assert.equal(await page.locator('html').getAttribute('lang'), 'en', 'the interface keeps its language');
  await page.getByRole('link', { name: 'English' }).first().click();
  await page.waitForURL('**?language=en');
  await app.call('POST', '/repos/harborline/parcel/pulls/11/article', {
    token: app.tokenFor('noa'),
    body: { language: 'en' },
  });
  // The page refreshes at any time, even during another load, so the article is read in a new tab.
  const read = await quiet.page.context().newPage();
  await read.goto('/r/harborline/parcel/11?language=en');
  await read.getByRole('heading', { name: 'The change' }).waitFor();
  await quiet.close();
});

/** Adds a commit to a pull request that stays open. */
function addToPullRequest(number: number, fileName: string, text: string): void {
  const branch = `pull-${number}`;
  const isThere = git(rocket, 'branch', '--list', branch) !== '';
  git(rocket, 'switch', '--quiet', ...(isThere ? [] : ['--create']), branch);
  writeFileSync(join(rocket, fileName), text);
  git(rocket, 'add', '--all');
  git(rocket, 'commit', '--quiet', '--message', `feat: say ${fileName}`);
  git(rocket, 'update-ref', `refs/pull/${number}/head`, 'HEAD');
  git(rocket, 'switch', '--quiet', 'main');
}

test('an outdated article offers "Update article", which rewrites it with the new file', async () => {
  addToPullRequest(9, 'when.ts', 'export const when = "now";\n');
  await page.goto('/r/acme/rocket/9');
  await write(page).click();
  await page.waitForURL('**/r/acme/rocket/9?language=en');
  addToPullRequest(9, 'where.ts', 'export const where = "there";\n');
  await app.call('POST', '/repos/acme/rocket/pulls/9/ingest', { token: app.tokenFor('zoe') });
  await page.reload();
  await page.getByText('The pull request has changed').waitFor();
  await page.getByRole('button', { name: 'Update article' }).click();
  await page.locator('.stale').waitFor({ state: 'detached' });
  await page.locator('#content').getByText('where.ts').first().waitFor({ state: 'attached' });
});

test('double clicks send one request and show at once, and pages work before their scripts have loaded', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const answer = Promise.withResolvers<void>();
  await page.route(/\/pulls\/6\/article|\/like$/, async (route) => {
    await answer.promise;
    await route.continue();
  });
  await page.goto('/r/harborline/parcel/6');
  await write(page).dblclick();
  await page.getByText('Waiting for a writer').waitFor();
  assert.equal(await page.locator('[data-write]').isDisabled(), true);
  assert.equal(await page.getByRole('button', { name: 'Cancel' }).isDisabled(), true);
  answer.resolve();
  await page.waitForURL('**/r/harborline/parcel/6?language=en');
  const liked = page.waitForResponse('**/like');
  await page.getByRole('button', { name: /Like/ }).dblclick();
  await page.locator('.like[aria-pressed=true] .count', { hasText: /^1$/ }).waitFor();
  assert.equal((await liked).status(), 201);
  assert.deepEqual(
    asked.map((one) => one.replace(/[0-9a-f-]{36}/, 'ID')),
    ['POST /repos/harborline/parcel/pulls/6/article', 'POST /articles/ID/language/en/like'],
  );
  // Scripts and fonts never load, except the one that runs before the first paint.
  await page.route(/(?<!\/appearance)\.(?:js|woff2)$/, () => {});
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('link', { name: 'harborline/parcel' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'harborline/parcel' }).waitFor();
  await close();
});
