import { splitLine } from '../../reading/description/sentences.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { isBalanced, isProse, plainText } from '../plain-text.ts';
import { clipLine, clipPair } from './clip.ts';
import { isBalancedCode, isStatement } from './code-statement.ts';
import { quoteCode, type Told, tell, type Unit } from './outline.ts';
import { importing } from './plan-edits.ts';
import { isDocumentPath, keyOfLine, wordsOnlyIn } from './prose-lines.ts';
import type { Statement } from './statements.ts';
import { nearnessTo, type TitleWords } from './title-nearness.ts';

/** Lines that changed one after the other. */
interface Block {
  removed: DiffLine[];
  added: DiffLine[];
}

/** What comes after so many places is not looked at. */
const mostBlocks = 12;
const mostUnits = 3;

/** What the lines themselves say, for a file of which nothing else is known. Nothing is concluded: they are shown. */
export function shownLines(
  file: FileFacts,
  diff: FileDiff | undefined,
  sides: Sides,
  title: TitleWords,
): Unit[] {
  if (!diff || file.skipped !== null || file.status === 'added' || file.status === 'removed') return [];
  const blocks = blocksOf(diff).filter(({ removed, added }) => squeezeAll(removed) !== squeezeAll(added));
  if (file.kind === 'documentation' || isDocumentPath(file.path)) return shownText(file.path, blocks, sides);
  const words = wordsOnlyIn(diff);
  const isCode = (line: DiffLine): boolean =>
    !words.has(keyOfLine(line)) && !importing.test(line.text.trim());
  const code = blocks
    .map(({ removed, added }) => ({ removed: removed.filter(isCode), added: added.filter(isCode) }))
    .filter(({ removed, added }) => removed.length + added.length > 0);
  const units = shownCode(file.path, code, sides, title);
  // A part of what a test does tells nothing of what it shows.
  return file.kind === 'test' ? units.filter(({ told }) => !told.some(isPartOf)) : units;
}

const isPartOf = ({ statement }: Told): boolean => 'isPart' in statement && statement.isPart;

function shownText(path: string, blocks: Block[], sides: Sides): Unit[] {
  const known = {
    ...sides,
    removed: blocks.flatMap(({ removed }) => removed),
    added: blocks.flatMap(({ added }) => added),
  };
  const told = blocks.slice(0, mostBlocks).flatMap((block) => showText(path, block, known));
  const unique = new Map(told.map((one) => [JSON.stringify(one.statement), one]));
  return [...unique.values()]
    .slice(0, mostUnits)
    .map((one, place) => ({ told: [one], weight: 20 / (2 + place), about: null }));
}

/** More pieces than these are not read one by one: of them, those are shown that the title speaks of, as a part. */
const mostPieces = 4;
const piecesOfMany = 2;

/** Lines that were replaced, each told by itself, and those that came and went, told together. */
function shownCode(path: string, blocks: Block[], sides: Sides, title: TitleWords): Unit[] {
  const found = blocks.slice(0, mostBlocks).map((block) => piecesOf(path, block, sides));
  const replaced = uniqueOf(found.flatMap((pieces) => pieces.replaced));
  const alone = {
    removed: found.flatMap(({ removed }) => removed),
    added: found.flatMap(({ added }) => added),
  };
  const isWhole =
    blocks.length <= mostBlocks &&
    found.every((pieces) => pieces.isWhole) &&
    replaced.length + alone.removed.length + alone.added.length <= mostPieces;
  const unit = (told: Told, weight: number): Unit => ({ told: [told], weight, about: null });
  const near = <Item>(items: Item[], textOf: (item: Item) => string): Item[] =>
    isWhole
      ? items
      : [...items]
          .map((item) => ({ item, nearness: nearnessTo(title, [textOf(item)]) }))
          .sort((one, other) => other.nearness - one.nearness)
          .slice(0, piecesOfMany)
          .map(({ item }) => item);
  const pairs = near(replaced, ({ statement }) => JSON.stringify(statement)).map(({ statement, evidence }) =>
    tell(statement.say === 'replaced' ? { ...statement, isPart: !isWhole } : statement, evidence),
  );
  const units = pairs.map((told, place) => unit(told, 20 / (2 + place)));
  const [removed, added] = [
    near(uniquePieces(alone.removed), textOf),
    near(uniquePieces(alone.added), textOf),
  ];
  if (removed.length + added.length === 0) return units;
  const statement: Statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    isPart: !isWhole,
  };
  const places = [...removed, ...added].map(({ lines }) => rangeOf(path, lines));
  return [...units, unit(tell(statement, places), isWhole ? 9 : 5)];
}

