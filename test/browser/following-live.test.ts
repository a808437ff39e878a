import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp } from '../build-app.ts';
import { deliver, webhookSecret } from '../github/deliver.ts';
import { standInCertificate, startGitHub } from '../github/stand-in.ts';
import { account, merged, pull, repository, shaOf } from '../github/state.ts';
import { waitUntil } from '../wait-until.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const token = 'ghp_tokenOfann';
const github = await startGitHub();
github.state.accounts.push(account(1, 'ann', token));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const rocket = repository(71, 'acme/rocket', {
  pulls: [1, 2, 3, 4, 5, 6].map((number) => merged(number, minutesAgo(60 - number))),
});
github.state.repositories.push(rocket);

const app = await buildTestApp({
  environment: {
    CODE_HOST: 'github',
    GITHUB_URL: github.url,
    NODE_EXTRA_CA_CERTS: standInCertificate,
    GITHUB_WEBHOOK_SECRETS: webhookSecret,
  },
});
const { page, close } = await visit(await openBrowser(), app, { token });

const fileWith = (name: string) =>
  `diff --git a/src/${name}.ts b/src/${name}.ts\nnew file mode 100644\nindex 0000000..${shaOf(name).slice(0, 7)}\n` +
  `--- /dev/null\n+++ b/src/${name}.ts\n@@ -0,0 +1,3 @@\n+export function ${name}(): string {\n+  return '${name}';\n+}\n`;

/** The state of a pull request after a push that leaves it with these files. */
const pushed = (...names: string[]) => ({
  diff: names.map(fileWith).join(''),
  files: names.map((name) => ({ filename: `src/${name}.ts`, status: 'added', additions: 3, deletions: 0 })),
  head: { ref: 'topic', sha: shaOf(names.join(' ')) },
  updatedAt: new Date().toISOString(),
});

const tell = (action: string, number: number, said: object = {}) =>
  deliver(app.server, 'pull_request', { action, number, pull_request: said, repository: { id: rocket.id } });

const countWritten = async (): Promise<number> => {
  const rows = await app.database.query<{ written: number }>(
    sql`SELECT sum(revision)::int AS written FROM article_contents`,
  );
  return rows[0]?.written ?? 0;
};

/** Counts in the database, because reloading pages would slow down the writers. */
const untilWritten = (count: number) =>
  waitUntil(`${count} versions are written`, async () => (await countWritten()) >= count);

/** Loads the first page; returns its list "New for you" with each read state. */
async function lookAtFirstPage(): Promise<string[]> {
  await page.goto('/');
  const rows = await page.locator('.new-for-me .row').all();
  return Promise.all(
    rows.map(async (row) => {
      const number = await row.locator('.meta span').first().textContent();
      return `${number} ${(await row.getAttribute('class'))?.replace('row read-', '')}`;
    }),
  );
}

test('after Follow, the last five articles arrive, then each merge, unread until opened, and a push marks only its new sentences', async () => {
  await page.goto('/r/acme/rocket');
  const watched = page.waitForResponse('**/watch');
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  assert.equal((await watched).status(), 201);
  await app.watching.run();
  await untilWritten(5);
  await waitUntil('five articles have come', async () => (await lookAtFirstPage()).length === 5);
  const lastFive = ['#6 no', '#5 no', '#4 no', '#3 no', '#2 no'];
  assert.deepEqual((await lookAtFirstPage()).toSorted(), lastFive.toSorted());
  await page.getByText('5 unread').waitFor();
  assert.deepEqual(await findAxeProblems(page), []);

  const moving = { ...pull(7, 'ignite'), ...pushed('ignite', 'launch') };
  rocket.pulls.push(moving);
  assert.equal(await tell('opened', 7), 200);
  Object.assign(moving, { state: 'closed', mergedAt: new Date().toISOString() });
  assert.equal(await tell('closed', 7, { merged: true }), 202);
  await app.watching.run();
  await untilWritten(6);
  await waitUntil('it is the first', async () => (await lookAtFirstPage())[0] === '#7 no');
  await page.locator('.new-for-me .row').first().locator('h3 a').click();
  await page.getByRole('heading', { name: 'The change' }).waitFor();
  assert.equal(await page.locator('.since, .sentence.new, figure.new').count(), 0);
  assert.doesNotMatch((await lookAtFirstPage()).join(), /#7/, 'an article that was read leaves');

  Object.assign(moving, pushed('ignite', 'land'));
  assert.equal(await tell('synchronize', 7), 202);
  await untilWritten(7);
  await waitUntil('it is written again', async () => (await lookAtFirstPage())[0] === '#7 changed');
  await page.locator('.new-for-me .row').first().locator('h3 a').click();
  await page.locator('.since a').click();
  const marked = (await page.locator('.sentence.new, figure.new').allTextContents()).join('\n');
  assert.match(marked, /\bland\b/);
  assert.doesNotMatch(marked, /\bignite\b/);
  assert.deepEqual(await findAxeProblems(page), []);
  assert.doesNotMatch((await lookAtFirstPage()).join(), /#7/);
  await close();
});
