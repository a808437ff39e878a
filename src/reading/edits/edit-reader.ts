import type { Edit, FileFacts, SymbolChange } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import type { WholeDiff } from '../whole-diff.ts';
import type { ChangedRun } from './changed-runs.ts';
import type { ChangedText } from './changed-text.ts';

/** What a reader finds in a run of changed lines. */
export interface FoundEdit {
  kind: Edit['kind'];
  text: string;
  before?: string;
  effect?: string[];
  isAroundOld?: boolean;
  lines: HunkLine[];
}

/** A file whose edits are read, and what of the rest of the pull request matters for it. */
export interface EditedFile {
  file: FileDiff;
  kind: FileFacts['kind'];
  language: string | null;
  runs: ChangedRun[];
  /** Hunks in which only the layout is new. */
  laidOut: HunkLines[];
  symbols: SymbolChange[];
  changed: ChangedText;
  whole: WholeDiff;
}

export type EditReader = (run: ChangedRun, edited: EditedFile) => FoundEdit[];
