import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { writeSamples } from '../../src/code-hosts/git/open-git-host.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase, type TestApp } from '../build-app.ts';
import { standInCertificate, startGitHub } from '../github/stand-in.ts';
import { account, pull, repository } from '../github/state.ts';
import { git, makeClone } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { makeReleases } from '../make-releases.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, watchIncidents } from './open-browser.ts';

const root = temporaryFolder();
await writeSamples(root, process.env.PATH ?? '');
const rocket = makeClone(root, 'acme/rocket');
makeHistory(root, 'acme/comet', 3);
const github = await startGitHub(Date.now);
github.state.accounts.push(account(1_001, 'kim-on-github', 'ghp_tokenOfkim'));
github.state.repositories.push(repository(1, 'octo/cat', { pulls: [pull(1, 'purr')] }));

const database = await freshDatabase();
const serve = (writers: number) =>
  buildTestApp({
    database,
    environment: {
      WRITERS: String(writers),
      CODE_HOST: 'git,github',
      GIT_REPOS: root,
      GITHUB_URL: github.url,
      NODE_EXTRA_CA_CERTS: standInCertificate,
    },
  });
/** Shows the pages and writes nothing. */
const app = await serve(0);
const needsWriter = Promise.withResolvers<void>();
/** Begins out here, because a service that begins inside a test ends with that test. */
const writer = needsWriter.promise.then(() => serve(2));
/** Has articles written from now on, by another service on the same database. */
async function startWriter(): Promise<void> {
  needsWriter.resolve();
  await writer;
}
const browser = await openBrowser();
const context = await browser.newContext({
  baseURL: app.url,
  locale: 'en-US',
  viewport: { width: 1280, height: 900 },
});
context.setDefaultTimeout(15_000);
const incidents = watchIncidents(context, app.url);
const page = await context.newPage();

const requireAccessible = async () => assert.deepEqual(await findAxeProblems(page), []);

