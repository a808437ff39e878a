import { keepBlanks } from './compare/units.ts';
import type { HunkLine, HunkLines } from './hunk-lines.ts';
import { hiddenOn } from './symbols/hide-text.ts';
import type { LanguageRules } from './symbols/language-rules.ts';
import { wordSet } from './text.ts';

/** Where the depth of a line decides what it belongs to. */
export const indentedLanguages = wordSet(`
  Python Cython YAML CoffeeScript F# GDScript Haml Haskell Makefile Mojo Nim Pug Sass Slim Stylus
`);

/** Whether the two sides of a hunk have the same code, with other line breaks, blanks or indentation. */
export function isOnlyLayout(hunk: HunkLines, language: string | null, rules: LanguageRules | null): boolean {
  const { old, new: current } = hunk;
  // Few hunks come near: counting is many times faster than comparing.
  if (sizeOf(old) !== sizeOf(current) || codeOf(old) !== codeOf(current)) return false;
  if (rules && (hasChangedString('old', hunk, rules) || hasChangedString('new', hunk, rules))) return false;
  return !indentedLanguages.has(language ?? '') || isSameNesting(old, current);
}

/** In a string of several lines every blank counts. */
function hasChangedString(side: 'old' | 'new', hunk: HunkLines, rules: LanguageRules): boolean {
  const hidden = hiddenOn(side, hunk, rules);
  return hunk[side].some(({ isChanged }, index) => isChanged && hidden[index] === 'string');
}

/** How many signs changed but for blanks, and the commas that only the layout asks for. */
const sizeOf = (lines: HunkLine[]): number =>
  lines.reduce((sum, { isChanged, text }) => sum + (isChanged ? text.replace(/[\s,]/g, '').length : 0), 0);

/** Lines of code as one, with blanks only where they divide two words, or stand in quotation marks. */
function codeOf(lines: HunkLine[]): string {
  const whole = lines.map(({ text }) => keepBlanks(text)).join(' ');
  const tight = whole.replace(/\s+/g, ' ').replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, '$1');
  // Formatters put a comma behind the last of several lines.
  return tight.replace(/,(?=[)\]}>])/g, '').trim();
}

/** Whether every depth of the one side is one depth of the other, in the same order. */
function isSameNesting(old: HunkLine[], current: HunkLine[]): boolean {
  const before = depthsOf(old);
  const after = depthsOf(current);
  if (before.length !== after.length) return false;
  const known = new Map<number, number>();
  for (const [index, depth] of before.entries()) {
    const now = after[index] as number;
    if ((known.get(depth) ?? now) !== now) return false;
    known.set(depth, now);
  }
  const sorted = [...known].sort(([one], [other]) => one - other);
  return sorted.every(([, depth], index) => index === 0 || depth > (sorted[index - 1]?.[1] ?? 0));
}

/** The depths of lines that begin something; those inside of brackets are laid out as anybody likes. */
function depthsOf(lines: HunkLine[]): number[] {
  const depths: number[] = [];
  let open = 0;
  for (const { text, indent } of lines) {
    if (text === '') continue;
    if (open <= 0) depths.push(indent);
    for (const character of text) {
      if ('([{'.includes(character)) open++;
      else if (')]}'.includes(character)) open--;
    }
  }
  return depths;
}
