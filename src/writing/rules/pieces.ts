import { commentSigns } from '../../reading/comment-signs.ts';
import { isLayout } from '../../reading/compare/units.ts';
import type { Evidence, FileFacts, NamedRange, SymbolChange, UnitChange } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import { lineKey } from '../../reading/same-edits.ts';

export interface PieceLine extends DiffLine {
  of: UnitChange['of'] | 'blank' | 'closing';
  /** Why the piece need not be shown: it was moved, only reformatted, or is a repeated edit. */
  quiet: 'moved' | 'layout' | 'same' | null;
}

export interface Piece {
  file: FileFacts;
  heading: string | null;
  lines: PieceLine[];
  symbol: SymbolChange | null;
  isTest: boolean;
}

export const isChanged = ({ side }: DiffLine): boolean => side !== 'context';

export const says = (line: PieceLine): boolean =>
  isChanged(line) && line.quiet === null && line.of !== 'blank' && line.of !== 'closing';

export const isCodeLine = (line: PieceLine): boolean =>
  says(line) && line.of !== 'comment' && line.of !== 'import';

export const lineOfPiece = ({
  side,
  oldLine,
  newLine,
}: DiffLine): { side: Evidence['side']; line: number } =>
  side === 'removed' ? { side: 'old', line: oldLine ?? 0 } : { side: 'new', line: newLine ?? 0 };

export const changedDiffLines = ({ hunks }: FileDiff): DiffLine[] =>
  hunks.flatMap((hunk) => linesOf(hunk).filter((line) => isChanged(line) && line.text.trim() !== ''));

export const isIn = (
  line: DiffLine,
  span: Pick<Evidence, 'side' | 'startLine' | 'endLine'> | null,
): boolean => {
  const { side, line: at } = lineOfPiece(line);
  return span?.side === side && at >= span.startLine && at <= span.endLine;
};

export function isIdleLineIn(
  { changes, language }: FileFacts,
  kinds: FileFacts['changes'][number]['of'][] = ['comment', 'import'],
): (line: DiffLine) => boolean {
  const idle = changes.filter(({ of }) => kinds.includes(of));
  return (line) =>
    (language === 'Go' && kinds.includes('import') && goImport.test(line.text)) ||
    idle.some((unit) => [unit.old, unit.new].some((span) => isIn(line, span)));
}

export const rangeAt = (file: FileFacts, line: DiffLine): NamedRange | null => {
  const { side, line: at } = lineOfPiece(line);
  return innermostRange(file.ranges, { side, startLine: at, endLine: at });
};

/** Nobody sees a difference in a long line of data or build output, but a paragraph is often one line. */
export const isVeryLong = ({ kind }: FileFacts, { text }: DiffLine): boolean =>
  text.length > (kind === 'documentation' ? 800 : 300);

const fewestMoved = 5;
const shortRun = 12;
/** Neighbouring edits are joined up to this many changed lines. */
const mostJoined = 26;
const mostContext = 3;

export function piecesOf(file: FileFacts, diff: FileDiff, sameLines: ReadonlySet<string>): Piece[] {
  const read = lineReader(file, sameLines);
  const starts = [...newSymbols(file), ...file.tests.filter(({ change }) => change === 'added')];
  return diff.hunks.flatMap((hunk) => {
    const lines = read(linesOf(hunk));
    if (opensImports.test(hunk.heading)) markImports(lines);
    return groupRuns(file, lines, starts).map((run) => pieceOf(file, lines, run));
  });
}

