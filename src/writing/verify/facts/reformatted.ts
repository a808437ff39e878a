import { joinLines } from '../citation.ts';
import { blocksOf } from '../diff-lines.ts';
import type { Scope } from '../scope.ts';

/** Code without what is only its layout. */
const bare = (text: string): string =>
  text
    .replace(/\s+/g, '')
    .replace(/,(?=[)\]}>]|$)/g, '')
    .replace(/[()]/g, '')
    .replace(/,$/, '');

/** The same but for blanks and line breaks; a comma or parenthesis that only the layout asks for is none. */
export function reformattedHolds({ files }: Scope): boolean {
  const blocks = files.flatMap(({ lines }) => blocksOf(lines));
  return (
    blocks.length > 0 &&
    blocks.every((block) => bare(joinLines(block, 'removed')) === bare(joinLines(block, 'added')))
  );
}
