import { commentText, firstSentence } from './comments.ts';
import { isCommentLine } from './compare/units.ts';
import { detachText } from './detach-text.ts';
import type { SymbolChange } from './facts.ts';
import type { HunkLine, HunkLines } from './hunk-lines.ts';

const decoration = /^\s*(?:@[\w.]+.*|#\[.*\]|\[[\w(].*\])\s*$/;

/** Gives each symbol that is new, or used in a new way, what the comment that belongs to it says. */
export function explainSymbols(hunks: HunkLines[], symbols: SymbolChange[]): void {
  const wanted = symbols.filter(
    ({ change }) => change === 'added' || change === 'signatureChanged' || change === 'renamed',
  );
  if (wanted.length === 0) return;
  const lines = new Map<number, HunkLine>();
  for (const hunk of hunks) {
    for (const line of hunk.new) if (line.newLine !== null) lines.set(line.newLine, line);
  }
  for (const symbol of wanted) {
    const { startLine, endLine } = symbol.evidence;
    if (symbol.evidence.side !== 'new') continue;
    const told =
      firstSentence(commentAbove(lines, startLine)) ?? firstSentence(docstring(lines, startLine, endLine));
    symbol.explanation = told === null ? null : detachText(told);
  }
}

/** A text that documents what stands above says nothing of what stands below. */
const explains = (line: HunkLine): boolean =>
  isCommentLine(line) && (line.signs.documents.length === 0 || line.isComment);

function commentAbove(lines: Map<number, HunkLine>, startLine: number): string {
  const comment: HunkLine[] = [];
  for (let number = startLine - 1; number > startLine - 60; number--) {
    const line = lines.get(number);
    if (line === undefined) break;
    if (explains(line)) comment.unshift(line);
    else if (comment.length > 0 || !decoration.test(line.text)) break;
  }
  return commentText(comment);
}

/** Python says what a function does in its first lines; the sentence may run over several. */
function docstring(lines: Map<number, HunkLine>, startLine: number, endLine: number): string {
  const last = Math.min(endLine, startLine + 24);
  for (let number = startLine + 1; number <= last; number++) {
    const opened = /^[rub]?("""|''')(.*)$/.exec(lines.get(number)?.text ?? '');
    if (!opened) continue;
    const [, quote = '', first = ''] = opened;
    const said: string[] = [];
    for (let text = first; number <= last; text = lines.get(++number)?.text ?? '') {
      const end = text.indexOf(quote);
      said.push((end < 0 ? text : text.slice(0, end)).trim());
      if (end >= 0 || (text === '' && said.some((one) => one !== ''))) break;
    }
    return said.join(' ').trim();
  }
  return '';
}