const closing = /^[\s()[\]{};,]*$|^\s*(?:end|fi|done|esac)\s*;?$/;
const directive =
  /^\s*(?:\/\/(?:go:|\s*\+build|\s*@ts-|\s*eslint)|#!|#\s*(?:type:|noqa|pragma)|\/\*\s*eslint)/;
const goImport = /^\s+(?:[\w.]+\s+)?"[\w./~-]+"(?:\s*\/\/.*)?$/;
const importLine =
  /^\s*(?:(?:pub(?:\([^)]*\))? )?use [\w:{}, *]+;$|import |from \S+ import |#include\b|(?:const|let|var) .* = require\(|export (?:\*|\{[^}]*\}) from |(?:pub )?mod \w+;$)/;

type UnitAt = (side: Evidence['side'], line: number) => UnitChange | undefined;

function lineReader(file: FileFacts, sameLines: ReadonlySet<string>) {
  const unitAt = unitsByLine(file);
  const signs = commentSigns(file.language);
  const isProse = file.kind === 'documentation';
  const kindOf = (line: DiffLine, unit: UnitChange | undefined): PieceLine['of'] => {
    const { text } = line;
    if (text.trim() === '') return 'blank';
    if (isProse) return 'text';
    if (closing.test(text)) return 'closing';
    if (directive.test(text)) return 'code';
    if (importLine.test(text)) return 'import';
    if (file.language === 'Go' && goImport.test(text) && rangeAt(file, line) === null) return 'import';
    return unit?.of ?? (signs.line.test(text) ? 'comment' : 'code');
  };
  const quietOf = (line: DiffLine, unit: UnitChange | undefined): PieceLine['quiet'] => {
    const { side, line: at } = lineOfPiece(line);
    if (!isChanged(line)) return null;
    if (sameLines.has(lineKey(file.path, side, at))) return 'same';
    if (unit?.kind === 'moved') return isReordered(file, unit, line) ? null : 'moved';
    return unit && isLayout(unit, file.language) ? 'layout' : null;
  };
  return (lines: readonly DiffLine[]): PieceLine[] => {
    const read = lines.map((line): PieceLine => {
      const { side, line: at } = lineOfPiece(line);
      const unit = unitAt(side, at);
      return { ...line, of: kindOf(line, unit), quiet: quietOf(line, unit) };
    });
    showSpreadLayout(read, unitAt);
    keepShortMoves(read);
    return read;
  };
}

/** A line that equals one of another run was moved, not reformatted. */
function showSpreadLayout(lines: PieceLine[], unitAt: UnitAt): void {
  const runs = new Map<UnitChange, number>();
  const quiet = runsOfLines(lines).flatMap(({ from, to }) =>
    lines.slice(from, to + 1).flatMap((line) => {
      const { side, line: at } = lineOfPiece(line);
      const unit = line.quiet === 'layout' ? unitAt(side, at) : undefined;
      return unit ? [{ line, unit, run: from }] : [];
    }),
  );
  const spread = new Set<UnitChange>();
  for (const { unit, run } of quiet) {
    if ((runs.get(unit) ?? run) !== run) spread.add(unit);
    runs.set(unit, run);
  }
  for (const { line, unit } of quiet) if (spread.has(unit)) line.quiet = null;
}

const opensImports = /^(?:from|import|(?:pub )?use)\b.*[({]\s*$/;

function markImports(lines: PieceLine[]): void {
  for (const line of lines) {
    if (line.of === 'closing') break;
    if (line.of === 'code') line.of = 'import';
  }
}

function unitsByLine({ changes }: FileFacts): UnitAt {
  const units = { old: new Map<number, UnitChange>(), new: new Map<number, UnitChange>() };
  for (const change of changes)
    for (const side of ['old', 'new'] as const) {
      const span = change[side];
      if (!span) continue;
      for (let line = span.startLine; line <= span.endLine; line++) units[side].set(line, change);
    }
  return (side, line) => units[side].get(line);
}

/** Within one file, only a whole function counts as moved; other lines were reordered. */
function isReordered({ path, symbols }: FileFacts, { counterpart }: UnitChange, line: DiffLine): boolean {
  if (counterpart?.fileName !== path) return false;
  return !symbols.some(
    ({ change, evidence, movedFrom, movedTo }) =>
      change === 'moved' && [evidence, movedFrom, movedTo].some((span) => isIn(line, span)),
  );
}

function keepShortMoves(lines: PieceLine[]): void {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]?.quiet !== 'moved') continue;
    const { side } = lines[at] as PieceLine;
    let end = at;
    const goesOn = (line: PieceLine | undefined): boolean =>
      line?.side === side && (line.quiet === 'moved' || line.of === 'blank' || line.of === 'closing');
    while (goesOn(lines[end + 1])) end++;
    const block = lines.slice(at, end + 1);
    if (block.filter(({ quiet }) => quiet === 'moved').length < fewestMoved)
      for (const line of block) line.quiet = null;
    at = end;
  }
}

export interface Run {
  from: number;
  to: number;
}

