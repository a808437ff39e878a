import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { runsWholeTables } from '../tables.ts';

/** Light and dark differ only in colors, because the style sheet uses light-dark() alone. */
const rulesOf = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

const kindOf = (url: string): string =>
  new URL(url).pathname.replace(/^\/r\/[^/]+\/[^/]+/, '/r/REPO').replace(/\d+$|[\w-]{43}/, 'ID');

const checkedKinds = new WeakMap<Browser, Set<string>>();

/**
 * Runs axe on a page: all rules in one appearance, and the color rules in the other. This takes seconds, so `npm test` checks
 * one page of each kind with each file's own browser.
 */
export async function findAxeProblems(page: Page, kind = kindOf(page.url())): Promise<string[]> {
  const browser = page.context().browser();
  if (!browser) throw new Error('The page belongs to no browser.');
  const checked = checkedKinds.get(browser) ?? new Set();
  checkedKinds.set(browser, checked);
  if (checked.has(kind) && !runsWholeTables) return [];
  checked.add(kind);
  await page.evaluate(axe.source);
  const found: string[] = [];
  for (const [colorScheme, rules] of Object.entries(rulesOf)) {
    await page.emulateMedia({ colorScheme: colorScheme as keyof typeof rulesOf });
    const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
    const violations = await page.evaluate<Pick<axe.Result, 'id' | 'nodes'>[]>(
      `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) })))`,
    );
    for (const { id, nodes } of violations)
      found.push(
        `${colorScheme} ${page.url()}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
      );
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}
