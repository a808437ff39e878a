import type { Edit } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { plainText } from '../plain-text.ts';
import { leansBack } from '../words/whole-thoughts.ts';
import { quoteCode, type Told } from './outline.ts';

/** Headings that say what became of the things listed below them. */
const kinds =
  /^(?:added|adds|additions|new|changed|changes|deprecat\w+|removed|removals?|fixed|fixes|bug ?fixes|security|breaking(?: changes?)?|features?|enhancements?|improve\w*|perf\w*|internal|docs?|documentation|upgrade\w*|dependencies)\b/i;

/** Whether a heading says only what became of what is listed below it. */
export const isKindHeading = (text: string): boolean => kinds.test(text) && !/\s/.test(text.trim());

/** Fewer words are a thing of which only a heading says what became of it. */
const leastWords = 5;

/** What a changelog newly says; null where it cannot be understood by itself. */
export function changelogQuote(
  { text, evidence }: Edit,
  diff: FileDiff | undefined,
): (Told & { statement: { quote: string } }) | null {
  const quote = plainText(text);
  const heading = diff ? headingAbove(diff, evidence.startLine) : null;
  const section = heading !== null && kinds.test(heading) ? heading : null;
  const words = quote.match(/\p{L}{2,}/gu)?.length ?? 0;
  if (leansBack(quote) && /^\p{Lu}/u.test(quote)) return null;
  if (section === null && words < leastWords) return null;
  const statement = { say: 'changelog', section, quote } as const;
  return { ...quoteCode(statement, evidence), statement };
}

/** The last heading above a new line, as far as its hunk shows one. */
function headingAbove(diff: FileDiff, line: number): string | null {
  for (const hunk of diff.hunks) {
    if (line < hunk.newStart || line >= hunk.newStart + hunk.newLines) continue;
    const above = linesOf(hunk).filter(({ newLine }) => newLine !== null && newLine < line);
    const at = above.findLastIndex(
      ({ text }) => /^#{1,6}\s+\S/.test(text) || /^([=~^-])\1{2,}\s*$/.test(text),
    );
    const found = above[at]?.text ?? '';
    const heading = found.startsWith('#') ? found.replace(/^#+\s+/, '') : (above[at - 1]?.text ?? '');
    return plainText(heading.replace(/[[\]]/g, '')).replace(/:$/, '') || null;
  }
  return null;
}
