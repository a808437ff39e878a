/** Whether a hyphen between two words makes one name of them, or is a minus. */
export type Reading = 'strict' | 'operators';

/** What is left out of a long line is at most this long. */
const longestGap = 4_000;

export interface NamePlace {
  start: number;
  end: number;
}

/**
 * The places where a name, or a piece of code, stands in a text as whole tokens, however it is spaced and wrapped. A name
 * cut short is another name: `limit` does not stand in `limitRate`, `pin-project` not in `pin-project-lite`, 1.2 not in
 * 1.2.3. An ellipsis stands for what is left out.
 */
export function* placesOf(name: string, text: string, reading: Reading = 'strict'): Generator<NamePlace> {
  const [first, ...rest] = piecesOf(name);
  if (!first) return;
  for (const found of placesOfPiece(first, text, 0, reading)) {
    let { end } = found;
    const isWhole = rest.every((piece) => {
      const [next] = placesOfPiece(piece, text, end, reading);
      if (!next || next.start - end > longestGap) return false;
      end = next.end;
      return true;
    });
    if (isWhole) yield { start: found.start, end };
  }
}

interface Piece {
  text: string;
  tokens: string[];
  /** The first of its tokens that is no sign. */
  word: string;
  /** How much stands before it, without commas. */
  signs: number;
}

const known = new Map<string, Piece[]>();

/** The same names are looked up again and again; no more of them than an article needs are kept. */
const mostKept = 2_000;

const isWord = /^[\p{L}\p{N}_$]/u;
const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

function piecesOf(name: string): Piece[] {
  const found = known.get(name);
  if (found) return found;
  if (known.size >= mostKept) known.clear();
  const pieces = name
    .split('…')
    .map((piece) => piece.trim())
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .map(pieceOf);
  known.set(name, pieces);
  return pieces;
}

function pieceOf(text: string): Piece {
  const tokens = text.match(token) ?? [];
  const at = tokens.findIndex((one) => isWord.test(one));
  const signs = tokens.slice(0, at).filter((sign) => sign !== ',');
  return { text, tokens, word: tokens[at] ?? '', signs: signs.join('').length };
}

/** Whether there is anything in it that could be looked for. */
export const isNameless = (name: string): boolean => piecesOf(name).length === 0;

function* placesOfPiece(piece: Piece, text: string, from: number, reading: Reading): Generator<NamePlace> {
  const [first = ''] = piece.tokens;
  let wordAt = -1;
  let earliest = 0;
  for (let start = text.indexOf(first, from); start >= 0; start = text.indexOf(first, start + 1)) {
    // Where signs come before the first word, most places are too far from it: a text may be nothing but brackets.
    if (piece.signs > 0 && start > wordAt) {
      wordAt = text.indexOf(piece.word, start);
      if (wordAt < 0) return;
      earliest = signsBefore(text, wordAt, piece.signs);
    }
    if (start < earliest) {
      start = earliest - 1;
      continue;
    }
    if (!isLeftEdge(piece.text, text, start, reading)) continue;
    const end = endOfTokens(piece.tokens, text, start);
    if (end >= 0 && isRightEdge(piece.text, text, end, reading)) yield { start, end };
  }
}

const comma = 44;

/** Where so many signs begin that end at a place, whatever blanks and commas stand among them and before. */
function signsBefore(text: string, end: number, count: number): number {
  let at = end;
  let left = count;
  while (at > 0 && (left > 0 || isLayout(text, at - 1))) {
    at -= 1;
    if (!isLayout(text, at)) left -= 1;
  }
  return at;
}

const isLayout = (text: string, at: number): boolean => text.charCodeAt(at) === comma || isBlank(text, at);

/** Layout may put blanks between tokens, and a comma before what closes. */
function endOfTokens(tokens: string[], text: string, start: number): number {
  let at = start;
  let last = '';
  for (const one of tokens) {
    if (last !== '') {
      const before = at;
      at = skipBlanks(text, at);
      if (text.charCodeAt(at) === comma && isClosing(one)) at = skipBlanks(text, at + 1);
      if (at === before && isWordAt(last, -1) && isWordAt(one, 0)) return -1;
    }
    if (!text.startsWith(one, at)) return -1;
    at += one.length;
    last = one;
  }
  return at;
}

const isClosing = (one: string): boolean => one === ')' || one === ']' || one === '}' || one === '>';

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at++;
  return at;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code >= 128 && /\s/.test(text.charAt(at)));
}

const wide = /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]/u;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Letters of Japanese run on without blanks: beside them there is no edge to look for. */
export function isWordCharacter(character: string): boolean {
  const code = character.charCodeAt(0);
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  }
  return letterOrDigit.test(character) && !wide.test(character);
}

const isWordAt = (text: string, at: number): boolean => isWordCharacter(text.at(at) ?? ' ');
const isDigit = (character: string): boolean => character >= '0' && character <= '9';
const isLetter = (character: string): boolean => isWordCharacter(character) && !isDigit(character);

function isLeftEdge(piece: string, text: string, start: number, reading: Reading): boolean {
  const before = text.charAt(start - 1);
  const beyond = text.charAt(start - 2);
  if (piece.startsWith('-')) return start === 0 || (before !== '-' && !isWordCharacter(before));
  if (start === 0 || !isWordAt(piece, 0)) return true;
  if (isWordCharacter(before)) {
    // A version may be written with a v before it.
    const isVersion = /^\d+\.\d/.test(piece) && /[vV]/.test(before);
    return isVersion && !isWordCharacter(beyond);
  }
  if (isDigit(piece.charAt(0)) && (before === '.' || before === ',') && isDigit(beyond)) return false;
  return !(reading === 'strict' && before === '-' && isWordCharacter(beyond));
}

function isRightEdge(piece: string, text: string, end: number, reading: Reading): boolean {
  if (end >= text.length || !isWordAt(piece, -1)) return true;
  const next = text.charAt(end);
  const beyond = text.charAt(end + 1);
  if (isWordCharacter(next)) return false;
  const last = piece.at(-1) ?? '';
  if (isDigit(last) && (next === '.' || next === ',') && isDigit(beyond)) return false;
  if (/\d\.\d+$/.test(piece) && (next === '-' || next === '+') && isWordCharacter(beyond)) return false;
  if (next === '.' && isLetter(beyond) && /^[^/].*\//.test(piece)) return false;
  return !(reading === 'strict' && next === '-' && isLetter(beyond));
}
