import type { SideLine } from '../hunk-sides.ts';
import type { Mention, Scope } from './mention.ts';

const entry = /^( {0,8})["']?([@\w./-]{1,200}?)["']?:(?:\s+(\S.*))?$/;

function withoutQuotes(text: string): string {
  return text
    .replace(/(?<!\s)\s+#.*$/, '')
    .trim()
    .replace(/^["']|["']$/g, '');
}

/** The keys right below each section, with their values. */
function readSections(
  lines: SideLine[],
): { section: string | null; key: string; value: string; line: SideLine }[] {
  const found: { section: string | null; key: string; value: string; line: SideLine }[] = [];
  let section: string | null = null;
  let depth: number | null = null;
  for (const line of lines) {
    const [, indent = '', key, value = ''] = entry.exec(line.text) ?? [];
    if (key === undefined) continue;
    if (indent === '') {
      section = key;
      depth = null;
    } else {
      depth ??= indent.length;
      if (indent.length === depth) found.push({ section, key, value: withoutQuotes(value), line });
    }
  }
  return found;
}

const pubspecSections: Record<string, Scope> = {
  dependencies: 'runtime',
  dev_dependencies: 'development',
  environment: 'runtime',
};

export function readPubspec(lines: SideLine[]): Mention[] {
  return readSections(lines).flatMap(({ section, key, value, line }) => {
    if (section !== null && !Object.hasOwn(pubspecSections, section)) return [];
    if (section === null && !/^(?:[\^<>=]{0,2}\d|any$)/.test(value)) return [];
    const scope = section === null ? null : (pubspecSections[section] ?? null);
    return [{ name: key, version: value === '' ? null : value, scope, line }];
  });
}

/** Catalogs are where a pnpm workspace keeps the versions of all its packages. */
export function readPnpmWorkspace(lines: SideLine[]): Mention[] {
  return readSections(lines).flatMap(({ section, key, value, line }) =>
    section === 'catalog' && value !== '' ? [{ name: key, version: value, scope: null, line }] : [],
  );
}
