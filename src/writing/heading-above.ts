import { shownHeading } from '../domain/excerpt-heading.ts';
import type { DiffLine } from '../reading/file-diff.ts';

const longestHeading = 80;

const declaration =
  /^(?:(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|override|open|data|sealed|unsafe) )*(?:function\*?|class|interface|struct|enum|trait|impl|type|module|namespace|def|fn|func|fun|sub) ([\w$]+(?:(?:\.|::)[\w$]+)*)/;

/** Whether a line begins a declaration that lies in no other, as far as it shows. */
export const isDeclaration = (line: string): boolean => declaration.test(line);

/** Words that stand before a bracket and declare nothing. */
const control = /^(?:if|else|for|foreach|while|switch|match|catch|with|return|elif|unless|until|when)$/;

/**
 * The name in what git prints as the heading of a hunk, which is the last line before it that looks like the beginning of a
 * function. Null where one of the hunk's first lines may begin another, because the heading then says where something else
 * stands.
 */
export function headingAbove(printed: string, lines: readonly DiffLine[]): string | null {
  const heading = printed.replace(/\s+/g, ' ').trim();
  if (heading === '') return null;
  if (lines.some(({ text }) => /^\S/.test(text) || beginsFunction(text))) return null;
  const name = declaration.exec(heading)?.[1];
  if (name) return name;
  const called = wordBefore(heading, '(');
  if (called !== '' && !control.test(called)) return called;
  return heading.length <= longestHeading ? shownHeading(heading) : null;
}

function beginsFunction(line: string): boolean {
  const text = line.trim();
  if (declaration.test(text)) return true;
  const called = wordBefore(text, '(');
  return /[{:]$/.test(text) && called !== '' && !control.test(called);
}

/** The name that stands right before the first of some character; empty where there is none. */
function wordBefore(text: string, character: string): string {
  const end = text.indexOf(character);
  return end < 0 ? '' : (/[\w$.:~]{1,80}$/.exec(text.slice(Math.max(0, end - 80), end))?.[0] ?? '');
}
