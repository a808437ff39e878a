import type { Parser } from 'web-tree-sitter';

export type GrammarName =
  | 'c-sharp'
  | 'cpp'
  | 'go'
  | 'java'
  | 'javascript'
  | 'php'
  | 'python'
  | 'ruby'
  | 'rust'
  | 'tsx'
  | 'typescript';

/** Parsers that are ready. One that is missing, or throws, costs certainty: lines are then judged by their look alone. */
export type Grammars = ReadonlyMap<GrammarName, Parser>;
