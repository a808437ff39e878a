import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { runsWholeTables } from '../tables.ts';

/** Appearances differ in colors and in nothing else, as the style sheet has it: light-dark() is all that tells them apart. */
const rulesOf = {
  light: { rules: { 'target-size': { enabled: true } } },
  dark: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

const kindOf = (url: string): string =>
  new URL(url).pathname.replace(/^\/r\/[^/]+\/[^/]+/, '/r/REPO').replace(/\d+$|[\w-]{43}/, 'ID');

const checkedKinds = new WeakMap<Browser, Set<string>>();

/**
 * Runs axe on a page as it is: all rules in one appearance, and those about colors in the other. That takes seconds, so that
 * `npm test` checks one page of each kind with each browser, which every file has its own of.
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
