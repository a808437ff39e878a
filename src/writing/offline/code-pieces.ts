import type { DiffLine } from '../../reading/file-diff.ts';
import { wordsIn } from './better-elsewhere.ts';
import { type ComparedBlock, compareBlock, isReplacement, pairsIn } from './block-pairs.ts';
import { clipLine, clipRow } from './clip.ts';
import { isBalancedCode, isRow, isStatement } from './code-statement.ts';
import { type Block, join, replacement, type Sides, squeeze } from './compare-lines.ts';
import { leastAlike, likenessOf } from './likeness.ts';
import type { Told } from './outline.ts';
import { isBelow, longestInLines } from './pair-statements.ts';
import { isDocumentPath } from './prose-lines.ts';

/** A statement of code, on as many lines as it takes. */
export interface Piece {
  text: string;
  lines: DiffLine[];
  /** Whether it can be shown by itself: a whole statement, no part of one, and nothing that others stand in the place of. */
  isTelling: boolean;
}

export interface Pieces {
  replaced: Told[];
  removed: Piece[];
  added: Piece[];
  /** Whether nothing that says something is left out. */
  isWhole: boolean;
}

/** What a block of lines does. */
export function piecesOf(path: string, block: Block, sides: Sides, around: Block[] = []): Pieces {
  const compared = compareBlock(block, sides);
  if (compared === null) return { replaced: [], removed: [], added: [], isWhole: true };
  const { going, coming, gone, fresh } = compared;
  const pairs = pairsIn(compared, sides);
  const replaced = pairs.flatMap((pair) =>
    isReplacement(pair, compared, sides, around)
      ? replacement(path, pair[0].lines, pair[1].lines, 'code')
      : [],
  );
  const paired = new Set(pairs.flat().flatMap(({ lines }) => lines));
  const unpaired = (lines: DiffLine[]): DiffLine[] => lines.filter((line) => !paired.has(line));
  const twins = twinsIn(
    unpaired(going).filter((line) => gone.has(line)),
    unpaired(coming).filter((line) => fresh.has(line)),
    compared,
  );
  const alone = (lines: DiffLine[], news: Set<DiffLine>): DiffLine[][] =>
    joinBroken(unpaired(lines)).filter(
      (own) => own.some((line) => news.has(line)) && !own.some((line) => twins.has(line)),
    );
  const [left, come] = [alone(going, gone), alone(coming, fresh)];
  // A single word is an item of a list, where nothing else changes beside it.
  const isItem = left.length + come.length === 1 && /^[-*]\s+\S+$/.test(join(left[0] ?? come[0] ?? []));
  const toPieces = (all: DiffLine[][], hasGivenWay: boolean): Piece[] =>
    all.map((lines) => ({
      text: (isRow(join(lines)) ? clipRow : clipLine)(join(lines), longestPiece),
      lines,
      isTelling: !hasGivenWay && (isItem || isTelling(path, lines)),
    }));
  const removed = toPieces(left, come.length === 0 && isOpposed(going, unpaired(coming)));
  const added = toPieces(come, left.length === 0 && isOpposed(coming, unpaired(going)));
  const isWhole =
    going.length === block.removed.length &&
    coming.length === block.added.length &&
    replaced.length === pairs.length &&
    twins.size === 0 &&
    [...removed, ...added].every((piece) => piece.isTelling);
  return { replaced, removed, added, isWhole };
}

/** What is like a line that went, or came, and cannot be told to have become of it: it has not come or gone either. */
const twinsIn = (old: DiffLine[], now: DiffLine[], { going, coming }: ComparedBlock): Set<DiffLine> =>
  new Set([
    ...old.flatMap((was) =>
      now.flatMap((is) => (likenessOf(wordsIn(was), wordsIn(is)) >= leastAlike ? [was, is] : [])),
    ),
    ...spreadOver(old, coming),
    ...spreadOver(now, going),
  ]);

/** Whether a line that is no news stands in the place of others: these have neither come nor gone, but given way. */
function isOpposed(lines: DiffLine[], others: DiffLine[]): boolean {
  const known = new Set(lines.map(({ text }) => squeeze(text)));
  return others.some(({ text }) => /\p{L}{2,}/u.test(text) && !known.has(squeeze(text)));
}

/** A statement of several lines is longer than one of a single line. */
const longestPiece = 140;

/** Lines that open a bracket and close it further down are one statement. */
function joinBroken(lines: DiffLine[]): DiffLine[][] {
  const pieces: DiffLine[][] = [];
  for (const line of lines) {
    const open = pieces.at(-1);
    const above = open?.at(-1);
    if (open && above && !isBalancedCode(join(open)) && isBelow(above, line)) open.push(line);
    else pieces.push([line]);
  }
  return pieces;
}

/** What is cut short for its length is still a whole statement; one of many short lines is shown to its end. */
function isTelling(path: string, lines: DiffLine[]): boolean {
  const text = join(lines);
  const isEntry = lines.length > 1 && (isDocumentPath(path) || isJson.test(path));
  return (
    (lines.length <= longestInLines || text.length <= longestPiece) &&
    isStatement(isEntry ? text.replace(/(?<=[)\]}]),$/, '') : text)
  );
}

const isJson = /\.json[c5]?$/;

/** Fewer words stand among others by chance. */
const leastSpread = 4;

/** Lines whose words all stand on lines of the other side, on which they were spread with others, or from which they were gathered. */
function spreadOver(lines: DiffLine[], others: DiffLine[]): DiffLine[] {
  const words = new Set(others.flatMap((line) => [...wordsIn(line)]));
  return lines.filter((line) => {
    const own = wordsIn(line);
    return own.size >= leastSpread && [...own].every((word) => words.has(word));
  });
}
