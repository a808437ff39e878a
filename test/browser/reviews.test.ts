import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { buildGitHubApp } from '../github/build-github-app.ts';
import { pull, repository } from '../github/state.ts';
import { runsWholeTables } from '../tables.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { hostileWords } from './hostile-words.ts';
import { openBrowser, visit } from './open-browser.ts';

const app = await buildTestApp();
const token = await app.signUp('zoe');
await app.call('POST', '/repos/harborline/parcel/pulls/15/article', { token, body: { language: 'en' } });
const browser = await openBrowser();

test('the whole review is one click away from the article, accessible, and needs no script, also on a phone', async () => {
  const { page, close } = await visit(browser, app, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  await page.goto('/r/harborline/parcel/15?language=en');
  await page.getByRole('link', { name: 'Read the whole review' }).click();
  await page.getByText('Where is it read?').waitFor();
  await page.getByText('A comment by a bot').click();
  await page.getByText('All 74 tests passed.').waitFor();
  await page.getByRole('link', { name: 'By file' }).click();
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  await close();
  const other = await visit(browser, app, { viewport: { width: 390, height: 844 } });
  await other.page.goto('/r/harborline/parcel/15/review');
  const { scrollWidth, clientWidth } = await other.page
    .locator('html')
    .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }));
  assert.equal(scrollWidth, clientWidth);
  assert.deepEqual(await findAxeProblems(other.page), []);
  await other.close();
});

/** Two hostile texts in each kind of Markdown, as often as a review has room for. */
const frames: ((one: string, other: string) => string)[] = [
  (one, other) => `${one} ${other}`,
  (one, other) => `[${one}](${other})`,
  (one, other) => `![${one}](https://evil.example/${other})`,
  (one, other) => `> ${one}\n> - ${other}`,
  (one, other) => `# ${one}\n\n1. ${other}`,
  (one, other) => `| ${one} | b |\n| - | - |\n| ${other} | d |`,
  (one, other) => `\`${one}\` **${other}**`,
  (one, other) => `\`\`\`${one}\n${other}\n\`\`\``,
  (one, other) => `[a]: ${one} "${other}"\n\n[a] <${one}>`,
  (one, other) => `<details><summary>${one}</summary>${other}</details></blockquote></section></main>`,
];
const short = hostileWords.filter(({ length }) => length < 1_000);
const payloads = frames.flatMap((frame) =>
  short.flatMap((one) => short.map((other) => frame(one, other).toWellFormed())),
);

const mostPayloads = runsWholeTables ? 2_000 : 120;

test(`none of ${mostPayloads} hostile comments runs, loads or leaves anything on the pages of a review`, async () => {
  const { app: hosted, github, join } = await buildGitHubApp();
  const rocket = repository(71, 'acme/rocket');
  github.state.repositories.push(rocket);
  const ann = await join('ann');
  const { page, close } = await visit(browser, hosted);
  const every = Math.floor(payloads.length / mostPayloads);
  const chosen = payloads.filter((_, place) => place % every === 0).slice(0, mostPayloads);
  let shown = 0;
  for (let number = 1; chosen.length > 0; number += 1) {
    const createdAt = '2026-03-01T10:00:00Z';
    const comments = chosen.splice(0, 1_000).map((body) => ({ author: 'rin', body, createdAt }));
    rocket.pulls.push(pull(number, 'any', { comments }));
    const asked = { token: ann, body: { language: 'en' } };
    await hosted.call('POST', `/repos/acme/rocket/pulls/${number}/article`, asked);
    await page.goto(`/r/acme/rocket/${number}/review`);
    for (;;) {
      shown += await page.locator('.remark').count();
      const held =
        'script:not([src]), iframe, base, form:not([action^="/"], [method=dialog]), [onerror], [onload], [onfocus]';
      assert.equal(await page.locator(held).count(), 0);
      const links = await page
        .locator('.remark a')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? ''));
      assert.deepEqual(
        links.filter((href) => !/^https?:/.test(href)),
        [],
      );
      assert.equal(await page.locator('main').count(), 1);
      const next = page.locator('a[rel=next]');
      if ((await next.count()) === 0) break;
      await page.goto((await next.getAttribute('href')) ?? '');
    }
  }
  assert.equal(shown, mostPayloads);
  await close();
});
