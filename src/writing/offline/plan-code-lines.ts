import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { alteredIn } from './altered-pieces.ts';
import { type Piece, type Pieces, piecesOf } from './code-pieces.ts';
import { type Block, headOf, join, linesThatStay, rangeOf, type Sides, squeeze } from './compare-lines.ts';
import { type Told, tell, type Unit } from './outline.ts';
import { callsWhatIsGone } from './removed-declarations.ts';
import { nearnessTo, type TitleWords } from './title-nearness.ts';

/** What comes after so many places is not looked at. */
const mostBlocks = 12;
/** More pieces than these are not read one by one: of them, those are shown that the title speaks of, as a part. */
const mostPieces = 4;
const piecesOfMany = 2;
/** Of many, so many are looked at for those that have nothing like them on the other side. */
const mostLookedAt = 8;

type Side = 'removed' | 'added';
const sideOpposite = { removed: 'added', added: 'removed' } as const;

/** Lines that were replaced, each told by itself, and those that came and went, told together. */
export function shownCode(
  diff: FileDiff,
  blocks: Block[],
  telling: Block[],
  sides: Sides,
  title: TitleWords,
): Unit[] {
  const { perBlock, replaced, alone, isFew } = findPieces(diff, blocks, telling, sides);
  const isNews = newsTest(diff, blocks, alone, sides);
  const most = isFew ? mostPieces : piecesOfMany;
  const nearest = <Item>(items: Item[], textOf: (item: Item) => string): Item[] =>
    isFew ? items : byNearness(items, textOf, title);
  const newsOf = (side: Side): Piece[] =>
    nearest(uniquePieces(alone[side]), textOf)
      .slice(0, mostLookedAt)
      .filter((piece) => isNews(side, piece));
  // Lines that stand where others stood, which cannot be shown, are not told together with those that do not.
  const isInPlace = (side: Side, piece: Piece): boolean => {
    const other = sideOpposite[side];
    const beside = perBlock.find((pieces) => pieces[side].includes(piece))?.[other] ?? [];
    return beside.some((one) => !one.isTelling && isNews(other, one));
  };
  const shownOf = (side: Side, pieces: Piece[], others: Piece[]): Piece[] => {
    const [first] = pieces;
    const isFirst = first !== undefined && isInPlace(side, first);
    return pieces.filter((piece) => others.length > 0 || isInPlace(side, piece) === isFirst).slice(0, most);
  };
  const [gone, come] = [newsOf('removed'), newsOf('added')];
  const shown = { removed: shownOf('removed', gone, come), added: shownOf('added', come, gone) };
  const count = shown.removed.length + shown.added.length;
  const isSeen = (side: Side): boolean =>
    replaced.length + shown[side].length > 0 || telling.every((block) => block[side].length === 0);
  const isRepeated = areAllAlike(telling) && isSeen('removed') && isSeen('added');
  const isWhole = (isFew || isRepeated) && count === alone.removed.length + alone.added.length;
  const units = nearest(replaced, ({ statement }) => JSON.stringify(statement))
    .slice(0, most)
    .map(({ statement, evidence }, place) =>
      unit(
        tell(statement.say === 'replaced' ? { ...statement, isPart: !isWhole } : statement, evidence),
        20 / (2 + place),
      ),
    );
  if (count === 0) return units;
  const hasMore = (side: Side): boolean => !isWhole && leavesOut(telling, side, shown[side]);
  const single = shown.removed.length === 0 ? 'added' : shown.added.length === 0 ? 'removed' : null;
  const lines = tell(
    {
      say: 'lines',
      symbol: null,
      added: shown.added.map(textOf),
      removed: shown.removed.map(textOf),
      hasMore: { added: hasMore('added'), removed: hasMore('removed') },
      isInPlace: single !== null && shown[single].some((piece) => isInPlace(single, piece)),
    },
    [...shown.removed, ...shown.added].map((piece) => rangeOf(diff.path, piece.lines)),
  );
  return [...units, unit(lines, isWhole ? 9 : 5)];
}

