/** The edits of real files by a program, in the order of the report. */
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

/** The facts about an edit, which are true because a program made it. */
export interface Truth {
  /** The code that may be called moved: the piece itself, or what it was moved past. */
  moved: string[];
  fromFile: string;
  toFile: string;
  renamed: { from: string; to: string } | null;
  /** The tokens that only the old files have in the edited place, and those that only the new ones have. */
  oldWords: string;
  newWords: string;
  /** The declarations around the edit that contain a change, innermost first. */
  touched: string[];
  parameter: { of: string; name: string; isOptional: boolean } | null;
  /** The line that opens the block put around something. */
  wrapper: string | null;
  /** Whether only white space and line breaks differ. */
  isLayout: boolean;
}

/** Files by path. */
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
