import { forTerminal, onOneLine } from '../print.ts';

/** What a terminal can show. */
export interface Terminal {
  columns: number;
  hasColours: boolean;
  /** Whether it shows more than ASCII. */
  isUnicode: boolean;
}

/** Wide characters, of East Asian scripts and pictures, take two columns; marks on others take none. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;
const mark = /^\p{Mark}+$/u;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

const widthOfLetter = (letter: string): number => {
  if (mark.test(letter)) return 0;
  return wide.test(letter) ? 2 : 1;
};

/** Most texts are, and need no looking at each letter. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text);

/** How many columns a text takes. */
export const widthOf = (text: string): number =>
  isPlain(text) ? text.length : lettersOf(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0);

/** What no line begins with. */
const closing = /^[、。，．,.:;!?！？」』】）)\]}〉》ー…]/u;

/** Pieces between which a line may be broken, each with the spaces behind it. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const word of text.match(/\S+\s*|\s+/g) ?? []) {
    if (isPlain(word) || !wide.test(word)) {
      pieces.push(word);
      continue;
    }
    let isOpen = false;
    for (const letter of lettersOf(word)) {
      const isWide = widthOfLetter(letter) === 2;
      const isJoined =
        pieces.length > 0 && (closing.test(letter) || letter.trim() === '' || (!isWide && isOpen));
      if (isJoined) pieces.push(`${pieces.pop() ?? ''}${letter}`);
      else pieces.push(letter);
      isOpen = !isWide;
    }
  }
  return pieces;
}

/** A text in lines that are no wider than this. Only a word that is wider than a line is cut; indentation stays before its word. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const piece of piecesOf(text)) {
    const own = widthOf(piece.trimEnd());
    if (line.trim() !== '' && width + own > columns) {
      lines.push(line.trimEnd());
      [line, width] = ['', 0];
    }
    line += piece;
    if (width + own > columns) {
      const cut = cutAt(line.trimEnd(), columns);
      lines.push(...cut.slice(0, -1));
      line = `${cut.at(-1)}${/\s*$/.exec(piece)?.[0]}`;
      width = widthOf(line);
    } else width += widthOf(piece);
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()];
}

/** A text in lines that are as wide as this, cut wherever they end. */
function cutAt(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const letter of widthOf(text) > columns ? lettersOf(text) : [text]) {
    const own = widthOf(letter);
    if (line !== '' && width + own > columns) {
      lines.push(line);
      [line, width] = ['', 0];
    }
    line += letter;
    width += own;
  }
  return [...lines, line];
}

const ascii: Record<string, string> = {
  '−': '-',
  '–': '-',
  '—': '--',
  '·': '|',
  '⋯': '...',
  '…': '...',
  '›': '>',
  '→': '->',
  '⏎': '\\n',
  '⟨': '<',
  '⟩': '>',
  '“': '"',
  '”': '"',
  '‘': "'",
  '’': "'",
  '「': '"',
  '」': '"',
};

/**
 * One line of a stranger's text as a terminal may be sent it: whatever it would follow is named, and what it cannot show has
 * something else in its place.
 */
export function safeLine(text: string, { isUnicode }: Pick<Terminal, 'isUnicode'>): string {
  const named = onOneLine(forTerminal(text)).replaceAll('\t', '    ');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII is looked for
  return isUnicode ? named : named.replace(/[^\u0000-\u007f]/gu, (one) => ascii[one] ?? '?');
}

const codes = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', cyan: '36' };

export type Style = keyof typeof codes;

/** A text in a colour, where there are colours. */
export const styled = (text: string, style: Style, { hasColours }: Pick<Terminal, 'hasColours'>): string =>
  hasColours && text !== '' ? `\u001b[${codes[style]}m${text}\u001b[0m` : text;
