import type { Evidence, NamedRange } from './facts.ts';

type Span = Pick<Evidence, 'side' | 'startLine' | 'endLine'>;

/** The smallest named range that holds all of some lines. */
export function innermostRange(ranges: NamedRange[], { side, startLine, endLine }: Span): NamedRange | null {
  const sizeOf = (range: NamedRange): number => range.endLine - range.startLine;
  return ranges.reduce<NamedRange | null>((best, range) => {
    const isAround = range.side === side && range.startLine <= startLine && range.endLine >= endLine;
    return isAround && (best === null || sizeOf(range) < sizeOf(best)) ? range : best;
  }, null);
}
