import { visibleText } from '../../../reading/description/visible-text.ts';

/** A text in quotation marks; one that is not closed goes on to the end of its line. */
const quoted = /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\\n]|\\.)*`?)/;

/** Code with single blanks between its tokens: it may be laid out in columns. What stands in quotation marks stays as it is. */
const singleBlanks = (code: string): string =>
  /\s\s|[^\S ]/.test(code)
    ? code
        .split(quoted)
        .map((part, index) => (index % 2 === 1 ? part : part.replace(/\s+/g, ' ')))
        .join('')
    : code;

/** A name or line as code. Backticks inside of it are fenced by more of them, and what cannot be seen is left out. */
export function codeSpan(text: string): string {
  const plain = singleBlanks(visibleText(text).replaceAll('\n', ' ')).trim();
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${plain}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${plain} ${fence}`;
}
