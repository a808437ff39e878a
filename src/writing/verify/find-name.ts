import { countSpelled } from './spellings.ts';

/** Whether a hyphen between two words makes one name of them, or is a minus. */
type Reading = 'strict' | 'operators';

/** What is left out of a long line is at most this long, and no sentence holds a longer piece than this. */
const longestGap = 4_000;
const longestPiece = 10_000;

interface NamePlace {
  start: number;
  end: number;
}

/**
 * The places where a name, or a piece of code, stands in a text as whole tokens, however it is spaced and wrapped. A name
 * cut short is another name: `limit` does not stand in `limitRate`, `pin-project` not in `pin-project-lite`, 1.2 not in
 * 1.2.3. An ellipsis stands for what is left out.
 */
function* placesOf(name: string, text: string, reading: Reading = 'strict'): Generator<NamePlace> {
  const [first, ...rest] = piecesOf(name);
  if (!first) return;
  for (
    let found = find(first, text, 0, reading);
    found;
    found = find(first, text, found.start + 1, reading)
  ) {
    let { end } = found;
    const isWhole = rest.every((piece) => {
      const next = find(piece, text.slice(0, end + longestGap + longestPiece), end, reading);
      if (!next || next.start - end > longestGap) return false;
      end = next.end;
      return true;
    });
    if (isWhole) yield { start: found.start, end };
  }
}

interface Piece {
  /** The longest of its words: most texts do not have it, and need not be searched any further. */
  word: string;
  tokens: string[];
  patterns: Partial<Record<Reading, RegExp>>;
}

let known = new Map<string, Piece[]>();

/** The same names are looked up again and again; no more of them than an article needs are kept. */
const mostKept = 2_000;

function piecesOf(name: string): Piece[] {
  const found = known.get(name);
  if (found) return found;
  if (known.size >= mostKept) known = new Map();
  const pieces = name
    .split('…')
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece))
    .map(pieceOf);
  known.set(name, pieces);
  return pieces;
}

/** Whether there is anything in it that could be looked for. */
const isNameless = (name: string): boolean => piecesOf(name).length === 0;

function find(piece: Piece, text: string, from: number, reading: Reading): NamePlace | null {
  if (text.indexOf(piece.word, from) < 0) return null;
  piece.patterns[reading] ??= compile(piece.tokens, reading);
  const pattern = piece.patterns[reading];
  pattern.lastIndex = from;
  const found = pattern.exec(text);
  return found && { start: found.index, end: found.index + found[0].length };
}

const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

/** A text may be nothing but brackets: of those before the first word no more are looked for. */
const mostSigns = 16;

function pieceOf(written: string): Piece {
  const all = written.match(token) ?? [];
  const isWord = (one: string): boolean => /^[\p{L}\p{N}_$]/u.test(one);
  const tokens = all.slice(Math.max(0, all.findIndex(isWord) - mostSigns));
  const words = tokens.filter(isWord).sort((one, other) => other.length - one.length);
  return { word: words[0] ?? '', tokens, patterns: {} };
}

function compile(tokens: string[], reading: Reading): RegExp {
  const body = tokens.map((one, index) => between(tokens[index - 1], one) + literally(one)).join('');
  return new RegExp(edgeBefore(tokens, reading) + body + edgeBehind(tokens.join(''), reading), 'gv');
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Layout may put blanks between tokens, and a comma before what closes. */
function between(last: string | undefined, next: string): string {
  if (last === undefined) return '';
  if (/[)\]}>]/.test(next)) return '\\s*(?:,\\s*)?';
  return isWordCharacter(last.at(-1) ?? '') && isWordCharacter(next.charAt(0)) ? '\\s+' : '\\s*';
}

/** Letters of Japanese run on without blanks: beside them there is no edge to look for. */
const inWord = '[[\\p{L}\\p{N}_$]--[\\u3040-\\u30ff\\u3400-\\u9fff\\uff66-\\uff9f]]';
const letter = `[${inWord}--[0-9]]`;
const wordCharacter = new RegExp(`^${inWord}`, 'v');

export const isWordCharacter = (character: string): boolean =>
  /^[\w$]/.test(character) || (character > '\x7f' && wordCharacter.test(character));

function edgeBefore([first = '', next = '', third = '']: string[], reading: Reading): string {
  if (first === '-') return `(?<!-|${inWord})`;
  if (!isWordCharacter(first)) return '';
  // A version may be written with a v before it.
  const isVersion = /^\d+$/.test(first) && next === '.' && /^\d/.test(third);
  const edge = isVersion ? `(?:(?<!${inWord})|(?<=(?<!${inWord})[vV]))` : `(?<!${inWord})`;
  const ofNumber = /^\d/.test(first) ? '(?<![0-9][.,])' : '';
  return edge + ofNumber + (reading === 'strict' ? `(?<!${inWord}-)` : '');
}

function edgeBehind(piece: string, reading: Reading): string {
  if (!isWordCharacter(piece.at(-1) ?? '')) return '';
  return [
    `(?!${inWord})`,
    /\d$/.test(piece) ? '(?![.,][0-9])' : '',
    /\d\.\d+$/.test(piece) ? `(?![\\-+]${inWord})` : '',
    // A path goes on with the end of its name.
    /^[^/].*\//.test(piece) ? `(?!\\.${letter})` : '',
    reading === 'strict' ? `(?!-${letter})` : '',
  ].join('');
}

const codeFile =
  /\.(?:c|cc|cpp|cs|cts|cxx|dart|ex|exs|go|h|hh|hpp|java|js|jsx|kt|kts|m|mjs|mm|mts|php|py|rb|rs|scala|swift|ts|tsx|zig)$/i;

export const isCodeFile = (path: string): boolean => codeFile.test(path);

/** Whether a name stands in a text. In code a hyphen between two names is usually a minus, but never in quotation marks. */
export function standsInText(name: string, text: string, path = ''): boolean {
  if (isNameless(name)) return text.includes(name.replaceAll('…', '').trim());
  const [found] = placesOf(name, text);
  if (found || countSpelled(name, text) > 0) return true;
  if (!text.includes('-') || !codeFile.test(path)) return false;
  for (const { start } of placesOf(name, text, 'operators')) if (!isInQuotes(text, start)) return true;
  return false;
}

function isInQuotes(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return (before.match(/["'`]/g)?.length ?? 0) % 2 === 1;
}

/** How often a name stands in a text. */
export const countIn = (text: string, name: string): number =>
  Array.from(placesOf(name, text)).length || countSpelled(name, text);

/** A file is named by its path, by the end of its path, or by a folder that it is in. */
export function namesFile(name: string, ...paths: (string | null)[]): boolean {
  const wanted = name.replace(/^\.?\//, '').replace(/\/$/, '');
  return (
    wanted !== '' &&
    paths.some(
      (path) =>
        path !== null &&
        (path === wanted || path.endsWith(`/${wanted}`) || `/${path}`.includes(`/${wanted}/`)),
    )
  );
}
