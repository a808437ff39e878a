/** A piece of Markdown that has to be told apart before anything in it can be understood. */
export interface Token {
  kind: 'text' | 'code' | 'fence' | 'comment' | 'tag';
  start: number;
  end: number;
  tag: Tag | null;
}

export interface Tag {
  name: string;
  isClosing: boolean;
  attributes: string;
}

/** Longer than any tag that somebody typed; it bounds what a page of opening brackets can cost. */
const longestTag = 2000;

const fenceLine = /[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})[^`\n]*(?:\n|$)/y;
const fenceEnd = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;
const tagName = /<(\/?)([a-zA-Z][\w:.-]*)/y;
const backticks = /`+/y;
const anyBackticks = /`+/g;
const blankLine = /\n[ \t]*(?=\n)/g;
const special = /[`<\n]/g;

/** Code, HTML comments and tags in the order in which they stand; what is inside one is never taken for another. */
export function lexMarkup(text: string): Token[] {
  return new Lexer(text).run();
}

class Lexer {
  readonly #text: string;
  readonly #tokens: Token[] = [];
  readonly #lastCommentEnd: number;
  /** Fences that are known to have no end, by their character: the shortest length that was looked for in vain. */
  readonly #openFences = new Map<string, number>();
  /** Lengths of backtick runs in the paragraph that closes at `#paragraphEnd` without a partner. */
  readonly #openSpans = new Set<number>();
  #paragraphEnd = -1;
  #textStart = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lastCommentEnd = text.lastIndexOf('-->');
  }

  run(): Token[] {
    const text = this.#text;
    let at = this.#readFence(0);
    while (at < text.length) {
      special.lastIndex = at;
      const found = special.exec(text);
      if (!found) break;
      at = this.#readAt(found.index);
    }
    this.#flush(text.length);
    return this.#tokens;
  }

  /** Where to go on reading: behind the token that begins here, or behind this character. */
  #readAt(at: number): number {
    if (this.#text[at] === '\n') return this.#readFence(at + 1);
    if (this.#text[at] === '`') return this.#readSpan(at);
    return this.#readComment(at) ?? this.#readTag(at) ?? at + 1;
  }

  #add(kind: Token['kind'], start: number, end: number, tag: Tag | null = null): number {
    this.#flush(start);
    this.#tokens.push({ kind, start, end, tag });
    this.#textStart = end;
    return end;
  }

  #flush(end: number): void {
    if (end > this.#textStart) this.#tokens.push({ kind: 'text', start: this.#textStart, end, tag: null });
  }

  #readFence(lineStart: number): number {
    fenceLine.lastIndex = lineStart;
    const open = fenceLine.exec(this.#text);
    const marks = open?.[1];
    if (!open || !marks) return lineStart;
    const mark = marks.charAt(0);
    if (marks.length >= (this.#openFences.get(mark) ?? Number.POSITIVE_INFINITY)) return fenceLine.lastIndex;
    let at = fenceLine.lastIndex;
    while (at < this.#text.length) {
      const newline = this.#text.indexOf('\n', at);
      const end = newline === -1 ? this.#text.length : newline;
      const close = fenceEnd.exec(this.#text.slice(at, end))?.[1];
      // The line break behind the fence is left to the text, where a new line may open another fence.
      if (close && close[0] === mark && close.length >= marks.length)
        return this.#add('fence', lineStart, end);
      at = end + 1;
    }
    this.#openFences.set(mark, marks.length);
    return fenceLine.lastIndex;
  }

  #readSpan(at: number): number {
    backticks.lastIndex = at;
    const length = backticks.exec(this.#text)?.[0].length ?? 1;
    if (at >= this.#paragraphEnd) this.#enterParagraph(at);
    if (this.#openSpans.has(length)) return at + length;
    anyBackticks.lastIndex = at + length;
    for (let close = anyBackticks.exec(this.#text); close; close = anyBackticks.exec(this.#text)) {
      if (close.index >= this.#paragraphEnd) break;
      if (close[0].length === length) return this.#add('code', at, anyBackticks.lastIndex);
    }
    this.#openSpans.add(length);
    return at + length;
  }

  #enterParagraph(at: number): void {
    blankLine.lastIndex = at;
    this.#paragraphEnd = blankLine.exec(this.#text)?.index ?? this.#text.length;
    this.#openSpans.clear();
  }

  #readComment(at: number): number | null {
    if (!this.#text.startsWith('<!--', at)) return null;
    if (at + 2 <= this.#lastCommentEnd) {
      return this.#add('comment', at, this.#text.indexOf('-->', at + 2) + 3);
    }
    // As on the page: at the start of a line an open comment hides all that follows, elsewhere it is just text.
    const before = at > 3 ? this.#text.slice(at - 4, at) : `\n${this.#text.slice(0, at)}`;
    const isFirst = /\n {0,3}$/.test(before);
    return this.#add('comment', at, isFirst ? this.#text.length : at + 4);
  }

  #readTag(at: number): number | null {
    tagName.lastIndex = at;
    const match = tagName.exec(this.#text);
    if (!match?.[2]) return null;
    const attributesStart = tagName.lastIndex;
    const end = endOfTag(this.#text, attributesStart);
    if (end === null) return null;
    const attributes = this.#text.slice(attributesStart, end - 1);
    return this.#add('tag', at, end, {
      name: match[2].toLowerCase(),
      isClosing: match[1] === '/',
      attributes: attributes.replace(/\/$/, '').trim(),
    });
  }
}

function endOfTag(text: string, from: number): number | null {
  const limit = Math.min(text.length, from + longestTag);
  let quote = '';
  for (let at = from; at < limit; at += 1) {
    const character = text.charAt(at);
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if (character === '<' || (at === from && !/[\s/]/.test(character))) return null;
    else if (character === '"' || character === "'") quote = character;
  }
  return null;
}
