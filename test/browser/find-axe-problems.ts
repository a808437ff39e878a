import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe finds on a page as it stands, by all of its rules, in both appearances. */
export async function findAxeProblems(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Otherwise it opens a page of its own for each look, which takes longer than looking.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const { violations } = await axe.options({ rules: { 'target-size': { enabled: true } } }).analyze();
    for (const { id, nodes } of violations)
      found.push(
        `${colorScheme} ${page.url()}: ${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`,
      );
  }
  await page.emulateMedia({ colorScheme: 'light' });
  return found;
}
