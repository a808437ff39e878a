import { changelogName } from '../../reading/doc-texts.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { lineKey, type SameEdit } from '../../reading/same-edits.ts';
import type { ArticleSource, Hunk } from '../articles.ts';
import { type DeclaredNames, declaredNames, type Move, movesIn, sentenceOfMove } from './moves.ts';
import { code, firstNames, type RuleSentence } from './phrases.ts';
import {
  isChanged,
  isCodeLine,
  isVeryLong,
  lineOfPiece,
  type Piece,
  type PieceLine,
  pieceHeading,
  piecesOf,
  type Run,
  rangeAt,
  runsOfLines,
  says,
  trimmed,
} from './pieces.ts';
import { type RankedPiece, rankPieces } from './rank.ts';

interface ShownChange {
  file: FileFacts;
  hunk: Hunk | null;
  sentences: RuleSentence[];
}

export interface ChosenHunks {
  changes: ShownChange[];
  /** Files that are named with repeated edits and moves, although they are not shown. */
  namedFiles: string[];
  rest: { edits: SameEdit[]; moves: Move[] };
}

const longestFile = 4_000;
const longestChange = 20_000;
const mostShown = 12;
/** Changes with up to this many lines are shown completely. */
const smallChange = 60;
const largeChange = 250;
const budgets = { usual: 60, large: 90 };
const longestHunk = 60;
const longestEdit = 26;
/** The first lines of a new function or type are shown up to this number, its documentation not counted. */
const longestNew = 15;
const longestDocumentation = 15;
const leastRoom = 8;
/** A repeated edit or a move is shown in a block of its own if it makes up this share of the changed lines. */
const mainPart = 0.3;
const mostMain = 3;

export function chooseHunks(source: ArticleSource, edits: SameEdit[]): ChosenHunks {
  const { facts, diff } = source;
  const byPath = new Map(diff.map((file) => [file.path, file]));
  const sameLines = new Set(edits.flatMap(({ lines }) => [...lines]));
  const allMoves = movesIn(facts.files, byPath);
  let left = longestChange;
  const read = facts.files.filter(({ skipped }) => skipped === null);
  const cut = read.filter(({ additions, deletions }) => {
    const isFit = additions + deletions <= Math.min(longestFile, left);
    if (isFit) left -= additions + deletions;
    return isFit;
  });
  const pieces = cut.flatMap((file) => {
    const own = byPath.get(file.path);
    return own ? piecesOf(file, own, sameLines) : [];
  });
  const isShort = ({ file, lines }: Piece): boolean => !lines.some((line) => isVeryLong(file, line));
  const short = pieces.filter(isShort);
  const sources = new Set(facts.files.filter(({ kind }) => kind === 'source').map(({ path }) => path));
  const hasCode =
    short.some(({ file, isTest, lines }) => !isTest && file.kind === 'source' && lines.some(isCodeLine)) ||
    allMoves.some(({ to, names }) => names.length > 0 && sources.has(to)) ||
    edits.some(({ files }) => files.some((path) => sources.has(path)));
  const declared = declaredNames(facts.files, byPath);
  const isMove = movedPieces(facts.files, byPath);
  const news = short.filter((piece) => isShowable(piece, short, hasCode) && !wasElsewhere(piece, declared));
  const other = news.filter((piece) => !isMove(piece));
  const showable = other.length > 0 ? other : news;
  const ranked = rankPieces(showable, source);
  const whole = choose(ranked, bestStretch);
  const chosen = whole.length > 0 ? whole : choose(ranked, middleStretch);
  const total = facts.files.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  const changes = cutsInOrder(chosen).map(shownChange);
  const moves = allMoves.filter((move) => {
    const first = move.names.length === 0 ? changes.find(({ file }) => file.path === move.to) : undefined;
    first?.sentences.unshift(sentenceOfMove(move));
    return !first;
  });
  const isMain = (size: number): boolean => chosen.length === 0 || size > total * mainPart;
  const isShown = shownIn(changes.flatMap(({ hunk }) => hunk ?? []));
  const unshown = edits.filter(({ evidence }) => !evidence.every(isShown));
  const mainEdits = unshown.filter(({ lines }) => isMain(lines.size)).slice(0, mostMain);
  const mainMoves = moves.filter(({ size }) => isMain(size * 2)).slice(0, mostMain);
  return {
    changes: [
      ...withoutRepeatedHunks([
        ...changes,
        ...mainEdits.flatMap((edit) => changeOfEdit(edit, facts.files, byPath)),
      ]),
      ...mainMoves.flatMap((move) => {
        const file = facts.files.find(({ path }) => path === move.to);
        return file ? [{ file, hunk: null, sentences: [sentenceOfMove(move)] }] : [];
      }),
    ],
    namedFiles: [
      ...mainEdits.flatMap(({ files }) => files),
      ...mainMoves.flatMap(({ from, to }) => [from, to]),
      ...chosen.flatMap(({ twins }) => twins.map(({ file }) => file.path)),
    ],
    rest: {
      edits: unshown.filter((edit) => !mainEdits.includes(edit)),
      moves: moves.filter((move) => !mainMoves.includes(move)),
    },
  };
}

