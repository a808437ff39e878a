import type { DiffLine } from '../reading/file-diff.ts';
import { foldSpace } from '../reading/fold-space.ts';

const declaration =
  /^(?:(?:export|default|pub|public|private|protected|internal|static|async|abstract|final|override|open|data|sealed|unsafe) )*(?:function\*?|class|interface|struct|enum|trait|impl|type|module|namespace|def|fn|func|fun|sub) ([\w$]+(?:(?:\.|::)[\w$]+)*)/;

/** Words that stand before a bracket and declare nothing. */
const control = /^(?:if|else|for|foreach|while|switch|match|catch|with|return|elif|unless|until|when)$/;

/**
 * The name in what git prints as the heading of a hunk, which is the last line before it that looks like the beginning of a
 * function. Null where that is no whole declaration; where one of the hunk's first lines may begin another, because the heading
 * then says where something else stands; and where the change takes that declaration away, because git prints how it was.
 */
export function headingAbove(
  printed: string,
  lines: readonly DiffLine[],
  file: readonly DiffLine[],
): string | null {
  const heading = foldSpace(printed);
  if (heading === '') return null;
  if (lines.some(({ text }) => /^\S/.test(text) || beginsFunction(text))) return null;
  const name = section.exec(heading)?.[0] ?? declaration.exec(heading)?.[1] ?? headOf(heading);
  if (name === null) return null;
  const isOld = lines.every(({ side }) => side !== 'added') && lines.some(({ side }) => side === 'removed');
  return !isOld && isGone(heading, name, file) ? null : name;
}

/** The name of a function whose head has no word for it; what is called with a text or a function declares nothing. */
function headOf(heading: string): string | null {
  const called = wordBefore(heading, '(');
  const isCall = /^(?:await |return |[\w$.]+ = )|\((?:['"`]|.*=>)|[;,]$/.test(heading);
  return called === '' || control.test(called) || isCall ? null : called;
}

/** A heading of a document, or of a part of a configuration. */
const section = /^(?:#{1,6} \S.*|\[+[\w."': -]+\]+)$/;

/** Whether the line of a declaration was removed, and no other line declares the name. */
function isGone(heading: string, name: string, file: readonly DiffLine[]): boolean {
  const isIt = ({ text }: DiffLine): boolean => foldSpace(text) === heading;
  // Git cuts long lines.
  const begins = ({ text }: DiffLine): boolean =>
    heading.length >= longestPrinted && foldSpace(text).startsWith(heading);
  const declares = (line: DiffLine): boolean => {
    const text = line.text.trim();
    return isIt(line) || begins(line) || (declaration.exec(text)?.[1] ?? headOf(text)) === name;
  };
  return (
    file.some((line) => line.side === 'removed' && (isIt(line) || begins(line))) &&
    !file.some((line) => line.side !== 'removed' && declares(line))
  );
}

const longestPrinted = 70;

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
