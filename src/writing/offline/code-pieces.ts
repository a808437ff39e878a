import { areApart } from '../../reading/edits/code-readers.ts';
import { isImportLine } from '../../reading/edits/import-line.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { clipLine } from './clip.ts';
import { isBalancedCode, isStatement } from './code-statement.ts';
import {
  type Block,
  join,
  leastAlike,
  likeness,
  replacement,
  type Sides,
  saysSomething,
  squeeze,
  squeezeAll,
} from './compare-lines.ts';
import type { Told } from './outline.ts';

/** Each line is held against each of the other side, and a few of them are told. */
const mostCompared = 200;

/** A statement of code, on as many lines as it takes. */
export interface Piece {
  text: string;
  lines: DiffLine[];
}

export interface Pieces {
  replaced: Told[];
  removed: Piece[];
  added: Piece[];
  /** Whether nothing that says something is left out. */
  isWhole: boolean;
}

/** What a block of lines does. What is laid out anew stands whole on the other side, over several lines or as part of one. */
export function piecesOf(path: string, block: Block, { before, after }: Sides): Pieces {
  const wholeBefore = squeezeAll(block.removed);
  const wholeAfter = squeezeAll(block.added);
  if (wholeBefore === wholeAfter) return { replaced: [], removed: [], added: [], isWhole: true };
  // What stands as a line of its own on the other side was moved or indented, and is no part of what changed beside it.
  const isKept = (text: string, others: Set<string>): boolean =>
    saysSomething(text) && others.has(squeeze(text));
  const isJoined =
    block.removed.length !== block.added.length &&
    Math.max(block.removed.length, block.added.length) <= 4 &&
    !block.removed.some(({ text }) => isKept(text, after)) &&
    !block.added.some(({ text }) => isKept(text, before));
  if (isJoined && likeness(join(block.removed), join(block.added)) >= leastAlike) {
    const isOpen =
      block.removed.some((line) => isOverloaded(line, after)) ||
      block.added.some((line) => isOverloaded(line, before));
    const replaced = isOpen ? [] : replacement(path, block.removed, block.added, 'code');
    return { replaced, removed: [], added: [], isWhole: replaced.length > 0 };
  }
  const isNews = (text: string, others: Set<string>, whole: string): boolean =>
    saysSomething(text) &&
    !others.has(squeeze(text)) &&
    !whole.includes(squeeze(text).replace(/[;,{]+$/, ''));
  const [going, coming] = [block.removed.slice(0, mostCompared), block.added.slice(0, mostCompared)];
  const gone = new Set(going.filter(({ text }) => isNews(text, after, wholeAfter)));
  const fresh = new Set(coming.filter(({ text }) => isNews(text, before, wholeBefore)));
  // A line that grew or shrank at its end, or by a word before it, is what became of the other.
  const bare = ({ text }: DiffLine): string => squeeze(text).replace(/[;,]$/, '');
  const isGrown = (old: DiffLine, now: DiffLine): boolean => {
    const [was, is] = [bare(old), bare(now)];
    const [long, short] = was.length > is.length ? [was, is] : [is, was];
    const isHeld = long.startsWith(short) || (long.endsWith(short) && long.length - short.length <= 12);
    return isHeld && !after.has(squeeze(old.text)) && !before.has(squeeze(now.text));
  };
  const pairs = pairLines(
    going,
    coming,
    (old, now) =>
      (gone.has(old) && fresh.has(now)) || ((gone.has(old) || fresh.has(now)) && isGrown(old, now)),
  );
  const statements = pairs.map(([old, now]) => wholeStatements([old, going], [now, coming]));
  const paired = new Set([...pairs.flat(), ...statements.flat(2)]);
  const replaced = pairs.flatMap(([old, now], index) => {
    const [was = [], is = []] = statements[index] ?? [];
    const isOpen = was.length === 0 || isOverloaded(old, after) || isOverloaded(now, before);
    return isOpen ? [] : replacement(path, was, is, 'code');
  });
  // What is like a line that went, or came, and cannot be told to have become of it, has not come or gone either.
  const left = (lines: DiffLine[], news: Set<DiffLine>): DiffLine[] =>
    lines.filter((line) => !paired.has(line) && news.has(line));
  const unsure = { old: left(going, gone), now: left(coming, fresh) };
  const twins = new Set(
    unsure.old.flatMap((old) =>
      unsure.now.flatMap((now) => (likeness(old.text, now.text) >= leastAlike ? [old, now] : [])),
    ),
  );
  const alone = (lines: DiffLine[], news: Set<DiffLine>) =>
    joinBroken(lines.filter((line) => !paired.has(line))).filter(
      (piece) => piece.lines.some((line) => news.has(line)) && !piece.lines.some((line) => twins.has(line)),
    );
  const [removed, added] = [alone(going, gone), alone(coming, fresh)];
  // A single word is an item of a list, where nothing else changes beside it.
  const isItem =
    removed.length + added.length === 1 && /^[-*]\s+\S+$/.test(removed[0]?.text ?? added[0]?.text ?? '');
  const telling = isItem
    ? ([removed, added] as const)
    : ([removed.filter(isTelling), added.filter(isTelling)] as const);
  const isWhole =
    going.length === block.removed.length &&
    coming.length === block.added.length &&
    replaced.length === pairs.length &&
    twins.size === 0 &&
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

/** What a line may end with that has to go on in the next one. */
const unfinished = /(?:[=$([{,+*/&|<\\-]|=>|->|<-|\.\.\.|\b(?:do|then|of|where|and|or|orelse))$/;

/**
 * Two lines of which one became the other, each with the lines in which its statement goes on, where only one of them
 * goes on: half of a statement is not what became of a whole one. Nothing where that is too long to be read.
 */
function wholeStatements(
  [old, going]: [DiffLine, DiffLine[]],
  [now, coming]: [DiffLine, DiffLine[]],
): DiffLine[][] {
  const [was, is] = [statementFrom(old, going), statementFrom(now, coming)];
  if (isUnfinished(was) === isUnfinished(is)) return [[old], [now]];
  const isShown = [was, is].every((lines) => lines.length <= longestInLines && !endsOpen(lines));
  return isShown ? [was, is] : [];
}

const endsOpen = (lines: DiffLine[]): boolean =>
  unfinished.test(lines.at(-1)?.text.trimEnd() ?? '') || !isBalancedCode(join(lines));

const isUnfinished = (lines: DiffLine[]): boolean => lines.length > 1 || endsOpen(lines);

const indentOf = ({ text }: DiffLine): number => text.search(/\S/);

/** A line with the one above that goes on in it, those below it that are indented deeper, and what closes it. */
function statementFrom(start: DiffLine, lines: DiffLine[]): DiffLine[] {
  const head = lines[lines.indexOf(start) - 1];
  const isGoingOn =
    head && isBelow(head, start) && indentOf(head) < indentOf(start) && unfinished.test(head.text.trimEnd());
  const line = isGoingOn && !/[{(,[]$/.test(head.text.trimEnd()) ? head : start;
  const statement = [line];
  for (const next of lines.slice(lines.indexOf(line) + 1)) {
    const above = statement.at(-1) ?? line;
    const isInside = indentOf(next) > indentOf(line);
    const closes = statement.length > 1 && indentOf(next) === indentOf(line) && /^\s*[)\]}]/.test(next.text);
    if (!isBelow(above, next) || !(isInside || closes)) break;
    statement.push(next);
    if (closes) break;
  }
  return statement;
}

/** What is cut short for its length is still a whole statement. */
const isTelling = ({ lines }: Piece): boolean => lines.length <= longestInLines && isStatement(join(lines));

/** Lines of which one was made out of the other. */
function pairLines(
  removed: DiffLine[],
  added: DiffLine[],
  isNews: (old: DiffLine, now: DiffLine) => boolean,
): [DiffLine, DiffLine][] {
  const pairs: [DiffLine, DiffLine][] = [];
  const isPair = (old: DiffLine, now: DiffLine): boolean => isNews(old, now) && !areApart(old.text, now.text);
  const [only, sole] = [removed[0], added[0]];
  const isOneForOne = removed.length === 1 && added.length === 1;
  if (only && sole && isOneForOne && isPair(only, sole) && beginAlike(only.text, sole.text))
    return [[only, sole]];
  const free = new Set(added);
  for (const [index, old] of removed.entries()) {
    // One import is not made out of another.
    if (isImportLine(old.text)) continue;
    const opposite = removed.length === added.length ? added[index] : undefined;
    if (
      opposite &&
      free.has(opposite) &&
      isPair(old, opposite) &&
      likeness(old.text, opposite.text) >= leastOpposite
    ) {
      free.delete(opposite);
      pairs.push([old, opposite]);
      continue;
    }
    const [best, second] = [...free]
      .filter((now) => isPair(old, now))
      .map((now) => ({ now, alike: likeness(old.text, now.text) }))
      .sort((one, other) => other.alike - one.alike);
    if (!best || best.alike < leastAlike) continue;
    // Where another is as like it, or it is less like this one than another that goes, which became of which cannot be told.
    const isSure =
      (second?.alike ?? 0) < best.alike &&
      !removed.some(
        (other) =>
          other !== old && other.text !== old.text && likeness(other.text, best.now.text) >= best.alike,
      );
    if (!isSure) continue;
    free.delete(best.now);
    pairs.push([old, best.now]);
  }
  return pairs;
}

/** A longer line is no mere key or item of a list. */
const longestItem = 40;

const firstWord = /[\p{L}\p{N}_$]{3,}/u;

/** A single line in the place of another that begins with the same word, or has the same signs, is what became of it. */
const beginAlike = (one: string, other: string): boolean => {
  const shape = (text: string): string => text.trim().replace(/[\p{L}\p{N}_$]+/gu, 'x');
  if (shape(one) === shape(other) && one.trim().length <= longestItem) return true;
  const [first] = firstWord.exec(one) ?? [];
  return first !== undefined && firstWord.exec(other)?.[0] === first;
};

const declared =
  /^\s*(?:public|private|protected|internal|static|override|abstract)\s(?:[\w<>[\],.?*&]+\s+)*\w+\s*\(/;

/** Whether several lines of the other side declare what this one declares: which of them it became cannot be told. */
function isOverloaded({ text }: DiffLine, others: Set<string>): boolean {
  const [head] = declared.exec(text) ?? [];
  if (head === undefined) return false;
  const wanted = squeeze(head);
  return [...others].filter((other) => other.startsWith(wanted)).length > 1;
}

/** Where as many lines come as go, one stands in the place of the other. */
const leastOpposite = 0.5;
