import type { DiffLines } from '../../verify/diff-lines.ts';
import { lastPart, literally } from '../name-parts.ts';
import type { Piece, PieceUnit } from '../pieces.ts';
import { chooseStatements } from './choose-statements.ts';
import type { Excerpt, ExcerptLine } from './excerpt-form.ts';
import { contextLines, excerptLine, gap, mostChanged, mostLines } from './excerpt-form.ts';
import { type Row, rowsOf } from './excerpt-rows.ts';

/** Between two places that are shown, so many lines are shown with them; of more there is a gap. */
const shortestGap = 3;
/** A longer line was not written to be read. */
const longestLine = 2_000;

/** Cuts out of the diff what shows a piece best; null where none of its lines can be shown. */
export function cutExcerpt(
  piece: Piece,
  lines: DiffLines,
  weigh: (unit: PieceUnit) => number,
  most = mostChanged,
): Excerpt | null {
  const rows = rowsOf(piece, lines);
  const chosen = chooseStatements(piece, rows, { weigh, most, longestLine });
  if (chosen.size === 0) return null;
  const shown = withContext(rows, chosen, piece);
  return { fileName: piece.file.path, heading: piece.name, lines: fitted(withGaps(rows, shown)) };
}

const inOrder = (places: Iterable<number>): number[] => [...places].sort((one, other) => one - other);

/** What is shown, by its place among the rows, in order: what is chosen, with the lines that make it readable. */
function withContext(rows: Row[], chosen: ReadonlySet<number>, { name }: Piece): number[] {
  const order = [...rows.keys()].filter((at) => chosen.has(rows[at]?.unit ?? -1));
  const shown = new Set(order);
  const isFree = (at: number): boolean => {
    const line = rows[at]?.line;
    return line?.side === 'context' && line.text.length <= longestLine;
  };
  for (const [position, index] of order.entries()) {
    const next = order[position + 1];
    if (next === undefined || next - index - 1 > shortestGap) continue;
    const between = Array.from({ length: next - index - 1 }, (_, step) => index + 1 + step);
    if (between.every(isFree) && shown.size + between.length <= mostLines)
      for (const one of between) shown.add(one);
  }
  const add = (at: number, beside: number): void => {
    const isSameHunk = rows[at]?.line.hunk === rows[beside]?.line.hunk;
    if (shown.size < mostLines && isFree(at) && isSameHunk) shown.add(at);
  };
  const [top = 0] = order;
  const bottom = order.at(-1) ?? 0;
  const header = headerAbove(rows, top, name);
  if (header !== null) add(header, top);
  for (let step = 1; step <= contextLines; step++) {
    if (isTelling(rows[top - step])) add(top - step, top);
    if (isTelling(rows[bottom + step]) || step === 1) add(bottom + step, bottom);
  }
  return inOrder(shown);
}

const isTelling = (row: Row | undefined): boolean => /[\p{L}\p{N}]/u.test(row?.line.text ?? '');

/** The line that declares what the piece is in, where the hunk has it above what is shown. */
function headerAbove(rows: Row[], below: number, name: string | null): number | null {
  if (name === null) return null;
  const own = literally(lastPart(name));
  const pattern = new RegExp(
    `\\b(?:function|def|fn|func|fun|class|struct|interface|impl|trait)\\b.*\\b${own}\\b|\\b${own}\\s*(?:=\\s*(?:async\\s*)?\\(|\\([^)]*\\)\\s*[{:])`,
  );
  for (let at = below - 1; at >= 0; at--) {
    const line = rows[at]?.line;
    if (line?.hunk !== rows[below]?.line.hunk) return null;
    if (line?.side === 'context' && pattern.test(line.text)) return at;
  }
  return null;
}

/** What is shown, with marks for what is left out between, above and below; of blank lines alone there is none. */
function withGaps(rows: Row[], shown: number[]): ExcerptLine[] {
  const isLeft = (from: number, to: number): boolean =>
    rows.slice(from, to).some(({ isOwn, line }) => isOwn && line.text.trim() !== '');
  const isGap = (above: number, at: number): boolean =>
    at > above + 1
      ? rows.slice(above + 1, at).some(({ line }) => line.text.trim() !== '')
      : rows[above]?.line.hunk !== rows[at]?.line.hunk;
  const lines = shown.flatMap((at, index): ExcerptLine[] => {
    const [row, above] = [rows[at], shown[index - 1]];
    if (!row) return [];
    return [...(above !== undefined && isGap(above, at) ? [gap] : []), excerptLine(row.line)];
  });
  const [first = 0] = shown;
  const last = shown.at(-1) ?? 0;
  return [...(isLeft(0, first) ? [gap] : []), ...lines, ...(isLeft(last + 1, rows.length) ? [gap] : [])];
}

/** Without lines that stay, from the outside in, where there are more than fit. */
function fitted(lines: ExcerptLine[]): ExcerptLine[] {
  const fit = [...lines];
  while (fit.length > mostLines) {
    const bottom = fit.findLastIndex(({ kind }) => kind === 'context');
    const top = fit.findIndex(({ kind }) => kind === 'context');
    const isNearer = fit.length - bottom <= top + 1;
    const at = bottom < 0 ? fit.findLastIndex(({ kind }) => kind === 'gap') : isNearer ? bottom : top;
    if (at < 0) break;
    fit.splice(at, 1);
    // What is left out in the middle is still marked.
    if (bottom >= 0 && at > 0 && at < fit.length && fit[at - 1]?.kind !== 'gap' && fit[at]?.kind !== 'gap')
      fit.splice(at, 0, gap);
  }
  return fit.filter(({ kind }, index) => kind !== 'gap' || fit[index - 1]?.kind !== 'gap');
}
