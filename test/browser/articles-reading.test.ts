import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { writeSamples } from '../../src/code-hosts/git/open-git-host.ts';
import type { ArticleContent } from '../../src/contract/articles.ts';
import { jsonText, sql } from '../../src/db/sql.ts';
import { pointLabels } from '../../src/domain/articles.ts';
import { listLink } from '../../src/pages/links.ts';
import { buildTestApp } from '../build-app.ts';
import { byRules, inJapanese, tellByHand } from '../doors/articles-by-hand.ts';
import { makeDoors } from '../doors/make-doors.ts';
import { git, makeClone } from '../make-clone.ts';
import { rowsToRun, runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { hostileWords } from './hostile-words.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
await writeSamples(root, process.env.PATH ?? '');
const hostile = makeClone(root, 'acme/hostile');
makeDoors(root);
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const browser = await openBrowser();

/** Commits a pull request with hostile file names, lines and message. */
function commitHostile(): void {
  const lines = hostileWords.map((words) => `const said = ${JSON.stringify(words)}; // ${words}`);
  for (const name of [
    '<img src=x onerror=alert(1)>.ts',
    '"onload="alert(2)".ts',
    'a\u202egnp.ts',
    `${'w'.repeat(200)}.ts`,
  ])
    writeFileSync(join(hostile, name), `${lines.join('\n')}\nexport function ${'f'.repeat(300)}() {}\n`);
  git(hostile, 'add', '--all');
  git(
    hostile,
    'commit',
    '--quiet',
    '--message',
    '<script>alert(4)</script> (#2)\n\n"><img src=x onerror=alert(5)> says more than it seems to say here.',
  );
}

const writtenAbout = ['harborline/parcel/13', 'harborline/parcel/6', 'acme/hostile/2', 'acme/doors/2'];

before(async () => {
  commitHostile();
  const token = await app.signUp('rin');
  for (const place of writtenAbout) {
    for (const language of ['en', 'ja']) {
      const path = `/repos/${place.replace(/\/(\d+)$/, '/pulls/$1')}/article`;
      const { status, text, body } = await app.call('POST', path, { token, body: { language } });
      assert.ok(status === 201, text);
      await app.call('POST', `/articles/${body.data.id}/language/${language}/like`, { token });
      if (place !== 'acme/doors/2') continue;
      const told = language === 'en' ? byRules() : inJapanese();
      await tellByHand(app, { articleId: body.data.id, languageCode: language }, told);
    }
  }
});

const openAll = (page: Page) =>
  page.evaluate('for (const one of document.querySelectorAll("details")) one.open = true');
const overflow = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const readingPages: [kind: string, path: string][] = [
  ['list', '/'],
  ['list', '/?period=all'],
  ['article', '/r/acme/doors/2?language=en'],
  ['article', '/r/acme/doors/2?language=ja'],
  ['article', '/r/harborline/parcel/13?language=en'],
  ['article', '/r/harborline/parcel/6?language=ja'],
  ['repository', '/r/harborline/parcel'],
  ['absent', '/r/harborline/none/1'],
  ['list', '/?type=FIX'],
  ['repositories', '/repositories'],
  ['found', '/find?q=parcel'],
  ['found', '/find?q=nothing-like-this'],
  ['release', '/r/harborline/parcel/release?from=v1.0.0&to=v1.2.0'],
];

async function findProblems(page: Page, path: string, kind: string): Promise<string[]> {
  await page.goto(path);
  // Two are enough: axe would need minutes for all, and they are alike.
  await page.evaluate(
    'for (const one of [...document.querySelectorAll("details")].slice(1, 3)) one.open = true',
  );
  return findAxeProblems(page, kind);
}

test('axe finds no problem on pages for reading, with evidence open, and in the full run on a phone', async () => {
  const found: string[] = [];
  const { page, close } = await visit(browser, app);
  for (const [kind, path] of rowsToRun(readingPages, ([kind]) => kind))
    found.push(...(await findProblems(page, path, kind)));
  if (runsWholeTables) {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ['/r/harborline/parcel/6?language=ja', '/r/acme/doors/2?language=en'])
      found.push(...(await findProblems(page, path, 'article')));
  }
  await close();
  assert.deepEqual(found, []);
});

