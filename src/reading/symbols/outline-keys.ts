import type { NamedLines } from '../facts.ts';

/** How the keys of a configuration file are found, the upper two levels of them; null for a language that has none. */
export function keysOutliner(language: string | null): ((lines: string[]) => NamedLines[]) | null {
  switch (language) {
    case 'YAML':
      return (lines) => keysByIndent(lines, yamlKey);
    case 'JSON':
      return (lines) => keysByIndent(lines, jsonKey);
    case 'TOML':
    case 'INI':
      return tables;
    default:
      return null;
  }
}

const yamlKey = /^( *)(?:"([^"]{1,100})"|'([^']{1,100})'|([\w$./@-][^:#{}[\]'"]{0,100})):(?:\s|$)/;
const jsonKey = /^(\s*)"([^"\\]{1,100})"\s{0,4}:/;

interface Key {
  indent: number;
  outlined: NamedLines;
}

/** What is indented further than a key belongs to it. The items of a list of YAML may stand right below it. */
function keysByIndent(lines: string[], pattern: RegExp): NamedLines[] {
  const keys: NamedLines[] = [];
  const open: Key[] = [];
  let last = 0;
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const indent = line.length - line.trimStart().length;
    const isItem = text.startsWith('- ') || text === '-';
    for (
      let key = open.at(-1);
      key && (isItem ? key.indent > indent : key.indent >= indent);
      key = open.at(-1)
    ) {
      const isClosed = key.indent === indent && /^[}\]]/.test(text);
      key.outlined.endLine = isClosed ? index + 1 : last;
      open.pop();
    }
    last = index + 1;
    const name = open.length < 2 && !isItem ? nameIn(line, pattern) : null;
    const above = open.at(-1);
    if (name === null || (above && isDeeper(lines, above, indent))) continue;
    const outlined = {
      name: above ? `${above.outlined.name}.${name}` : name,
      startLine: index + 1,
      endLine: lines.length,
    };
    open.push({ indent, outlined });
    keys.push(outlined);
  }
  for (const { outlined } of open) outlined.endLine = last;
  // A key with its value on one line says itself what it is, and is one of many in what it stands in.
  return keys.filter(({ startLine, endLine }) => endLine > startLine);
}

const nameIn = (line: string, pattern: RegExp): string | null =>
  pattern
    .exec(line)
    ?.slice(2)
    .find((part) => part !== undefined)
    ?.trim() ?? null;

/** Whether something stands between a key and what is indented so far, such as a list. */
function isDeeper(lines: string[], { outlined }: Key, indent: number): boolean {
  const first = lines[outlined.startLine] ?? '';
  return first.trim() !== '' && first.length - first.trimStart().length < indent;
}

const table = /^\s*\[{1,2}\s*([^\][#]{1,200}?)\s*\]{1,2}\s*(?:[#;].*)?$/;
const longValue = /^([\w."'-]{1,100})\s*=\s*(?:\[|\{|"""|''')[^\]}]*$/;

/** Tables and sections, and in them values of several lines. */
function tables(lines: string[]): NamedLines[] {
  const found: NamedLines[] = [];
  let current: NamedLines | null = null;
  let value: NamedLines | null = null;
  for (const [index, line] of lines.entries()) {
    const name: string | undefined = value ? undefined : table.exec(line)?.[1];
    if (name !== undefined) {
      current = { name: name.replace(/["']/g, ''), startLine: index + 1, endLine: index + 1 };
      found.push(current);
    } else if (value && /^(?:[\]}]|"""|''')/.test(line.trim())) {
      value.endLine = index + 1;
      value = null;
    } else if (!value) {
      const key = line.length <= 500 ? longValue.exec(line)?.[1] : undefined;
      if (key !== undefined) {
        const outer: string = current === null ? '' : `${current.name}.`;
        value = { name: `${outer}${key.replace(/["']/g, '')}`, startLine: index + 1, endLine: lines.length };
        found.push(value);
      }
    }
    if (current && line.trim() !== '') current.endLine = index + 1;
  }
  return found;
}
