import type { SymbolChange } from '../facts.ts';
import type { GrammarName } from './grammar.ts';

export type SymbolKind = SymbolChange['kind'];

/** Where a line stands: directly in the file (or a namespace), in a class, or in a group such as Go's const ( … ). */
export type Place = 'file' | 'members' | 'constants' | 'types';

/** What the look of a line says that it declares. */
export interface SeenDeclaration {
  kind: SymbolKind;
  name: string;
  /** The class or type, where the declaration itself names it. */
  container?: string;
  /** Sets apart what has the same name in the same container, such as two implementations of a trait's method. */
  variant?: string;
  /** What is declared directly inside it, if anything is. */
  holds?: Place;
  /** A call may look the same: it counts only when the grammar agrees. */
  isWeak?: boolean;
  /** A namespace is not told of, and of an impl block only that something in it changed. */
  told?: 'body' | 'never';
  /** A test or a group of tests that is a call with its name in it. */
  isTest?: boolean;
}

/** What is known of a declaration when it is decided who can use it. */
export interface Visibility {
  kind: SymbolKind;
  name: string;
  /** The first line of the declaration, where modifiers stand. */
  line: string;
  container: string | null;
  /** Whether the class around it is public; null when that is not visible. */
  isContainerPublic: boolean | null;
  /** The last "public:" or "private:" above it. */
  section: string | null;
}

/** How a language is written, as far as it must be known to find what is declared. */
interface LanguageTraits {
  grammar: GrammarName | null;
  /** Says that a line, without its indentation, is nothing but a comment. */
  comment: RegExp;
  lineComment: string;
  hasBlockComments: boolean;
  /** What opens and closes a string of several lines. */
  longQuotes: string[];
  /** The source of a pattern for what begins a text that ends with its own name. */
  heredoc?: string;
  /** Whether such strings are mostly documentation, so that a change in one is no change of the code. */
  longQuotesDocument?: boolean;
  /** The source of a pattern for literals that may have quotes in them and are no strings. */
  regularExpression?: string;
  /** What stands around a body. */
  blocks: 'braces' | 'colon' | 'end';
  /** Whether the brace that opens a body may stand on the next line. */
  hasBracesBelow?: boolean;
  /** Matches the end of what stands before a brace that belongs to a type and opens no body. */
  typeBefore?: RegExp;
  /** The same where a function is declared. */
  typeBeforeInFunction?: RegExp;
  /** Matches the beginning of a value that makes a constant a function. */
  functionValue?: RegExp;
  /** An apostrophe may be the beginning of a lifetime or a type variable here. */
  hasLooseApostrophes?: boolean;
  /** Lines that stand further left than the block they belong to, such as labels. */
  outdented?: RegExp;
  /** Headings that are mostly code samples in documentation. */
  doubtfulHeading?: RegExp;
  find: (line: string, place: Place) => SeenDeclaration | null;
  isPublic: (declaration: Visibility) => boolean;
  /** What else has a name where all of a file is known; not looked for in hunks, which show too little to be sure. */
  findInWhole?: (line: string, place: Place | null) => SeenDeclaration | null;
  /** Node types that declare something. */
  declarationNodes?: ReadonlySet<string>;
  /** Node types that declare something only when their value is a function or a class. */
  valueNodes?: ReadonlySet<string>;
  /** Written before every piece that is parsed. */
  preamble?: string;
  /** Written around a member, which does not stand alone. */
  aroundMembers?: readonly [string, string];
}

export interface LanguageRules extends LanguageTraits {
  /** Finds what opens a comment or a long string, and short strings so that such marks in them do not count. */
  marks: RegExp;
}

export function defineLanguage(traits: LanguageTraits): LanguageRules {
  return { ...traits, marks: marksOf(traits) };
}

function marksOf(traits: LanguageTraits): RegExp {
  const parts = traits.longQuotes.map((quote) => quote.replace(/[`"']/g, '\\$&'));
  if (traits.hasBlockComments) parts.push('/\\*');
  if (traits.heredoc) parts.push(traits.heredoc);
  parts.push(traits.lineComment);
  // The bound keeps a line of many unpaired quotes from being searched to its end for each of them.
  if (!traits.hasLooseApostrophes) parts.push("'(?:[^'\\\\]|\\\\.){0,200}'");
  parts.push('"(?:[^"\\\\]|\\\\.){0,200}"');
  if (traits.regularExpression) parts.push(traits.regularExpression);
  return new RegExp(parts.join('|'), 'g');
}
