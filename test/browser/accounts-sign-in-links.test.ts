import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const app = await buildTestApp({ environment: { WRITERS: '0' } });
for (const [name, language] of Object.entries({ ann: 'en', mallory: 'en', hana: 'ja' }))
  await app.call('POST', '/auth/signup', { token: app.tokenFor(name), body: { language } });
const browser = await openBrowser();

async function comeBy(locale = 'en-US') {
  const { context, page, close } = await visit(browser, app, { locale });
  const follow = (token: string, back = '/settings') =>
    page.goto(`/sign-in?back=${encodeURIComponent(back)}#token=${token}`);
  const session = async () =>
    (await context.cookies()).find(({ name }) => name === 'pullquote_session')?.value;
  return { page, follow, session, close };
}

const once = (name: string) => app.tokenFor(name, { singleUse: true });
const sessionsOf = async (name: string): Promise<number> => {
  const { body } = await app.call('GET', '/auth/sessions', { token: app.tokenFor(name) });
  return body.data.pagination.totalItems;
};

test('a sign-in link asks before it signs in, and cancelling does not use it up', async () => {
  const { page, follow, session, close } = await comeBy();
  const link = once('mallory');
  await follow(link);
  await page.getByText('Sign in as mallory?').waitFor();
  assert.equal(page.url().includes('token'), false);
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await session(), undefined);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL(`${app.url}/`);
  assert.equal(await session(), undefined);
  assert.equal(await sessionsOf('mallory'), 0);
  await follow(link);
  await page.getByRole('button', { name: 'Sign in as mallory' }).click();
  await page.waitForURL('**/settings');
  assert.equal(await sessionsOf('mallory'), 1);
  await close();
});

test('a link of another account says whose session it replaces, and switches only after confirmation', async () => {
  const { page, follow, session } = await comeBy();
  await follow(once('ann'));
  await page.getByRole('button', { name: 'Sign in as ann' }).click();
  await page.waitForURL('**/settings');
  const own = await session();
  await follow(once('mallory'));
  await page.getByText('You are signed in as ann. This switches you to mallory.').waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await session(), own);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.waitForURL('**/settings');
  assert.equal(await session(), own);
  await follow(once('mallory'));
  await page.getByRole('button', { name: 'Sign in as mallory' }).click();
  await page.waitForURL('**/settings');
  await page.locator('[data-name="mallory"]').waitFor({ state: 'attached' });
});

test('a link of the account already signed in leads on without asking', async () => {
  const { page, follow } = await comeBy();
  await follow(once('ann'));
  await page.getByRole('button', { name: 'Sign in as ann' }).click();
  await page.waitForURL('**/settings');
  await follow(once('ann'), '/liked');
  await page.waitForURL('**/liked');
  await page.goto('/sign-in?back=%2Ffavorites');
  await page.waitForURL('**/favorites');
});

test('a forged or used link is rejected without asking, and leaves the visitor signed out', async () => {
  const { page, follow, session } = await comeBy();
  const [body = '', signature] = once('mallory').slice('pql_'.length).split('.');
  const forged = Buffer.from(body, 'base64url').toString().replace('mallory', 'ann');
  const used = once('ann');
  assert.equal((await app.call('POST', '/auth/session', { token: used })).status, 201);
  for (const token of [`pql_${Buffer.from(forged).toString('base64url')}.${signature}`, used]) {
    await page.goto('/');
    await follow(token);
    await page
      .getByRole('alert')
      .filter({ hasText: /invalid, expired|was already used/ })
      .waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign in as' }).count(), 0);
    await page.getByLabel('Token').waitFor();
  }
  assert.equal(await session(), undefined);
});

test('sign-in links ask in Japanese for a Japanese user', async () => {
  const { page, follow } = await comeBy('ja-JP');
  await follow(once('hana'));
  await page.getByText('hana としてログインしますか？').waitFor();
  await page.getByRole('button', { name: 'hana としてログイン' }).click();
  await page.waitForURL('**/settings');
  await follow(once('mallory'));
  await page
    .getByText('現在は hana としてログインしています。続行すると mallory に切り替わります。')
    .waitFor();
  await page.getByRole('link', { name: 'ログインしない' }).click();
  await page.waitForURL('**/settings');
});
