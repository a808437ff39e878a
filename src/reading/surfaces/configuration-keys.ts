import type { SideLine } from '../hunk-sides.ts';
import type { SurfaceMention } from './mention.ts';

interface KeyLine {
  indent: number;
  key: string;
  value: string;
  line: SideLine;
}

// With dots and slashes in it, a key of JSON is a file, a version or an address: data.
const jsonKey = /^([ \t]*)"([\w$@-]{1,100})"\s{0,4}:\s{0,4}(.*)$/;
const yamlKey = /^( *)["']?([A-Za-z_$][\w.$/-]{0,100})["']?:(?:\s+(\S.*))?$/;
const blockText = /^[|>][+-]?\d?(?:\s+#.*)?$/;

/** Keys of the outer levels, named with the one above them where the lines show it. */
export function readIndentedKeys(
  lines: SideLine[],
  language: 'JSON' | 'YAML',
  levels: number,
): SurfaceMention[] {
  const isJson = language === 'JSON';
  // A list at the top is data; nobody sets its keys.
  if (isJson && lines.some(({ text, number }) => number === 1 && text.startsWith('['))) return [];
  const found = isJson
    ? readKeyLines(lines, jsonKey)
    : readKeyLines(withoutItems(withoutBlocks(lines)), yamlKey);
  const unit = findUnit(lines);
  const outermost = isJson ? 1 : 0;
  const parents: (string | undefined)[] = [];
  const mentions: SurfaceMention[] = [];
  for (const { indent, key, value, line } of found) {
    const depth = indent / unit - outermost;
    if (!Number.isInteger(depth) || depth < 0) continue;
    parents.length = Math.min(parents.length, depth);
    const parent = depth > 0 ? parents[depth - 1] : undefined;
    parents[depth] = key;
    if (depth >= levels) continue;
    mentions.push({
      kind: 'configurationKey',
      name: parent === undefined ? key : `${parent}.${key}`,
      text: value.trimEnd().replace(/,$/, ''),
      line,
    });
  }
  return mentions;
}

function readKeyLines(lines: SideLine[], pattern: RegExp): KeyLine[] {
  return lines.flatMap((line) => {
    const [, indent, key, value = ''] = pattern.exec(line.text) ?? [];
    return key === undefined ? [] : [{ indent: indent?.length ?? 0, key, value, line }];
  });
}

/** Text behind `|` and `>` may look like keys. */
function withoutBlocks(lines: SideLine[]): SideLine[] {
  let block: number | null = null;
  return lines.filter(({ text }) => {
    const indent = text.search(/\S/);
    if (indent < 0) return false;
    if (block !== null && indent > block) return false;
    const value = /^ *(?:- )?["']?[\w.$/-]{1,100}["']?:\s+(\S.*)$/.exec(text)?.[1];
    block = value !== undefined && blockText.test(value) ? indent : null;
    return true;
  });
}

/** What an item of a list has is data: nobody sets its keys. */
function withoutItems(lines: SideLine[]): SideLine[] {
  let item: number | null = null;
  return lines.filter(({ text }) => {
    const indent = text.search(/\S/);
    if (/^ *- /.test(text)) item = indent;
    else if (item !== null && indent <= item) item = null;
    return item === null || indent <= item;
  });
}

/** How far a level is indented: nesting goes step by step, so that the smallest step between two lines is one level. */
function findUnit(lines: SideLine[]): number {
  const distinct = new Set(lines.map(({ text }) => Math.max(0, text.search(/\S/))));
  const indents = [...distinct].sort((one, other) => one - other);
  let unit = Number.POSITIVE_INFINITY;
  let before = 0;
  for (const indent of indents) {
    if (indent > before) unit = Math.min(unit, indent - before);
    before = indent;
  }
  // With one level in sight, two is the safe guess: it takes deep lines for deep.
  return unit > 4 ? 2 : unit;
}

const header = /^\s*\[\[?([^[\]]{1,100})\]/;
const assignment = /^\s*"?([A-Za-z_][\w.-]{0,100})"?\s{0,20}[=:]\s*(.*)$/;

/** Keys of files in which sections stand in brackets. */
export function readSectionKeys(lines: SideLine[]): SurfaceMention[] {
  const mentions: SurfaceMention[] = [];
  let section: string | null = null;
  for (const line of lines) {
    const table = header.exec(line.text)?.[1];
    if (table !== undefined) section = table.trim();
    const [, key, value = ''] = assignment.exec(line.text) ?? [];
    if (table !== undefined || key === undefined) continue;
    const name = section === null ? key : `${section}.${key}`;
    mentions.push({ kind: 'configurationKey', name, text: value.trim(), line });
  }
  return mentions;
}
