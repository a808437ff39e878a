import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../src/db/sql.ts';
import { saveMerges } from '../../src/db/webhooks.ts';
import { lastPeriod } from '../../src/domain/digests.ts';
import { buildTestApp } from '../build-app.ts';
import { startMailServer } from '../mail-server.ts';
import { makeClone } from '../make-clone.ts';
import { makeMergedArticles } from '../make-merges.ts';
import { freePort } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
for (const name of ['acme/rocket', 'acme/comet', 'octo/quiet']) makeClone(root, name);
const server = await startMailServer();
/** Links in mails need the port before the service listens. */
const port = await freePort();
const app = await buildTestApp({
  environment: {
    GIT_REPOS: root,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: server.url,
    MAIL_FROM: 'Pullquote <pullquote@example.org>',
  },
});
// The merges are made in the database, and a clone would count those that it has.
for (const host of app.codeHosts) delete host.mergedWithin;
const mergedAt = lastPeriod('weekly', app.now()).from;

test('a digest is viewed, confirmed and stopped in the browser, and axe finds no problem on its pages or in its mail', async () => {
  const token = app.tokenFor('mara');
  const { page, close } = await visit(await openBrowser(), app, { token });
  for (const fullName of ['acme/rocket', 'acme/comet', 'octo/quiet']) {
    const [owner, repo] = fullName.split('/');
    await app.call('POST', '/users/me', { token, body: { owner, repo } });
  }
  await makeMergedArticles(app, { fullName: 'acme/rocket', count: 11, mergedAt, languages: ['en', 'ja'] });
  await makeMergedArticles(app, { fullName: 'acme/comet', count: 1, mergedAt, languages: ['en', 'ja'] });
  const [comet] = await app.database.query<{ id: string }>(
    sql`SELECT id FROM repositories WHERE name = 'comet'`,
  );
  const bots = [90, 91].map((number) => ({
    ...{ number, mergedAt, authorLogin: 'b[bot]', isBot: true, isDraft: false, labels: [] },
  }));
  await app.database.transaction((tx) => saveMerges(tx, comet?.id ?? '', bots));
  const found: string[] = [];
  for (const [language, width] of [
    ['ja', 390],
    ['en', 1280],
  ] as const) {
    await app.call('PATCH', '/users/me', { token, body: { language } });
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/my/digest');
    found.push(...(await findAxeProblems(page)));
    const scrolls = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    assert.equal(scrolls, false, language);
  }
  assert.equal(await page.locator('h1').innerText(), 'Your week in 3 repositories');
  await page.getByLabel('Digest', { exact: true }).selectOption('weekly');
  await page.getByLabel('Email address').fill('mara@nowhere');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Email address').inputValue(), 'mara@nowhere', 'what was typed stays');
  found.push(...(await findAxeProblems(page)));
  await page.getByLabel('Digest', { exact: true }).selectOption('weekly');
  await page.getByLabel('Email address').fill('mara@example.org');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('We sent a link to mara@example.org').waitFor();
  await page.goto(/http\S+\/digest\/confirm\/[\w-]{43}/.exec(server.mails[0]?.text ?? '')?.[0] ?? '');
  found.push(...(await findAxeProblems(page)));
  await page.getByRole('button', { name: 'Yes, send them to me' }).click();
  await page.getByText('Confirmed.').waitFor();
  app.advance(7 * 24 * 3_600_000);
  await makeMergedArticles(app, {
    fullName: 'acme/rocket',
    count: 2,
    mergedAt: lastPeriod('weekly', app.now()).from,
  });
  await app.lists.run();
  await app.digests.run();
  const mail = server.mails.at(-1);
  assert.equal(mail?.headers.get('subject'), 'Your week: 2 known merges, 2 to read');
  await page.goto(/http\S+\/digest\/unsubscribe\/[\w-]{43}/.exec(mail?.text ?? '')?.[0] ?? '');
  found.push(...(await findAxeProblems(page)));
  await page.getByRole('button', { name: 'Stop digest' }).click();
  await page.getByText('We will send no more digests').waitFor();
  await page.goto('about:blank');
  await page.setContent(mail?.html ?? '');
  // Landmarks belong to the mail program, not to the mail.
  const inMail = await findAxeProblems(page);
  found.push(...inMail.filter((problem) => !/landmark-one-main|: region /.test(problem)));
  assert.deepEqual(found, []);
  await close();
});
