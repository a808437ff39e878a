import { pictureSign } from './markup-piece.ts';
import { isOnlyReferences } from './references.ts';

/** Where something between words was left out. */
export const leftOut = '…';

/** Shorter lines than this were ended by their author and not by a margin. */
const narrowestMargin = 50;

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFF60]/gu;
/** Scripts that put no blank between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u3000-\u303F\uFF00-\uFF60]/u;
const goesOn = /^[\p{Ll}\p{Nd}(`,;&+=]|^(?:→|->)/u;
const isOpen =
  /(?:^| )(?:an?|and|at|by|for|from|in|into|is|of|on|or|that|the|this|to|via|was|when|which|with)$|,$/i;
const isEnded = /[.!?:;。！？：…]["'”’)\]）」』]*$/u;

/** Undoes the wrapping of lines: a line goes on in the next one where it is too long or the next one too small. */
export function joinLines(lines: string[]): string {
  const pieces: string[] = [];
  let last = '';
  for (const line of lines) {
    const words = withoutPictures(line.replace(/\\$/, '').trim());
    const isPicture = words === '' && line.includes(pictureSign);
    if (words !== '') {
      if (pieces.length > 0 && pieces.at(-1) !== end)
        pieces.push(last !== '' && isWrapped(last, words) ? gap(last, words) : '\n');
      pieces.push(words);
    } else if (isPicture && pieces.length > 0 && pieces.at(-1) !== end) pieces.push(end);
    last = words;
  }
  return pieces.join('').trimEnd();
}

/** What stands above and below a picture are no lines of one sentence. */
const end = '\n\n';

/** Beside words a picture is left out, and between them its place is marked: they were not written as one sentence. */
const withoutPictures = (line: string): string =>
  line.includes(pictureSign)
    ? line
        .split(pictureSign)
        .map((words) => words.trim())
        .filter((words) => words !== '')
        .join(` ${leftOut} `)
    : line;

function isWrapped(line: string, next: string): boolean {
  if (/^\p{Lu}/u.test(next) && isOnlyReferences(next)) return isOpen.test(line);
  if (/^https?:\/\/\S+$/.test(next) && !isEnded.test(line)) return true;
  const width = line.length + (line.match(wide)?.length ?? 0);
  if (width >= narrowestMargin) return true;
  return isOpen.test(line) || (goesOn.test(next) && !isEnded.test(line));
}

function gap(line: string, next: string): string {
  const last = line.at(-1) ?? '';
  return unspaced.test(last) && unspaced.test(next.charAt(0)) ? '' : ' ';
}
