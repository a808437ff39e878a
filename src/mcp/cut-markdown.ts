import { bytesOf, mostPieceBytes, type Piece } from './answer-size.ts';

/** A piece is answered as text and as data. */
const mostBlockBytes = mostPieceBytes / 2;

/** Blocks of Markdown, the larger ones in several pieces, each of which is Markdown. */
export function cutMarkdown(blocks: { text: string }[]): Piece<string>[] {
  return blocks.flatMap(({ text }) => (bytesOf(text) <= mostBlockBytes ? [text] : cutBlock(text))).map(piece);
}

const piece = (text: string): Piece<string> => ({ text, data: text });

/** Cut where a line ends. What stands in a fence stays in one. */
function cutBlock(text: string): string[] {
  const lines = text.split('\n');
  const fence = lines.at(-1) ?? '';
  const start = /^`{3,}$/.test(fence) ? lines.findIndex((line) => /^`{3,}\w*$/.test(line)) : -1;
  if (start === -1 || start === lines.length - 1) return cutLines(text, mostBlockBytes);
  const opening = lines[start] ?? '';
  const room = mostBlockBytes - bytesOf(opening) - bytesOf(fence);
  const inside = cutLines(lines.slice(start + 1, -1).join('\n'), room);
  const above = cutLines(lines.slice(0, start).join('\n'), mostBlockBytes);
  return [...above, ...inside.map((some) => `${opening}\n${some}\n${fence}`)].filter((one) => one !== '');
}

function cutLines(text: string, most: number): string[] {
  const pieces: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const line of text.split('\n').flatMap((one) => cutLine(one, most))) {
    const size = bytesOf(line);
    if (lines.length > 0 && bytes + size > most) {
      pieces.push(lines.join('\n'));
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += size;
  }
  return [...pieces, lines.join('\n')];
}

/** No character has more bytes than this in JSON. */
const mostBytesOfCharacter = 6;

/** A line that is too long by itself is cut anywhere but within a character. */
function cutLine(line: string, most: number): string[] {
  if (bytesOf(line) <= most) return [line];
  const characters = [...line];
  const each = Math.floor((most - 2) / (2 * mostBytesOfCharacter));
  return Array.from({ length: Math.ceil(characters.length / each) }, (_, index) =>
    characters.slice(index * each, (index + 1) * each).join(''),
  );
}
