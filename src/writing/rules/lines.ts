import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** Changed lines that are not blank. */
export const changedLines = ({ hunks }: FileDiff): DiffLine[] =>
  hunks.flatMap((hunk) => linesOf(hunk).filter(({ side, text }) => side !== 'context' && text.trim() !== ''));

/** Whether a changed line stands in some lines, on the side where it changed. */
export function standsIn(
  { side, oldLine, newLine }: DiffLine,
  span: Pick<Evidence, 'side' | 'startLine' | 'endLine'>,
): boolean {
  const [own, number] = side === 'removed' ? (['old', oldLine] as const) : (['new', newLine] as const);
  return span.side === own && number !== null && number >= span.startLine && number <= span.endLine;
}

/** One line of a list of imports, which Go writes without a word for it. */
const goImport = /^\s*(?:[\w.]+\s+)?"[\w./~-]+"\s*$/;

/** Says which lines of a file are comments or imports. */
export function idleLines({ changes, language }: FileFacts): (line: DiffLine) => boolean {
  const idle = changes.filter(({ of }) => of === 'comment' || of === 'import');
  return (line) =>
    (language === 'Go' && goImport.test(line.text)) ||
    idle.some((unit) => [unit.old, unit.new].some((span) => span !== null && standsIn(line, span)));
}
