import type { Piece, Tag } from './markup-piece.ts';

/** Longer than any tag that somebody typed; it bounds what a page of opening brackets can cost. */
const longestTag = 2_000;

const tagName = /<(\/?)([a-zA-Z][\w:.-]*)/y;

/** HTML as its comments, its tags and the text between them. */
export function splitHtml(html: string, decode: (text: string) => string): Piece[] {
  const pieces: Piece[] = [];
  const lastCommentEnd = html.lastIndexOf('-->');
  let textStart = 0;
  const add = (piece: Piece | null, start: number, end: number): number => {
    if (start > textStart) pieces.push({ kind: 'text', text: decode(html.slice(textStart, start)) });
    if (piece) pieces.push(piece);
    textStart = end;
    return end;
  };
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const close = at + 2 <= lastCommentEnd ? html.indexOf('-->', at + 2) + 3 : html.length;
      at = add({ kind: 'comment', text: html.slice(at + 4, close) }, at, close);
      continue;
    }
    const end = endOfTag(html, at);
    at = end === null ? at + 1 : add(tagIn(html.slice(at, end)), at, end);
  }
  add(null, html.length, html.length);
  return pieces;
}

/** Declarations and instructions to programs are nobody's words. */
function tagIn(source: string): Piece {
  tagName.lastIndex = 0;
  const [opening, slash, name] = tagName.exec(source) ?? [];
  if (!opening || !name) return { kind: 'comment', text: source };
  const attributes = source.slice(opening.length, -1).replace(/\/$/, '').trim();
  const tag: Tag = { name: name.toLowerCase(), isClosing: slash === '/', attributes };
  return { kind: 'tag', tag, source };
}

function endOfTag(text: string, from: number): number | null {
  tagName.lastIndex = from;
  const start = tagName.test(text) ? tagName.lastIndex : /[!?]/.test(text.charAt(from + 1)) ? from + 2 : null;
  if (start === null) return null;
  const limit = Math.min(text.length, start + longestTag);
  let quote = '';
  for (let at = start; at < limit; at += 1) {
    const character = text.charAt(at);
    if (quote) {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if (character === '<' || (at === start && !/[\s/\w-]/.test(character))) return null;
    else if (character === '"' || character === "'") quote = character;
  }
  return null;
}
