import type { NamedLines } from '../facts.ts';

interface Heading {
  level: number;
  text: string;
  line: number;
}

type Outline = (lines: string[]) => NamedLines[];

export function documentOutliner(language: string | null): Outline | null {
  const find = finders.get(language ?? '');
  return find ? (lines) => sectionsBetween(find(lines), lines.length) : null;
}

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

const plainWords = (text: string): string =>
  text
    .slice(0, 500)
    .replace(/(?<!#)[ \t]#+[ \t\r]*$/, '')
    .replace(/!?\[([^\][]{0,300})\]\([^()]{0,300}\)/g, '$1')
    .replace(/[*`]+|<[^<>]{0,200}>|\{#[^{}]{0,100}\}/g, '')
    .trim();

const rule = /^([=\-~^"'`#*+:._<>])\1{2,}\s*$/;

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
