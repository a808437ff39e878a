import { plainText } from '../plain-text.ts';

/** Words of scripts with blanks, and single characters of those without. */
const word =
  /[\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]|[^\P{L}\u3040-\u30ff\u3400-\u9fff\uff66-\uff9f]+|\p{N}+/gu;

/** The words of a text, each with a blank on either side: how it is wrapped, marked or punctuated makes no difference. */
const foldWords = (text: string): string => ` ${(text.toLowerCase().match(word) ?? []).join(' ')} `;

let known = new Map<string, string[]>();

/** One text is often asked for several names in a row; no more texts than these are kept. */
const mostKept = 8;

/** A text in the forms in which it may be quoted: as it stands, and without links and markup. */
export function foldsOf(text: string): string[] {
  const found = known.get(text);
  if (found) return found;
  if (known.size >= mostKept) known = new Map();
  const folds = [foldWords(text), foldWords(plainText(text))];
  known.set(text, folds);
  return folds;
}

/**
 * Whether words stand in a folded text one after the other. An ellipsis stands for what is left out, and whole sentences
 * may be left out between others.
 */
export function quotesFrom(folded: string[], quotation: string): boolean {
  const pieces = quotation.split(/…|\.\.\./u);
  const sentences = pieces.flatMap((piece) => piece.split(/(?<=[.!?]["”)]?)\s+|(?<=[。！？])/u));
  return folded.some((text) => standInOrder(text, pieces) || standInOrder(text, sentences));
}

function standInOrder(text: string, pieces: string[]): boolean {
  let from = 0;
  return pieces.every((piece) => {
    const words = foldWords(piece);
    if (words.trim() === '') return true;
    const found = text.indexOf(words, from);
    // The blank behind a piece is also the one before the next.
    from = found + words.length - 1;
    return found >= 0;
  });
}
