import { detachText } from '../detach-text.ts';
import type { SymbolChange } from '../facts.ts';
import type { HunkLines } from '../hunk-lines.ts';
import { commentText, firstSentence, isComment } from './comments.ts';

const decoration = /^\s*(?:@[\w.]+.*|#\[.*\]|\[[\w(].*\])\s*$/;

/** Gives each symbol that is new, or used in a new way, what the comment that belongs to it says. */
export function explainSymbols(hunks: HunkLines[], symbols: SymbolChange[]): void {
  const wanted = symbols.filter(
    ({ change }) => change === 'added' || change === 'signatureChanged' || change === 'renamed',
  );
  if (wanted.length === 0) return;
  const lines = new Map<number, string>();
  for (const hunk of hunks) {
    for (const { newLine, text } of hunk.new) if (newLine !== null) lines.set(newLine, text);
  }
  for (const symbol of wanted) {
    const { startLine, endLine } = symbol.evidence;
    if (symbol.evidence.side !== 'new') continue;
    const told =
      firstSentence(commentAbove(lines, startLine)) ?? firstSentence(docstring(lines, startLine, endLine));
    symbol.explanation = told === null ? null : detachText(told);
  }
}

function commentAbove(lines: Map<number, string>, startLine: number): string {
  const comment: string[] = [];
  for (let number = startLine - 1; number > startLine - 60; number--) {
    const text = lines.get(number);
    if (text === undefined) break;
    if (isComment(text) || /^\s*\*\//.test(text)) comment.unshift(text);
    else if (comment.length > 0 || !decoration.test(text)) break;
  }
  return commentText(comment);
}

/** Python says what a function does in its first lines. */
function docstring(lines: Map<number, string>, startLine: number, endLine: number): string {
  for (let number = startLine + 1; number <= Math.min(endLine, startLine + 12); number++) {
    const text = lines.get(number)?.trim() ?? '';
    const opened = /^[rub]?(?:"""|''')(.*)$/.exec(text)?.[1];
    if (opened === undefined) continue;
    const first = opened === '' ? (lines.get(number + 1)?.trim() ?? '') : opened;
    return first.replace(/(?:"""|''')\s*$/, '');
  }
  return '';
}
