import { decodeEntity } from './decode-entity.ts';

const plainRun = /[^\\&![\]*_~<\n]+/y;
const linkTarget =
  /\]\(\s{0,20}<?[^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*>?(?:\s{1,20}["'(][^"'()\n]{0,300}["')])?\s{0,20}\)/y;
const linkLabel = /\]\[[^[\]\n]{0,200}\]/y;
const autolink = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const mailAddress = /<[^\s<>@]{1,200}@[^\s<>]{1,200}>/y;
const entity = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{2,31});/y;
const emphasis = /\*{1,3}|~{1,2}|_{1,3}/y;
const escapable = /[!-/:-@[-`{-~]/;
const wordCharacter = /[\p{L}\p{N}_]/u;
const blank = /\s/;
const newBlock = /[ \t]*(?:\n|[-*+>#|]|\d{1,9}[.)])/y;

interface Opening {
  mark: string;
  piece: number;
}

/**
 * Takes the text of a description bit by bit and writes it without links, images, emphasis and entities. Openings are
 * remembered as places in what was written, so that closing one costs the same however much stands between.
 */
export class MarkdownWriter {
  readonly #pieces: string[] = [];
  #brackets: { piece: number; isImage: boolean }[] = [];
  #openings: Opening[] = [];

  toString(): string {
    return this.#pieces.join('');
  }

  verbatim(text: string): void {
    if (text) this.#pieces.push(text);
  }

  /** A tag that is meant to be read: as code, unless it is the end of a type such as `Promise<User>`. */
  literalTag(source: string, isElement: boolean): void {
    const isType = !isElement && wordCharacter.test(this.#previous()) && !source.startsWith('</');
    this.verbatim(isType ? source : `\`${source}\``);
  }

  text(source: string): void {
    let at = 0;
    while (at < source.length) {
      plainRun.lastIndex = at;
      const run = plainRun.exec(source);
      if (run) {
        this.#pieces.push(run[0]);
        at = plainRun.lastIndex;
      } else at = this.#special(source, at);
    }
  }

  #special(source: string, at: number): number {
    switch (source[at]) {
      case '\n':
        return this.#newline(source, at);
      case '[':
        return this.#openBracket('[', at);
      case '!':
        return source[at + 1] === '[' ? this.#openBracket('![', at) : this.#literal('!', at);
      case ']':
        return this.#closeBracket(source, at);
      case '<':
        return this.#angle(source, at);
      case '&':
        return this.#entity(source, at);
      case '\\':
        return this.#escaped(source, at);
      default:
        return this.#emphasis(source, at);
    }
  }

  #literal(text: string, at: number): number {
    this.#pieces.push(text);
    return at + text.length;
  }

  #newline(source: string, at: number): number {
    newBlock.lastIndex = at + 1;
    if (newBlock.test(source)) {
      this.#brackets = [];
      this.#openings = [];
    }
    return this.#literal('\n', at);
  }

  #openBracket(mark: string, at: number): number {
    this.#brackets.push({ piece: this.#pieces.length, isImage: mark === '![' });
    return this.#literal(mark, at);
  }

  #closeBracket(source: string, at: number): number {
    const open = this.#brackets.pop();
    if (!open) return this.#literal(']', at);
    const end = this.#endOfLink(source, at, open.piece);
    if (end === null) return this.#literal(']', at);
    if (open.isImage) this.#pieces.length = open.piece;
    else this.#pieces[open.piece] = '';
    while ((this.#openings.at(-1)?.piece ?? -1) >= this.#pieces.length) this.#openings.pop();
    return end;
  }

  #endOfLink(source: string, at: number, openPiece: number): number | null {
    linkTarget.lastIndex = at;
    if (linkTarget.test(source)) return linkTarget.lastIndex;
    linkLabel.lastIndex = at;
    // In "cells[0][1]" the brackets are an index; a link does not stick to the word before it.
    const before = this.#pieces[openPiece - 1]?.at(-1) ?? ' ';
    return !wordCharacter.test(before) && linkLabel.test(source) ? linkLabel.lastIndex : null;
  }

  #angle(source: string, at: number): number {
    autolink.lastIndex = at;
    const link = autolink.exec(source)?.[1];
    if (link) {
      this.#pieces.push(link);
      return autolink.lastIndex;
    }
    mailAddress.lastIndex = at;
    if (mailAddress.test(source)) return mailAddress.lastIndex;
    return this.#literal('<', at);
  }

  #entity(source: string, at: number): number {
    entity.lastIndex = at;
    const name = entity.exec(source)?.[0];
    if (!name) return this.#literal('&', at);
    this.#lessThanSafe(decodeEntity(name), source[at + name.length]);
    return at + name.length;
  }

  #escaped(source: string, at: number): number {
    const next = source[at + 1];
    if (!next || !escapable.test(next)) return this.#literal('\\', at);
    this.#lessThanSafe(next, source[at + 2]);
    return at + 2;
  }

  /** What was written so as not to be HTML must not turn into HTML now that its disguise is taken off. */
  #lessThanSafe(text: string, next: string | undefined): void {
    const wouldOpenTag = text.endsWith('<') && next !== undefined && /[a-zA-Z/!?]/.test(next);
    this.#pieces.push(wouldOpenTag ? '< ' : text);
  }

  #emphasis(source: string, at: number): number {
    emphasis.lastIndex = at;
    const mark = emphasis.exec(source)?.[0];
    if (!mark) return this.#literal(source.charAt(at), at);
    const before = at === 0 ? this.#previous() : source.charAt(at - 1);
    const after = source[at + mark.length] ?? 'x';
    const isUnderscore = mark[0] === '_';
    const mayClose =
      !blank.test(before) && !(isUnderscore && wordCharacter.test(after) && at + mark.length < source.length);
    const mayOpen = !blank.test(after) && !(isUnderscore && wordCharacter.test(before));
    const last = this.#openings.at(-1);
    if (mayClose && last?.mark === mark) {
      this.#openings.pop();
      this.#close(last, mark);
    } else {
      if (mayOpen) this.#openings.push({ mark, piece: this.#pieces.length });
      this.#pieces.push(mark);
    }
    return at + mark.length;
  }

  #close({ piece }: Opening, mark: string): void {
    if (mark.startsWith('~')) this.#pieces.length = piece;
    else if (mark === '__' && this.#isOneWord(piece + 1)) this.#pieces.push(mark);
    else this.#pieces[piece] = '';
  }

  /** As in `__init__`, which is a name and not a cry. */
  #isOneWord(piece: number): boolean {
    return this.#pieces.length === piece + 1 && !this.#pieces[piece]?.includes(' ');
  }

  #previous(): string {
    return this.#pieces.at(-1)?.at(-1) ?? ' ';
  }
}
