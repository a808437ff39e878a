/** What a piece of code is, as far as it is set in a colour of its own. */
export type SyntaxKind = 'keyword' | 'name' | 'string' | 'number' | 'comment';

export interface CodeToken {
  kind: SyntaxKind | null;
  text: string;
}

export interface CodeLine {
  side: 'added' | 'removed' | 'context';
  oldLine: number | null;
  newLine: number | null;
  /** White space before the first word, without what all lines have in common. */
  indent: string;
  tokens: CodeToken[];
  /** How many characters it has. */
  length: number;
}

/** Lines that are cited, in runs, and how many more there would be. */
export interface CitedCode {
  runs: CodeLine[][];
  omitted: number;
}

/** Where lines lie: above or below which line of a hunk. */
export interface Beside {
  direction: 'above' | 'below';
  side: 'old' | 'new';
  line: number;
  /** What the lines of the hunk were indented by, and were set without. */
  indent: string;
}

/** Lines that are left out: how many, and which, where the page has all of them. */
export interface CodeGap {
  count: number;
  lines: CodeLine[] | null;
  /** How many changed lines of the same piece are among them, where the hunk cuts it off. */
  cutOff?: number;
  /** Set where they stand above or below a hunk. */
  beside?: Beside;
  /** What its own lines were indented by, where they were set apart from the others. */
  indent?: string | null;
}

/** Lines as they are shown, with what opens others above, below or between them. */
export type HunkCode = (CodeLine | CodeGap)[];

export const isGap = (one: CodeLine | CodeGap): one is CodeGap => 'count' in one;
