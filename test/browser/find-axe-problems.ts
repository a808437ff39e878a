import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { runsWholeTables } from '../tables.ts';

/** Appearances differ in colors and in nothing else, as the style sheet has it: light-dark() is all that tells them apart. */
const colorRules = ['color-contrast', 'link-in-text-block'];

const kindOf = (url: string): string =>
  new URL(url).pathname.replace(/^\/r\/[^/]+\/[^/]+/, '/r/REPO').replace(/\d+$|[\w-]{43}/, 'ID');

const checkedKinds = new Set<string>();

/**
 * Runs axe on a page as it is: all rules in one appearance, and those about colors in the other. That takes seconds, so that
 * `npm test` checks one page of each kind in each file.
 */
export async function findAxeProblems(page: Page, kind = kindOf(page.url())): Promise<string[]> {
  if (checkedKinds.has(kind) && !runsWholeTables) return [];
  checkedKinds.add(kind);
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Otherwise it opens a page of its own for each look, which takes longer than looking.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const chosen =
      colorScheme === 'light'
        ? axe.options({ rules: { 'target-size': { enabled: true } } })
        : axe.withRules(colorRules);
    const { violations } = await chosen.analyze();
    for (const { id, nodes } of violations)
      found.push(
        `${colorScheme} ${page.url()}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
      );
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}
