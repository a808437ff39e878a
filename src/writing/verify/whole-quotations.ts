import { cleanDescription } from '../../reading/description/clean-description.ts';
import { parseBlocks } from '../../reading/description/parse-blocks.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import { plainText } from '../plain-text.ts';
import { withoutReferences } from '../rules/author-words.ts';
import { bareTitle } from '../rules/title.ts';
import { foldWords } from './fold-words.ts';

/** What stands before a sentence and says of which kind it is: "BREAKING CHANGE: ". */
const mark = /^\p{L}[\p{L} -]{3,20}[:：]\s*/u;

/** What begins a line of a comment. */
const commentMark = /^\s*(?:\/\/[/!]?|\/?\*+|#+|--|;+|%+|"""|''')\s?/;

/** Further down in a text nothing is quoted. */
const mostRead = 100_000;

/** All that can be quoted of a text without tearing it: lines and sentences, without what machines read before and behind them. */
export function wholesOf(written: string): Set<string> {
  const text = written.slice(0, mostRead);
  // Below a subject stands a text of its own, even without a blank line between them.
  const [first = '', ...rest] = text.split('\n');
  const below = rest.join('\n');
  const lines = [first, ...[cleanDescription(text), text, cleanDescription(below)].flatMap(linesOf)];
  const forms = lines.flatMap((line) => [
    line,
    plainText(line),
    bareTitle(line),
    withoutReferences(plainText(line)),
  ]);
  const wholes = [...new Set(forms)].flatMap((form) => [form, ...splitLine(form)]);
  return new Set(wholes.flatMap((whole) => [foldWords(whole), foldWords(whole.replace(mark, ''))]));
}

/** The same of lines of code, in which comments run on over several. */
export function wholesOfCode(lines: string): Set<string> {
  const marked = lines
    .split('\n')
    .map((line) => (commentMark.test(line) ? line.replace(commentMark, '') : ''));
  return new Set([...wholesOf(marked.join('\n')), ...wholesOf(lines)]);
}

const linesOf = (text: string): string[] =>
  parseBlocks(text).flatMap((block) =>
    block.kind === 'paragraph' || block.kind === 'item' ? block.text.split('\n') : [],
  );
