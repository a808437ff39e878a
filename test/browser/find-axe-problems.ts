import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Appearances differ in colors and in nothing else, as the style sheet has it: light-dark() is all that tells them apart. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** What axe finds on a page as it stands: by all of its rules in one appearance, and by those about colors in the other. */
export async function findAxeProblems(page: Page): Promise<string[]> {
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
