import type { DiffLine } from '../../reading/file-diff.ts';
import { givenName } from './altered-pieces.ts';
import { type Piece, piecesOf } from './code-pieces.ts';
import { isRow } from './code-statement.ts';
import { type Block, join, rangeOf, replacement, type Sides, withoutBraces } from './compare-lines.ts';
import { documentWords } from './document-words.ts';
import { type Told, tell } from './outline.ts';
import type { Statement } from './statements.ts';

/** More pieces than these are no example to read. */
const mostPieces = 4;

const textOf = ({ text }: Piece): string => text;

/** Examples, settings and rows of tables in a document are shown as the code that they are, where they can be shown whole. */
export function exampleOf(path: string, block: Block, sides: Sides & Block): Told[] {
  const { replaced, removed, added, isWhole } = piecesOf(path, block, sides);
  const isElsewhere = (pieces: Piece[], other: 'before' | 'after'): boolean => {
    const others = sides[other === 'before' ? 'removed' : 'added'];
    const names = new Set(others.map(({ text }) => givenName(text)));
    const hasRows = others.some(({ text }) => isRow(text.trim()));
    return pieces.some(({ text, lines }) => {
      const name = givenName(text);
      return (
        sides.isLike[other](join(lines)) ||
        (name !== undefined && names.has(name)) ||
        // Where rows come and go, one may be what became of another.
        (hasRows && lines.some((line) => isRow(line.text.trim())))
      );
    });
  };
  if (
    !isWhole ||
    replaced.length + removed.length + added.length > mostPieces ||
    isElsewhere(removed, 'after') ||
    isElsewhere(added, 'before')
  )
    return replaced.slice(0, 1);
  if (removed.length + added.length === 0)
    return replaced.length > 0 ? replaced : changedMarks(path, block, sides);
  const statement: Statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    hasMore: { added: false, removed: false },
    isInPlace: false,
  };
  return [
    ...replaced,
    tell(
      statement,
      [...removed, ...added].map(({ lines }) => rangeOf(path, lines)),
    ),
  ];
}

/** A single line in the place of one that has the same words: what changes is its marks, and not where its lines break. */
export function changedMarks(path: string, { removed, added }: Block, { before, after }: Sides): Told[] {
  const [old, now] = [removed[0], added[0]];
  if (!old || !now || removed.length > 1 || added.length > 1) return [];
  const wordsOf = ({ text }: DiffLine): string => (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).join(' ');
  const bare = ({ text }: DiffLine): string => documentWords(text).replace(/,$/, '');
  // A brace that another one closes in a line of its own was put around what was there.
  const isWrapped =
    (before.has('}') || after.has('}')) && withoutBraces(old.text) === withoutBraces(now.text);
  return wordsOf(old) === wordsOf(now) && bare(old) !== bare(now) && !isWrapped
    ? replacement(path, removed, added, 'marks')
    : [];
}

/** A line of an example, as most documents indent them. */
export const isExample = (text: string): boolean => /^(?: {4}|\t)|^\s*$/.test(text);

export const looksLikeExample =
  /->|=>|[;{}]\s*$|(?:^|\s)\$\w|:=|^(?:func|fn|def|class|public|private|import|return|const|let|var)\b.*[({=]|^["'][^"']+["']\s+["']/;
