import MarkdownIt, { type Token } from 'markdown-it';
import { type BlockStart, type Piece, pictureSign } from './markup-piece.ts';
import { splitHtml } from './split-html.ts';
import { visibleText } from './visible-text.ts';

const markdown = new MarkdownIt({ html: true });
// What was escaped stays a token of its own, so that it can be told from what was typed.
markdown.core.ruler.disable('text_join');

const blocksOnly = new MarkdownIt();
blocksOnly.disable(['html_block', 'reference']);
blocksOnly.core.ruler.enableOnly(['normalize', 'block']);

/** Reads Markdown with the HTML in it. */
export function readMarkdown(text: string): Piece[] {
  return new PieceReader(text).read(markdown.parse(text, {}));
}

/** Reads only what is a heading, a list, a quote and so on; what stands in a line is left as it is. */
export function readBlockStructure(text: string): Piece[] {
  return new PieceReader(text).read(blocksOnly.parse(text, {}));
}

/** What is underlined and longer than this is a paragraph above a rule. */
const longestUnderlined = 80;

const callout = /^\[!\w{3,20}\](?=\n|$)/;

class PieceReader {
  readonly #lines: string[];
  readonly #pieces: Piece[] = [];
  #listDepth = 0;
  /** For each open quote, whether its words are somebody else's. */
  readonly #quotes: boolean[] = [];
  #next: BlockStart = { kind: 'paragraph' };
  #isInTable = false;
  #columns = 0;
  #isCallout = false;

  constructor(text: string) {
    this.#lines = text.split('\n');
  }