test('somebody signs in with the printed link and signs up, and comes back to where they were', async () => {
  await page.goto('/liked');
  assert.match(page.url(), /\/sign-in\?back=%2Fliked$/);
  await requireAccessible();
  await page.getByLabel('Token').fill('pql_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'This token is not valid here' }).waitFor();
  await page.goto(`/sign-in?back=%2Fliked#token=${app.tokenFor('zoe', { singleUse: true })}`);
  await page.getByRole('button', { name: 'Sign in as zoe (git)' }).click();
  await page.waitForURL(/\/sign-up/);
  assert.equal(page.url().includes('token'), false);
  await requireAccessible();
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL('**/liked');
  await page.getByText('You have liked nothing yet.').waitFor();
  await requireAccessible();
});

test('many articles are asked for, which is still so after a reload, and given up', async () => {
  await page.goto('/r/acme/comet');
  await requireAccessible();
  const pending = page.locator('.pulls .pending:visible');
  await page.getByRole('button', { name: 'Write the 3 merged ones' }).click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  assert.deepEqual(await pending.allTextContents(), ['waits', 'waits', 'waits']);
  await page.reload();
  await page.getByText('Waiting for a writer').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Write the 3 merged ones' }).isVisible(), false);
  assert.equal(await pending.count(), 3);
  await requireAccessible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor();
  await page.getByRole('button', { name: 'Write the 3 merged ones' }).waitFor();
  assert.equal(await pending.count(), 0);
});

test('what is pasted anywhere leads to its page', async () => {
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

interface VisitOptions {
  javaScriptEnabled?: boolean;
  on?: TestApp;
}

/** A browser of somebody's own. */
async function visit(name: string | null, { on = app, ...options }: VisitOptions = {}) {
  const own = await browser.newContext({ baseURL: on.url, locale: 'en-US', ...options });
  own.setDefaultTimeout(15_000);
  const seen = watchIncidents(own, on.url);
  if (name !== null) {
    const token = on.tokenFor(name);
    await on.call('POST', '/auth/signup', { token, body: { language: 'en' } });
    const { accessToken } = (await on.call('POST', '/auth/session', { token })).body.data;
    await own.addCookies([{ name: 'pullquote_session', value: accessToken, url: on.url }]);
  }
  const tab = await own.newPage();
  const close = async () => {
    assert.deepEqual(seen, { told: [], foreign: [] });
    await own.close();
  };
  return { own, tab, close };
}

test('what is pasted signed out is begun after signing in and up, once, and found again after a reload and on another device', async () => {
  const { own, tab, close } = await visit(null);
  await tab.goto('/');
  await tab.getByLabel('Paste a pull request').fill(' harborline/parcel#12 ');
  await tab.keyboard.press('Enter');
  await tab.getByRole('button', { name: 'Sign in and ask for it' }).click();
  await tab.getByLabel('Token').fill(app.tokenFor('uma'));
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/\/sign-up/);
  await tab.getByRole('button', { name: 'Sign up' }).click();
  await tab.waitForURL('**/r/harborline/parcel/12');
  const waiting = tab.getByText('Waiting for a writer');
  await waiting.waitFor();
  assert.equal(await tab.getByRole('button', { name: 'Write the article' }).isVisible(), false);
  assert.deepEqual(await findAxeProblems(tab), []);
  assert.deepEqual(
    (await own.cookies()).map(({ name }) => name),
    ['pullquote_session'],
  );
  await tab.reload();
  await waiting.waitFor();
  const elsewhere = await visit('uma');
  await elsewhere.tab.goto('/r/harborline/parcel/12');
  await elsewhere.tab.getByText('Waiting for a writer').waitFor();
  await elsewhere.tab.getByRole('button', { name: 'Cancel' }).click();
  await tab.getByRole('alert').filter({ hasText: 'Cancelled.' }).waitFor();
  await tab.reload();
  await tab.getByRole('button', { name: 'Write the article' }).waitFor();
  assert.equal(await waiting.isVisible(), false);
  await Promise.all([close(), elsewhere.close()]);
});

test('writing shows how far it is, can be cancelled, and arrives in two tabs at once', async () => {
  await page.goto('/r/harborline/parcel/13');
  const write = (tab: Page) => tab.getByRole('button', { name: 'Write the article' }).click();
  await write(page);
  await page.getByText('Waiting for a writer').waitFor();
  await requireAccessible();
  const cancelled = page.getByRole('alert').filter({ hasText: 'Cancelled.' });
  // The event arrives before the answer that says the same.
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
  await Promise.all([write(page), write(other)]);
  for (const tab of [page, other]) await tab.getByText('Waiting for a writer').waitFor();
  await startWriter();
  for (const tab of [page, other]) {
    await tab.waitForURL('**/r/harborline/parcel/13?language=en');
    await tab.getByRole('heading', { level: 1, name: 'Let recipients choose' }).waitFor();
  }
  await page.getByRole('button', { name: 'Write it in 日本語' }).click();
  await page.waitForURL('**?language=ja');
  assert.equal(await page.locator('html').getAttribute('lang'), 'ja');
  await page.getByRole('link', { name: 'English' }).first().click();
  await page.waitForURL('**?language=en');
  await other.close();
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

test('an article that its pull request has left behind is written anew', async () => {
  addToPullRequest(9, 'when.ts', 'export const when = "now";\n');
  await page.goto('/r/acme/rocket/9');
  await page.getByRole('button', { name: 'Write the article' }).click();
  await page.waitForURL('**/r/acme/rocket/9?language=en');
  addToPullRequest(9, 'where.ts', 'export const where = "there";\n');
  await app.call('POST', '/repos/acme/rocket/pulls/9/ingest', { token: app.tokenFor('zoe') });
  await page.reload();
  await page.getByText('The pull request has moved on').waitFor();
  await page.getByRole('button', { name: 'Write anew' }).click();
  await page.locator('.file', { hasText: 'where.ts' }).first().waitFor();
  assert.equal(await page.locator('.stale').count(), 0);
});

test('all that a page lists is written, and each is read from there', async () => {
  await page.goto('/r/acme/comet?tab=pulls');
  await page.getByRole('button', { name: 'Write the 3 merged ones' }).click();
  await page.getByText('Articles written: 3 of 3.').waitFor({ timeout: 60_000 });
  for (const number of [1, 2, 3]) await page.getByRole('link', { name: `Read #${number}` }).waitFor();
  await page.getByRole('link', { name: 'Articles 3' }).waitFor();
  await page.reload();
  assert.equal(await page.locator('.import').isVisible(), false);
  await page.getByRole('link', { name: 'Articles 3' }).click();
  assert.equal(await page.locator('.row').count(), 3);
  await requireAccessible();
  makeReleases(root, 'acme/engine');
  await page.goto('/r/acme/engine/release?from=v1&to=v2');
  await page.getByRole('button', { name: 'Write these 4' }).click();
  await page.getByText('Articles written: 4 of 4.').waitFor({ timeout: 60_000 });
  await page.locator('#told li.told').nth(3).waitFor();
  await page.locator('#told').getByRole('heading', { name: 'New' }).waitFor();
});

test('an import ends with what was written and what was skipped and why, and leads to the articles', async () => {
  const folder = temporaryFolder();
  makeHistory(folder, 'acme/first', 2);
  const empty = await buildTestApp({ environment: { GIT_REPOS: folder, WRITERS: '2' } });
  const { tab, close } = await visit('ida', { on: empty });
  for (const [path, numbers, said] of [
    ['/', [1, 99], 'Articles written: 1 of 2.'],
    ['/r/acme/first', [2], 'Articles written: 1 of 1.'],
  ] as const) {
    await tab.goto(path);
    const part = tab.locator('[data-import]');
    const body = JSON.stringify({ numbers, language: 'en' });
    await part.evaluate((element, wish) => element.setAttribute('data-body', wish), body);
    await tab.getByRole('button', { name: /^Write/ }).click();
    await part.getByText(said).waitFor({ timeout: 60_000 });
    assert.equal(await tab.getByText('Nothing has been written here yet.').count(), 0);
    const skipped = await part.getByRole('listitem').allTextContents();
    assert.equal(skipped.length, numbers.length - 1);
    for (const reason of skipped) assert.match(reason, /^#99: There is no pull request acme\/first#99/);
    assert.deepEqual(await findAxeProblems(tab), []);
    assert.match((await part.getByRole('link').last().getAttribute('href')) ?? '', /^\/r\/acme\/first\?/);
    await part.getByRole('link', { name: `#${numbers[0]}` }).click();
    await tab.waitForURL(`**/r/acme/first/${numbers[0]}?language=en`);
    await tab.locator('h1').waitFor();
  }
  await close();
});

test('an article is liked once, ranked, and unliked', async () => {
  await page.goto('/r/harborline/parcel/13?language=en');
  await requireAccessible();
  const like = page.getByRole('button', { name: /Like/ });
  const liked = page.waitForResponse((response) => response.url().endsWith('/like'));
  await like.dblclick();
  await page.locator('.like .count', { hasText: /^1$/ }).waitFor();
  assert.equal(await like.getAttribute('aria-pressed'), 'true');
  assert.equal((await liked).status(), 201);
  await page.goto('/?period=weekly&language=en');
  await page.getByText('1 like', { exact: true }).waitFor();
  await page.goto('/liked');
  await page.getByRole('link', { name: 'Let recipients choose' }).click();
  assert.equal(await like.getAttribute('aria-pressed'), 'true');
  const unliked = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await like.press('Enter');
  assert.equal((await unliked).status(), 200);
  assert.equal(await like.getAttribute('aria-pressed'), 'false');
  await page.goto('/?period=weekly&language=en');
  await page.getByText('No likes in this period.').waitFor();
});

test('on a slow network what is done twice is asked for once, shows at once and stays so, and pages are read before they are whole', async () => {
  const { own, tab, close } = await visit('sam');
  own.setDefaultTimeout(60_000);
  const slow = await own.newCDPSession(tab);
  const slowly = { offline: false, latency: 300, downloadThroughput: 40_000, uploadThroughput: 20_000 };
  await slow.send('Network.emulateNetworkConditions', slowly);
  const asked: string[] = [];
  tab.on('request', (request) => {
    if (request.method() !== 'GET') asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  await tab.goto('/r/harborline/parcel/6');
  const answer = Promise.withResolvers<void>();
  await tab.route('**/pulls/6/article', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const write = tab.getByRole('button', { name: 'Write the article' });
  await write.dblclick();
  await tab.getByText('Waiting for a writer').waitFor();
  assert.equal(await tab.locator('[data-write]').isDisabled(), true);
  assert.equal(await tab.getByRole('button', { name: 'Cancel' }).isDisabled(), true);
  answer.resolve();
  await tab.waitForURL('**/r/harborline/parcel/6?language=en', { waitUntil: 'commit' });
  await tab.getByRole('heading', { level: 1 }).waitFor();
  const like = tab.getByRole('button', { name: /Like/ });
  await tab.waitForLoadState('load');
  const liked = tab.waitForResponse('**/like');
  await like.dblclick();
  await tab.locator('.like[aria-pressed=true] .count', { hasText: /^1$/ }).waitFor();
  assert.equal((await liked).status(), 201);
  assert.deepEqual(
    asked.map((one) => one.replace(/[0-9a-f-]{36}/, 'ID')),
    ['POST /repos/harborline/parcel/pulls/6/article', 'POST /articles/ID/language/en/like'],
  );
  await tab.goto('/', { waitUntil: 'commit' });
  await tab.getByRole('link', { name: 'harborline/parcel' }).first().click();
  await tab.getByRole('heading', { level: 1, name: 'harborline/parcel' }).waitFor();
  await close();
});

test('a like that is refused is put right, and a session that ended leads to signing in and back', async () => {
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

test('a repository is followed, which watches it, and left, with its latest pull requests', async () => {
  await page.goto('/r/harborline/parcel');
  const stored = page.waitForResponse('**/users/me/favorite-repositories?host=git');
  const watched = page.waitForResponse('**/watch');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  assert.deepEqual([(await stored).status(), (await watched).status()], [201, 201]);
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  const arriving = page.getByText('The last five that were merged are being written about.');
  await arriving.waitFor();
  const rows = page.locator('#listed > .rows > li');
  const before = await rows.count();
  await app.call('POST', '/repos/harborline/parcel/pulls/3/article', {
    token: app.tokenFor('zoe'),
    body: { language: 'en' },
  });
  await rows.nth(before).waitFor();
  await app.database.query(sql`UPDATE watches SET has_begun = true`);
  await arriving.waitFor({ state: 'hidden' });
  await app.database.query(sql`UPDATE watches SET has_begun = false`);
  await page.goto('/favorites');
  assert.equal(await page.locator('.pulls li').count(), 3);
  await page.getByText('The first look is due.').waitFor();
  await requireAccessible();
  for (const isWatched of [false, true]) {
    const watch = page.getByRole('button', { name: 'Watch', pressed: !isWatched });
    await watch.click();
    await page.getByRole('button', { name: 'Watch', pressed: isWatched }).waitFor();
  }
  await page.getByRole('button', { name: 'Stop following harborline/parcel' }).click();
  await page.locator('.favorites > li').waitFor({ state: 'detached' });
  await page.getByText('You follow no repository yet.').waitFor();
  await page.getByLabel('Repository').fill('nobody/nothing');
  await page.keyboard.press('Enter');
  await page.getByText('There is no repository nobody/nothing, or you may not see it.').waitFor();
  assert.equal(await page.getByLabel('Repository').inputValue(), 'nobody/nothing');
  await requireAccessible();
  await page.getByLabel('Repository').fill(`${github.url}/octo/cat/pull/1/files`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('link', { name: 'octo/cat' }).waitFor();
  await page.getByRole('button', { name: 'Stop following octo/cat' }).click();
  await page.getByText('You follow no repository yet.').waitFor();
  await page.getByLabel('Repository').fill('octo/cat');
  await page.getByLabel('Code host').selectOption('github');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('link', { name: 'octo/cat' }).waitFor();
  await app.watching.run();
  await page.reload();
  await page.getByText('What is merged is written about in English. Last looked: just now.').waitFor();
});

test('a host that does not answer is said to be away, to those who would be told what it says', async () => {
  const stop = github.script(/^\/repos\/acme\/away/, (response) => void response.writeHead(502).end());
  await page.goto('/r/acme/away?host=github');
  await page.getByRole('heading', { name: 'The code host does not answer at the moment.' }).waitFor();
  stop();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page
    .getByRole('heading', { name: 'There is no repository acme/away here, or you may not see it.' })
    .waitFor();
});

test('settings change the language and the appearance, end sessions, and delete the account of whoever types its name', async () => {
  const token = app.tokenFor('zoe');
  await app.call('POST', '/auth/session', { token });
  await page.goto('/settings');
  await requireAccessible();
  await page.getByRole('button', { name: 'Dark' }).first().click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.getByRole('button', { name: 'System' }).first().click();
  await page.getByRole('button', { name: 'Make an address' }).click();
  const address = page.getByLabel('Atom', { exact: true });
  assert.match(await address.inputValue(), /\/feeds\/mine\/pqf_[\w-]{43}\.atom$/);
  await requireAccessible();
  await page.getByRole('button', { name: 'Copy link: Atom' }).click();
  await page.locator('#copied').filter({ hasText: /\S/ }).waitFor();
  await page.reload();
  assert.equal(await address.count(), 0, 'it is shown once');
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByRole('button', { name: 'Make an address' }).waitFor();
  await page.getByRole('button', { name: /^End:/ }).click();
  await page.locator('[data-session]').waitFor({ state: 'detached' });
  await page.getByLabel('Language', { exact: true }).selectOption('ja');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('button', { name: '保存' }).first().waitFor();
  const deletion = page.getByRole('button', { name: 'アカウントの削除' });
  assert.ok(await deletion.isDisabled());
  await page.getByLabel('zoe').fill('zoe');
  await deletion.click();
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal((await app.call('GET', '/users/me', { token })).status, 404);
});

/** What has the focus and does not show it; empty where all is well. */
const unseenFocus = `(() => {
  const focused = document.activeElement;
  const { width, height } = focused.getBoundingClientRect();
  const isLarge = width >= 16 && height >= 16;
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const hasOutline = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  const block = focused.querySelector('rect');
  const isFramed = block !== null && getComputedStyle(block).strokeWidth === '2px';
  return focused.matches(':focus-visible') && isLarge && (hasOutline || isFramed) ? '' : focused.outerHTML.slice(0, 200);
})()`;

/** Goes on with the tabulator, as those do who have nothing to point with, and sees at every step where they are. */
async function tabTo(target: Locator): Promise<void> {
  const mostSteps = 150;
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(unseenFocus), '');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  assert.fail(`${target} is not reached`);
}

async function press(target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(target);
  await page.keyboard.press(key);
}

async function type(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
}

test('with the keyboard alone somebody signs in and up, has an article written, reads, likes, follows, settles and leaves', async () => {
  const named = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto('/');
  await press(page.getByRole('link', { name: 'Sign in' }));
  await page.waitForURL('**/sign-in');
  await type(page.getByLabel('Token'), app.tokenFor('kim'));
  await page.waitForURL(/\/sign-up/);
  await press(named('Sign up'));
  await page.waitForURL(`${app.url}/`);
  await type(page.getByLabel('Paste a pull request'), 'harborline/parcel#12');
  await page.waitForURL('**/r/harborline/parcel/12');
  await press(named('Write the article'));
  await page.waitForURL('**/r/harborline/parcel/12?language=en');
  await press(named(/^Like/), 'Space');
  await page.locator('.like .count', { hasText: /^1$/ }).waitFor();
  await page.goto('/r/harborline/parcel/12?language=en');
  await press(page.locator('.opening').getByRole('link', { name: 'harborline/parcel' }));
  await page.waitForURL('**/r/harborline/parcel');
  const followed = page.waitForResponse('**/users/me/favorite-repositories?host=git');
  await press(named('Follow'), 'Space');
  assert.equal((await followed).status(), 201);
  await page.locator('.follow[aria-pressed=true]:focus-visible').waitFor();
  await page.goto('/liked');
  await press(page.getByRole('link', { name: 'kim' }));
  await page.waitForURL('**/settings');
  await press(named('Dark').first(), 'Space');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await type(page.getByLabel('Token'), 'ghp_nobodysToken');
  const refused = page.getByRole('alert').filter({ hasText: 'token' });
  await refused.getByRole('link', { name: 'Go to the settings' }).waitFor();
  await page.reload();
  await type(page.getByLabel('Token'), 'ghp_tokenOfkim');
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText(/^saved [A-Z][a-z]{2} \d+, \d{4}$/).waitFor();
  await press(named('Forget it'), 'Space');
  await page.getByText('Forgotten.', { exact: true }).waitFor();
  await page.reload();
  await press(named('Log out'));
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

test('a like is right on coming back, however the page was kept', async () => {
  const { tab, close } = await visit('bea');
  const like = tab.getByRole('button', { name: /Like/ });
  await tab.goto('/r/harborline/parcel/13?language=en');
  const liked = tab.waitForResponse('**/like');
  await like.click();
  assert.equal((await liked).status(), 201);
  await tab.getByRole('link', { name: 'Pullquote' }).click();
  await tab.waitForURL(`${app.url}/`);
  await tab.goBack();
  await tab.locator('.like[aria-pressed=true]').waitFor();
  const [shown = assert.fail()] = await tab.locator('.like .count').allTextContents();
  await tab.reload();
  assert.deepEqual(await tab.locator('.like .count').allTextContents(), [shown]);
  await close();
});

test('without scripts an article is written and liked, a repository followed and left, the language set, and the session ended', async () => {
  const { tab, close } = await visit('noa', { javaScriptEnabled: false });
  await tab.goto('/r/harborline/parcel/11');
  await tab.getByRole('button', { name: 'Write the article' }).click();
  await tab.getByRole('heading', { name: 'The change' }).waitFor();
  const like = tab.getByRole('button', { name: /Like/ });
  for (const isLiked of [true, false]) {
    await like.click();
    await tab.locator(`.like[aria-pressed=${isLiked}]`).waitFor();
    await tab.locator('.like .count', { hasText: isLiked ? /^1$/ : /^0$/ }).waitFor();
  }
  await tab.goto('/r/harborline/parcel');
  await tab.getByRole('button', { name: 'Follow', exact: true }).click();
  await tab.getByRole('button', { name: 'Following' }).waitFor();
  await tab.goto('/favorites');
  await tab.getByRole('button', { name: 'Stop following harborline/parcel' }).click();
  await tab.getByText('You follow no repository yet.').waitFor();
  await tab.goto('/settings');
  await tab.getByLabel('Language', { exact: true }).selectOption('ja');
  await tab.getByRole('button', { name: 'Save' }).first().click();
  await tab.getByText('保存しました。').waitFor();
  await tab.getByRole('button', { name: 'ログアウト' }).click();
  await tab.waitForURL(`${app.url}/`);
  await tab.getByRole('link', { name: 'Sign in' }).waitFor();
  await close();
});

test('a token that was revoked, and a limit that was reached, are told in the words of the API', async () => {
  const { tab, close } = await visit('rae');
  github.state.accounts.push(account(1_002, 'rae-on-github', 'ghp_tokenOfrae'));
  const saving = { token: app.tokenFor('rae'), body: { accessToken: 'ghp_tokenOfrae' } };
  assert.equal((await app.call('POST', '/auth/host-token?host=github', saving)).status, 200);
  await tab.goto('/r/octo/cat/1?host=github');
  await tab.getByText('It changes 1 file: 1 line added, 0 removed.').waitFor();
  github.state.accounts.pop();
  await tab.getByRole('button', { name: 'Write the article' }).click();
  const told = tab.getByRole('alert').filter({ hasText: 'github' });
  await told.getByRole('link', { name: 'Go to the settings' }).waitFor();
  await tab.reload();
  await tab.getByRole('link', { name: 'Go to the settings' }).click();
  await tab.waitForURL('**/settings');
  await tab.route('**/article?**', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message: 'Wait 7 s. <b>' } } }),
  );
  await tab.goto('/r/harborline/parcel/10');
  await tab.getByRole('button', { name: 'Write the article' }).click();
  await tab
    .getByRole('alert')
    .filter({ hasText: /^\s*Wait 7 s\. <b>/ })
    .waitFor();
  await close();
});

test('articles are read with scripts off', async () => {
  const quiet = await browser.newContext({ baseURL: app.url, locale: 'en-US', javaScriptEnabled: false });
  const tab = await quiet.newPage();
  await tab.goto('/');
  await tab.getByRole('link', { name: 'Let recipients choose' }).click();
  await tab.getByRole('heading', { name: 'The change' }).waitFor();
  await tab.getByRole('link', { name: '日本語' }).first().click();
  assert.equal(await tab.locator('html').getAttribute('lang'), 'ja');
  await quiet.close();
});

test('nothing of all this broke a rule of the pages, or asked anybody else for anything', () => {
  assert.deepEqual(incidents, { told: [], foreign: [] });
});
