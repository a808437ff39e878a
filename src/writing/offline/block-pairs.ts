import { isReflowed } from '../../reading/edits/is-reflowed.ts';
import { endAlike } from '../../reading/edits/open-ends.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { isBetterElsewhere, wordsIn } from './better-elsewhere.ts';
import { type Block, type Sides, saysSomething, squeeze, squeezeAll } from './compare-lines.ts';
import { almostTheSame, likenessOf } from './likeness.ts';
import {
  goOnAlike,
  isCutOff,
  leastHeld,
  pairStatements,
  statementsOf,
  type WholeStatement,
} from './pair-statements.ts';

/** Each line is held against each of the other side, and a few of them are told. */
const mostCompared = 200;

/** The lines of a block that are compared with each other. */
export interface ComparedBlock {
  block: Block;
  going: DiffLine[];
  coming: DiffLine[];
  /** Those that say something which stands nowhere on the other side. */
  gone: Set<DiffLine>;
  fresh: Set<DiffLine>;
}

/** What became of what. */
type Pair = readonly [old: WholeStatement, now: WholeStatement];

/** Null where the block is only laid out anew: what stands whole on the other side, over several lines or as part of one. */
export function compareBlock(block: Block, { before, after }: Sides): ComparedBlock | null {
  const wholeBefore = squeezeAll(block.removed);
  const wholeAfter = squeezeAll(block.added);
  if (wholeBefore === wholeAfter) return null;
  const isNews = (text: string, others: Set<string>, whole: string): boolean =>
    saysSomething(text) &&
    !others.has(squeeze(text)) &&
    !whole.includes(squeeze(text).replace(/(?<![;,{])[;,{]+$/, ''));
  const [going, coming] = [block.removed.slice(0, mostCompared), block.added.slice(0, mostCompared)];
  return {
    block,
    going,
    coming,
    gone: new Set(going.filter(({ text }) => isNews(text, after, wholeAfter))),
    fresh: new Set(coming.filter(({ text }) => isNews(text, before, wholeBefore))),
  };
}

/** The statements of which one can only have become of the other. */
export function pairsIn({ going, coming, gone, fresh }: ComparedBlock, sides: Sides): Pair[] {
  const { before, after } = sides;
  return pairStatements(statementsOf(going), statementsOf(coming), (old, now) => {
    const [was, is] = [old.lines.some((line) => gone.has(line)), now.lines.some((line) => fresh.has(line))];
    const [first, sole] = [old.lines[0], now.lines[0]];
    const hasGrown =
      first &&
      sole &&
      old.lines.length === 1 &&
      now.lines.length === 1 &&
      isGrown(first, sole, going, coming, sides);
    return (
      ((was && is) || ((was || is) && hasGrown === true)) &&
      !isKept(old.lines, after, now.lines) &&
      !isKept(now.lines, before, old.lines) &&
      !isCrossed(old, now, coming) &&
      !isCrossed(now, old, going)
    );
  });
}

/** What may be put before a line that it is still seen in; more, where no other line can have become of it. */
const shortPrefix = 12;
const longestPrefix = 40;

/** Whether a line grew or shrank at its end, or by a word before it: then it is what became of the other. */
function isGrown(
  old: DiffLine,
  now: DiffLine,
  going: DiffLine[],
  coming: DiffLine[],
  { before, after }: Sides,
): boolean {
  const [was, is] = [bare(old), bare(now)];
  const [long, short] = was.length > is.length ? [was, is] : [is, was];
  const isOnly = (was.length > is.length ? coming : going).length === 1;
  const isHeld =
    long.startsWith(short) ||
    (isOnly && going.length === coming.length && short.length >= leastHeld && long.includes(short)) ||
    (long.endsWith(short) && long.length - short.length <= (isOnly ? longestPrefix : shortPrefix));
  return isHeld && !after.has(squeeze(old.text)) && !before.has(squeeze(now.text));
}

const bare = ({ text }: DiffLine): string => squeeze(text).replace(/[;,]$/, '');

/** Whether a line stands as one of its own on the other side: it was moved or indented, and is no part of what changed beside it. */
const isKept = (lines: DiffLine[], others: Set<string>, partner: DiffLine[]): boolean =>
  lines.some(
    ({ text }) =>
      saysSomething(text) && others.has(squeeze(text)) && !squeezeAll(partner).includes(squeeze(text)),
  );

/** Whether one line of a statement of several reads almost like a line of the other side that the other one does not hold. */
const isCrossed = (one: WholeStatement, other: WholeStatement, lines: DiffLine[]): boolean =>
  one.lines.length > 1 &&
  one.lines.some((own) =>
    lines.some(
      (line) => !other.lines.includes(line) && likenessOf(wordsIn(own), wordsIn(line)) >= almostTheSame,
    ),
  );

/** Whether a pair can be shown as one that took the place of the other. */
export function isReplacement(
  [old, now]: Pair,
  { block, going, coming }: ComparedBlock,
  { before, after }: Sides,
  around: Block[],
): boolean {
  const textsOf = (lines: DiffLine[], own: WholeStatement): string[] =>
    lines.filter((line) => !own.lines.includes(line)).map(({ text }) => text);
  return (
    endAlike(old.code, now.code) &&
    goOnAlike([old, now], block) &&
    !isReflowed(old.code, now.code, textsOf(going, old), textsOf(coming, now)) &&
    !isCutOff(old, block.removed, block.below) &&
    !isCutOff(now, block.added, block.below) &&
    !old.lines.some((line) => isOverloaded(line, after)) &&
    !now.lines.some((line) => isOverloaded(line, before)) &&
    !isBetterElsewhere([old, now], block, around)
  );
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