/** Two edits on one line would show the same hunk twice. */
function withoutRepeatedHunks(changes: ShownChange[]): ShownChange[] {
  const seen = new Set<string>();
  return changes.map((change) => {
    const places = (change.hunk?.lines ?? [])
      .filter(({ kind }) => kind !== 'context')
      .map(({ oldLine, newLine }) => `${change.file.path} ${oldLine} ${newLine}`);
    const isRepeated = places.some((place) => seen.has(place));
    for (const place of places) seen.add(place);
    return isRepeated ? { ...change, hunk: null } : change;
  });
}

/** Tests and documents are shown only if nothing else can be, and comments and imports only if no code can be. */
function isShowable({ file, isTest, lines }: Piece, all: Piece[], hasCode: boolean): boolean {
  if (file.status === 'removed' || isOfDependencies(file, lines)) return false;
  if (hasCode && (isTest || file.kind === 'documentation' || file.kind === 'manifest')) return false;
  if (changelogName.test(file.path) && all.some((other) => other.file !== file)) return false;
  const codeIn = (piece: Pick<Piece, 'lines'>): number => piece.lines.filter(isCodeLine).length;
  const isHead = file.status === 'added' && codeIn({ lines }) === 1;
  if (isHead && all.some((other) => other.file === file && codeIn(other) > 1)) return false;
  return lines.some(isCodeLine) || !(hasCode || all.some((other) => codeIn(other) > 0));
}

const shortestTelling = 12;

/**
 * A piece is half of a move if each of its lines is in the change once, only added or only removed, and is elsewhere on
 * the other side.
 */
function movedPieces(files: FileFacts[], diff: Map<string, FileDiff>): (piece: Piece) => boolean {
  const times = { added: new Map<string, number>(), removed: new Map<string, number>() };
  for (const { path } of files)
    for (const { side, text } of (diff.get(path)?.hunks ?? []).flatMap(linesOf))
      if (side !== 'context') times[side].set(text.trim(), (times[side].get(text.trim()) ?? 0) + 1);
  const isMoved = (text: string): boolean =>
    text.length >= shortestTelling && times.added.get(text) === 1 && times.removed.get(text) === 1;
  return ({ lines }) =>
    new Set(lines.filter(isChanged).map(({ side }) => side)).size === 1 &&
    lines.filter(says).every(({ text }) => isMoved(text.trim()));
}

/** Whether added lines were elsewhere in the diff before, and only look new. */
function wasElsewhere({ file, heading, lines, symbol }: Piece, { old }: DeclaredNames): boolean {
  const changed = lines.filter(isChanged);
  if (changed.some(({ side }) => side === 'removed')) return false;
  if (changed.filter(({ quiet }) => quiet === 'moved').length > changed.length / 2) return true;
  return (symbol !== null || file.status === 'added') && heading !== null && old.has(heading);
}