  read(tokens: Token[]): Piece[] {
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'blockquote_open') this.#openQuote(tokens[at + 2]);
      else if (token.type === 'heading_open') this.#openHeading(token, tokens[at + 1]);
      else this.#readBlock(token);
    }
    return this.#pieces;
  }

  #readBlock(token: Token): void {
    switch (token.type) {
      case 'bullet_list_open':
      case 'ordered_list_open':
        this.#listDepth += 1;
        return;
      case 'bullet_list_close':
      case 'ordered_list_close':
        this.#listDepth -= 1;
        return;
      case 'list_item_open':
        this.#next = this.#itemAt(token);
        return;
      case 'blockquote_close':
        this.#quotes.pop();
        return;
      case 'inline':
        this.#readInline(token);
        return;
      case 'html_block':
        this.#start({ kind: 'paragraph' });
        this.#pieces.push(...splitHtml(token.content, decode));
        return;
      case 'hr':
        this.#start({ kind: 'rule' });
        return;
      case 'fence':
        this.#startCode(`${token.markup}${token.info}`, token.content, token.markup);
        return;
      case 'code_block':
        this.#startCode(...fenceAround(token.content));
        return;
      default:
        this.#readTablePart(token.type);
    }
  }

  #openQuote(inside: Token | undefined): void {
    // GitHub's callouts are written like quotes, but they are the author's own words.
    this.#isCallout = inside?.type === 'inline' && callout.test(inside.content);
    this.#quotes.push(!this.#isCallout);
  }

  #openHeading(token: Token, inside: Token | undefined): void {
    const words = inside?.content ?? '';
    const isUnderlined = token.markup === '=' || token.markup === '-';
    if (!isUnderlined) this.#next = this.#asItem({ kind: 'heading', level: Number(token.tag.slice(1)) });
    else if (words.length < longestUnderlined && !words.includes('\n') && !this.#isSignature(token))
      this.#next = { kind: 'heading', level: 2 };
  }

  /** Two dashes end a letter. */
  #isSignature({ map }: Token): boolean {
    return this.#lines[(map?.[1] ?? 0) - 1]?.trim() === '--';
  }

  /** What an item begins with is the item, whatever it looks like. */
  #asItem(block: BlockStart): BlockStart {
    return this.#next.kind === 'item' ? this.#next : block;
  }

  #itemAt({ info, markup, map }: Token): BlockStart {
    const line = map?.[0] ?? 0;
    const hasBlankBefore = line === 0 || this.#lines[line - 1]?.trim() === '';
    return { kind: 'item', depth: this.#listDepth - 1, marker: `${info}${markup}`, hasBlankBefore };
  }

  #start(block: BlockStart): void {
    this.#pieces.push({ kind: 'start', block });
    this.#next = { kind: 'paragraph' };
  }

  /** A fence with nothing in it, as left by templates, is not code. */
  #startCode(open: string, content: string, close: string): void {
    if (content.trim() === '') return;
    const ended = content.endsWith('\n') ? content : `${content}\n`;
    this.#start({ kind: 'code', text: `${open}\n${ended}${close}` });
  }

  #readTablePart(type: string): void {
    if (type === 'table_open') this.#start({ kind: 'table' });
    if (type === 'table_open' || type === 'table_close') this.#isInTable = type === 'table_open';
    const text = tableMarks[type];
    if (text) this.#text(text);
    if (type === 'th_open') this.#columns += 1;
    if (type === 'thead_close') {
      this.#text(`${'| --- '.repeat(this.#columns)}|\n`);
      this.#columns = 0;
    }
  }

  #text(text: string): void {
    this.#pieces.push({ kind: 'text', text });
  }

  #readInline({ content, children }: Token): void {
    if (!this.#isInTable) this.#start(this.#quotes.some(Boolean) ? { kind: 'quote' } : this.#next);
    const inside = children?.length ? children : null;
    const skipped = this.#isCallout ? firstLineOf(inside) : 0;
    if (inside) this.#readChildren(inside, skipped);
    else
      this.#pieces.push({ kind: 'verbatim', text: this.#isCallout ? content.replace(callout, '') : content });
    this.#isCallout = false;
  }

  #readChildren(tokens: Token[], from: number): void {
    for (let at = from; at < tokens.length; at += 1) {
      const token = tokens[at] as Token;
      // What was struck out was taken back, and an address of mail is nobody's business.
      if (token.type === 's_open') at = closingOf(tokens, at, 's_close');
      else if (isMailAddress(token)) at = closingOf(tokens, at, 'link_close');
      else if (token.type === 'strong_open' || token.type === 'strong_close') this.#strong(tokens, at);
      else this.#readChild(token);
    }
  }

  #readChild({ type, content, level }: Token): void {
    if (type === 'text') this.#text(content);
    // Nobody ends a line on purpose in the middle of a link, or of what is emphasized.
    else if (type === 'softbreak' && level > 0) this.#text(' ');
    else if (type === 'text_special') this.#text(visibleText(content));
    else if (type === 'softbreak' || type === 'hardbreak') this.#text('\n');
    else if (type === 'code_inline') this.#pieces.push({ kind: 'code', text: content });
    else if (type === 'image') this.#text(pictureSign);
    else if (type === 'html_inline') this.#pieces.push(...splitHtml(content, decode));
  }

  /** `__init__` is a name and not a cry. */
  #strong(tokens: Token[], at: number): void {
    const step = tokens[at]?.type === 'strong_open' ? 1 : -1;
    const word = tokens[at + step];
    const isName =
      tokens[at]?.markup === '__' &&
      word?.type === 'text' &&
      !word.content.includes(' ') &&
      tokens[at + 2 * step]?.type === (step === 1 ? 'strong_close' : 'strong_open');
    if (isName) this.#text('__');
  }
}

const tableMarks: Record<string, string> = {
  th_open: '| ',
  td_open: '| ',
  th_close: ' ',
  td_close: ' ',
  tr_close: '|\n',
};

const decode = (text: string): string => visibleText(markdown.utils.unescapeAll(text));

function fenceAround(code: string): [string, string, string] {
  const marks = code.includes('```') ? '~~~~' : '```';
  return [marks, code.trimEnd(), marks];
}

/** How many tokens the first line has, its end included. */
function firstLineOf(tokens: Token[] | null): number {
  const end = tokens?.findIndex(({ type }) => type === 'softbreak' || type === 'hardbreak') ?? -1;
  return end === -1 ? (tokens?.length ?? 0) : end + 1;
}

function closingOf(tokens: Token[], from: number, type: string): number {
  const level = tokens[from]?.level;
  for (let at = from + 1; at < tokens.length; at += 1)
    if (tokens[at]?.type === type && tokens[at]?.level === level) return at;
  return from;
}

function isMailAddress({ type, info, attrs }: Token): boolean {
  return type === 'link_open' && info === 'auto' && String(attrs?.[0]?.[1]).startsWith('mailto:');
}
