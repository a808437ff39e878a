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
import type { SpokenWords } from '../draft.ts';

/** Counts up when articles that were decided earlier would be told differently now. */
export const outlineVersion = 2;

/** More names in a row than this are not read. */
export const namesPerList = 5;

/** Something with a name, and what it is. */
export interface Named {
  kind: SymbolChange['kind'];
  name: string;
}

/** In what kind of letters a text is written, as far as it matters for putting it beside another. */
export type Script = 'latin' | 'japanese' | 'other';

/** One thing that can be said of what a file's lines do, in no language yet. */
type ChangeStatement =
  | { say: 'newFile'; path: string; kind: FileKind; lines: number }
  | { say: 'removedFile'; path: string; lines: number; names: Named[] }
  | { say: 'movedFile'; path: string; from: string; isEdited: boolean }
  | { say: 'manyFiles'; status: 'added' | 'removed' | 'moved' | 'binary'; paths: string[]; lines: number }
  | { say: 'copiedFile'; path: string; from: string }
  | { say: 'binaryFile'; path: string; status: 'added' | 'removed' | 'modified' }
  | { say: 'modeChanged'; path: string; isExecutable: boolean }
  | { say: 'submodule'; path: string }
  | { say: 'defines'; names: Named[]; hasMore: boolean; inNewFile: boolean }
  | { say: 'explains'; name: string; quote: string }
  | { say: 'removes'; names: Named[]; hasMore: boolean }
  | { say: 'usersMustChange'; isOne: boolean }
  | { say: 'movesSymbols'; names: Named[]; from: string; to: string }
  | { say: 'renames'; kind: Named['kind']; from: string; to: string }
  | { say: 'parameters'; name: string; required: string[]; optional: string[]; gone: string[] }
  | { say: 'returns'; names: string[]; before: string; after: string }
  | { say: 'resigned'; name: string; before: string; after: string }
  | { say: 'replaced'; symbol: string | null; before: string; after: string }
  | { say: 'checks'; symbol: string | null; conditions: string[] }
  | { say: 'dropsCheck'; symbol: string | null; condition: string }
  | { say: 'raises'; symbol: string | null; message: string }
  | { say: 'calls'; symbol: string | null; names: string[]; instead: string[] }
  | { say: 'remarks'; symbol: string | null; quote: string }
  | { say: 'addsLines'; symbol: string | null; lines: string[] }
  | { say: 'dropsLines'; symbol: string | null; lines: string[] }
  | { say: 'reworked'; path: string; names: string[]; additions: number; deletions: number }
  | { say: 'dependencies'; changes: Omit<DependencyChange, 'evidence'>[]; more: number }
  | { say: 'dependenciesIn'; files: string[]; more: number }
  | { say: 'lockOnly'; paths: string[]; additions: number; deletions: number }
  | { say: 'setting'; kind: SurfaceChange['kind']; change: SurfaceChange['change']; names: string[] }
  | { say: 'tests'; count: number; names: string[]; paths: string[] }
  | { say: 'testsGone'; count: number; names: string[]; paths: string[] }
  | { say: 'testsChanged'; paths: string[]; additions: number; deletions: number }
  | { say: 'sections'; headings: string[]; hasMore: boolean }
  | { say: 'addsText'; quote: string }
  | { say: 'rewordedText'; before: string; after: string }
  | { say: 'docsChanged'; paths: string[]; additions: number; deletions: number }
  | { say: 'alsoIn'; paths: string[] }
  | { say: 'smaller'; paths: string[]; additions: number; deletions: number }
  | { say: 'generated'; paths: string[]; additions: number; deletions: number };

/** What deserves attention, and what it means for somebody. */
type PointStatement =
  | { say: 'publicApiRemoved'; subjects: string[]; hasMore: boolean }
  | { say: 'reliersBreak'; isOne: boolean }
  | { say: 'publicApiChanged'; subjects: string[]; hasMore: boolean }
  | { say: 'callersFollow' }
  | { say: 'closedToAdditions'; subjects: string[]; hasMore: boolean }
  | { say: 'openedToAdditions'; subjects: string[]; hasMore: boolean }
  | { say: 'minimumVersion'; isRaised: boolean; transitions: AttentionPoint['transitions'] }
  | { say: 'fallbackRemoved'; subjects: string[]; hasMore: boolean }
  | { say: 'mustBeSet'; isOne: boolean }
  | { say: 'defaultChanged'; transitions: AttentionPoint['transitions'] }
  | { say: 'reliersGetAnother' }
  | { say: 'schemaMigration'; subjects: string[] }
  | { say: 'migrationNeeded' }
  | { say: 'settingRemoved'; subjects: string[]; hasMore: boolean }
  | { say: 'majorUpgrade'; subjects: string[]; hasMore: boolean }
  | { say: 'mayBreak' }
  | { say: 'newErrors'; messages: string[]; hasMore: boolean }
  | { say: 'settingAdded'; subjects: string[]; hasMore: boolean }
  | { say: 'dangerousCall'; subjects: string[] }
  | { say: 'reasonGiven'; quote: string }
  | { say: 'untested' }
  | { say: 'testsRemoved'; names: string[] }
  | { say: 'passedOver'; paths: string[]; hasMore: boolean }
  | { say: 'authenticationTouched'; subjects: string[] }
  | { say: 'cryptographyTouched'; subjects: string[] }
  | { say: 'concurrency'; subjects: string[] }
  | { say: 'performanceSensitive'; subjects: string[] }
  | { say: 'userVisibleText'; subjects: string[] };

/** Why the change was made, as far as anybody said, and how large it is. */
type BackgroundStatement =
  | { say: 'titled'; title: string; script: Script }
  | { say: 'authorSays'; sentences: string[]; script: Script; where: 'description' | 'commit' }
  | { say: 'nobodySays' }
  | { say: 'closes'; issues: { number: number; title: string }[] }
  | {
      say: 'extent';
      paths: string[];
      tests: number;
      documents: number;
      additions: number;
      deletions: number;
      place: string | null;
    }
  | { say: 'nothingToRead'; reason: 'empty' | 'binary' | 'mode' }
  | { say: 'unseen'; sentences: string[]; script: Script };

/** One thing that an article can say, in no language yet. */
export type Statement = ChangeStatement | PointStatement | BackgroundStatement;

/** A statement, the lines where it can be seen, and the words that it tells of. */
export interface Told {
  statement: Statement;
  evidence: Evidence[];
  words: SpokenWords[];
}

export const tell = (statement: Statement, evidence: Evidence[], words: SpokenWords[] = []): Told => ({
  statement,
  evidence,
  words,
});

export interface PlannedChange {
  fileName: string;
  changeTypes: ChangeType[];
  told: Told[];
}

export interface PlannedPoint {
  reason: AttentionReason;
  categories: Category[];
  told: Told[];
}

/** What a title can say from the diff alone. */
export interface TitleFacts {
  changeType: ChangeType;
  action: 'added' | 'removed' | 'renamed' | 'changed' | 'upgraded' | 'tested' | 'documented';
  /** A function, type, dependency, file or folder. */
  subject: string;
  from: string | null;
  to: string | null;
  hasMore: boolean;
  evidence: Evidence[];
}

/** Everything an article says, in the order in which it is said. */
export interface Outline {
  changeType: ChangeType;
  /** As its author wrote it, and the same without prefix and number. */
  authorTitle: { whole: SpokenWords; text: string; scope: string | null; script: Script };
  titleFacts: TitleFacts | null;
  background: Told[];
  changes: PlannedChange[];
  points: PlannedPoint[];
}
