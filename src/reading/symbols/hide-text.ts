import type { CommentSigns, Fence } from '../comment-signs.ts';
import type { Hidden, HunkLine, HunkLines } from '../hunk-lines.ts';
import type { LanguageRules } from './language-rules.ts';

export function hiddenOn(side: 'old' | 'new', hunk: HunkLines, rules: LanguageRules): Hidden[] {
  hunk.hidden[side] ??= hideText(hunk[side], rules);
  return hunk.hidden[side];
}

/** Whether a changed line is in a multi-line string, in which white space matters. */
export const hasChangedString = (hunk: HunkLines, rules: LanguageRules): boolean =>
  (['old', 'new'] as const).some((side) => {
    const hidden = hiddenOn(side, hunk, rules);
    return hunk[side].some(({ isChanged }, index) => isChanged && hidden[index] === 'string');
  });

type Inside = { hidden: 'comment' | 'string'; end: string } | null;

interface Scan {
  hidden: Hidden[];
  end: Inside;
  first: { quote: string; line: number } | null;
}

/**
 * Marks lines inside multi-line comments and strings, so that code samples in them are not read as code. A hunk may
 * begin inside one, which only later lines show.
 */
function hideText(lines: HunkLine[], rules: LanguageRules): Hidden[] {
  const scan = scanLines(lines, rules, null);
  const { first } = scan;
  if (first && startsInside(lines, first, scan.end !== null, rules)) {
    return scanLines(lines, rules, { hidden: hiddenBy(rules), end: first.quote }).hidden;
  }
  const mayBeText = !first && rules.longQuotes.includes('"""') && lines[0]?.newLine !== 1;
  return mayBeText && readsAsText(lines.filter((_, index) => scan.hidden[index] === 'code'))
    ? scan.hidden.map((hidden) => (hidden === 'code' ? 'comment' : hidden))
    : scan.hidden;
}

const keyword =
  /^(?:if|else|elif|for|while|return|def|class|import|from|with|try|except|raise|assert|not|end|do|unless|case|when|cond|use|let|var|val|func|fun|yield|async|await|print|del|pass|global)\b/;
const codeSign = /\w\(|[=;{}]|\s#\s|^[#@%&|+.]|^["'].*["'],?$/;
const word = /^[("'*_]*\p{L}(?:['’-]*\p{L})*['’-]*(?:[.,:;!?)"*_][.,:;!?)"'*_]*)?$/u;

/**
 * Whether the lines are part of a longer text that begins and ends outside of the hunk: its leftmost lines are
 * sentences.
 */
function readsAsText(lines: HunkLine[]): boolean {
  const filled = lines.filter(({ text }) => text !== '');
  const least = Math.min(...filled.map(({ indent }) => indent));
  const outer = filled.flatMap(({ text, indent }) =>
    indent === least ? text.replace(/`[^`]*`/g, 'code') : [],
  );
  const tokens = outer.join(' ').split(/\s+/);
  const words = tokens.filter((token) => word.test(token)).length;
  const isCode = outer.some((text) => keyword.test(text) || codeSign.test(text));
  return outer.length > 1 && !isCode && words >= 4 && words >= tokens.length * 0.7;
}

const hiddenBy = (rules: LanguageRules): 'comment' | 'string' =>
  rules.longQuotesDocument ? 'comment' : 'string';

function startsInside(
  lines: HunkLine[],
  { quote, line }: { quote: string; line: number },
  isOpenAtEnd: boolean,
  rules: LanguageRules,
): boolean {
  const [top] = lines;
  if (!top || top.oldLine === 1 || top.newLine === 1) return false;
  const { text } = lines[line] ?? top;
  const before = lines[line - 1]?.text ?? '';
  if (text.indexOf(quote) !== text.lastIndexOf(quote)) return false;
  if (!/^[\s),;\]}]*$/.test(text.slice(text.indexOf(quote) + quote.length))) return false;
  // A quote alone on a line opens a string after an unfinished line or for documentation, and closes one otherwise.
  if (text === quote)
    return (isOpenAtEnd || !rules.longQuotesDocument) && !/(?:[:({=,?[>\\]|\breturn)$/.test(before);
  return isOpenAtEnd || (quote === '`' && text.startsWith(quote));
}

function scanLines(lines: HunkLine[], rules: LanguageRules, start: Inside): Scan {
  const hidden: Hidden[] = [];
  const { marks } = rules;
  let inside = start;
  let first: Scan['first'] = null;
  for (let index = 0; index < lines.length; index++) {
    const { text } = lines[index] as HunkLine;
    const isDocumentation =
      rules.longQuotesDocument &&
      /^[rRuU]?(?:"""|''')/.test(text) &&
      /:$|^$/.test(lines[index - 1]?.text ?? '');
    hidden.push(inside?.hidden ?? (isDocumentation ? 'comment' : 'code'));
    if (inside === null && rules.comment.test(text)) {
      // Quotes in a comment open no string. A hunk may begin inside a comment, with lines like these.
      if (text.startsWith('/*') && !text.includes('*/')) inside = { hidden: 'comment', end: '*/' };
      if (lines[0]?.newLine !== 1 && text.startsWith('*') && text.endsWith('*/'))
        hidden.fill('comment', 0, index + 1);
      continue;
    }
    let position = 0;
    while (position < text.length) {
      if (inside) {
        if (/^\w/.test(inside.end) && text.replace(/\W.*$/, '') !== inside.end) break;
        const end = endOfText(text, inside.end, position);
        if (end < 0) break;
        position = end;
        inside = null;
        continue;
      }
      marks.lastIndex = position;
      const found = marks.exec(text)?.[0];
      if (found === undefined || found === rules.lineComment) break;
      position = marks.lastIndex;
      if (found === '/*') inside = { hidden: 'comment', end: '*/' };
      else if (found.startsWith('<<')) {
        inside = { hidden: 'string', end: /\w+/.exec(found)?.[0] ?? found };
        break;
      } else if (rules.longQuotes.includes(found)) {
        first ??= { quote: found, line: index };
        const isValue = isHandedOver(text.slice(0, position - found.length), lines[index - 1]?.text ?? '');
        inside = { hidden: isValue ? 'string' : hiddenBy(rules), end: found };
      }
    }
  }
  return { hidden, end: inside, first };
}

const isHandedOver = (before: string, above: string): boolean =>
  !/^[rRuUbBfF]{0,2}$/.test(before) || /[([{,=+%\\]$/.test(above);

export function hideComments(lines: HunkLine[], { fences }: CommentSigns): void {
  let inside: Fence | null = null;
  let wasOpened = false;
  let hidden = 0;
  for (const [index, line] of lines.entries()) {
    const { text } = line;
    if (inside) {
      line.hidden = 'comment';
      if (inside.close.test(text)) inside = null;
      continue;
    }
    const opened = fences.find(({ open }) => open.test(text));
    wasOpened ||= opened !== undefined;
    if (opened && !opened.close.test(text.replace(opened.open, ''))) inside = opened;
    // A hunk may begin inside a block comment, which only its end shows.
    if (wasOpened || !fences.some(({ close }) => close.test(text))) continue;
    for (const above of lines.slice(hidden, index + 1)) above.hidden = 'comment';
    hidden = index + 1;
  }
}

function endOfText(text: string, mark: string, from: number): number {
  let found = text.indexOf(mark, from);
  while (found > 0 && text[found - 1] === '\\') found = text.indexOf(mark, found + 1);
  return found < 0 ? -1 : found + mark.length;
}
