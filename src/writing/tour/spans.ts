import type { Evidence } from '../../reading/facts.ts';
import type { Piece, PieceUnit } from './pieces.ts';

/** More places than these say no more. */
const mostSpans = 8;

/** Where a piece shows, on the side that it changed to. */
export function spansOf({ units }: Piece): Evidence[] {
  const spans: Evidence[] = [];
  for (const { change } of units.filter(({ deed }) => deed !== 'layout')) {
    for (const span of change.kind === 'replaced' ? [change.old, change.new] : [change.new ?? change.old]) {
      if (!span) continue;
      const last = spans.findLast(({ side }) => side === span.side);
      if (last && span.startLine <= last.endLine + 1 && span.startLine >= last.startLine)
        last.endLine = Math.max(last.endLine, span.endLine);
      else spans.push({ ...span });
    }
  }
  return spans
    .sort((one, other) => (one.side === other.side ? 0 : one.side === 'new' ? -1 : 1))
    .slice(0, mostSpans);
}

/** Where a statement stands, as it is now first. */
export const spansOfUnit = ({ change }: PieceUnit): Evidence[] =>
  [change.new, change.old].filter((span) => span !== null);
