import type { StoredTable } from '../../src/reading/change-type/change-type-chances.ts';

/** The table as JSON, one line for each line of it, in the way in which the formatter would write it. */
export function printTable({ leastChance, start, weights }: StoredTable): string {
  const families = Object.entries(weights).map(([family, lines]) => {
    const strings = lines.map((line) => `      ${JSON.stringify(line)}`).join(',\n');
    return `    "${family}": [\n${strings}\n    ]`;
  });
  return `{\n  "leastChance": ${leastChance},\n  "start": [${start.join(', ')}],\n  "weights": {\n${families.join(',\n')}\n  }\n}\n`;
}
