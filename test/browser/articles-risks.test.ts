import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../build-app.ts';
import { byModel, tellByHand } from '../doors/articles-by-hand.ts';
import { makeDoors } from '../doors/make-doors.ts';
import { point, statement } from '../doors/stated-parts.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { findAxeProblems } from './find-axe-problems.ts';
import { openBrowser, visit } from './open-browser.ts';

const root = temporaryFolder();
makeDoors(root);
const app = await buildTestApp({ environment: { GIT_REPOS: root } });
const token = await app.signUp('rin');
const browser = await openBrowser();

test('code before and after stands side by side on a desktop, one below the other on a phone, and never scrolls sideways', async () => {
  const path = '/repos/acme/doors/pulls/2/article';
  const { body } = await app.call('POST', path, { token, body: { language: 'en' } });
  const told = byModel();
  const [first, ...others] = told.mainChanges ?? [];
  assert.ok(first);
  const breaks = statement(
    '`Match.params` no longer has the methods of objects, so calls of `hasOwnProperty` fail.',
    [['src/router.ts', 'new', 21]],
  );
  const follows = statement('Handlers that call it end in a `TypeError`.', [], { basis: 'judgement' });
  const [opening, ...rest] = first.statements;
  const statements = [...(opening ? [opening] : []), breaks, follows, ...rest];
  await tellByHand(
    app,
    { articleId: body.data.id, languageCode: 'en' },
    {
      ...told,
      mainChanges: [{ ...first, statements }, ...others],
      notablePoints: [{ ...point('breaking', ['RISK'], [breaks]), section: 0 }],
      beforeAfter: {
        label: 'breaking',
        before: `const { params } = router.match(path);\nif (params.hasOwnProperty('id')) show(params.id);\n${'a'.repeat(100)}`,
        after: "const { params } = router.match(path);\nif (Object.hasOwn(params, 'id')) show(params.id);",
        statements: [breaks],
      },
    },
  );
  for (const [width, isBeside] of [
    [1280, true],
    [390, false],
  ] as const) {
    const { page, close } = await visit(browser, app, { viewport: { width, height: 900 } });
    await page.goto('/r/acme/doors/2?language=en');
    const [before, after] = await page.locator('.callers figure').evaluateAll((figures) =>
      figures.map((figure) => {
        const { left, right, top, bottom } = figure.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
    assert.ok(before && after);
    assert.equal(isBeside ? before.top === after.top : before.bottom < after.top, true, `${width}`);
    assert.equal(isBeside ? before.right < after.left : before.left === after.left, true, `${width}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
    assert.deepEqual(await findAxeProblems(page), []);
    await close();
  }
});
