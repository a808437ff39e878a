import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSamples } from '../../src/code-hosts/git/open-git-host.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp } from '../build-app.ts';
import { standInCertificate, startGitHub } from '../github/stand-in.ts';
import { pull, repository } from '../github/state.ts';
import { gitInTurn } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
await writeSamples(root, process.env.PATH ?? '');
gitInTurn(makeHistory(root, 'acme/comet', 4), [
  ['tag', 'v1', 'main~3'],
  ['tag', 'v2', 'main~2'],
]);
const github = await startGitHub(Date.now);
github.state.repositories.push(repository(1, 'octo/cat', { pulls: [pull(1, 'purr')] }));
const app = await buildTestApp({
  environment: {
    WRITERS: '2',
    CODE_HOST: 'git,github',
    GIT_REPOS: root,
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
  },
});
const token = app.tokenFor('fay');
const { page, close } = await visit(await openBrowser(), app, { token });
const requireAccessible = async () => assert.deepEqual(await findAxeProblems(page), []);

test('an import ends with the number written, each skipped pull request with its reason, and a link to the articles', async () => {
  await page.goto('/');
  const part = page.locator('[data-import][data-api*="acme/comet"]');
  const body = JSON.stringify({ numbers: [1, 99], language: 'en' });
  await part.evaluate((element, wish) => element.setAttribute('data-body', wish), body);
  await part.getByRole('button', { name: /^Write/ }).click();
  await part.getByText('1 of 2 articles written.').waitFor();
  assert.equal(await page.locator('#nothing-written').count(), 0);
  const [skipped, ...more] = await part.getByRole('listitem').allTextContents();
  assert.match(skipped ?? '', /^#99: Pull request acme\/comet#99 does not exist/);
  assert.equal(more.length, 0);
  await requireAccessible();
  assert.match((await part.getByRole('link').last().getAttribute('href')) ?? '', /^\/r\/acme\/comet\?/);
  await part.getByRole('link', { name: 'See all articles' }).click();
  await page.waitForURL('**/r/acme/comet?tab=articles');
});

test('the articles missing from a release or repository are written from its page and then linked', async () => {
  await page.goto('/r/acme/comet/release?from=v1&to=v2');
  await page.getByRole('button', { name: 'Write 1 article' }).click();
  await page.getByText('1 of 1 articles written.').waitFor();
  await page.locator('#told .standfirst').first().waitFor();
  await page.locator('#told').getByRole('heading', { name: 'New' }).waitFor();
  await page.goto('/r/acme/comet?tab=pulls');
  await page.getByRole('button', { name: 'Write the 2 without an article' }).click();
  await page.getByText('2 of 2 articles written.').waitFor();
  for (const number of [3, 4]) await page.getByRole('link', { name: `Read #${number}` }).waitFor();
  await page.getByRole('link', { name: 'Articles 4' }).waitFor();
  await page.reload();
  assert.equal(await page.locator('.import').isVisible(), false);
  await page.getByRole('link', { name: 'Articles 4' }).click();
  assert.equal(await page.locator('.row').count(), 4);
});

test('following a repository turns on automatic articles and lists new ones, and unfollowing removes it', async () => {
  const write = (number: number) =>
    app.call('POST', `/repos/harborline/parcel/pulls/${number}/article`, { token, body: { language: 'en' } });
  await write(13);
  await page.clock.install();
  await page.goto('/r/harborline/parcel');
  const stored = page.waitForResponse('**/users/me/favorite-repositories?host=git');
  const watched = page.waitForResponse('**/watch');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  assert.deepEqual([(await stored).status(), (await watched).status()], [201, 201]);
  await page.getByRole('button', { name: 'Following', pressed: true }).waitFor();
  const arriving = page.getByText('New articles appear in New for you.');
  await arriving.waitFor();
  const rows = page.locator('#listed > .rows > li');
  const before = await rows.count();
  await write(3);
  const looksAgain = (what: string, isSo: () => Promise<boolean>) =>
    waitUntil(what, async () => {
      await page.clock.fastForward(10_000);
      return isSo();
    });
  await looksAgain('the article is listed', async () => (await rows.count()) > before);
  await app.database.query(sql`UPDATE watches SET has_begun = true`);
  await looksAgain('all have come', () => arriving.isHidden());
  await app.database.query(sql`UPDATE watches SET has_begun = false`);
  await page.goto('/favorites');
  assert.equal(await page.locator('.pulls li').count(), 3);
  await page.getByText('Not checked yet.').waitFor();
  await requireAccessible();
  for (const isWatched of [false, true]) {
    const watch = page.getByRole('button', { name: 'Automatic articles', pressed: !isWatched });
    await watch.click();
    await page.getByRole('button', { name: 'Automatic articles', pressed: isWatched }).waitFor();
  }
  await page.getByRole('button', { name: 'Stop following harborline/parcel' }).click();
  await page.locator('.favorites > li').waitFor({ state: 'detached' });
  await page.getByText('You don’t follow any repositories yet.').waitFor();
  await page.getByLabel('Repository').fill('nobody/nothing');
  await page.keyboard.press('Enter');
  await page.getByText('nobody/nothing doesn’t exist, or you don’t have access.').waitFor();
  assert.equal(await page.getByLabel('Repository').inputValue(), 'nobody/nothing');
  await requireAccessible();
  await page.getByLabel('Repository').fill(`${github.url}/octo/cat/pull/1/files`);
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('link', { name: 'octo/cat' }).waitFor();
  await page.getByRole('button', { name: 'Stop following octo/cat' }).click();
  await page.getByText('You don’t follow any repositories yet.').waitFor();
  await page.getByLabel('Repository').fill('octo/cat');
  await page.getByLabel('Code host').selectOption('github');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  await page.getByRole('link', { name: 'octo/cat' }).waitFor();
  await app.watching.run();
  await page.reload();
  await page.getByText('Articles about new merges are written in English. Last checked: just now.').waitFor();
  await close();
});
