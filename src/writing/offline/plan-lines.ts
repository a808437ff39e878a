import { isImportLine } from '../../reading/edits/import-line.ts';
import type { FileFacts } from '../../reading/facts.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { alteredIn } from './altered-pieces.ts';
import { type Piece, piecesOf } from './code-pieces.ts';
import {
  type Block,
  blocksOf,
  isWorthMention,
  join,
  linesThatStay,
  rangeOf,
  type Sides,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import { type Told, tell, type Unit } from './outline.ts';
import { shownText, shownWords } from './plan-passages.ts';
import {
  commentsIn,
  isDocumentPath,
  keyOfLine,
  markedIn,
  readsAsDocument,
  spokenIn,
  wordsOnlyIn,
} from './prose-lines.ts';
import { callsWhatIsGone } from './removed-declarations.ts';
import type { Statement } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-nearness.ts';

/** What comes after so many places is not looked at. */
const mostBlocks = 12;

/** What the lines themselves say, for a file of which nothing else is known. Nothing is concluded: they are shown. */
export function shownLines(
  file: FileFacts,
  diff: FileDiff | undefined,
  sides: Sides,
  title: TitleWords,
  tellsParts = file.kind !== 'test',
): Unit[] {
  if (!diff || file.skipped !== null || file.status === 'added' || file.status === 'removed') return [];
  const blocks = blocksOf(diff).filter(({ removed, added }) => squeezeAll(removed) !== squeezeAll(added));
  // What tests work on is no document, whatever it is written in.
  if (file.kind === 'test' && isDocumentPath(file.path)) return [];
  if (readsAsDocument(file)) return shownText(diff, blocks, sides);
  const words = wordsOnlyIn(diff);
  const isCode = (line: DiffLine): boolean => !words.has(keyOfLine(line)) && !isImportLine(line.text);
  const only = (isMeant: (line: DiffLine) => boolean): Block[] =>
    blocks
      .map(({ removed, added, ...rest }) => ({
        ...rest,
        removed: removed.filter(isMeant),
        added: added.filter(isMeant),
      }))
      .filter(({ removed, added }) => removed.length + added.length > 0);
  const code = only(isCode);
  const marked = markedIn(diff);
  // Lines that say something, apart from comments and imports.
  const telling = blocks.map(({ removed, added }) => {
    const tells = (line: DiffLine): boolean =>
      isWorthMention(line.text) && !marked.has(keyOfLine(line)) && !isImportLine(line.text);
    return { removed: removed.filter(tells), added: added.filter(tells) };
  });
  const units = shownCode(diff, code, telling, sides, title);
  // A part of what a test does tells nothing of what it shows.
  const shown = tellsParts ? units : units.filter(({ told }) => !told.some(isPartOf));
  if (shown.length > 0) return shown;
  const said = spokenIn(diff);
  const spoken = only((line) => said.has(keyOfLine(line)));
  return shownWords(file, spoken, commentsIn(diff));
}

const isPartOf = ({ statement }: Told): boolean =>
  ('isPart' in statement && statement.isPart) ||
  (statement.say === 'lines' && (statement.hasMore.added || statement.hasMore.removed));

/** More pieces than these are not read one by one: of them, those are shown that the title speaks of, as a part. */
const mostPieces = 4;
const piecesOfMany = 2;
/** Of many, so many are looked at for those that have nothing like them on the other side. */
const mostLookedAt = 8;

/** Lines that were replaced, each told by itself, and those that came and went, told together. */
function shownCode(
  diff: FileDiff,
  blocks: Block[],
  telling: Block[],
  sides: Sides,
  title: TitleWords,
): Unit[] {
  const { path } = diff;
  const isInlined = callsWhatIsGone(diff);
  const found = blocks.slice(0, mostBlocks).map((block) => piecesOf(path, block, sides, blocks));
  const replaced = uniqueOf(found.flatMap((pieces) => pieces.replaced));
  const alone = {
    removed: found.flatMap(({ removed }) => removed).filter(({ text }) => !isInlined(text)),
    added: found.flatMap(({ added }) => added),
  };
  const isRead = new Set(blocks.flatMap(({ removed: old, added: now }) => [...old, ...now]));
  const isFew =
    blocks.length <= mostBlocks &&
    telling.every(({ removed: old, added: now }) => [...old, ...now].every((line) => isRead.has(line))) &&
    found.every((pieces) => pieces.isWhole) &&
    replaced.length + alone.removed.length + alone.added.length <= mostPieces;
  const unit = (told: Told, weight: number): Unit => ({ told: [told], weight, about: null });
  const near = <Item>(items: Item[], textOf: (item: Item) => string): Item[] =>
    isFew
      ? items
      : [...items]
          .map((item) => ({ item, nearness: nearnessTo(title, [textOf(item)]) }))
          .sort((one, other) => other.nearness - one.nearness)
          .map(({ item }) => item);
  const most = isFew ? mostPieces : piecesOfMany;
  const unaltered = (side: 'removed' | 'added', other: 'removed' | 'added'): Piece[] => {
    const isAltered = alteredIn(diff, other, alone[other]);
    // What reads almost the same in another file came from there, or went there.
    const isLike = sides.isLike[other === 'removed' ? 'before' : 'after'];
    return near(uniquePieces(alone[side]), textOf)
      .slice(0, mostLookedAt)
      .filter((piece) => !isAltered(piece) && !isLike(join(piece.lines)));
  };
  // What stands beside it as well is not gone from the file, nor new to it where other lines stood.
  const stays = linesThatStay(diff);
  const isKept = ({ lines }: Piece): boolean => lines.every(({ text }) => stays.has(squeeze(text)));
  const [gone, come] = [
    unaltered('removed', 'added').filter((piece) => !isKept(piece)),
    unaltered('added', 'removed').filter((piece) => !(piece.isInPlace && isKept(piece))),
  ];
  const [removed, added] = [shownOf(gone, come.length === 0, most), shownOf(come, gone.length === 0, most)];
  const isWhole = isFew && removed.length + added.length === alone.removed.length + alone.added.length;
  const pairs = near(replaced, ({ statement }) => JSON.stringify(statement))
    .slice(0, most)
    .map(({ statement, evidence }) =>
      tell(statement.say === 'replaced' ? { ...statement, isPart: !isWhole } : statement, evidence),
    );
  const units = pairs.map((told, place) => unit(told, 20 / (2 + place)));
  if (removed.length + added.length === 0) return units;
  const hasMore = (side: 'added' | 'removed', pieces: Piece[]): boolean => {
    const own = new Set(pieces.flatMap(({ lines }) => lines));
    return telling.some((block) => block[side].some((line) => !own.has(line)));
  };
  const statement: Statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    hasMore: { added: !isWhole && hasMore('added', added), removed: !isWhole && hasMore('removed', removed) },
    isInPlace: [...removed, ...added].every((one) => one.isInPlace),
  };
  const places = [...removed, ...added].map(({ lines }) => rangeOf(path, lines));
  return [...units, unit(tell(statement, places), isWhole ? 9 : 5)];
}

/** Where nothing of the other side is shown, lines that stand in the place of others are not told with those that do not. */
const shownOf = (pieces: Piece[], isOneSided: boolean, most: number): Piece[] =>
  pieces.filter(({ isInPlace }) => !isOneSided || isInPlace === pieces[0]?.isInPlace).slice(0, most);

const uniquePieces = (pieces: Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [piece.text, piece])).values(),
];

const uniqueOf = (told: Told[]): Told[] => [
  ...new Map(told.map((one) => [JSON.stringify(one.statement), one])).values(),
];

const textOf = ({ text }: Piece): string => text;
