import { commentEnd } from './comment-signs.ts';
import { isCommentLine } from './compare/units.ts';
import { splitLine } from './description/sentences.ts';
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

const closing = /(?<!\s)\s*(?:"""|''')\s*$/;
const docstringMark = /^[rRuU]?(?:"""|''')/;

/** Words to a tool, a licence, or code that was switched off: not what somebody wants to tell a reader. */
const notForReaders =
  /eslint|prettier|biome-|@ts-|tslint|nolint|noqa|noinspection|istanbul|c8 ignore|v8 ignore|pragma|copyright|spdx|licen[cs]e|#region|type: ignore|pylint|rubocop|clippy|coverage|\btodo\b|\bfixme\b|\bxxx\b|^@\w|^\W*(?:if|for|while|return|const|let|var|import|export|def|func|fn|end)\b.*[({;=]|[;{]$|=>|^[\w.]+\(.*\)$|\{@|<\w+\s+(?:cref|name|langword|href|paramref)=|\s--?[a-z][\w-]*[= ]|&&|\|\||\$[\w{(]/i;

/** Tags around whole passages in the comments of .NET. */
const documentTags = /<\/?(?:summary|remarks|para|returns|value|example)>/g;

/** What a run of comment lines says, in one line and without its marks. */
function commentText(lines: HunkLine[]): string {
  return (
    lines
      .map(({ text, signs }) =>
        text
          .replace(signs.line, '')
          .replace(docstringMark, '')
          .replace(closing, '')
          .replace(commentEnd, '')
          // A box of signs around a heading.
          .replace(/(?<!\s)\s+(?:--+|#+|\/\/+|;+|%+)$/, '')
          .replace(/^\*\s/, '')
          .replace(documentTags, '')
          .trim(),
      )
      .filter((line) => line !== '/' && !/^[-=*#_~]{3,}$/.test(line))
      .join('\n')
      .split(/\n\s*\n|\n(?=@|-\s)/)[0]
      ?.replaceAll('\n', ' ')
      .trim() ?? ''
  );
}

/** The first sentence of a comment, if it is one that tells a reader something. */
function firstSentence(comment: string): string | null {
  const [sentence = ''] = splitLine(comment.replace(/^@(?:description|summary|brief)\s+/i, ''));
  const words = sentence.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const isWide = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(sentence);
  if ((words < 4 && !isWide) || sentence.length > 220 || notForReaders.test(sentence)) return null;
  // What is only announced is said below it.
  return /[{}]|\w\(\)?.*\)\s*\{|:$/.test(sentence) ? null : sentence;
}
