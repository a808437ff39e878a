import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { standInCertificate } from '../github/stand-in.ts';
import { startHttpsGit } from '../https-git-server.ts';
import { makeClone } from '../make-clone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
const remote = temporaryFolder();
makeClone(root, 'acme/comet');
makeClone(remote, 'acme/rocket');
const server = await startHttpsGit(remote);
const app = await buildTestApp({
  environment: {
    GIT_ROOTS: root,
    GIT_CLONE: 'true',
    GIT_CLONE_HOSTS: server.host,
    OPERATORS: 'olga',
    NODE_EXTRA_CA_CERTS: standInCertificate,
  },
});
const browser = await openBrowser();
const { page, close } = await visit(browser, app, { token: app.tokenFor('olga') });

test('an operator adds a repository by path or URL, sees its progress, and can cancel, retry, refresh and remove it', async () => {
  await page.goto('/repositories');
  await page.locator('#content').getByRole('link', { name: 'Add repository' }).click();
  const field = page.getByLabel('URL or path of a clone');
  const submit = page.getByRole('button', { name: 'Add repository' });
  await field.fill('/etc');
  await submit.click();
  await page
    .getByRole('alert')
    .getByText(/only inside/)
    .waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await field.fill(join(root, 'acme/comet'));
  await submit.click();
  await page.waitForURL('**/r/acme/comet');
  await page.goto('/add');
  server.answer = (request, _, pass) => void (request.method === 'GET' && pass());
  await field.fill(`https://${server.host}/acme/rocket`);
  await submit.click();
  await page.getByText('Copying the repository').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('alert').getByText('cancelled').waitFor();
  server.answer = null;
  await submit.click();
  await page.waitForURL('**/r/acme/rocket');
  await page.goto('/add');
  const held: (() => void)[] = [];
  server.answer = (_request, _response, pass) => void held.push(pass);
  await page.getByRole('button', { name: 'Refresh now: acme/rocket' }).click();
  await page.getByText('Refreshing…').waitFor();
  await waitUntil('git asks', () => held.length > 0);
  server.answer = null;
  held[0]?.();
  await page.getByText('Last refreshed').waitFor();
  await page.getByRole('button', { name: 'Remove acme/rocket' }).click();
  await page.getByRole('button', { name: 'Remove acme/rocket' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'acme/comet' }).waitFor();
  await close();
});

test('without scripts the form adds a repository, and a user who is not an operator gets no form', async () => {
  const plain = await visit(browser, app, { token: app.tokenFor('olga'), javaScriptEnabled: false });
  await plain.page.goto('/add');
  await plain.page.getByLabel('URL or path of a clone').fill(`https://${server.host}/acme/rocket`);
  await plain.page.getByLabel('Only me').check();
  await plain.page.getByRole('button', { name: 'Add repository' }).click();
  await plain.page.waitForURL('**/r/acme/rocket');
  await plain.close();
  const { text } = await app.call('GET', '/add', { token: await app.signUp('otto') });
  assert.doesNotMatch(text, /rocket|<form id="add"/);
});
