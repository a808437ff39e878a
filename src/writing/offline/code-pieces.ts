import { isReflowed } from '../../reading/edits/is-reflowed.ts';
import { endAlike } from '../../reading/edits/open-ends.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { isBetterElsewhere, wordsIn } from './better-elsewhere.ts';
import { clipLine, clipRow } from './clip.ts';
import { isBalancedCode, isRow, isStatement } from './code-statement.ts';
import {
  type Block,
  join,
  replacement,
  type Sides,
  saysSomething,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import { almostTheSame, leastAlike, likenessOf } from './likeness.ts';
import type { Told } from './outline.ts';
import {
  goOnAlike,
  isBelow,
  isCutOff,
  leastHeld,
  longestInLines,
  pairStatements,
  statementsOf,
  type WholeStatement,
} from './pair-statements.ts';
import { isDocumentPath } from './prose-lines.ts';

/** Each line is held against each of the other side, and a few of them are told. */
const mostCompared = 200;

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

/** What may be put before a line that it is still seen in; more, where no other line can have become of it. */
const shortPrefix = 12;
const longestPrefix = 40;

/** What a block of lines does. What is laid out anew stands whole on the other side, over several lines or as part of one. */
export function piecesOf(path: string, block: Block, { before, after }: Sides, around: Block[] = []): Pieces {
  const wholeBefore = squeezeAll(block.removed);
  const wholeAfter = squeezeAll(block.added);
  if (wholeBefore === wholeAfter) return { replaced: [], removed: [], added: [], isWhole: true };
  const isNews = (text: string, others: Set<string>, whole: string): boolean =>
    saysSomething(text) &&
    !others.has(squeeze(text)) &&
    !whole.includes(squeeze(text).replace(/(?<![;,{])[;,{]+$/, ''));
  const [going, coming] = [block.removed.slice(0, mostCompared), block.added.slice(0, mostCompared)];
  const gone = new Set(going.filter(({ text }) => isNews(text, after, wholeAfter)));
  const fresh = new Set(coming.filter(({ text }) => isNews(text, before, wholeBefore)));
  // A line that grew or shrank at its end, or by a word before it, is what became of the other.
  const bare = ({ text }: DiffLine): string => squeeze(text).replace(/[;,]$/, '');
  const isGrown = (old: DiffLine, now: DiffLine): boolean => {
    const [was, is] = [bare(old), bare(now)];
    const [long, short] = was.length > is.length ? [was, is] : [is, was];
    const isOnly = (was.length > is.length ? coming : going).length === 1;
    const isHeld =
      long.startsWith(short) ||
      (isOnly && going.length === coming.length && short.length >= leastHeld && long.includes(short)) ||
      (long.endsWith(short) && long.length - short.length <= (isOnly ? longestPrefix : shortPrefix));
    return isHeld && !after.has(squeeze(old.text)) && !before.has(squeeze(now.text));
  };
  const isSame = (line: DiffLine, whole: string): boolean => whole.includes(squeeze(line.text));
  // What stands as a line of its own on the other side was moved or indented, and is no part of what changed beside it.
  const isKept = (lines: DiffLine[], others: Set<string>, partner: DiffLine[]): boolean =>
    lines.some(
      (line) =>
        saysSomething(line.text) && others.has(squeeze(line.text)) && !isSame(line, squeezeAll(partner)),
    );
  const pairs = pairStatements(statementsOf(going), statementsOf(coming), (old, now) => {
    const [was, is] = [old.lines.some((line) => gone.has(line)), now.lines.some((line) => fresh.has(line))];
    const [first, sole] = [old.lines[0], now.lines[0]];
    const hasGrown =
      first && sole && old.lines.length === 1 && now.lines.length === 1 && isGrown(first, sole);
    return (
      ((was && is) || ((was || is) && hasGrown === true)) &&
      !isKept(old.lines, after, now.lines) &&
      !isKept(now.lines, before, old.lines) &&
      !isCrossed(old, now, coming) &&
      !isCrossed(now, old, going)
    );
  });
  const textsOf = (lines: DiffLine[], own: WholeStatement): string[] =>
    lines.filter((line) => !own.lines.includes(line)).map(({ text }) => text);
  const isBrokenAnew = (old: WholeStatement, now: WholeStatement): boolean =>
    isReflowed(old.code, now.code, textsOf(going, old), textsOf(coming, now));
  const paired = new Set(pairs.flat().flatMap(({ lines }) => lines));
  const replaced = pairs.flatMap(([old, now]) =>
    endAlike(old.code, now.code) &&
    goOnAlike([old, now], block) &&
    !isBrokenAnew(old, now) &&
    !isCutOff(old, block.removed, block.below) &&
    !isCutOff(now, block.added, block.below) &&
    !old.lines.some((line) => isOverloaded(line, after)) &&
    !now.lines.some((line) => isOverloaded(line, before)) &&
    !isBetterElsewhere([old, now], block, around)
      ? replacement(path, old.lines, now.lines, 'code')
      : [],
  );
  // What is like a line that went, or came, and cannot be told to have become of it, has not come or gone either.
  const unpaired = (lines: DiffLine[], news: Set<DiffLine>): DiffLine[] =>
    lines.filter((line) => !paired.has(line) && news.has(line));
  const unsure = { old: unpaired(going, gone), now: unpaired(coming, fresh) };
  const twins = new Set([
    ...unsure.old.flatMap((old) =>
      unsure.now.flatMap((now) => (likenessOf(wordsIn(old), wordsIn(now)) >= leastAlike ? [old, now] : [])),
    ),
    ...spreadOver(unsure.old, coming),
    ...spreadOver(unsure.now, going),
  ]);
  const alone = (lines: DiffLine[], news: Set<DiffLine>): DiffLine[][] =>
    joinBroken(lines.filter((line) => !paired.has(line))).filter(
      (own) => own.some((line) => news.has(line)) && !own.some((line) => twins.has(line)),
    );
  const [left, come] = [alone(going, gone), alone(coming, fresh)];
  // A single word is an item of a list, where nothing else changes beside it.
  const isItem = left.length + come.length === 1 && /^[-*]\s+\S+$/.test(join(left[0] ?? come[0] ?? []));
  // Where a line that is no news stands in the place of another, this has neither come nor gone, but given way.
  const isOpposed = (lines: DiffLine[], others: DiffLine[]): boolean => {
    const known = new Set(lines.map(({ text }) => squeeze(text)));
    return others.some(
      (line) => !paired.has(line) && /\p{L}{2,}/u.test(line.text) && !known.has(squeeze(line.text)),
    );
  };
  const toPieces = (all: DiffLine[][], hasGivenWay: boolean): Piece[] =>
    all.map((lines) => ({
      text: (isRow(join(lines)) ? clipRow : clipLine)(join(lines), longestPiece),
      lines,
      isTelling: !hasGivenWay && (isItem || isTelling(path, lines)),
    }));
  const removed = toPieces(left, come.length === 0 && isOpposed(going, coming));
  const added = toPieces(come, left.length === 0 && isOpposed(coming, going));
  const isWhole =
    going.length === block.removed.length &&
    coming.length === block.added.length &&
    replaced.length === pairs.length &&
    twins.size === 0 &&
    [...removed, ...added].every((piece) => piece.isTelling);
  return { replaced, removed, added, isWhole };
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

/** Whether one line of a statement of several reads almost like a line of the other side that the other one does not hold. */
const isCrossed = (one: WholeStatement, other: WholeStatement, lines: DiffLine[]): boolean =>
  one.lines.length > 1 &&
  one.lines.some((own) =>
    lines.some(
      (line) => !other.lines.includes(line) && likenessOf(wordsIn(own), wordsIn(line)) >= almostTheSame,
    ),
  );

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

const declared =
  /^\s*(?:public|private|protected|internal|static|override|abstract)\s(?:[\w<>[\],.?*&]+\s+)*\w+\s*\(/;

/** Whether several lines of the other side declare what this one declares: which of them it became cannot be told. */
function isOverloaded({ text }: DiffLine, others: Set<string>): boolean {
  const [head] = declared.exec(text) ?? [];
  if (head === undefined) return false;
  const wanted = squeeze(head);
  return [...others].filter((other) => other.startsWith(wanted)).length > 1;
}
