import { elementRole } from './html-elements.ts';
import { joinLines } from './join-lines.ts';
import { type BlockStart, type Piece, pictureSign, type Tag } from './markup-piece.ts';

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

const taskBox = /^\[([ xX✓✔])?\](?:[ \t]+|$)/;

/** Makes blocks of what is shown. Wrapped lines are joined, so that a paragraph has one line per thought. */
export function buildBlocks(pieces: Piece[]): Block[] {
  const blocks: Block[] = [];
  let start: BlockStart = { kind: 'paragraph' };
  let text = new ShownText();
  const begin = (next: BlockStart): void => {
    blocks.push(...blocksOf(start, text.toString()));
    start = next;
    text = new ShownText();
  };
  for (const piece of pieces) {
    if (piece.kind === 'start') begin(piece.block);
    else if (piece.kind === 'tag') readTag(piece.tag, text, begin);
    else if (piece.kind === 'text') text.add(piece.text);
    else if (piece.kind === 'verbatim') text.addVerbatim(piece.text);
    else if (piece.kind === 'code') text.addCode(piece.text);
    else if (piece.kind === 'literal') text.addLiteral(piece.source, piece.isElement);
  }
  begin({ kind: 'paragraph' });
  return blocks;
}

function readTag({ name, isClosing }: Tag, text: ShownText, begin: (start: BlockStart) => void): void {
  const role = elementRole(name);
  switch (role.kind) {
    case 'inline':
      return;
    case 'mark':
      text.add(isClosing ? role.close : role.open);
      return;
    case 'code':
      text.turnCode(!isClosing);
      return;
    case 'rule':
      begin({ kind: 'rule' });
      begin({ kind: 'paragraph' });
      return;
    case 'pre':
      begin(isClosing ? { kind: 'paragraph' } : { kind: 'code', text: '' });
      return;
    case 'item':
      if (!isClosing) begin({ kind: 'item', depth: 0, marker: '-', hasBlankBefore: false });
      return;
    case 'heading':
      begin(isClosing ? { kind: 'paragraph' } : { kind: 'heading', level: role.level });
      return;
    case 'block':
      begin({ kind: 'paragraph' });
  }
}

function blocksOf(start: BlockStart, shown: string): Block[] {
  if (start.kind === 'rule') return [{ kind: 'rule' }, ...blocksOf({ kind: 'paragraph' }, shown)];
  if (start.kind === 'code') return codeOf(start.text, shown);
  if (start.kind === 'table') return [{ kind: 'table', text: shown.replaceAll(pictureSign, '').trim() }];
  const text = joinLines(shown.split('\n'));
  if (text === '') return [];
  switch (start.kind) {
    case 'heading':
      return [{ kind: 'heading', level: start.level, text: text.replaceAll('\n', ' ') }];
    case 'quote':
      return text.split('\n').map((line) => ({ kind: 'quote', text: line }));
    case 'item':
      return itemOf(start, text);
    default:
      // Rows that are no table by the rules are none that anybody could read either.
      return [{ kind: text.startsWith('|') ? 'table' : 'paragraph', text }];
  }
}

/** Code that was fenced, with what an element such as `<pre>` had in it. */
function codeOf(fenced: string, shown: string): Block[] {
  if (fenced !== '') return [{ kind: 'code', text: fenced }, ...blocksOf({ kind: 'paragraph' }, shown)];
  const code = shown.replaceAll(pictureSign, '').replace(/^\n+/, '').trimEnd();
  return code === '' ? [] : [{ kind: 'code', text: `\`\`\`\n${code}\n\`\`\`` }];
}

function itemOf({ depth, marker, hasBlankBefore }: BlockStart & { kind: 'item' }, text: string): Block[] {
  const box = taskBox.exec(text);
  const words = box ? text.slice(box[0].length) : text;
  const checked = box ? /[xX✓✔]/.test(box[1] ?? '') : null;
  return words === '' ? [] : [{ kind: 'item', depth, marker, checked, hasBlankBefore, text: words }];
}

const wordAtEnd = /[\p{L}\p{N}_]$/u;
const completeTag = /<(?=\/?[a-z][\w:.-]*(?:\s[^<>]*)?>|!--)/gi;

/** Text with code spans. What was written so as not to be HTML does not turn into HTML when its disguise is taken off. */
class ShownText {
  readonly #done: string[] = [];
  #prose: string[] = [];
  #code: string[] | null = null;

  add(text: string): void {
    (this.#code ?? this.#prose).push(text);
  }

  addVerbatim(text: string): void {
    this.#finish(text);
  }

  addCode(text: string): void {
    if (this.#code) this.#code.push(text);
    else this.#finish(codeSpan(text));
  }

  /** As code, unless it is the end of a type such as `Promise<User>`. */
  addLiteral(source: string, isElement: boolean): void {
    const isType = !isElement && !source.startsWith('</') && wordAtEnd.test(this.#prose.at(-1) ?? '');
    if (isType) this.addVerbatim(source);
    else this.addCode(source);
  }

  turnCode(isOn: boolean): void {
    const code = this.#code;
    this.#code = null;
    if (code) this.addCode(code.join('').trim());
    if (isOn) this.#code = [];
  }

  toString(): string {
    if (this.#code) this.#prose.push(...this.#code);
    this.#code = null;
    this.#finish('');
    return this.#done.join('');
  }

  #finish(end: string): void {
    if (this.#prose.length > 0) this.#done.push(this.#prose.join('').replace(completeTag, '< '));
    this.#prose = [];
    if (end) this.#done.push(end);
  }
}

function codeSpan(text: string): string {
  if (!text.includes('`')) return text === '' ? '' : `\`${text}\``;
  const longest = Math.max(...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks} ${text} ${marks}`;
}
