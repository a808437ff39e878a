import type { TreeCursor } from 'web-tree-sitter';
import type { Declaration, DeclaredSide } from './find-declarations.ts';
import type { HeaderParser } from './header-parser.ts';
import type { LanguageRules, SymbolKind } from './language-rules.ts';
import { type Header, scanHeader } from './scan-header.ts';

/** A declaration that is believed. */
export interface Confirmed {
  kind: SymbolKind;
  /** On one line, whole. */
  signature: string;
  /** What stands behind the signature on its last line. */
  rest: string;
  /** Whether the end of the signature was not read. */
  isCut: boolean;
}

// A type with braces may stand before the body, and another; more than that is not worth the time.
const mostTries = 3;
// The declaration is among the first nodes, behind modifiers, decorators and templates.
const mostNodes = 60;

/** Asks the grammar whether the line that looks like a declaration is one; null when it is not. */
export function confirm(
  declaration: Declaration,
  { lines }: DeclaredSide,
  rules: LanguageRules,
  parser: HeaderParser | null,
): Confirmed | null {
  const { found, header } = declaration;
  if (!header) return null;
  // A constant is a name and a value, and of what the heading begins the middle is missing.
  if (found.kind === 'constant' || declaration.start < 0) return believe(found.kind, header);
  if (parser) {
    let current = header;
    for (let attempt = 0; attempt < mostTries; attempt++) {
      const kind = parseHeader(current, declaration, rules, parser);
      if (kind) return believe(kind, kind === 'constant' ? cutAtValue(current) : current);
      if (current.endedBy !== 'body') break;
      const next = scanHeader(lines, declaration.start, rules, found, attempt + 1);
      if (next.text === current.text) break;
      current = next;
    }
  }
  return found.isWeak ? null : believe(found.kind, header);
}

function believe(kind: SymbolKind, { text, rest, endedBy }: Header): Confirmed {
  const isCut = endedBy === 'hunk';
  return { kind, signature: isCut ? `${tidy(text)} …` : tidy(text), rest, isCut };
}

/** Whether two signatures say the same, however they are laid out. */
export function isSameSignature(one: Confirmed, other: Confirmed): boolean {
  const first = withoutLayout(one.signature);
  const second = withoutLayout(other.signature);
  if (first === second) return true;
  if (!one.isCut && !other.isCut) return false;
  const length = Math.min(first.length, second.length) - 1;
  return first.slice(0, length) === second.slice(0, length);
}

/** A Go constant is the same in a group and alone. */
const withoutLayout = (text: string): string =>
  text
    .replace(/^(?:const|var) /, '')
    .replace(/[\s;]+/g, '')
    .replace(/,([)\]}>])/g, '$1');

function cutAtValue(header: Header): Header {
  const at = header.text.indexOf('=');
  return at < 0
    ? header
    : { ...header, text: header.text.slice(0, at), rest: header.text.slice(at + 1) + header.rest };
}

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .replace(/(\w<) /g, '$1')
    .replace(/,? >(?=[\s(),]|$)/g, '>')
    .replace(/(?<!\s)\s*(?:=>|=|\{|:)\s*$/, '')
    .trim();

function parseHeader(
  header: Header,
  { found, isMember }: Declaration,
  rules: LanguageRules,
  parser: HeaderParser,
): SymbolKind | null {
  const [before, after] = (isMember && rules.aroundMembers) || ['', ''];
  const source = `${rules.preamble ?? ''}${before}${complete(header, rules)}${after}\n`;
  return parser.parse(source, (tree) => {
    const cursor = tree.walk();
    try {
      return findDeclaration(cursor, found.kind, rules, before !== '');
    } finally {
      cursor.delete();
    }
  });
}

/** The header with the emptiest body that the language allows. */
function complete({ text, closers, endedBy }: Header, { blocks }: LanguageRules): string {
  const closed = text + closers;
  if (blocks === 'end') return `${closed}\nend`;
  if (endedBy === 'colon') return `${closed}: pass`;
  if (endedBy === 'body' || endedBy === 'arrow') return `${closed} {}`;
  if (endedBy === 'hunk') return blocks === 'colon' ? `${closed}: pass` : `${closed} {}`;
  return endedBy === 'semicolon' ? `${closed};` : closed;
}

const functionNodes = /^(?:arrow_function|(?:generator_)?function(?:_expression)?|class)$/;

/** Walks in reading order to the first node that declares something. */
function findDeclaration(
  cursor: TreeCursor,
  kind: SymbolKind,
  rules: LanguageRules,
  isWrapped: boolean,
): SymbolKind | null {
  let wrappers = isWrapped ? 1 : 0;
  for (let seen = 0; seen < mostNodes; seen++) {
    const type = cursor.nodeType;
    if (rules.declarationNodes?.has(type) && wrappers-- === 0) return kind;
    if (rules.valueNodes?.has(type)) {
      const node = cursor.currentNode;
      const value = node.childForFieldName('value') ?? node.childForFieldName('right');
      const isFunction = value !== null && functionNodes.test(value.type);
      return isFunction ? kind : kind === 'function' ? 'constant' : null;
    }
    if (!advance(cursor)) return null;
  }
  return null;
}

function advance(cursor: TreeCursor): boolean {
  if (cursor.gotoFirstChild()) return true;
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false;
  return true;
}
