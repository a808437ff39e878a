import { keepBlanks } from './compare/units.ts';
import type { HunkLine, HunkLines } from './hunk-lines.ts';
import { hiddenOn } from './symbols/hide-text.ts';
import type { LanguageRules } from './symbols/language-rules.ts';
import { wordSet } from './word-set.ts';

/** Where the depth of a line decides what it belongs to. */
export const indentedLanguages = wordSet(`
  Python Cython YAML CoffeeScript F# GDScript Haml Haskell Makefile Mojo Nim Pug Sass Slim Stylus
`);

/** Whether the two sides of a hunk have the same code, with other line breaks, blanks or indentation. */
export function isOnlyLayout(hunk: HunkLines, language: string | null, rules: LanguageRules | null): boolean {
  const { old, new: current } = hunk;
  // Few hunks come near: adding up their characters is many times faster than comparing.
  if (!haveSameSum(old, current) || codeOf(old) !== codeOf(current)) return false;
  if (rules && (hasChangedString('old', hunk, rules) || hasChangedString('new', hunk, rules))) return false;
  return !indentedLanguages.has(language ?? '') || isSameNesting(old, current);
}

/** In a string of several lines every blank counts. */
function hasChangedString(side: 'old' | 'new', hunk: HunkLines, rules: LanguageRules): boolean {
  const hidden = hiddenOn(side, hunk, rules);
  return hunk[side].some(({ isChanged }, index) => isChanged && hidden[index] === 'string');
}

const comma = 44;
/** Up to here, only what is no sign at all is a blank; most code has nothing behind it. */
const lastOfLatin = 0x9f;
const wideBlanks = new Set(
  Array.from(
    '\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF',
    (blank) => blank.charCodeAt(0),
  ),
);

/** Whether the characters that came add up to those that went. */
function haveSameSum(old: HunkLine[], current: HunkLine[]): boolean {
  let sum = 0;
  for (const line of old) if (line.isChanged) sum += sumOf(line);
  for (const line of current) {
    if (line.isChanged) sum -= sumOf(line);
    if (sum < 0) return false;
  }
  return sum === 0;
}

/** All characters added up but for blanks, and the commas that only the layout asks for. */
function sumOf({ text }: HunkLine): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code > 32 && code !== comma && (code <= lastOfLatin || !wideBlanks.has(code))) sum += code;
  }
  return sum;
}

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
