import type { SymbolChange } from '../facts.ts';

export type SymbolKind = SymbolChange['kind'];

/** The place of a line: in the file, in a class, among the fields of a type, or in a group such as Go's const ( … ). */
export type Place = 'file' | 'members' | 'fields' | 'constants' | 'types';

export interface SeenDeclaration {
  kind: SymbolKind;
  name: string;
  container?: string;
  /**
   * Distinguishes symbols with the same name in the same container, such as implementations of one trait method for
   * several types.
   */
  variant?: string;
  holds?: Place;
  needsBody?: boolean;
  /** Namespaces are never reported, and impl blocks only if their body changed. */
  reported?: 'body' | 'never';
  isTest?: boolean;
}

export interface Header {
  text: string;
  /** The rest of the last line of the header: a body on the same line, or the value of a constant. */
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
  /** Whether the class around it is public; null if the class is not in the diff, or there is none. */
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
  /** Whether long strings are mostly documentation, whose changes are not changes of code. */
  longQuotesDocument?: boolean;
  /** The source of a pattern for regular expressions, which may contain quotes without being strings. */
  regularExpression?: string;
  blocks: 'braces' | 'colon' | 'end';
  /** Whether the opening brace of a body may be on the next line. */
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
  /** Finds symbols only in whole files, because hunks show too little to be sure. */
  findInWhole?: (line: string, place: Place | null) => SeenDeclaration | null;
}

export interface LanguageRules extends LanguageTraits {
  /**
   * Matches the beginning of comments and long strings, and whole short strings, so that comment marks inside strings
   * do not count.
   */
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
  // Without the limit, a line of many unpaired quotes would be searched to its end for each of them.
  if (!traits.hasLooseApostrophes) parts.push("'(?:[^'\\\\]|\\\\.){0,200}'");
  parts.push('"(?:[^"\\\\]|\\\\.){0,200}"');
  if (traits.regularExpression) parts.push(traits.regularExpression);
  return new RegExp(parts.join('|'), 'g');
}

export function asContainer(own: boolean, { container, isContainerPublic }: Visibility): boolean | null {
  return !own || isContainerPublic === false ? false : container === null ? true : isContainerPublic;
}
