import { joinLines } from './join-lines.ts';

/** A part of a description that stands on its own. */
export type Block =
  | { kind: 'heading'; level: number; text: string }
  | { kind: 'paragraph' | 'quote' | 'table' | 'code'; text: string }
  | ItemBlock
  | { kind: 'rule' };

export interface ItemBlock {
  kind: 'item';
  depth: number;
  marker: string;
  /** Whether the box of a task is ticked; null where there is no box. */
  checked: boolean | null;
  hasBlankBefore: boolean;
  text: string;
}

const fence = /^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})/;
const headingLine = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const emptyHeading = /^ {0,3}#{1,6}[ \t]*$/;
const ruleLine = /^ {0,3}(?:(?:- ?){3,}|(?:\* ?){3,}|(?:_ ?){3,}|={3,}|(?:⎯|─|━){3,})$/;
const itemLine = /^([ \t]*)([-*+•‣]|\d{1,9}[.)])[ \t]+(\S.*)$/;
const bareItem = /^[ \t]*(?:[-*+•]|\d{1,9}[.)])$/;
const taskBox = /^\[([ xX✓✔])?\](?:[ \t]+|$)/;
const quoteLine = /^ {0,3}>[ \t]?/;
const tableRow = /^[ \t]*\|/;
const tableRule = /^[ \t|:-]+$/;
const indented = /^(?: {4}|\t)/;
const underline = /^ {0,3}(?:=+|-{3,})$/;

/** Reads Markdown without HTML into blocks. Wrapped lines are joined, so that a paragraph has one line per thought. */
export function parseBlocks(text: string): Block[] {
  return new BlockReader(text.split('\n').map((line) => line.trimEnd())).read();
}

class BlockReader {
  readonly #lines: string[];
  readonly #blocks: Block[] = [];
  #at = 0;
  #indents: number[] = [];

  constructor(lines: string[]) {
    this.#lines = lines;
  }

  read(): Block[] {
    while (this.#at < this.#lines.length) {
      const line = this.#line();
      if (line === '') this.#at += 1;
      else this.#readBlock(line);
    }
    return this.#blocks;
  }

