import type { SideLine } from '../hunk-sides.ts';

/** A line of a TOML file with the table that it stands in; null where the diff does not show that. */
export interface TomlEntry {
  section: string | null;
  /** The key, or for an item of a list the key of the list; null where that is not visible. */
  key: string | null;
  /** What stands behind the equals sign, or the text of one item. */
  value: string;
  isItem: boolean;
  line: SideLine;
}

const header = /^\s*\[\[?([^[\]]{1,200})\]/;
const assignment = /^\s*("[^"]{1,200}"|'[^']{1,200}'|[\w.-]{1,200})\s*=\s*(\S.*)?$/;
const item = /^\s*(?:"([^"]{1,300})"|'([^']{1,300})')\s*,?\s*(?:#.*)?$/;
const quoted = /"([^"]{1,300})"|'([^']{1,300})'/g;

export function readToml(lines: SideLine[]): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let section: string | null = null;
  let list: string | null = null;
  for (const line of lines) {
    const { text } = line;
    const [, table] = header.exec(text) ?? [];
    const [, key, value = ''] = assignment.exec(text) ?? [];
    if (table !== undefined) {
      section = table.trim();
      list = null;
    } else if (key !== undefined) {
      const name = key.replace(/^["']|["']$/g, '');
      const isOpen = value.startsWith('[') && !/\]\s*(?:#.*)?$/.test(value);
      list = isOpen ? name : null;
      if (value.startsWith('[')) entries.push(...itemsOf(value, { section, key: name, line }));
      else entries.push({ section, key: name, value, isItem: false, line });
    } else if (/^\s*\]/.test(text)) list = null;
    else {
      const match = item.exec(text);
      const content = match?.[1] ?? match?.[2];
      if (content !== undefined) entries.push({ section, key: list, value: content, isItem: true, line });
    }
  }
  return entries;
}

function itemsOf(value: string, place: Pick<TomlEntry, 'section' | 'key' | 'line'>): TomlEntry[] {
  return [...value.matchAll(quoted)].map(([, double, single]) => ({
    ...place,
    value: double ?? single ?? '',
    isItem: true,
  }));
}

/** The version in `"1.2"`, `{ version = "1.2" }` or `{ git = "…", tag = "v1" }`; null where there is none. */
export function versionOf(value: string): string | null {
  const plain = /^["']([^"']{0,150})["']/.exec(value)?.[1];
  if (plain !== undefined) return plain;
  const inTable = /\bversion\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1];
  return inTable ?? /\b(?:rev|tag|branch)\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1] ?? null;
}

/** Whether a value can be a dependency when nothing says that it is one. */
export function looksLikeDependency(value: string): boolean {
  if (/^["'][\^~<>=]{0,2}\s?\d{1,9}(?:\.[\w*+-]{1,40}){0,5}(?:,\s?[<>=]{1,2}\s?[\w.]{1,40})?["']/.test(value))
    return true;
  return /^\{.*\b(?:version|git|workspace)\s*=/.test(value);
}
