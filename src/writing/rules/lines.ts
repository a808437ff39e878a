import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';

/** Changed lines that are not blank. */
export const changedLines = ({ hunks }: FileDiff): DiffLine[] =>
  hunks.flatMap((hunk) => linesOf(hunk).filter(({ side, text }) => side !== 'context' && text.trim() !== ''));

/** Whether a changed line is in some lines, on the side where it changed. */
export function isIn(
  { side, oldLine, newLine }: DiffLine,
  span: Pick<Evidence, 'side' | 'startLine' | 'endLine'>,
): boolean {
  const [own, number] = side === 'removed' ? (['old', oldLine] as const) : (['new', newLine] as const);
  return span.side === own && number !== null && number >= span.startLine && number <= span.endLine;
}

/** One line of a list of imports, which Go writes without a word for it. */
const goImport = /^\s*(?:[\w.]+\s+)?"[\w./~-]+"\s*$/;

/** Says which lines of a file are comments or imports. */
export function idleLines(
  { changes, language }: FileFacts,
  kinds: FileFacts['changes'][number]['of'][] = ['comment', 'import'],
): (line: DiffLine) => boolean {
  const idle = changes.filter(({ of }) => kinds.includes(of));
  return (line) =>
    (language === 'Go' && kinds.includes('import') && goImport.test(line.text)) ||
    idle.some((unit) => [unit.old, unit.new].some((span) => span !== null && isIn(line, span)));
}

const rustTests = /\bmod \w*tests?\b|#\[cfg\(test\)\]|#\[(?:\w+::)*test\b/;

/** The changed lines of a source file; Rust has its tests behind the code, and these are none of it. */
export function codeLines({ hunks }: FileDiff, { language }: FileFacts): DiffLine[] {
  const lines: DiffLine[] = [];
  for (const hunk of hunks) {
    if (language === 'Rust' && rustTests.test(hunk.heading)) return lines;
    for (const line of linesOf(hunk)) {
      if (language === 'Rust' && rustTests.test(line.text)) return lines;
      if (line.side !== 'context') lines.push(line);
    }
  }
  return lines;
}
