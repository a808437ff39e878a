/** What a program does to real files, in the order of the report. */
export const editKinds = [
  'move within a file',
  'move to another file',
  'swap',
  'wrap a declaration',
  'wrap statements',
  'indent',
  'break or join lines',
  'rename a function',
  'rename a type',
  'reword a comment',
  'add a parameter',
  'change a default',
  'change a condition',
  'change a call',
  'change a signature',
  'move a dependency',
] as const;

export type EditKind = (typeof editKinds)[number];

/** What is true of an edit, because a program made it. */
export interface Truth {
  /** What can be said to have moved: the piece itself, or what it was moved past. */
  moved: string[];
  fromFile: string;
  toFile: string;
  renamed: { from: string; to: string } | null;
  /** The words and signs that only the old files have at the edited place, and those that only the new ones have. */
  oldWords: string;
  newWords: string;
  /** Declarations with something in them that is not as it was, around the edit, innermost first. */
  touched: string[];
  parameter: { of: string; name: string; isOptional: boolean } | null;
  /** The line that opens what was put around something. */
  wrapper: string | null;
  /** Whether nothing but white space and line breaks differs. */
  isLayout: boolean;
}

/** Files by their path. */
export type World = Map<string, string>;

export interface KnownEdit {
  kind: EditKind;
  language: string;
  before: World;
  after: World;
  truth: Truth;
}

export const noTruth: Truth = {
  moved: [],
  fromFile: '',
  toFile: '',
  renamed: null,
  oldWords: '',
  newWords: '',
  touched: [],
  parameter: null,
  wrapper: null,
  isLayout: false,
};
