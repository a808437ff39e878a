import type { SymbolChange } from '../facts.ts';

export type SymbolKind = SymbolChange['kind'];

/**
 * Where a line is: directly in the file, in a class, among the fields of a type, or in a group such as Go's const ( …
 * ).
 */
export type Place = 'file' | 'members' | 'fields' | 'constants' | 'types';

export interface SeenDeclaration {
  kind: SymbolKind;
  name: string;
  container?: string;
  /** Sets apart what has the same name in the same container, such as two implementations of a trait's method. */
  variant?: string;
  holds?: Place;
  needsBody?: boolean;
  /** A namespace is never reported, and of an impl block only that something in it changed. */
  reported?: 'body' | 'never';
  isTest?: boolean;
}

export interface Header {
  text: string;
  /** The rest of its last line: the body of a declaration on one line, the value of a constant. */
  rest: string;
  endedBy: 'body' | 'arrow' | 'colon' | 'semicolon' | 'value' | 'line' | 'hunk';
  end: number;
  isFunction: boolean;
}

export interface Visibility {
  kind: SymbolKind;
  name: string;
  line: string;
  container: string | null;
  /** Whether the class around it is public; null when that is not known, or nothing is around it. */
  isContainerPublic: boolean | null;
  containerLine: string | null;
  section: string | null;
  isWhole: boolean;
  file: FileNames;
}

export interface FileNames {
  listed?: ReadonlySet<string> | null;
  hidden?: ReadonlySet<string>;
  package?: string;
}

interface LanguageTraits {
  comment: RegExp;
  lineComment: string;
  hasBlockComments: boolean;
  longQuotes: string[];
  heredoc?: string;
  /** Whether such strings are mostly documentation, so that a change in one is no change of the code. */
  longQuotesDocument?: boolean;
  /** The source of a pattern for literals that may have quotes in them and are no strings. */
  regularExpression?: string;
  blocks: 'braces' | 'colon' | 'end';
  /** Whether the brace that opens a body may stand on the next line. */
  hasBracesBelow?: boolean;
  typeBefore?: RegExp;
  typeBeforeInFunction?: RegExp;
  functionValue?: RegExp;
  hasLooseApostrophes?: boolean;
  outdented?: RegExp;
  doubtfulHeading?: RegExp;
  testMark?: RegExp;
  find: (line: string, place: Place, around: string | null) => SeenDeclaration | null;
  isDeclaration?: (header: Header) => boolean;
  isPublic: (declaration: Visibility) => boolean | null;
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

export function asContainer(own: boolean, { container, isContainerPublic }: Visibility): boolean | null {
  return !own || isContainerPublic === false ? false : container === null ? true : isContainerPublic;
}
