/** What the fonts that we bring have, of what can be seen. Whatever else stands in a text would be drawn as an empty box. */
const drawable =
  /^[ -~\u00a1-\u00ac\u00ae-\u0131\u0134-\u0148\u014a-\u017e\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2212]+$/;

/** Whether every character of a text can be drawn. */
export const canBeDrawn = (text: string): boolean => drawable.test(text);

/** How wide Newsreader draws the characters from the blank on, in hundredths of the size of the text. */
const widths =
  '23 27 35 57 57 78 72 20 28 28 44 51 24 35 23 40 57 57 57 57 57 57 57 57 57 57 25 27 51 51 51 44 89 71 64 71 76 64 59 75 80 34 45 73 60 98 77 78 61 78 65 55 67 77 69 97 72 68 63 33 40 33 51 41 50 46 55 44 56 46 35 50 56 28 25 54 27 83 57 53 56 54 39 38 34 54 53 74 51 52 43 32 25 32 51'
    .split(' ')
    .map((width) => Number(width) / 100);

/** Of anything that is no letter of those with an accent. */
const usualWidth = 0.9;

const widthOf = (character: string): number =>
  widths[(character.normalize('NFD').codePointAt(0) ?? 0) - 32] ?? usualWidth;

/** How wide a text is, as a multiple of its size. */
const widthOfText = (text: string): number =>
  [...text].reduce((width, character) => width + widthOf(character), 0);

interface Room {
  /** As a multiple of the size of the text. */
  width: number;
  lines: number;
}

/** A text in lines that fit: parted at blanks, within words that are longer than a line, and cut where it is too long. */
export function fitText(text: string, room: Room): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap((one) => partWord(one, room.width))) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOfText(longer) <= room.width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, room.lines);
  const last = shown.at(-1);
  if (lines.length > shown.length && last !== undefined) shown[shown.length - 1] = cutLine(last, room.width);
  return shown;
}

function partWord(word: string, width: number): string[] {
  const parts = [''];
  for (const character of word) {
    const longer = parts.at(-1) + character;
    if (widthOfText(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}

function cutLine(line: string, width: number): string {
  let cut = line;
  while (cut !== '' && widthOfText(`${cut}…`) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}