  #line(offset = 0): string {
    return this.#lines[this.#at + offset] ?? '';
  }

  #readBlock(line: string): void {
    if (fence.test(line)) this.#readFence(line);
    else if (ruleLine.test(line)) this.#push({ kind: 'rule' });
    else if (emptyHeading.test(line) || bareItem.test(line)) this.#at += 1;
    else if (headingLine.test(line)) this.#readHeading(line);
    else if (quoteLine.test(line)) this.#readQuote();
    else if (tableRow.test(line) || isTableRule(this.#line(1))) this.#readTable();
    else if (itemLine.test(line)) this.#readItem(line);
    else if (indented.test(line) && this.#indents.length === 0) this.#readIndented();
    else this.#readParagraph();
  }

  #push(block: Block): void {
    this.#indents = [];
    this.#blocks.push(block);
    this.#at += 1;
  }

  #readFence(line: string): void {
    const marks = fence.exec(line)?.[1] ?? '```';
    const start = this.#at;
    const indent = line.search(/\S/);
    for (this.#at += 1; this.#at < this.#lines.length; this.#at += 1) {
      const close = fence.exec(this.#line())?.[1];
      if (
        close?.startsWith(marks) &&
        this.#line()
          .trim()
          .replace(/^[> ]+/, '') === close
      )
        break;
    }
    const end = Math.min(this.#at, this.#lines.length - 1);
    const body = this.#lines
      .slice(start, end + 1)
      .map((each) => each.slice(Math.min(indent, each.search(/\S|$/))));
    if (end === this.#lines.length - 1 && !fence.test(body.at(-1) ?? '')) body.push(marks);
    // A fence with nothing in it, as left by templates, is not code.
    if (body.slice(1, -1).some((each) => each !== ''))
      this.#blocks.push({ kind: 'code', text: body.join('\n') });
    this.#at = end + 1;
  }

  #readHeading(line: string): void {
    const [, marks = '#', words = ''] = headingLine.exec(line) ?? [];
    const lines = [words];
    this.#at += 1;
    // Hosts wrap the text of a squashed commit at 72 characters, headings included.
    while (lines.at(-1) !== '' && (lines.at(-1)?.length ?? 0) > 50 && /^\p{Ll}/u.test(this.#line())) {
      lines.push(this.#line());
      this.#at += 1;
    }
    this.#indents = [];
    this.#blocks.push({ kind: 'heading', level: marks.length, text: joinLines(lines).replace(/ #+$/, '') });
  }

  #readQuote(): void {
    const lines: string[] = [];
    while (this.#line() !== '' && (quoteLine.test(this.#line()) || lines.length > 0)) {
      if (!quoteLine.test(this.#line()) && (lines.at(-1) === '' || startsBlock(this.#line()))) break;
      lines.push(this.#line().replace(/^(?:[ \t]{0,3}>[ \t]?)+/, ''));
      this.#at += 1;
    }
    this.#indents = [];
    const [first = '', ...rest] = lines;
    // GitHub's callouts are written like quotes, but they are the author's own words.
    if (/^\[!\w{3,20}\]$/.test(first.trim())) this.#blocks.push(...parseBlocks(rest.join('\n')));
    else for (const text of joinLines(lines).split(/\n+/)) this.#blocks.push({ kind: 'quote', text });
  }

  #readTable(): void {
    const lines: string[] = [];
    while (this.#line() !== '' && !headingLine.test(this.#line())) {
      lines.push(this.#line().trim());
      this.#at += 1;
    }
    this.#indents = [];
    this.#blocks.push({ kind: 'table', text: lines.join('\n') });
  }

  #readItem(line: string): void {
    const [, space = '', marker = '-', words = ''] = itemLine.exec(line) ?? [];
    const box = taskBox.exec(words);
    const hasBlankBefore = this.#at === 0 || this.#line(-1) === '';
    const lines = [box ? words.slice(box[0].length) : words];
    this.#at += 1;
    while (this.#line() !== '' && !startsBlock(this.#line())) {
      lines.push(this.#line().trim());
      this.#at += 1;
    }
    const text = joinLines(lines);
    const depth = this.#depthOf(space.replaceAll('\t', '    ').length);
    if (!text) return;
    const checked = box ? /[xX✓✔]/.test(box[1] ?? '') : null;
    this.#blocks.push({ kind: 'item', depth, marker, checked, hasBlankBefore, text });
  }

  #depthOf(indent: number): number {
    while (this.#indents.length > 0 && (this.#indents.at(-1) ?? 0) >= indent) this.#indents.pop();
    this.#indents.push(indent);
    return this.#indents.length - 1;
  }

  #readIndented(): void {
    const lines: string[] = [];
    while (this.#at < this.#lines.length && (indented.test(this.#line()) || this.#line() === '')) {
      lines.push(this.#line().replace(indented, ''));
      this.#at += 1;
    }
    const code = lines.join('\n').replace(/^\n+/, '').trimEnd();
    const marks = code.includes('```') ? '~~~~' : '```';
    if (code) this.#blocks.push({ kind: 'code', text: `${marks}\n${code}\n${marks}` });
  }

  #readParagraph(): void {
    const isContinuation = this.#indents.length > 0 && /^[ \t]/.test(this.#line());
    const lines: string[] = [];
    do {
      lines.push(this.#line().trim());
      this.#at += 1;
    } while (this.#line() !== '' && !startsBlock(this.#line()));
    if (!isContinuation) this.#indents = [];
    if (lines.length === 1 && underline.test(this.#line()) && (lines[0]?.length ?? 0) < 80) {
      this.#at += 1;
      this.#blocks.push({ kind: 'heading', level: 2, text: lines[0] ?? '' });
      return;
    }
    this.#blocks.push({ kind: 'paragraph', text: joinLines(lines) });
  }
}

function isTableRule(line: string): boolean {
  return line.includes('--') && line.includes('|') && tableRule.test(line);
}

function startsBlock(line: string): boolean {
  return (
    itemLine.test(line) ||
    bareItem.test(line) ||
    fence.test(line) ||
    headingLine.test(line) ||
    emptyHeading.test(line) ||
    ruleLine.test(line) ||
    quoteLine.test(line) ||
    tableRow.test(line)
  );
}
