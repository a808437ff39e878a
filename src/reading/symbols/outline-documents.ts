import type { NamedLines } from '../facts.ts';

interface Heading {
  /** From 1 on for the highest. */
  level: number;
  text: string;
  /** Counted from 0. */
  line: number;
}

type Outline = (lines: string[]) => NamedLines[];

/** How the sections of a document or the keys of a configuration are found, or null for a language that has none. */
export function documentOutliner(language: string | null): Outline | null {
  const find = finders.get(language ?? '');
  return find ? (lines) => sectionsBetween(find(lines), lines.length) : (keys.get(language ?? '') ?? null);
}

/** A section ends where the next one of its level begins, or one of a higher level. */
function sectionsBetween(headings: Heading[], lines: number): NamedLines[] {
  const open: { level: number; section: NamedLines }[] = [];
  const sections: NamedLines[] = [];
  for (const { level, text, line } of headings) {
    for (let last = open.at(-1); last && last.level >= level; last = open.at(-1)) {
      last.section.endLine = line;
      open.pop();
    }
    const section = { name: text, startLine: line + 1, endLine: lines };
    open.push({ level, section });
    sections.push(section);
  }
  return sections;
}

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atx = /^ {0,3}(#{1,6})[ \t]+(\S.{0,500})$/;
const setext = /^ {0,3}(=+|-{2,})[ \t]*\r?$/;

function findInMarkdown(lines: string[]): Heading[] {
  const headings: Heading[] = [];
  let fenced: string | null = null;
  for (const [line, text] of lines.entries()) {
    const [, mark] = fence.exec(text) ?? [];
    if (mark) {
      if (fenced === null) fenced = mark;
      else if (mark.startsWith(fenced)) fenced = null;
      continue;
    }
    if (fenced !== null) continue;
    const [, signs, words] = atx.exec(text) ?? [];
    if (signs && words) headings.push({ level: signs.length, text: plainWords(words), line });
    else {
      const [, under] = setext.exec(text) ?? [];
      const above = lines[line - 1] ?? '';
      if (under && line > 0 && isTitle(above) && !isTitle(lines[line - 2] ?? ''))
        headings.push({ level: under.startsWith('=') ? 1 : 2, text: plainWords(above), line: line - 1 });
    }
  }
  return headings;
}

const isTitle = (text: string): boolean => text.length <= 500 && /^ {0,3}[\p{L}\p{N}`*[("'_]/u.test(text);

/** What a heading says when it is read: links and marks for emphasis are left out. */
const plainWords = (text: string): string =>
  text
    .slice(0, 500)
    .replace(/(?<!#)[ \t]#+[ \t\r]*$/, '')
    .replace(/!?\[([^\][]{0,300})\]\([^()]{0,300}\)/g, '$1')
    .replace(/[*`]+|<[^<>]{0,200}>|\{#[^{}]{0,100}\}/g, '')
    .trim();

const rule = /^([=\-~^"'`#*+:._<>])\1{2,}\s*$/;

/** The first kind of line under a title is that of the highest level, and so on. */
function findInRestructuredText(lines: string[]): Heading[] {
  const headings: Heading[] = [];
  const levels: string[] = [];
  for (const [line, text] of lines.entries()) {
    const sign = rule.exec(text)?.[1];
    const title = lines[line - 1]?.trimEnd() ?? '';
    if (!sign || title === '' || rule.test(title) || text.trimEnd().length < title.trim().length) continue;
    const isOverlined = rule.exec(lines[line - 2] ?? '')?.[1] === sign;
    if (!isOverlined && (/^\s/.test(title) || (lines[line - 2] ?? '').trim() !== '')) continue;
    const kind = isOverlined ? `${sign}${sign}` : sign;
    if (!levels.includes(kind)) levels.push(kind);
    headings.push({
      level: levels.indexOf(kind) + 1,
      text: title.trim().replaceAll('`', ''),
      line: isOverlined ? line - 2 : line - 1,
    });
  }
  return headings;
}

const asciiDocTitle = /^(={1,6})[ \t]+(\S.{0,500})$/;

function findInAsciiDoc(lines: string[]): Heading[] {
  return lines.flatMap((text, line) => {
    const [, signs, words] = asciiDocTitle.exec(text) ?? [];
    return signs && words ? [{ level: signs.length, text: plainWords(words), line }] : [];
  });
}

const finders = new Map<string, (lines: string[]) => Heading[]>([
  ['Markdown', findInMarkdown],
  ['MDX', findInMarkdown],
  ['reStructuredText', findInRestructuredText],
  ['AsciiDoc', findInAsciiDoc],
]);

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

/** Of configuration files, the upper two levels. */
const keys = new Map<string, Outline>([
  ['YAML', (lines) => keysByIndent(lines, yamlKey)],
  ['JSON', (lines) => keysByIndent(lines, jsonKey)],
  ['TOML', tables],
  ['INI', tables],
]);
