import type { HunkLine, HunkLines } from './hunk-lines.ts';
import { hideText } from './symbols/hide-text.ts';
import type { LanguageRules } from './symbols/language-rules.ts';

/** Where the depth of a line decides what it belongs to. */
const indentedLanguages: ReadonlySet<string> = new Set([
  'Python',
  'Cython',
  'YAML',
  'CoffeeScript',
  'F#',
  'GDScript',
  'Haml',
  'Haskell',
  'Makefile',
  'Mojo',
  'Nim',
  'Pug',
  'Sass',
  'Slim',
  'Stylus',
]);

const isIndented = (language: string | null): boolean => indentedLanguages.has(language ?? '');

/** Whether the two sides of a hunk have the same code, with other line breaks, blanks or indentation. */
export function isOnlyLayout(
  { old, new: current }: HunkLines,
  language: string | null,
  rules: LanguageRules | null,
): boolean {
  if (!haveSameCode(old, current)) return false;
  if (rules && (hasChangedString(old, rules) || hasChangedString(current, rules))) return false;
  return !isIndented(language) || isSameNesting(old, current);
}

/** In a string of several lines every blank counts. */
function hasChangedString(lines: HunkLine[], rules: LanguageRules): boolean {
  const hidden = hideText(lines, rules);
  return lines.some(({ isChanged }, index) => isChanged && hidden[index] === 'string');
}

function haveSameCode(old: HunkLine[], current: HunkLine[]): boolean {
  // Few hunks come near: adding up their characters is many times faster than comparing.
  return sumOf(old) === sumOf(current) && codeOf(old) === codeOf(current);
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

/** All characters added up but for blanks, and the commas that only the layout asks for. */
function sumOf(lines: HunkLine[]): number {
  let sum = 0;
  for (const { text } of lines) {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 32 && code !== comma && (code <= lastOfLatin || !wideBlanks.has(code))) sum += code;
    }
  }
  return sum;
}

const literal = /("(?:[^"\\]|\\.){0,400}"|'(?:[^'\\]|\\.){0,400}'|`(?:[^`\\]|\\.){0,400}`)/;

/** Lines of code as one, with blanks only where they divide two words, or stand in quotation marks. */
function codeOf(lines: HunkLine[]): string {
  const whole = lines.map(({ text }) => (/["'`]/.test(text) ? keepBlanks(text) : text)).join(' ');
  const tight = whole.replace(/\s+/g, ' ').replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, '$1');
  // Formatters put a comma behind the last of several lines.
  return tight.replace(/,(?=[)\]}>])/g, '').trim();
}

const keepBlanks = (text: string): string =>
  text
    .split(literal)
    .map((part, index) => (index % 2 === 1 ? part.replace(/\s/g, '\0') : part))
    .join('');

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
