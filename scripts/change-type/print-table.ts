import { letters, type StoredTable, separator, zero } from '../../src/reading/change-type/change-features.ts';

export const largestWeight = letters.length - 1 - zero;
const featuresPerLine = 8;

/** The table as JSON, one line for each line of it, in the way in which the formatter would write it. */
export function printTable({ leastChance, start, weights }: StoredTable): string {
  const families = Object.entries(weights).map(([family, lines]) => {
    const strings = lines.map((line) => `      ${JSON.stringify(line)}`).join(',\n');
    return `    "${family}": [\n${strings}\n    ]`;
  });
  return `{\n  "leastChance": ${leastChance},\n  "start": [${start.join(', ')}],\n  "weights": {\n${families.join(',\n')}\n  }\n}\n`;
}

/** Whether a feature can be kept: the separators are not in it, and everybody's editor can show it. */
export const isStorable = (name: string): boolean =>
  /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(name) && !/[|"\\]/.test(name);

export function encodeWeights(rows: [name: string, weights: number[]][]): string[] {
  const entries = rows.map(([name, weights]) => `${name} ${weights.map(letterOf).join('')}`);
  const lines: string[] = [];
  for (let from = 0; from < entries.length; from += featuresPerLine) {
    lines.push(entries.slice(from, from + featuresPerLine).join(separator));
  }
  return lines;
}

function letterOf(weight: number): string {
  const index = Math.min(letters.length - 1, Math.max(0, Math.round(weight) + zero));
  return letters[index] ?? '';
}