test('an article never scrolls sideways from 320 to 1280 pixels, and its gaps open without scripts', async () => {
  const { page, close } = await visit(browser, app, { javaScriptEnabled: false });
  await page.goto('/r/acme/doors/2?language=en');
  const fontOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).fontFamily);
  const told = await fontOf('.risk.migration .told');
  assert.equal(await fontOf('.risk.breaking .told'), told, 'what breaks is told like the rest');
  const gap = page.locator('.stop .hunk .gap').first();
  assert.equal(await gap.locator('.line').first().isVisible(), false);
  await gap.locator('summary').click();
  assert.equal(await gap.locator('.line').first().isVisible(), true);
  assert.equal(await gap.locator('summary').isVisible(), false);
  await close();
  const seen = await visit(browser, app, { viewport: { width: 390, height: 844 } });
  for (const language of ['en', 'ja']) {
    await seen.page.goto(`/r/acme/doors/2?language=${language}`);
    for (const width of [320, 390, 900, 1280]) {
      await seen.page.setViewportSize({ width, height: 844 });
      assert.equal(await overflow(seen.page), 0, `${language} at ${width}`);
      await openAll(seen.page);
      assert.equal(await overflow(seen.page), 0, `${language} at ${width}, all open`);
    }
  }
  await seen.close();
});

test('hovering over a sentence marks its lines in the hunk', async () => {
  const { page, close } = await visit(browser, app);
  await page.goto('/r/acme/doors/2?language=ja');
  await page.locator('#change-1 .sentence').first().hover();
  const marked = await page
    .locator('#change-1 .line.marked')
    .evaluateAll((lines) => lines.map((line) => line.getAttribute('data-line')));
  assert.deepEqual(marked, ['16']);
  await close();
});

test('without scripts an article is readable and links to its other language', async () => {
  const { page, close } = await visit(browser, app, { javaScriptEnabled: false });
  await page.goto('/');
  await page.locator('.lead h2 a, .row h2 a').filter({ hasText: 'Let recipients choose' }).first().click();
  assert.equal(await page.locator('#change-1').isVisible(), true);
  await page.getByRole('link', { name: '日本語' }).first().click();
  assert.equal(await page.locator('.article').getAttribute('lang'), 'ja');
  await close();
});

test('a chosen appearance stays on the next page', async () => {
  const { page, close } = await visit(browser, app, { colorScheme: 'light' });
  await page.goto('/');
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  assert.equal(await ground(), 'rgb(251, 250, 247)');
  await page.getByRole('button', { name: 'Dark' }).click();
  assert.equal(await ground(), 'rgb(22, 23, 26)');
  await page.goto('/r/harborline/parcel');
  assert.equal(await ground(), 'rgb(22, 23, 26)');
  await close();
});

