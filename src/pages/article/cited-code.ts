/** What a piece of code is, as far as it is set in a colour of its own. */
export type SyntaxKind = 'keyword' | 'name' | 'string' | 'number' | 'comment';

export interface CodeToken {
  kind: SyntaxKind | null;
  text: string;
}

export interface CodeLine {
  number: number;
  side: 'added' | 'removed' | 'context';
  isCited: boolean;
  tokens: CodeToken[];
}

/** Lines that are cited, in runs, and how many more there would be. */
export interface CitedCode {
  runs: CodeLine[][];
  omitted: number;
}
