import { commentEnd } from './comment-signs.ts';
import { splitLine } from './description/sentences.ts';
import type { HunkLine } from './hunk-lines.ts';

const closing = /(?<!\s)\s*(?:"""|''')\s*$/;
const docstring = /^[rRuU]?(?:"""|''')/;

/** Words to a tool, a licence, or code that was switched off: not what somebody wants to tell a reader. */
const notForReaders =
  /eslint|prettier|biome-|@ts-|tslint|nolint|noqa|noinspection|istanbul|c8 ignore|v8 ignore|pragma|copyright|spdx|licen[cs]e|#region|type: ignore|pylint|rubocop|clippy|coverage|\btodo\b|\bfixme\b|\bxxx\b|^@\w|^\W*(?:if|for|while|return|const|let|var|import|export|def|func|fn|end)\b.*[({;=]|[;{]$|=>|^[\w.]+\(.*\)$|\{@|<\w+\s+(?:cref|name|langword|href|paramref)=|\s--?[a-z][\w-]*[= ]|&&|\|\||\$[\w{(]/i;

/** Tags around whole passages in the comments of .NET. */
const documentTags = /<\/?(?:summary|remarks|para|returns|value|example)>/g;

/** What a run of comment lines says, in one line and without its marks. */
export function commentText(lines: HunkLine[]): string {
  return (
    lines
      .map(({ text, signs }) =>
        text
          .replace(signs.line, '')
          .replace(docstring, '')
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
export function firstSentence(comment: string): string | null {
  const [sentence = ''] = splitLine(comment.replace(/^@(?:description|summary|brief)\s+/i, ''));
  const words = sentence.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  const isWide = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/u.test(sentence);
  if ((words < 4 && !isWide) || sentence.length > 220 || notForReaders.test(sentence)) return null;
  // What is only announced is said below it.
  return /[{}]|\w\(\)?.*\)\s*\{|:$/.test(sentence) ? null : sentence;
}