/** Replaces every text of the article and its pull request, as a hostile model or host might. */
async function say(words: (field: number) => string): Promise<void> {
  let field = 0;
  const next = () => words(field++);
  const rows = await app.database.query<{
    id: string;
    pullRequest: string;
    language: string;
    body: ArticleContent;
  }>(sql`
    SELECT articles.id, articles.pull_request_id AS "pullRequest", language_code AS language, body
    FROM article_contents JOIN articles ON articles.id = article_id
    JOIN pull_requests ON pull_requests.id = pull_request_id JOIN repositories ON repositories.id = articles.repository_id
    WHERE repositories.name = 'hostile'`);
  for (const { id, pullRequest, language, body } of rows) {
    const reword = (statements: ArticleContent['background']) => {
      for (const statement of statements) {
        statement.text = next();
        for (const evidence of statement.evidence) evidence.hostUrl = next();
      }
    };
    reword(body.background);
    for (const change of body.mainChanges) {
      reword(change.statements);
      change.heading = next();
      change.hunk = {
        fileName: next(),
        heading: next(),
        lines: [
          { kind: 'removed', oldLine: 1, newLine: null, text: next() },
          { kind: 'added', oldLine: null, newLine: 1, text: `\t${next()}` },
          { kind: 'context', oldLine: 2, newLine: 2, text: next() },
        ],
        moreBefore: 0,
        moreAfter: 3,
      };
    }
    for (const [index, point] of body.notablePoints.entries()) {
      reword(point.statements);
      point.label = pointLabels[index] ?? null;
    }
    const lines = { fileName: 'src/launch.ts', startLine: 1, endLine: 1, side: 'new' as const };
    const said = (id: string) => ({
      id,
      text: next(),
      basis: 'diff' as const,
      evidence: [{ ...lines, hostUrl: next() }],
    });
    body.standfirst = said('00000000000a');
    body.scope = { kind: 'tests', statement: said('00000000000c') };
    body.authorWords = { from: 'description', markdown: next(), more: true };
    body.tests = { added: [next()], addedTotal: 2, statements: [said('00000000000d')] };
    body.also = [0, 1].map((index) => ({
      statement: said(`00000000000b-${index + 2}`),
      times: index === 0 ? 3 : null,
      files: [next(), next()],
      filesTotal: 2 + index * 7,
      additions: 1,
      deletions: 0,
    }));
    body.aiGeneratedTitle = next().slice(0, 80);
    body.quote = { text: next(), from: 'description' };
    body.writer = { kind: 'ai', provider: next(), model: next() };
    body.coverage.skipped = [{ fileName: next(), reason: next() }];
    body.coverage.skippedTotal = 1;
    await app.database.query(sql`
      UPDATE article_contents SET title = ${body.aiGeneratedTitle.toWellFormed()}, quote = ${jsonText(body.quote)}, body = ${jsonText(body)},
        standfirst = ${storable(body.standfirst.text)}
      WHERE article_id = ${id} AND language_code = ${language}`);
    await app.database.query(sql`
      UPDATE pull_requests SET title = ${storable(next())}, author_login = ${storable(next())}, host_url = ${storable(next())}
      WHERE id = ${pullRequest}`);
    await app.database.query(sql`
      UPDATE pull_request_contents SET body = ${storable([next(), next(), next(), next()].join('\n\n'))}
      WHERE pull_request_id = ${pullRequest}`);
  }
}

const storable = (words: string): string => words.toWellFormed();

test('hostile text from hosts and models adds no handlers, scripts or frames, and no page is wider than 320 pixels', async () => {
  const { page, close } = await visit(browser, app, { viewport: { width: 320, height: 700 } });
  const paths = [
    '/r/acme/hostile/2?language=en',
    '/?language=all',
    '/?period=all&language=all',
    '/r/acme/hostile',
  ];
  // Every turn puts each text in another field than the turns before it.
  for (const turn of rowsToRun([...hostileWords.keys()], (turn) => String(Math.floor(turn / 5)))) {
    await say((field) => hostileWords[(turn + field) % hostileWords.length] ?? '');
    const [by] = await app.database.query<{ login: string }>(sql`
      SELECT author_login AS login FROM pull_requests JOIN repositories ON repositories.id = repository_id
      WHERE repositories.name = 'hostile' AND number = 2`);
    const ofAuthor = listLink({ author: { host: 'git', login: by?.login ?? '' } }, 'git');
    // The article page varies most between turns, so the other pages are checked less often.
    for (const path of turn === 0 || (runsWholeTables && turn % 5 === 0)
      ? [...paths, ofAuthor]
      : [paths[0] ?? '', ofAuthor]) {
      const answer = await page.goto(path);
      assert.equal(answer?.status(), 200, path);
      await openAll(page);
      assert.equal(await overflow(page), 0, `${path} with words ${turn} is too wide`);
      const foreign = await page.evaluate(
        `[...document.querySelectorAll('*')].filter((one) => [...one.attributes].some(({ name, value }) => name.startsWith('on') || (/^(?:href|src|action)$/.test(name) && /^\\s*javascript:/i.test(value))) || ['IFRAME', 'BASE', 'OBJECT', 'STYLE', 'VIDEO'].includes(one.tagName) || (one.tagName === 'IMG' && !one.getAttribute('src').startsWith('/r/'))).map((one) => one.outerHTML.slice(0, 200))`,
      );
      assert.deepEqual(foreign, [], path);
    }
  }
  await close();
});
