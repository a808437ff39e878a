import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { openBrowser, StandInElement } from '../../test/visit-page.ts';
import { waitUntil } from '../../test/wait-until.ts';

const app = await buildTestApp();

test('a sign-in link leads to the page of a new user, who keeps favorites and logs out', async () => {
  const visit = openBrowser(app);
  const token = app.tokenFor('zoe', { singleUse: true });
  const signIn = await visit(`/sign-in#token=${token}`, 'sign-in.js');
  await waitUntil('the form shows', () => !signIn.element('sign-up').hidden);
  assert.deepEqual(signIn.happened, ['is now at /sign-in', 'POST /auth/session', 'GET /users/me']);
  assert.ok(signIn.element('by-token').hidden && signIn.element('problem').hidden);
  signIn.element('language').value = 'en';
  signIn.element('sign-up').fire('submit');
  await waitUntil('the visitor is sent home', () => signIn.happened.includes('goes to /'));

  const home = await visit('/', 'home.js');
  assert.equal(home.element('name').textContent, 'zoe');
  assert.deepEqual(
    ['signed-in', 'signed-out', 'signed-up-not-yet', 'no-favorites'].map((id) => home.element(id).hidden),
    [false, true, true, false],
  );
  home.element('full-name').value = ' harborline/parcel ';
  home.element('add-favorite').fire('submit');
  const favorites = home.element('favorites');
  await waitUntil('the favorite is listed', () => favorites.children.length === 1);
  const [item] = favorites.children;
  assert.ok(item instanceof StandInElement);
  const [name, , remove] = item.children;
  assert.equal(name, 'harborline/parcel');
  assert.ok(remove instanceof StandInElement);
  remove.fire('click');
  await waitUntil('the favorite is gone', () => favorites.children.length === 0);
  home.element('log-out').fire('click');
  await waitUntil('the page reloads', () => home.happened.includes('reloads'));
  assert.equal((await visit('/', 'home.js')).element('signed-out').hidden, false);
});

test('what goes wrong is told on the page', async () => {
  const visit = openBrowser(app);
  const page = await visit('/sign-in#token=pql_wrong', 'sign-in.js');
  await waitUntil('the form shows', () => !page.element('by-token').hidden);
  assert.equal(page.element('problem').hidden, false);
  assert.match(page.element('problem').textContent, /token/);
  page.element('token').value = ` ${app.tokenFor('yan')} `;
  page.element('by-token').fire('submit');
  await waitUntil('the form shows', () => !page.element('sign-up').hidden);
  assert.equal(page.element('problem').hidden, true);
  assert.equal((await visit('/', 'home.js')).element('signed-up-not-yet').hidden, false);
});
