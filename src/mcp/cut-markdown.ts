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
  const [, before = '', fence, words = ''] = /^((?:(?!`{3})[^\n]*\n)*)(`{3,})([^\n]*)\n/.exec(text) ?? [];
  if (fence === undefined || !text.endsWith(`\n${fence}`)) return cutLines(text, mostBlockBytes);
  const inside = text.slice(before.length + fence.length + words.length + 1, -fence.length - 1);
  const room = mostBlockBytes - bytesOf(`${before}${fence}${words}${fence}`) - 8;
  return cutLines(inside, Math.max(room, mostBlockBytes / 2)).map(
    (lines, index) => `${index === 0 ? before : ''}${fence}${words}\n${lines}\n${fence}`,
  );
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