const linesOfRun = (lines: PieceLine[], { from, to }: Run): PieceLine[] => lines.slice(from, to + 1);

type Begun = Pick<SymbolChange, 'evidence'>;

function groupRuns(file: FileFacts, lines: PieceLine[], starts: Begun[]): Run[] {
  const groups: Run[] = [];
  for (const run of runsOfLines(lines).flatMap((one) => splitRun(lines, one, starts))) {
    if (!linesOfRun(lines, run).some(says)) continue;
    const last = groups.at(-1);
    if (last && belongTogether(file, lines, last, run)) last.to = run.to;
    else groups.push({ ...run });
  }
  return groups;
}

export function runsOfLines(lines: readonly DiffLine[]): Run[] {
  const runs: Run[] = [];
  for (const [at, line] of lines.entries()) {
    if (!isChanged(line)) continue;
    const last = runs.at(-1);
    if (last?.to === at - 1) last.to = at;
    else runs.push({ from: at, to: at });
  }
  return runs;
}

function belongTogether(file: FileFacts, lines: PieceLine[], one: Run, other: Run): boolean {
  const gap = lines.slice(one.to + 1, other.from);
  const size = lines.slice(one.from, other.to + 1).filter(isChanged).length;
  if (size > mostJoined || gap.some(isChanged)) return false;
  if (newSymbolIn(file, lines, one) || newSymbolIn(file, lines, other)) return size + gap.length <= shortRun;
  const [before, after] = [linesOfRun(lines, one).filter(says), linesOfRun(lines, other).filter(says)];
  if (before.some(isCodeLine) !== after.some(isCodeLine) && gap.length > 1) return false;
  const isOfTests = (some: PieceLine[]): boolean => some.some((line) => isInTests(file, line));
  if (isOfTests(before) !== isOfTests(after)) return false;
  return gap.length <= 2 || (gap.length <= 6 && pieceHeading(file, before) === pieceHeading(file, after));
}

/**
 * A long run of added lines is split where a function or type begins or ends; removed lines stay with their
 * replacements.
 */
function splitRun(lines: PieceLine[], run: Run, starts: Begun[]): Run[] {
  const own = linesOfRun(lines, run);
  if (own.length <= shortRun || own.some(({ side }) => side === 'removed')) return [run];
  const parts: Run[] = [];
  let from = run.from;
  for (const bound of boundsOf(starts, lines, run).sort((one, other) => one - other)) {
    if (bound <= from) continue;
    parts.push({ from, to: bound - 1 });
    from = bound;
  }
  return [...parts, { from, to: run.to }];
}

