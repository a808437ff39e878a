import type { DiffLine } from '../../../reading/file-diff.ts';

export type RowKind =
  | 'sameEdit'
  | 'source'
  | 'test'
  | 'documentation'
  | 'build'
  | 'generated'
  | 'vendored'
  | 'other';

export interface Excerpt {
  fileName: string;
  heading: string | null;
  lines: ExcerptLine[];
}

export interface ExcerptLine {
  kind: 'context' | 'added' | 'removed' | 'gap';
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** What fits on a screen of a phone, and what of it may be changed. */
export const mostLines = 16;
export const mostChanged = 12;
/** Lines that stay, above and below what changed. */
export const contextLines = 2;

/** Of a change up to so many lines, four excerpts show what matters. */
export const mostExcerpts = (changedLines: number): number => (changedLines <= 300 ? 4 : 6);

/** Stands for lines that are left out. */
export const gap: ExcerptLine = { kind: 'gap', oldLine: null, newLine: null, text: '' };

export const excerptLine = ({ side, oldLine, newLine, text }: DiffLine): ExcerptLine => ({
  kind: side,
  oldLine,
  newLine,
  text,
});