interface Found {
  perBlock: Pieces[];
  replaced: Told[];
  /** What came or went without anything in its place. */
  alone: Record<Side, Piece[]>;
  /** Whether these are all there is, and few enough to be told one by one. */
  isFew: boolean;
}

function findPieces(diff: FileDiff, blocks: Block[], telling: Block[], sides: Sides): Found {
  const isInlined = callsWhatIsGone(diff);
  const perBlock = blocks.slice(0, mostBlocks).map((block) => piecesOf(diff.path, block, sides, blocks));
  const replaced = uniqueOf(perBlock.flatMap((pieces) => pieces.replaced));
  const alone = {
    removed: perBlock
      .flatMap(({ removed }) => removed)
      .filter(({ text, isTelling }) => isTelling && !isInlined(text)),
    added: perBlock.flatMap(({ added }) => added).filter(({ isTelling }) => isTelling),
  };
  const read = new Set(blocks.flatMap(changedLines));
  const isFew =
    blocks.length <= mostBlocks &&
    telling.every((block) => changedLines(block).every((line) => read.has(line))) &&
    perBlock.every((pieces) => pieces.isWhole) &&
    replaced.length + alone.removed.length + alone.added.length <= mostPieces;
  return { perBlock, replaced, alone, isFew };
}

/** Whether a piece came or went, and is not what became of another one, here or in another file. */
function newsTest(
  diff: FileDiff,
  blocks: Block[],
  alone: Found['alone'],
  sides: Sides,
): (side: Side, piece: Piece) => boolean {
  const isAltered = {
    removed: alteredIn(diff, 'added', alone.added),
    added: alteredIn(diff, 'removed', alone.removed),
  };
  const stays = linesThatStay(diff);
  const hasGone = blocks.some(({ removed }) => removed.length > 0);
  return (side, piece) => {
    const { lines } = piece;
    const other = side === 'removed' ? 'after' : 'before';
    const head = headOf(lines[0]?.text ?? '');
    return (
      !isAltered[side](piece) &&
      // What reads almost the same in another file, or begins so, came from there, or went there.
      !sides.isLike[other](join(lines)) &&
      !(head !== null && sides.heads[other].has(head)) &&
      // What stands beside it as well is not gone from the file, nor what took the place of something.
      !(hasGone && lines.slice(0, 1).every(({ text }) => stays.has(squeeze(text))))
    );
  };
}

const unit = (told: Told, weight: number): Unit => ({ told: [told], weight, about: null });

const changedLines = ({ removed, added }: Block): DiffLine[] => [...removed, ...added];

const byNearness = <Item>(items: Item[], textOf: (item: Item) => string, title: TitleWords): Item[] =>
  items
    .map((item) => ({ item, nearness: nearnessTo(title, [textOf(item)]) }))
    .sort((one, other) => other.nearness - one.nearness)
    .map(({ item }) => item);

/** Whether lines of a side say something that none of the pieces shows. */
function leavesOut(telling: Block[], side: Side, pieces: Piece[]): boolean {
  const shown = new Set(pieces.flatMap(({ lines }) => lines));
  return telling.some((block) => block[side].some((line) => !shown.has(line)));
}

/** Whether the same line gives way to the same one in each place. */
const areAllAlike = (blocks: Block[]): boolean =>
  ['removed' as const, 'added' as const].every(
    (side) => new Set(blocks.flatMap((block) => block[side].map(({ text }) => squeeze(text)))).size === 1,
  );

const uniquePieces = (pieces: Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [piece.text, piece])).values(),
];

const uniqueOf = (told: Told[]): Told[] => [
  ...new Map(told.map((one) => [JSON.stringify(one.statement), one])).values(),
];

const textOf = ({ text }: Piece): string => text;
