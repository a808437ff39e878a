import { diffArrays } from 'diff';

/** What a text has, and what it had in the same place. */
export interface WordEdit {
  from: string;
  to: string;
}

/** The words of both sides that an edit is about, by their places; the last ones are not included. */
interface Range {
  old: [start: number, end: number];
  current: [start: number, end: number];
}

/** A longer statement was written anew. */
const mostTokens = 160;
/** More words than these may hold two edits. */
const shortSpan = 12;

/** A text in quotation marks is one word; between single ones only without blanks, because they also mark lifetimes. */
const tokens = /"(?:[^"\\]|\\.)*"|'[^'\s]*'|[\p{L}\p{N}_$]+|\s+|[^\s\p{L}\p{N}_$]/gu;

/**
 * What a statement has instead of what it had. A name that stands for another is told by itself; everything else up to the
 * ends of the expression, argument or list that it stands in, because a part of `A + B + C` says something else than the whole.
 */
export function wholeEdits(before: string, after: string): WordEdit[] {
  const [old, current] = [before.match(tokens) ?? [], after.match(tokens) ?? []];
  if (old.length > mostTokens || current.length > mostTokens) return [];
  const only = rangeBetween(old, current);
  const isShort = ([start, end]: Range['old']): boolean => end - start <= shortSpan;
  const found = isShort(only.old) && isShort(only.current) ? [only] : rangesOf(old, current);
  const whole = joined(found.map((range) => wholeRange(range, old, current)));
  if (whole.some(({ old: [start, end] }) => isTorn(old, start, end))) return [];
  return whole.map((range) => ({
    from: textIn(old, range.old),
    to: textIn(current, range.current),
  }));
}

/** Whether words begin inside of a text in quotation marks and end outside of it, or the reverse. */
const isTorn = (all: string[], start: number, end: number): boolean =>
  ["'", '`'].some((mark) => {
    const count = (words: string[]): number => words.filter((word) => word === mark).length;
    return count(all.slice(0, start)) % 2 === 1 && count(all.slice(start, end)) > 0;
  });

const textIn = (all: string[], [start, end]: Range['old']): string => all.slice(start, end).join('').trim();

/** What is left between the words that both begin and end with. */
function rangeBetween(old: string[], current: string[]): Range {
  const least = Math.min(old.length, current.length);
  let start = 0;
  while (start < least && old[start] === current[start]) start++;
  let end = 0;
  while (end < least - start && old.at(-1 - end) === current.at(-1 - end)) end++;
  return { old: [start, old.length - end], current: [start, current.length - end] };
}

function rangesOf(old: string[], current: string[]): Range[] {
  const ranges: Range[] = [];
  let [oldAt, currentAt] = [0, 0];
  let open: Range | null = null;
  for (const { value, added, removed } of diffArrays(old, current)) {
    const isSame = !added && !removed;
    // A blank between two words that changed does not part them.
    if (isSame && value.join('').trim() !== '') open = null;
    if (!isSame && !open) {
      open = { old: [oldAt, oldAt], current: [currentAt, currentAt] };
      ranges.push(open);
    }
    if (!added) oldAt += value.length;
    if (!removed) currentAt += value.length;
    if (open && !isSame) [open.old[1], open.current[1]] = [oldAt, currentAt];
  }
  return ranges;
}

/** Edits that reach into each other are one. */
function joined(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last && range.old[0] < last.old[1]) {
      last.old[1] = Math.max(last.old[1], range.old[1]);
      last.current[1] = Math.max(last.current[1], range.current[1]);
    } else all.push(range);
  }
  return all;
}

function wholeRange(range: Range, old: string[], current: string[]): Range {
  const names = stretched(range, old, current, (all, at) => !isOfWord(all, at));
  const isReplaced = [textIn(old, names.old), textIn(current, names.current)].every(isOperand);
  if (isReplaced) return names;
  // One argument more or less is told with the others.
  const isList = [textIn(old, range.old), textIn(current, range.current)].some((text) =>
    withoutBrackets(text).includes(','),
  );
  return stretched(range, old, current, (all, at) => isEnd(all, at) && !(isList && all[at] === ','));
}

/** A range with the words around it that both sides have, up to one that ends it; what stands in brackets goes with them. */
function stretched(
  { old: [oldStart, oldEnd], current: [start, end] }: Range,
  old: string[],
  current: string[],
  ends: (all: string[], at: number) => boolean,
): Range {
  let [left, right] = [0, 0];
  for (let depth = 0; left < Math.min(oldStart, start); left++) {
    const at = oldStart - left - 1;
    if (old[at] !== current[start - left - 1] || (depth === 0 && ends(old, at))) break;
    if (isBracket(')]}>', old, at)) depth++;
    else if (isBracket('([{<', old, at)) depth--;
    if (depth < 0) break;
  }
  for (let depth = 0; right < Math.min(old.length - oldEnd, current.length - end); right++) {
    const at = oldEnd + right;
    if (old[at] !== current[end + right] || (depth === 0 && ends(old, at))) break;
    if (isBracket('([{<', old, at)) depth++;
    else if (isBracket(')]}>', old, at)) depth--;
    if (depth < 0) break;
  }
  return { old: [oldStart - left, oldEnd + right], current: [start - left, end + right] };
}

const isBlank = (token: string | undefined): boolean => token === undefined || /^\s/.test(token);

/** Between blanks, and as a part of an arrow, an angle bracket compares and does not open. */
function isBracket(brackets: string, all: string[], at: number): boolean {
  const token = all[at] ?? '';
  if (token === '' || !brackets.includes(token)) return false;
  if (token !== '<' && token !== '>') return true;
  const [above, below] = [all[at - 1], all[at + 1]];
  return !(isBlank(above) && isBlank(below)) && !/^[-=<>]$/.test(above ?? '') && below !== '=';
}

/** Whether an expression, a bound or a statement ends here. */
function isEnd(all: string[], at: number): boolean {
  const [above, token = '', below] = [all[at - 1], all[at], all[at + 1]];
  if (token === ',' || token === ';') return true;
  if (token === ':') return above !== ':' && below !== ':';
  if (token === '=') return !/^[=!<>+*/%|&^~-]$/.test(above ?? '') && below !== '=' && below !== '~';
  return token === '>' && (above === '-' || above === '=');
}

/** Versions, paths and names with dots are told whole. */
function isOfWord(all: string[], at: number): boolean {
  const token = all[at] ?? '';
  return (
    /^(?:[\p{L}\p{N}_$]+|[.@/~^-])$/u.test(token) ||
    (token === ':' && (all[at - 1] === ':' || all[at + 1] === ':'))
  );
}

function withoutBrackets(text: string): string {
  const bare = text
    .replace(/"[^"]*"|`[^`]*`|'[^']*'/g, '_')
    .replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|(?<=\w)<[^<>]*>/g, '_');
  return bare === text ? text : withoutBrackets(bare);
}

/** Whether a text is one thing: a name, a path, a call, a literal. */
const isOperand = (text: string): boolean =>
  text !== '' && /^[&*!]?(?:[\p{L}\p{N}_$.@/~^'#?-]|::)+$/u.test(withoutBrackets(text));
