import type { HunkLine } from '../hunk-lines.ts';
import type { LanguageRules, SeenDeclaration } from './language-rules.ts';
import type { Header } from './scan-header.ts';

interface Heading {
  /** The declaration that the beginning of the hunk is in, if the heading tells. */
  found: SeenDeclaration | null;
  /** Whether it belongs to a class that the heading does not name. */
  isMethod: boolean;
  /** The end of its header, where the hunk begins in the middle of one. */
  header: Header | null;
}

// Git cuts headings here, in bytes.
const longestHeading = 80;
const opens = /(?:[{([<,=:|&]|=>)$/;

/**
 * Reads what git prints behind the line numbers of a hunk. It is the last line that looks important to git, and not
 * always what the hunk is in: what the lines of the hunk speak against is not believed.
 */
export function readHeading(heading: string, lines: HunkLine[], rules: LanguageRules): Heading {
  const text = heading.trim();
  const method = findMethod(text, rules);
  const found = method ?? rules.find(text, 'file');
  if (!found || (found.isWeak && !looksLikeDefinition(text)))
    return { found: null, isMethod: false, header: null };
  const isCut = Buffer.byteLength(heading) >= longestHeading - 3;
  const isTrusted =
    !rules.doubtfulHeading?.test(text) &&
    !(isCut && text.endsWith(found.name)) &&
    (isCut || goesOn(text, found, rules)) &&
    (method !== null || isClosedAsExpected(text, found, lines, rules));
  const header = isTrusted ? restOfHeader(text, found, lines) : null;
  return {
    found: isTrusted && header !== 'unclear' ? found : null,
    isMethod: method !== null,
    header: header === 'unclear' ? null : header,
  };
}

/** Reads what is in the hunk of a header that the heading begins. */
function restOfHeader(text: string, { kind }: SeenDeclaration, lines: HunkLine[]): Header | 'unclear' | null {
  if (kind === 'constant' || !isOpen(text)) return null;
  const edge = lines.findIndex((line) => line.indent === 0 && line.text !== '');
  const closing = lines[edge]?.text ?? '';
  // With nothing but items to be seen, they may be parameters or code.
  if (edge < 0) return isList(lines) ? 'unclear' : null;
  if (!/^[)>}\]].*(?:[{}:;]|=>)$/.test(closing)) return null;
  const rest = lines.slice(0, edge + 1).map((line) => line.text);
  return {
    text: `${text} … ${rest.join(' ')}`,
    closers: '',
    rest: '',
    endedBy: 'body',
    end: edge,
    isFunction: false,
  };
}

function isOpen(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    else if (character === ')') depth--;
  }
  return depth > 0 || text.endsWith('<');
}

/** Where git knows the language, it names methods too, without the class and without their indentation. */
function findMethod(text: string, rules: LanguageRules): SeenDeclaration | null {
  const isMethod =
    /\(\s*(?:&?(?:mut\s+)?self|cls)\b/.test(text) || /^(?:public|private|protected|internal)\s/.test(text);
  const found = isMethod && looksLikeDefinition(text) ? rules.find(text, 'members') : null;
  return found?.kind === 'method' ? found : null;
}

/** A heading is cut off and cannot be parsed: a call is told from a definition by how it looks. */
function looksLikeDefinition(text: string): boolean {
  return !/[;=]$/.test(text) && /^[\w~][\w\s*&<>:,~.[\]]*\(/.test(text);
}

/** Whether more of the declaration follows on the next lines. */
function goesOn(text: string, { kind }: SeenDeclaration, { blocks, hasBracesBelow }: LanguageRules): boolean {
  if (opens.test(text) || blocks === 'end') return true;
  return hasBracesBelow === true && kind !== 'constant' && !/[;}]$/.test(text);
}

/** The first line at the left edge ends the declaration, and shows whether it was the one of the heading. */
function isClosedAsExpected(
  text: string,
  { kind }: SeenDeclaration,
  lines: HunkLine[],
  rules: LanguageRules,
): boolean {
  if (kind === 'constant' || rules.blocks === 'end') return true;
  const place = lines.findIndex((line) => line.indent === 0 && line.text !== '');
  const edge = lines[place]?.text ?? '';
  if (rules.blocks === 'colon') {
    if (/^[)\]}]/.test(edge)) return edge.endsWith(':');
    return !isList(place < 0 ? lines : lines.slice(0, place));
  }
  const closing = lines.find((line) => line.indent === 0 && /^[)\]}]/.test(line.text))?.text;
  if (closing === undefined) return true;
  if (/^[)\]}]+\./.test(closing)) return false;
  return !text.endsWith('{') || /^\}[;,]?$|(?:\{|=>)$/.test(closing);
}

/** Lines that are nothing but items may stand in what decorates the next definition. */
function isList(lines: HunkLine[]): boolean {
  return lines.every(
    ({ text }) => text === '' || /[,([{]$/.test(text) || /^[)\]}]/.test(text) || /^#/.test(text),
  );
}
