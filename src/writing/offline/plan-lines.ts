import type { FileFacts } from '../../reading/facts.ts';
import type { DiffLine, FileDiff } from '../../reading/file-diff.ts';
import { alteredIn } from './altered-pieces.ts';
import { type Piece, piecesOf } from './code-pieces.ts';
import {
  type Block,
  blocksOf,
  headOf,
  isWorthMention,
  join,
  linesThatStay,
  rangeOf,
  type Sides,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import { importsIn } from './import-lines.ts';
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
  const imports = importsIn(diff);
  const isCode = (line: DiffLine): boolean => !words.has(keyOfLine(line)) && !imports.has(keyOfLine(line));
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
      isWorthMention(line.text) && !marked.has(keyOfLine(line)) && !imports.has(keyOfLine(line));
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

type Side = 'removed' | 'added';

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
    removed: found
      .flatMap(({ removed }) => removed)
      .filter(({ text, isTelling }) => isTelling && !isInlined(text)),
    added: found.flatMap(({ added }) => added).filter(({ isTelling }) => isTelling),
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
  const isAltered = {
    removed: alteredIn(diff, 'added', alone.added),
    added: alteredIn(diff, 'removed', alone.removed),
  };
  const stays = linesThatStay(diff);
  const hasGone = blocks.some(({ removed: old }) => old.length > 0);
  const isNews = (side: Side, piece: Piece): boolean => {
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
  const newsOf = (side: Side): Piece[] =>
    near(uniquePieces(alone[side]), textOf)
      .slice(0, mostLookedAt)
      .filter((piece) => isNews(side, piece));
  const [gone, come] = [newsOf('removed'), newsOf('added')];
  // Lines that stand where others stood, which cannot be shown, are not told together with those that do not.
  const isInPlace = (side: Side, piece: Piece): boolean => {
    const other = side === 'removed' ? 'added' : 'removed';
    const beside = found.find((pieces) => pieces[side].includes(piece))?.[other] ?? [];
    return beside.some((one) => !one.isTelling && isNews(other, one));
  };
  const shownOf = (side: Side, pieces: Piece[], others: Piece[]): Piece[] => {
    const [first] = pieces;
    const isFirst = first !== undefined && isInPlace(side, first);
    return pieces.filter((piece) => others.length > 0 || isInPlace(side, piece) === isFirst).slice(0, most);
  };
  const [removed, added] = [shownOf('removed', gone, come), shownOf('added', come, gone)];
  const isSeen = (side: Side, pieces: Piece[]): boolean =>
    replaced.length + pieces.length > 0 || telling.every((block) => block[side].length === 0);
  const isRepeated = areAllAlike(telling) && isSeen('removed', removed) && isSeen('added', added);
  const isWhole =
    (isFew || isRepeated) && removed.length + added.length === alone.removed.length + alone.added.length;
  const pairs = near(replaced, ({ statement }) => JSON.stringify(statement))
    .slice(0, most)
    .map(({ statement, evidence }) =>
      tell(statement.say === 'replaced' ? { ...statement, isPart: !isWhole } : statement, evidence),
    );
  const units = pairs.map((told, place) => unit(told, 20 / (2 + place)));
  if (removed.length + added.length === 0) return units;
  const hasMore = (side: Side, pieces: Piece[]): boolean => {
    const own = new Set(pieces.flatMap(({ lines }) => lines));
    return telling.some((block) => block[side].some((line) => !own.has(line)));
  };
  const statement: Statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    hasMore: { added: !isWhole && hasMore('added', added), removed: !isWhole && hasMore('removed', removed) },
    isInPlace:
      removed.length === 0
        ? added.some((piece) => isInPlace('added', piece))
        : added.length === 0 && removed.some((piece) => isInPlace('removed', piece)),
  };
  const places = [...removed, ...added].map(({ lines }) => rangeOf(path, lines));
  return [...units, unit(tell(statement, places), isWhole ? 9 : 5)];
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
