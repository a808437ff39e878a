import { singleBlanks } from '../../../reading/compare/single-blanks.ts';
import { visibleText } from '../../../reading/description/visible-text.ts';

/** A name or line as code. Backticks inside of it are fenced by more of them, and what cannot be seen is left out. */
export function codeSpan(text: string): string {
  const plain = singleBlanks(visibleText(text).replaceAll('\n', ' ')).trim();
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map((run) => run.length));
  if (longest === 0) return `\`${plain}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${plain} ${fence}`;
}