const uniquePieces = (pieces: Piece[]): Piece[] => [
  ...new Map(pieces.map((piece) => [piece.text, piece])).values(),
];

const uniqueOf = (told: Told[]): Told[] => [
  ...new Map(told.map((one) => [JSON.stringify(one.statement), one])).values(),
];

function blocksOf(diff: FileDiff): Block[] {
  const blocks: Block[] = [];
  for (const hunk of diff.hunks) {
    let block: Block | null = null;
    for (const line of linesOf(hunk)) {
      if (line.side === 'context') block = null;
      else {
        if (!block) {
          block = { removed: [], added: [] };
          blocks.push(block);
        }
        block[line.side].push(line);
      }
    }
  }
  return blocks;
}

const commentMark = /^\s*(?:\/\/[/!]?|\/\*+|\*(?!\*)|#+|--|;;)\s?/;

/** A line without blanks and without the mark of a comment: what two of them have in common was only laid out anew. */
export const squeeze = (text: string): string => text.replace(commentMark, '').replace(/\s+/g, '');
const squeezeAll = (lines: DiffLine[]): string => lines.map(({ text }) => squeeze(text)).join('');

const join = (lines: DiffLine[]): string =>
  lines
    .map(({ text }) => text.trim())
    .filter((text) => !/^(?:```|~~~)|^([=\-~^"'`*+#])\1{2,}$/.test(text))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** What each side of a change says: what stands on both has only moved. */
export interface Sides {
  before: Set<string>;
  after: Set<string>;
}

/** A larger change was made by a program, and nobody asks which of its lines moved. */
const mostBytes = 4_000_000;

export function sidesOf(diff: FileDiff[]): Sides {
  const sides: Sides = { before: new Set(), after: new Set() };
  if (diff.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes) return sides;
  for (const hunk of diff.flatMap(({ hunks }) => hunks)) {
    for (const { side, text } of linesOf(hunk)) {
      if (side !== 'context') sides[side === 'added' ? 'after' : 'before'].add(squeeze(text));
    }
  }
  return sides;
}

/** Where a link of a document goes to, and what stands in an empty list, tells nothing. */
const isIdle = (text: string): boolean => /^\s*\[[^\]]+\]:\s|^\s*[-*]?\s*None\.?$/.test(text);

const saysSomething = (text: string): boolean => /[\p{L}\p{N}]{2,}/u.test(text) && !isIdle(text);

/** Each line is held against each of the other side, and a few of them are told. */
const mostCompared = 200;

/** A statement of code, on as many lines as it takes. */
interface Piece {
  text: string;
  lines: DiffLine[];
}

const textOf = ({ text }: Piece): string => text;

interface Pieces {
  replaced: Told[];
  removed: Piece[];
  added: Piece[];
  /** Whether nothing that says something is left out. */
  isWhole: boolean;
}

/** What a block of lines does. What is laid out anew stands whole on the other side, over several lines or as part of one. */
function piecesOf(path: string, block: Block, { before, after }: Sides): Pieces {
  const wholeBefore = squeezeAll(block.removed);
  const wholeAfter = squeezeAll(block.added);
  if (wholeBefore === wholeAfter) return { replaced: [], removed: [], added: [], isWhole: true };
  const isJoined =
    block.removed.length !== block.added.length && Math.max(block.removed.length, block.added.length) <= 4;
  if (isJoined && likeness(join(block.removed), join(block.added)) >= leastAlike) {
    const replaced = replacement(path, block.removed, block.added, 'code');
    return { replaced, removed: [], added: [], isWhole: replaced.length > 0 };
  }
  const isNews = (text: string, others: Set<string>, whole: string): boolean =>
    saysSomething(text) &&
    !others.has(squeeze(text)) &&
    !whole.includes(squeeze(text).replace(/[;,{]+$/, ''));
  const [going, coming] = [block.removed.slice(0, mostCompared), block.added.slice(0, mostCompared)];
  const gone = new Set(going.filter(({ text }) => isNews(text, after, wholeAfter)));
  const fresh = new Set(coming.filter(({ text }) => isNews(text, before, wholeBefore)));
  const pairs = pairLines(going, coming, (old, now) => gone.has(old) || fresh.has(now));
  const paired = new Set(pairs.flat());
  const replaced = pairs.flatMap(([old, now]) => replacement(path, [old], [now], 'code'));
  const alone = (lines: DiffLine[], news: Set<DiffLine>) =>
    joinBroken(lines.filter((line) => !paired.has(line))).filter((piece) =>
      piece.lines.some((line) => news.has(line)),
    );
  const [removed, added] = [alone(going, gone), alone(coming, fresh)];
  const telling = [removed.filter(isTelling), added.filter(isTelling)] as const;
  const isWhole =
    going.length === block.removed.length &&
    coming.length === block.added.length &&
    replaced.length === pairs.length &&
    telling[0].length === removed.length &&
    telling[1].length === added.length;
  return { replaced, removed: telling[0], added: telling[1], isWhole };
}

/** A statement of several lines is longer than one of a single line. */
const longestPiece = 140;
const longestInLines = 5;

/** Lines that open a bracket and close it further down are one statement. */
function joinBroken(lines: DiffLine[]): Piece[] {
  const pieces: Piece[] = [];
  let open: DiffLine[] = [];
  const finish = () => {
    if (open.length > 0) pieces.push({ text: clipLine(join(open), longestPiece), lines: open });
    open = [];
  };
  for (const line of lines) {
    const above = open.at(-1);
    if (above && (isBalancedCode(join(open)) || !isBelow(above, line))) finish();
    open.push(line);
  }
  finish();
  return pieces;
}

const numberOf = ({ oldLine, newLine }: DiffLine): number => newLine ?? oldLine ?? 0;
const isBelow = (above: DiffLine, line: DiffLine): boolean => numberOf(line) === numberOf(above) + 1;

/** What is cut short for its length is still a whole statement. */
const isTelling = ({ lines }: Piece): boolean => lines.length <= longestInLines && isStatement(join(lines));

/** Lines of which one was made out of the other. */
function pairLines(
  removed: DiffLine[],
  added: DiffLine[],
  isNews: (old: DiffLine, now: DiffLine) => boolean,
): [DiffLine, DiffLine][] {
  const pairs: [DiffLine, DiffLine][] = [];
  const free = new Set(added);
  for (const [index, old] of removed.entries()) {
    // One import is not made out of another.
    if (importing.test(old.text.trim())) continue;
    const opposite = removed.length === added.length ? added[index] : undefined;
    if (
      opposite &&
      free.has(opposite) &&
      isNews(old, opposite) &&
      likeness(old.text, opposite.text) >= leastOpposite
    ) {
      free.delete(opposite);
      pairs.push([old, opposite]);
      continue;
    }
    const [best] = [...free]
      .filter((now) => isNews(old, now))
      .map((now) => ({ now, alike: likeness(old.text, now.text) }))
      .sort((one, other) => other.alike - one.alike);
    if (!best || best.alike < leastAlike) continue;
    free.delete(best.now);
    pairs.push([old, best.now]);
  }
  return pairs;
}

/** Of two texts with less in common, neither was made out of the other. */
const leastAlike = 0.6;
const almostTheSame = 0.8;

/** Where as many lines come as go, one stands in the place of the other. */
const leastOpposite = 0.5;

/** How much two texts have in common, from 0 to 1. */
function likeness(one: string, other: string): number {
  const words = (text: string) => new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
  const [first, second] = [words(one), words(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return (2 * shared) / Math.max(1, first.size + second.size);
}

const startsProse = /^\s*(?:[-*+]\s+|\d+\.\s+|>\s+)?[\p{L}`"“(*_[]/u;
const wordsIn = (text: string): number => text.match(/\p{L}{2,}/gu)?.length ?? 0;

/** A document's own lines, beside those of the whole change. */
type Known = Sides & Block;

function showText(path: string, block: Block, sides: Known): Told[] {
  const { removed, added } = block;
  if (removed.length === 0 || added.length === 0) return passage(path, block, sides);
  if (squeezeAll(removed) === squeezeAll(added)) return [];
  if ([...removed, ...added].every(({ text }) => isExample(text))) return exampleOf(path, block, sides);
  const [old, now] = [paragraphsOf(removed), paragraphsOf(added)];
  const least = old.length === 1 && now.length === 1 ? leastRewritten : leastAlike;
  const pairs = old.flatMap((before) => {
    const [best] = now
      .map((after) => ({ after, alike: likeness(join(before), join(after)) }))
      .sort((one, other) => other.alike - one.alike);
    return best && best.alike >= least ? [{ before, after: best.after }] : [];
  });
  const paired = new Set(pairs.flatMap(({ before, after }) => [before, after]));
  const alone = (paragraphs: DiffLine[][]) => paragraphs.filter((lines) => !paired.has(lines)).flat();
  const [gone, fresh] = [alone(old), alone(now)];
  return [
    ...pairs.flatMap(({ before, after }) => replacement(path, before, after, 'text')),
    ...(gone.length > 0 ? passage(path, { removed: gone, added: [] }, sides) : []),
    ...(fresh.length > 0 ? passage(path, { removed: [], added: fresh }, sides) : []),
  ].slice(0, 2);
}

/** A paragraph that stands where another stood was made out of it when it has so much in common with it. */
const leastRewritten = 0.4;

/** The items of a list, and what blank lines part. */
function paragraphsOf(lines: DiffLine[]): DiffLine[][] {
  const paragraphs: DiffLine[][] = [];
  let isParted = true;
  for (const line of lines) {
    const isBlank = line.text.trim() === '';
    if (isParted || /^\s*(?:[-*+]|\d+[.)]|#{1,6})\s/.test(line.text)) paragraphs.push([]);
    if (!isBlank) paragraphs.at(-1)?.push(line);
    isParted = isBlank;
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0);
}

/** Examples and settings in a document are shown as the code that they are, where they can be shown whole. */
function exampleOf(path: string, block: Block, sides: Sides): Told[] {
  const { replaced, removed, added, isWhole } = piecesOf(path, block, sides);
  if (!isWhole || replaced.length + removed.length + added.length > mostPieces) return replaced.slice(0, 1);
  if (removed.length + added.length === 0) return replaced;
  const statement: Statement = {
    say: 'lines',
    symbol: null,
    added: added.map(textOf),
    removed: removed.map(textOf),
    isPart: false,
  };
  return [
    ...replaced,
    tell(
      statement,
      [...removed, ...added].map(({ lines }) => rangeOf(path, lines)),
    ),
  ];
}

/** A line of an example, as most documents indent them. */
const isExample = (text: string): boolean => /^(?: {4}|\t)|^\s*$/.test(text);

const heading = /^\s*#{1,6}\s+(.{2,80})$/;

/** How a passage begins that came or went. */
function passage(path: string, block: Block, sides: Known): Told[] {
  const isGone = block.removed.length > 0;
  const lines = isGone ? block.removed : block.added;
  const first = lines.findIndex(
    ({ text }) => heading.test(text) || (startsProse.test(text) && wordsIn(text) >= 4),
  );
  const start = lines[first];
  if (!start) return exampleOf(path, block, sides);
  if ((isGone ? sides.after : sides.before).has(squeeze(start.text))) return [];
  // What reads almost the same elsewhere in the document was moved and touched up.
  const others = isGone ? sides.added : sides.removed;
  if (others.some(({ text }) => likeness(text, start.text) >= almostTheSame)) return [];
  const end = lines.findIndex(({ text }, index) => index > first && !/^\s*[\p{L}\p{N}`(*_"“]/u.test(text));
  const paragraph = heading.test(start.text) ? [start] : lines.slice(first, end < 0 ? undefined : end);
  const [sentence = ''] = splitLine(join(paragraph).replace(/^(?:[-*+>]|\d+\.|#{1,6})\s+/, ''));
  const quote = plainText(clipLine(sentence, 180));
  if (!isBalanced(quote) || wordsIn(quote) === 0) return exampleOf(path, block, sides);
  return [quoteCode({ say: isGone ? 'dropsText' : 'addsText', quote }, placeOf(path, start))];
}

/** One piece of text that stands where another stood. */
function replacement(path: string, removed: DiffLine[], added: DiffLine[], kind: 'code' | 'text'): Told[] {
  const [plainOld, plainNow] = [plainText(join(removed)), plainText(join(added))];
  const isPlain = kind === 'text' && isProse(plainOld) && isProse(plainNow);
  const [old, now] = isPlain ? [plainOld, plainNow] : [join(removed), join(added)];
  if (old === '' || now === '' || withoutBraces(old) === withoutBraces(now)) return [];
  const clipped = clipPair(old, now, 110);
  if (!clipped || !saysSomething(clipped.from + clipped.to)) return [];
  const { from, to } = clipped;
  return [
    tell(
      kind === 'code'
        ? { say: 'replaced', symbol: null, from, to, isPart: false }
        : { say: 'rewordsText', from, to },
      [rangeOf(path, removed), rangeOf(path, added)],
    ),
  ];
}

/** Braces around a single statement change nothing. */
const withoutBraces = (text: string): string => squeeze(text).replace(/[{}]/g, '');

function placeOf(fileName: string, { oldLine, newLine }: DiffLine): Evidence {
  const line = newLine ?? oldLine ?? 0;
  return { fileName, startLine: line, endLine: line, side: newLine === null ? 'old' : 'new' };
}

function rangeOf(fileName: string, lines: DiffLine[]): Evidence {
  const [first] = lines;
  const last = lines.at(-1);
  if (!first || !last) throw new Error('A range has lines.');
  return { ...placeOf(fileName, first), endLine: placeOf(fileName, last).endLine };
}