const isAbove = ({ side, of, text }: PieceLine): boolean =>
  side === 'added' && (of === 'comment' || /^\s*(?:@|#\[|\[[A-Z]|\/\/)/.test(text));

const longType = 30;

function newSymbols({ symbols }: FileFacts): SymbolChange[] {
  const own = symbols.filter(
    ({ change, kind, evidence }) =>
      change === 'added' &&
      evidence.side === 'new' &&
      (kind !== 'constant' || evidence.endLine > evidence.startLine + 3),
  );
  const holds = (outer: Evidence, inner: Evidence): boolean =>
    outer !== inner && outer.startLine <= inner.startLine && outer.endLine >= inner.endLine;
  return own.filter(
    ({ evidence }) =>
      !own.some(
        ({ evidence: outer }) => holds(outer, evidence) && outer.endLine - outer.startLine <= longType,
      ),
  );
}

function boundsOf(starts: Begun[], lines: PieceLine[], run: Run): number[] {
  return starts.flatMap(({ evidence: { startLine, endLine } }) => {
    const at = (line: number): number =>
      lines.findIndex(({ newLine, side }) => newLine === line && side === 'added');
    let start = at(startLine);
    if (start < run.from || start > run.to) return [];
    while (start > run.from && isAbove(lines[start - 1] as PieceLine)) start--;
    const end = at(endLine);
    return end > start && end < run.to ? [start, end + 1] : [start];
  });
}

function newSymbolIn(file: FileFacts, lines: PieceLine[], run: Run): SymbolChange | null {
  const own = linesOfRun(lines, run);
  if (own.some((line) => line.side === 'removed' && says(line))) return null;
  const numbers = own.filter((line) => line.side === 'added' && !isAbove(line) && line.of !== 'blank');
  const [first, last] = [numbers[0]?.newLine ?? 0, numbers.at(-1)?.newLine ?? 0];
  return (
    file.symbols.find(
      ({ change, kind, evidence: { side, startLine, endLine } }) =>
        change === 'added' &&
        side === 'new' &&
        (kind !== 'constant' || endLine > startLine + 3) &&
        startLine === first &&
        endLine - startLine >= (last - first) / 2,
    ) ?? null
  );
}

export function pieceHeading(file: FileFacts, lines: PieceLine[]): string | null {
  const own = lines.filter(lines.some(isCodeLine) ? isCodeLine : says);
  const names = [...new Set(own.map((line) => rangeAt(file, line)?.name ?? null))];
  if (names.length < 2) return names[0] ?? null;
  if (names.includes(null)) return null;
  const containers = [...new Set(names.map((name) => /^(.+)\.[^.]+$/.exec(name ?? '')?.[1] ?? name))];
  return containers.length === 1 ? (containers[0] ?? null) : null;
}

/** Rust has unit tests in the file that they test. */
function isInTests(file: FileFacts, line: DiffLine): boolean {
  if (file.kind === 'test') return true;
  return (
    file.tests.some(({ evidence }) => isIn(line, evidence)) ||
    file.ranges.some((range) => isIn(line, range) && /^tests?(?:$|\.|::| ›)/.test(range.name))
  );
}

function pieceOf(file: FileFacts, lines: PieceLine[], run: Run): Piece {
  const symbol = newSymbolIn(file, lines, run);
  const whole = symbol ? wholeSymbol(lines, run, symbol) : withContext(file, lines, run);
  const own = linesOfRun(lines, trimmed(lines, file.status === 'added' ? belowHead(lines, whole) : whole));
  return {
    file,
    heading: symbol ? fullName(symbol) : pieceHeading(file, own),
    lines: own,
    symbol,
    isTest: own.some((line) => says(line) && isInTests(file, line)),
  };
}

export const fullName = ({ name, container }: SymbolChange): string =>
  container === null ? name : `${container}.${name}`;

/** Git may attribute the last lines of a new function to the function above it. */
function wholeSymbol(lines: PieceLine[], { from, to }: Run, { evidence }: SymbolChange): Run {
  let end = to;
  while (lines[end + 1]?.side === 'context' && (lines[end + 1]?.newLine ?? 0) <= evidence.endLine) end++;
  return { from, to: end };
}

function withContext(file: FileFacts, lines: PieceLine[], run: Run): Run {
  const isFree = (at: number): boolean => lines[at]?.side === 'context' && !isVeryLong(file, lines[at]);
  let { from, to } = run;
  while (run.from - from < mostContext && isFree(from - 1)) from--;
  while (to - run.to < mostContext && isFree(to + 1)) to++;
  return { from, to };
}

const fileHead = /^\s*(?:package\s|namespace\s[\w\\.]+;|<\?php|["']use strict["'])/;

function belowHead(lines: PieceLine[], { from, to }: Run): Run {
  if (lines[from]?.newLine !== 1) return { from, to };
  const isHead = (at: number): boolean => lines[at]?.of !== 'code' || fileHead.test(lines[at]?.text ?? '');
  let start = from;
  while (start < to && isHead(start)) start++;
  if (isHead(start)) return { from, to };
  while (start > from && lines[start - 1]?.of === 'comment') start--;
  return { from: start, to };
}

export function trimmed(lines: PieceLine[], { from, to }: Run): Run {
  let [start, end] = [from, to];
  const isNew = linesOfRun(lines, { from, to }).every(({ side }) => side !== 'removed');
  const isIdle = (at: number): boolean =>
    lines[at]?.of === 'blank' && (isNew || lines[at]?.side === 'context');
  while (start < end && isIdle(start)) start++;
  // An opening line without the lines that follow it is not worth showing.
  const opens = (at: number): boolean =>
    (isNew || lines[at]?.side === 'context') && at > start + 1 && /[{([]\s*$/.test(lines[at]?.text ?? '');
  while (end > start && (isIdle(end) || opens(end))) end--;
  return { from: start, to: end };
}