const isOfDependencies = ({ dependencies }: FileFacts, lines: PieceLine[]): boolean =>
  lines.some(isCodeLine) &&
  lines
    .filter(isCodeLine)
    .every(
      ({ text }) =>
        dependencies.some(({ name, from, to }) =>
          [name, from, to].some((word) => word && word.length > 2 && text.includes(word)),
        ) ||
        (dependencies.length > 0 && /^\s*#| \/\/ indirect$/.test(text)),
    );

interface Cut {
  ranked: RankedPiece;
  from: number;
  to: number;
  twins: Piece[];
}

function choose(ranked: RankedPiece[], stretch: typeof bestStretch): Cut[] {
  const total = ranked.reduce((sum, { piece }) => sum + piece.lines.filter(isChanged).length, 0);
  const isSmall = total <= smallChange;
  let left = isSmall ? Number.POSITIVE_INFINITY : total > largeChange ? budgets.large : budgets.usual;
  const chosen: Cut[] = [];
  const first = new Map<string, Cut>();
  for (const one of ranked) {
    const { piece } = one;
    const key = codeTextOf(piece);
    const twin = first.get(key);
    if (twin && isTwin(piece, twin.ranked.piece)) {
      twin.twins.push(piece);
      continue;
    }
    if (chosen.length >= mostShown) continue;
    const cut = cutPiece(piece, Math.min(left, longestHunk), isSmall, stretch);
    if (!cut) continue;
    const shown = piece.lines.slice(cut.from, cut.to + 1);
    const size = shown.length - shown.filter((line) => !isChanged(line)).length / 2;
    if (size > left) continue;
    left -= size;
    const own = { ranked: one, ...cut, twins: [] };
    chosen.push(own);
    first.set(key, own);
  }
  return chosen;
}

/**
 * Whether two equal pieces are the same edit in two places; single lines do not count, because they are equal by
 * chance.
 */
const isTwin = (piece: Piece, { file, heading }: Piece): boolean =>
  piece.lines.filter(says).length > 1 && (piece.file !== file || piece.heading !== heading);

const codeTextOf = ({ lines }: Piece): string =>
  lines
    .filter((line) => isChanged(line) && line.of !== 'blank')
    .map(({ side, text }) => `${side} ${text.trim()}`)
    .join('\n');

/** The lines of a piece that are shown: all, the beginning of new code, or one stretch of an edit with both sides. */
function cutPiece(
  { file, lines, symbol }: Piece,
  room: number,
  isSmall: boolean,
  stretch: typeof bestStretch,
): Run | null {
  const whole = { from: 0, to: lines.length - 1 };
  const size = Math.floor(Math.min(room, isSmall ? longestHunk : longestEdit + 10));
  const isFit = isSmall || lines.filter(isChanged).length <= longestEdit;
  if (lines.length <= size && isFit) return whole;
  if (room < leastRoom) return null;
  const isNew = !lines.some(({ side }) => side === 'removed');
  if (!isNew) return file.kind === 'documentation' ? null : stretch(lines, size);
  const signature = lines.findIndex(
    (line) => line.side === 'added' && line.of !== 'comment' && line.of !== 'blank',
  );
  const head = lines.findIndex(({ of }) => of !== 'import' && of !== 'blank' && of !== 'closing');
  const from = symbol && signature > longestDocumentation ? signature : isSmall ? 0 : Math.max(0, head);
  const most = isSmall ? longestHunk : Math.floor(Math.min(room, signature - from + longestNew));
  return { from, to: statementEnd(lines, from, Math.min(lines.length, from + most) - 1) };
}

const indentWidth = (text: string): number =>
  (/^[\t ]*/.exec(text)?.[0] ?? '').replaceAll('\t', '    ').length;

function statementEnd(lines: PieceLine[], from: number, to: number): number {
  const rest = lines.length - 1 - to;
  if (rest <= 2 && to + rest - from < longestHunk) return lines.length - 1;
  let best = to;
  for (let at = to; at > Math.max(from + 5, to - 6); at--) {
    const [last, next] = [lines[at]?.text ?? '', lines[at + 1]?.text ?? ''];
    if (/[,([{\\]\s*$|(?:&&|\|\||=|=>)\s*$/.test(last) || /^\s*(?:[)\]}.]|else\b|&&|\|\|)/.test(next))
      continue;
    const isBetter = best === to || indentWidth(next) < indentWidth(lines[best + 1]?.text ?? '');
    if (next.trim() === '' || isBetter) best = at;
    if (next.trim() === '') break;
  }
  return best;
}

const sidesIn = (lines: PieceLine[], { from, to }: Run): number =>
  new Set(
    lines
      .slice(from, to + 1)
      .filter(isChanged)
      .map(({ side }) => side),
  ).size;

function bestStretch(lines: PieceLine[], size: number): Run | null {
  const runs = runsOfLines(lines);
  const sides = sidesIn(lines, { from: 0, to: lines.length - 1 });
  let best: { stretch: Run; score: number } | null = null;
  for (let start = 0; start === 0 || start + size <= lines.length; start++) {
    let [from, to] = [start, Math.min(lines.length, start + size) - 1];
    // Removed lines are shown only with the lines that replace them, and the reverse.
    const first = runs.find((run) => run.from < from && run.to >= from);
    if (first) from = first.to + 1;
    const last = runs.find((run) => run.from <= to && run.to > to);
    if (last) to = last.from - 1;
    if (from > to || sidesIn(lines, { from, to }) < sides) continue;
    const own = lines.slice(from, to + 1);
    const score =
      own.filter(isCodeLine).length + own.filter((line) => line.side === 'added' && says(line)).length / 2;
    if (score > (best?.score ?? 0)) best = { stretch: { from, to }, score };
  }
  return best && trimmed(lines, best.stretch);
}

function middleStretch(lines: PieceLine[], size: number): Run | null {
  const middle = lines.findIndex(({ side }, at) => side === 'added' && lines[at - 1]?.side === 'removed');
  const from = Math.max(0, middle - (size >> 1));
  return middle < 0 ? null : { from, to: Math.min(lines.length, from + size) - 1 };
}

/** Pieces of one file keep its order, beginning with the first that is almost as important as the best one. */
const aboutAsGood = 8;

const startOf = ({ lines }: Piece): number => lines.find(({ newLine }) => newLine !== null)?.newLine ?? 0;

function cutsInOrder(chosen: Cut[]): Cut[] {
  const groups = Map.groupBy(chosen, ({ ranked }) => ranked.piece.file);
  const best = (own: Cut[]): number => Math.max(...own.map(({ ranked }) => ranked.score));
  return [...groups.values()]
    .sort((one, other) => best(other) - best(one))
    .flatMap((own) => {
      const sorted = own.sort((one, other) => startOf(one.ranked.piece) - startOf(other.ranked.piece));
      const least = best(own) - aboutAsGood;
      const strong = sorted.findIndex(({ ranked }) => ranked.score >= least);
      return strong > 0 ? [...sorted.slice(strong), ...sorted.slice(0, strong)] : sorted;
    });
}

function shownChange({ ranked: { piece }, from, to, twins }: Cut): ShownChange {
  const { file, heading, lines, symbol } = piece;
  const name = symbol ? heading : pieceHeading(file, lines.slice(from, to + 1));
  return {
    file,
    hunk: hunkOf(file.path, name, lines, { from, to }),
    sentences: twins.length > 0 ? [sentenceOfTwins(twins, file)] : [],
  };
}

function hunkOf(fileName: string, heading: string | null, lines: DiffLine[], { from, to }: Run): Hunk {
  return {
    fileName,
    heading,
    lines: lines
      .slice(from, to + 1)
      .map(({ side, oldLine, newLine, text }) => ({ kind: side, oldLine, newLine, text })),
    moreBefore: lines.slice(0, from).filter(isChanged).length,
    moreAfter: lines.slice(to + 1).filter(isChanged).length,
  };
}

export function shownIn(hunks: Hunk[]): (evidence: Evidence) => boolean {
  const keys = new Set(
    hunks.flatMap(({ fileName, lines }) =>
      lines.map(({ kind, oldLine, newLine }) =>
        kind === 'removed' ? lineKey(fileName, 'old', oldLine ?? 0) : lineKey(fileName, 'new', newLine ?? 0),
      ),
    ),
  );
  return ({ fileName, side, startLine }) => keys.has(lineKey(fileName, side, startLine));
}

function pieceEvidence({ file, lines }: Piece): Evidence {
  const places = lines.filter(says).map(lineOfPiece);
  const side = places.some((place) => place.side === 'new') ? 'new' : 'old';
  const numbers = places.flatMap((place) => (place.side === side ? [place.line] : []));
  return { fileName: file.path, side, startLine: numbers[0] ?? 1, endLine: numbers.at(-1) ?? 1 };
}

function sentenceOfTwins(twins: Piece[], { path }: FileFacts): RuleSentence {
  const places = twins.map(({ file, heading }) => code(file.path === path && heading ? heading : file.path));
  return {
    say: (phrases) => phrases.sameHunk(twins.length, firstNames(places, 5)),
    evidence: twins.slice(0, 20).map(pieceEvidence),
  };
}

function changeOfEdit(edit: SameEdit, files: FileFacts[], diff: Map<string, FileDiff>): ShownChange[] {
  const file = files.find(({ path }) => path === edit.evidence[0]?.fileName);
  if (!file) return [];
  const isOfEdit = (line: DiffLine): boolean => {
    const { side, line: at } = lineOfPiece(line);
    return !isChanged(line) || edit.lines.has(lineKey(file.path, side, at));
  };
  const [shortest] = (diff.get(file.path)?.hunks ?? [])
    .flatMap((hunk) => {
      const lines = linesOf(hunk);
      return runsOfLines(lines).map(({ from, to }) => lines.slice(Math.max(0, from - 1), to + 2));
    })
    .filter((lines) => lines.every(isOfEdit))
    .sort((one, other) => one.length - other.length);
  const lines = shortest && shortest.length <= longestNew + 2 ? shortest : null;
  const last = lines?.findLast(isChanged);
  const heading = (last && rangeAt(file, last)?.name) ?? null;
  const hunk = lines && hunkOf(file.path, heading, lines, { from: 0, to: lines.length - 1 });
  return [{ file, hunk, sentences: [sentenceOfEdit(edit)] }];
}

export const sentenceOfEdit = (edit: SameEdit): RuleSentence => ({
  say: ({ sameEdits }) => sameEdits[edit.kind](edit),
  evidence: edit.evidence,
});
