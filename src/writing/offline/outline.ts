import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category, ChangeType } from '../../domain/change-types.ts';
import type { FileKind } from '../../domain/file-kinds.ts';
import type {
  AttentionPoint,
  DependencyChange,
  Evidence,
  SurfaceChange,
  SymbolChange,
} from '../../reading/facts.ts';

/** Counts up when outlines that were stored earlier can no longer be put into words. */
export const outlineVersion = 1;

/** Something with a name, and what it is. */
export interface Named {
  kind: SymbolChange['kind'];
  name: string;
}

/** One thing that can be said of a change, in no language yet. Every name in it stands in the diff. */
export type Statement =
  | { say: 'newFile'; kind: FileKind; lines: number }
  | { say: 'removedFile'; lines: number; names: Named[] }
  | { say: 'movedFile'; from: string; isEdited: boolean }
  | {
      say: 'manyFiles';
      status: 'added' | 'removed' | 'moved' | 'binary';
      files: string[];
      more: number;
      lines: number;
    }
  | { say: 'copiedFile'; from: string }
  | { say: 'binaryFile'; status: 'added' | 'removed' | 'modified' }
  | { say: 'modeChanged'; isExecutable: boolean }
  | { say: 'submodule' }
  | {
      say: 'defines';
      names: Named[];
      more: number;
      explained: { name: string; quote: string }[];
      inNewFile: boolean;
    }
  | { say: 'removes'; names: Named[]; more: number; isPublic: boolean }
  | { say: 'movesSymbols'; names: string[]; to: string }
  | { say: 'renames'; kind: Named['kind']; from: string; to: string; isPublic: boolean }
  | { say: 'parameters'; name: string; required: string[]; optional: string[]; gone: string[] }
  | { say: 'returns'; names: string[]; more: number; before: string; after: string }
  | { say: 'resigned'; name: string; before: string; after: string }
  | { say: 'replaced'; symbol: string | null; before: string; after: string }
  | { say: 'checks'; symbol: string | null; conditions: string[] }
  | { say: 'dropsCheck'; symbol: string | null; condition: string }
  | { say: 'raises'; symbol: string | null; message: string }
  | { say: 'calls'; symbol: string | null; names: string[]; instead: string[] }
  | { say: 'remarks'; symbol: string | null; quote: string }
  | { say: 'addsLines'; symbol: string | null; lines: string[] }
  | { say: 'dropsLines'; symbol: string | null; lines: string[] }
  | { say: 'reworked'; names: string[]; additions: number; deletions: number }
  | { say: 'dependencies'; changes: Omit<DependencyChange, 'evidence'>[]; more: number }
  | { say: 'dependenciesIn'; files: string[]; more: number }
  | { say: 'lockOnly'; additions: number; deletions: number }
  | { say: 'setting'; kind: SurfaceChange['kind']; change: SurfaceChange['change']; names: string[] }
  | { say: 'tests'; count: number; names: string[]; files: number }
  | { say: 'testsGone'; count: number; names: string[] }
  | { say: 'testsChanged'; files: number; additions: number; deletions: number }
  | { say: 'sections'; headings: string[]; more: number }
  | { say: 'addsText'; quote: string }
  | { say: 'rewordedText'; before: string; after: string }
  | { say: 'docsChanged'; files: number; additions: number; deletions: number }
  | { say: 'alsoIn'; files: string[]; more: number }
  | { say: 'smaller'; files: string[]; more: number; additions: number; deletions: number }
  | { say: 'generated'; files: number; additions: number; deletions: number };

export interface PlannedChange {
  fileName: string;
  changeTypes: ChangeType[];
  statements: Statement[];
  evidence: Evidence[];
}

export interface PlannedPoint {
  categories: Category[];
  reason: AttentionReason;
  subjects: string[];
  transitions: AttentionPoint['transitions'];
  /** Of how many things the subjects are examples. */
  count: number;
  evidence: Evidence[];
}

export type BackgroundStatement =
  | { say: 'titled'; title: string; script: Script }
  | { say: 'authorSays'; sentences: string[]; script: Script; source: 'description' | 'commits' }
  | { say: 'authorSilent' }
  | { say: 'closes'; issues: { number: number; title: string }[] }
  | {
      say: 'extent';
      files: number;
      tests: number;
      documents: number;
      additions: number;
      deletions: number;
      place: string | null;
    }
  | { say: 'nothingToRead'; reason: 'empty' | 'binary' | 'mode' }
  | { say: 'unseen'; sentences: string[]; script: Script };

/** In what kind of letters a text is written, as far as it matters for putting it beside another. */
export type Script = 'latin' | 'japanese' | 'other';

/** What a title can say from the diff alone. */
export interface TitleFacts {
  changeType: ChangeType;
  action: 'added' | 'removed' | 'renamed' | 'changed' | 'upgraded' | 'tested' | 'documented';
  /** A function, type, dependency, file or folder. */
  subject: string;
  from: string | null;
  to: string | null;
  more: number;
}

/** Everything an article says, checked against the diff, in the order in which it is said. */
export interface Outline {
  /** As its author wrote it, without prefix and number. */
  authorTitle: { text: string; scope: string | null; script: Script };
  titleFacts: TitleFacts | null;
  background: BackgroundStatement[];
  changes: PlannedChange[];
  points: PlannedPoint[];
}
