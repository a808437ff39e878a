import type { SymbolChange } from '../facts.ts';

export type SymbolKind = SymbolChange['kind'];

/**
 * Where a line stands: directly in the file (or a namespace), in a class, among the fields of a type, or in a group such as
 * Go's const ( … ).
 */
export type Place = 'file' | 'members' | 'fields' | 'constants' | 'types';

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
  /** A call looks the same: it counts only with a body. */
  needsBody?: boolean;
  /** A namespace is not told of, and of an impl block only that something in it changed. */
  told?: 'body' | 'never';
  /** A test or a group of tests that is a call with its name in it. */
  isTest?: boolean;
}

/** The part of a declaration before its body. */
export interface Header {
  /** On one line, without comments and without what opens the body. */
  text: string;
  /** What stands behind it on its last line: the body of a declaration on one line, the value of a constant. */
  rest: string;
  endedBy: 'body' | 'arrow' | 'colon' | 'semicolon' | 'value' | 'line' | 'hunk';
  /** The place of its last line. */
  end: number;
  /** Whether what looked like a constant has a function for its value. */
  isFunction: boolean;
}

/** What is known of a declaration when it is decided who can use it. */
export interface Visibility {
  kind: SymbolKind;
  name: string;
  /** The first line of the declaration, where modifiers stand. */
  line: string;
  container: string | null;
  /** Whether the class around it is public; null when that is not known, or nothing is around it. */
  isContainerPublic: boolean | null;
  /** The line that declares what is around it; null when it is not shown. */
  containerLine: string | null;
  /** The last "public:" or "private:" above it. */
  section: string | null;
  /** Whether everything above it that counts is known. */
  isWhole: boolean;
  file: FileNames;
}

/** What a file says of its names apart from where it declares them. */
export interface FileNames {
  /** Names that it lists as those for others, or as those that are not. */
  listed?: ReadonlySet<string> | null;
  hidden?: ReadonlySet<string>;
  /** Go's name of the package. */
  package?: string;
}

/** How a language is written, as far as it must be known to find what is declared. */
interface LanguageTraits {
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
  /** A line that makes what stands below it a part of the tests. */
  testMark?: RegExp;
  find: (line: string, place: Place, around: string | null) => SeenDeclaration | null;
  /** Whether a header that needs a body is a declaration without one. */
  isDeclaration?: (header: Header) => boolean;
  /** Whether others can use it; null where that cannot be told. */
  isPublic: (declaration: Visibility) => boolean | null;
  /** Reads what a file says of its names. Some of its lines may be missing. */
  namesIn?: (lines: string[]) => FileNames;
  /** What else has a name where all of a file is known; not looked for in hunks, which show too little to be sure. */
  findInWhole?: (line: string, place: Place | null) => SeenDeclaration | null;
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

/** Members of a class say whether others may use them, and are hidden with it. */
export function asContainer(own: boolean, { container, isContainerPublic }: Visibility): boolean | null {
  return !own || isContainerPublic === false ? false : container === null ? true : isContainerPublic;
}
