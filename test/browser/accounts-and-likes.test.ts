import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { buildTestApp } from '../build-app.ts';
import { standInCertificate, startGitHub } from '../github/stand-in.ts';
import { account, pull, repository } from '../github/state.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const github = await startGitHub(Date.now);
github.state.accounts.push(account(1_001, 'kim-on-github', 'ghp_tokenOfkim'));
github.state.repositories.push(repository(1, 'octo/cat', { pulls: [pull(1, 'purr')] }));
const app = await buildTestApp({
  environment: {
    WRITERS: '2',
    CODE_HOST: 'git,github',
    GIT_REPOS: process.env.TEST_CLONES ?? '',
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
  },
});
const browser = await openBrowser();
const { context, page, close } = await visit(browser, app);
const visitAs = (name: string, options: object = {}) =>
  visit(browser, app, { token: app.tokenFor(name), ...options });

const requireAccessible = async () => assert.deepEqual(await findAxeProblems(page), []);

test('the printed link signs a visitor in and up in one step, in the language of the browser, and returns to the page they came from', async () => {
  await page.goto('/liked');
  assert.match(page.url(), /\/sign-in\?back=%2Fliked$/);
  await requireAccessible();
  await page.getByLabel('Token').fill('pql_wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'This token is invalid' }).waitFor();
  await page.goto(`/sign-in?back=%2Fliked#token=${app.tokenFor('zoe', { singleUse: true })}`);
  await page.getByRole('button', { name: 'Sign in as zoe (git)' }).click();
  await page.waitForURL('**/liked');
  assert.equal(page.url().includes('token'), false);
  const { body } = await app.call('GET', '/users/me', { token: app.tokenFor('zoe') });
  assert.equal(body.data.language, 'en');
  await page.getByText('No liked articles yet.').waitFor();
  await requireAccessible();
});

test('a double click likes once, the like survives going back and is ranked, and a second press removes it', async () => {
  const about = { token: app.tokenFor('zoe'), body: { language: 'en' } };
  assert.equal((await app.call('POST', '/repos/harborline/parcel/pulls/13/article', about)).status, 201);
  await page.goto('/r/harborline/parcel/13?language=en');
  const like = page.getByRole('button', { name: /Like/ });
  const liked = page.waitForResponse((response) => response.url().endsWith('/like'));
  await like.dblclick();
  await page.locator('.like .count', { hasText: /^1$/ }).waitFor();
  assert.equal(await like.getAttribute('aria-pressed'), 'true');
  assert.equal((await liked).status(), 201);
  await page.getByRole('link', { name: 'Pullquote' }).click();
  await page.waitForURL(`${app.url}/`);
  await page.goBack();
  await page.locator('.like[aria-pressed=true] .count', { hasText: /^1$/ }).waitFor();
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

test('a rejected like is reverted with a message, and with an expired session it leads to sign-in and back', async () => {
  await page.goto('/r/harborline/parcel/13?language=en');
  const like = page.getByRole('button', { name: /Like/ });
  await page.route('**/like', (route) =>
    route.fulfill({ status: 503, json: { success: false, error: { code: 'UNAVAILABLE' } } }),
  );
  await like.click();
  await page.getByRole('alert').filter({ hasText: 'is unavailable at the moment' }).waitFor();
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

test('a repository page says that the code host does not respond, and offers to try again', async () => {
  const stop = github.script(/^\/repos\/acme\/away/, (response) => void response.writeHead(502).end());
  await page.goto('/r/acme/away?host=github');
  await page.getByRole('heading', { name: 'The code host isn’t responding at the moment.' }).waitFor();
  stop();
  await page.getByRole('link', { name: 'Try again' }).click();
  await page
    .getByRole('heading', { name: 'acme/away isn’t on this service, or you don’t have access.' })
    .waitFor();
});

test('settings change language and appearance, make a feed URL, end sessions, and delete the account after its name is typed', async () => {
  const token = app.tokenFor('zoe');
  await app.call('POST', '/auth/session', { token });
  await page.goto('/settings');
  await requireAccessible();
  await page.getByRole('button', { name: 'Dark' }).first().click();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.reload();
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.getByRole('button', { name: 'System' }).first().click();
  await page.getByRole('button', { name: 'Create feed URL' }).click();
  const address = page.getByLabel('Atom', { exact: true });
  assert.match(await address.inputValue(), /\/feeds\/mine\/pqf_[\w-]{43}\.atom$/);
  await requireAccessible();
  await page.getByRole('button', { name: 'Copy link: Atom' }).click();
  await page.locator('#copied').filter({ hasText: /\S/ }).waitFor();
  await page.reload();
  assert.equal(await address.count(), 0, 'it is shown once');
  await page.getByRole('button', { name: 'Delete feed URL' }).click();
  await page.getByRole('button', { name: 'Create feed URL' }).waitFor();
  await page.getByRole('button', { name: /^End / }).click();
  await page.locator('[data-session]').waitFor({ state: 'detached' });
  await page.getByLabel('Article language').selectOption('ja');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByRole('button', { name: '保存' }).first().waitFor();
  const deletion = page.getByRole('button', { name: 'アカウントを削除' });
  assert.ok(await deletion.isDisabled());
  await page.getByLabel('zoe').fill('zoe');
  await deletion.click();
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal((await app.call('GET', '/users/me', { token })).status, 404);
});

/** Presses Tab until an element has the focus; fails if the focus is invisible at any step. */
async function tabTo(target: Locator): Promise<void> {
  const mostSteps = 150;
  const sought = await target.first().elementHandle();
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab');
    const { isReached, unseen } = await sought.evaluate((one) => {
      const focused = one.ownerDocument.activeElement;
      const styleOf = one.ownerDocument.defaultView.getComputedStyle;
      const { width, height } = focused.getBoundingClientRect();
      const { outlineStyle, outlineWidth } = styleOf(focused);
      const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
      const block = focused.querySelector('rect');
      const isFramed = block !== null && styleOf(block).strokeWidth === '2px';
      const isLarge = width >= 16 && height >= 16;
      const isSeen = focused.matches(':focus-visible') && isLarge && (hasOutline || isFramed);
      return { isReached: focused === one, unseen: isSeen ? '' : focused.outerHTML.slice(0, 200) };
    });
    assert.equal(unseen, '');
    if (isReached) return;
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

test('with the keyboard alone a visitor can sign up, write, like, follow, save a token and log out, with a visible focus', async () => {
  const named = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto('/');
  await press(page.getByRole('link', { name: 'Sign in' }));
  await page.waitForURL('**/sign-in');
  await type(page.getByLabel('Token'), app.tokenFor('kim'));
  await page.waitForURL(/\/sign-up/);
  await press(named('Continue'));
  await page.waitForURL(`${app.url}/`);
  await type(page.getByLabel('paste a URL'), 'harborline/parcel#12');
  await page.waitForURL('**/r/harborline/parcel/12');
  await press(named('Write article'));
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
  await press(page.getByRole('link', { name: 'Settings' }));
  await page.waitForURL('**/settings');
  await press(named('Dark').first(), 'Space');
  assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
  await type(page.getByLabel('Token'), 'ghp_nobodysToken');
  const refused = page.getByRole('alert').filter({ hasText: 'token' });
  await refused.getByRole('link', { name: 'Go to Settings' }).waitFor();
  await page.reload();
  await type(page.getByLabel('Token'), 'ghp_tokenOfkim');
  await page.getByText('Saved.', { exact: true }).waitFor();
  await page.getByText(/^saved [A-Z][a-z]{2} \d+, \d{4}$/).waitFor();
  await press(named('Delete token'), 'Space');
  await page.getByText('Deleted.', { exact: true }).waitFor();
  await page.reload();
  await press(named('Log out'));
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await close();
});

test('without scripts a user can like, follow and unfollow, set the language and log out', async () => {
  const { page, close } = await visitAs('noa', { javaScriptEnabled: false });
  await page.goto('/r/harborline/parcel/13');
  const like = page.getByRole('button', { name: /Like/ });
  for (const isLiked of [true, false]) {
    await like.click();
    await page.locator(`.like[aria-pressed=${isLiked}]`).waitFor();
    await page.locator('.like .count', { hasText: isLiked ? /^1$/ : /^0$/ }).waitFor();
  }
  await page.goto('/r/harborline/parcel');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('button', { name: 'Following' }).waitFor();
  await page.goto('/favorites');
  await page.getByRole('button', { name: 'Stop following harborline/parcel' }).click();
  await page.getByText('You don’t follow any repositories yet.').waitFor();
  await page.goto('/settings');
  await page.getByLabel('Article language').selectOption('ja');
  await page.getByRole('button', { name: 'Save' }).first().click();
  await page.getByText('保存しました。').waitFor();
  await page.getByRole('button', { name: 'ログアウト' }).click();
  await page.waitForURL(`${app.url}/`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await close();
});

test('a revoked token and a rate limit show the message of the API, with a link to Settings for the token', async () => {
  const { page, close } = await visitAs('rae');
  github.state.accounts.push(account(1_002, 'rae-on-github', 'ghp_tokenOfrae'));
  const saving = { token: app.tokenFor('rae'), body: { accessToken: 'ghp_tokenOfrae' } };
  assert.equal((await app.call('POST', '/auth/host-token?host=github', saving)).status, 200);
  await page.goto('/r/octo/cat/1?host=github');
  await page.getByText('It changes 1 file: 1 line added, 0 removed.').waitFor();
  github.state.accounts.pop();
  await page.getByRole('button', { name: 'Write article' }).click();
  const told = page.getByRole('alert').filter({ hasText: 'github' });
  await told.getByRole('link', { name: 'Go to Settings' }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Go to Settings' }).click();
  await page.waitForURL('**/settings');
  await page.route('**/article?**', (route) =>
    route.fulfill({ status: 429, json: { error: { code: 'RATE_LIMITED', message: 'Wait 7 s. <b>' } } }),
  );
  await page.goto('/r/harborline/parcel/10');
  await page.getByRole('button', { name: 'Write article' }).click();
  await page
    .getByRole('alert')
    .filter({ hasText: /^\s*Wait 7 s\. <b>/ })
    .waitFor();
  await close();
});
