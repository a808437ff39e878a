import type { AttentionPoint, DependencyChange, SurfaceChange, SymbolChange } from '../../reading/facts.ts';
import type { Script } from '../plain-text.ts';

/** More names in a row than this are not read; what is left is counted. */
export const namesPerList = 5;

/** How many things a point names. */
export const subjectsNamed = 3;

/** Something with a name, and what it is. */
export interface Named {
  kind: SymbolChange['kind'];
  name: string;
}

/** Lines that come and go in some files. */
export interface Extent {
  paths: string[];
  additions: number;
  deletions: number;
}

/** Somebody's sentences, and the one of them that says most. */
export interface Quoted {
  sentences: string[];
  quote: string;
  script: Script;
}

/** What becomes of a file. */
export type FileEvent = 'added' | 'removed' | 'moved' | 'edited';

/** What happened to a file as a whole. */
type FileStatement =
  /** With the file in which most of its lines stood before, or stand now. */
  | { say: 'newFile'; path: string; lines: number; other: string | null }
  | { say: 'removedFile'; path: string; lines: number; other: string | null }
  | { say: 'linked'; path: string; target: string; isNew: boolean }
  | { say: 'movedFile'; path: string; from: string; isEdited: boolean }
  | {
      say: 'manyFiles';
      status: 'added' | 'removed' | 'moved' | 'binary';
      paths: string[];
      lines: number;
      other: string | null;
    }
  | { say: 'copiedFile'; path: string; from: string }
  | { say: 'binaryFile'; path: string; status: 'added' | 'removed' | 'modified' }
  | { say: 'modeChanged'; path: string; isExecutable: boolean }
  | { say: 'submodule'; path: string }
  | ({ say: 'counts'; names: string[] } & Extent)
  /** Where it is done in yet others, those are not counted. */
  | { say: 'alsoIn'; paths: string[]; isPart: boolean }
  | { say: 'importsOnly'; paths: string[] }
  | ({ say: 'wordsOnly' } & Extent)
  | ({ say: 'smaller' } & Extent)
  | ({
      say: 'unread';
      kind: 'generated' | 'vendored' | 'binary';
      event: FileEvent;
      /** The folder by which all of them are taken for copies. */
      folder: string | null;
    } & Extent)
  | ({ say: 'lockOnly' } & Extent);

/** What happened to something that code declares. */
type SymbolStatement =
  /** Where others come that are not named, it is told as a part. */
  | { say: 'defines'; names: Named[]; inNewFile: boolean; isPart: boolean }
  | { say: 'explains'; name: string; isOnly: boolean; isComment: boolean; quote: string }
  /** With its file, or by itself. */
  | { say: 'removes'; names: Named[]; withFile: boolean; isPart: boolean }
  | { say: 'movesHere'; names: Named[]; from: string; to: string; isEdited: boolean }
  | { say: 'movesAway'; names: Named[]; from: string; to: string }
  | { say: 'movesWithin'; names: Named[]; path: string }
  | { say: 'wraps'; names: Named[]; wrapper: string }
  | { say: 'renames'; kind: Named['kind']; from: string; to: string }
  | {
      say: 'parameters';
      kind: Named['kind'];
      name: string;
      required: string[];
      optional: string[];
      gone: string[];
    }
  | { say: 'parameterType'; of: string; name: string; from: string; to: string }
  | { say: 'parameterDefault'; of: string; name: string; from: string; to: string }
  | { say: 'returns'; names: string[]; from: string; to: string }
  | { say: 'resigned'; from: string; to: string }
  | { say: 'value'; name: string; from: string; to: string };

/** What single lines do; where that is not all that is done in a file, it is told as a part. */
type LineStatement =
  | { say: 'replaced'; symbol: string | null; from: string; to: string; isPart: boolean }
  | { say: 'replacedOften'; from: string; to: string; count: number | null; path: string; isPart?: boolean }
  | { say: 'addedOften'; text: string; count: number | null; path: string }
  | { say: 'reformatted'; paths: string[] }
  | { say: 'checksDifferently'; symbol: string | null; from: string; to: string; isPart?: boolean }
  | { say: 'raises'; symbol: string | null; message: string }
  | { say: 'remarks'; symbol: string | null; isComment: boolean; quote: string; isPart?: boolean }
  | {
      say: 'rewords';
      symbol: string | null;
      isComment: boolean;
      from: string;
      quote: string;
      isPart?: boolean;
    }
  /**
   * With whether other lines come, or go, beside those that are shown; and, where only one side is shown, whether lines of
   * the other one stood, or stand, in their place.
   */
  | {
      say: 'lines';
      symbol: string | null;
      added: string[];
      removed: string[];
      hasMore: { added: boolean; removed: boolean };
      isInPlace: boolean;
    };

/** What goes with code: dependencies, settings, tests and documents. */
type CompanyStatement =
  | { say: 'dependencies'; change: Exclude<DependencyChange['change'], 'moved'>; changes: DependencyChange[] }
  | { say: 'dependenciesMoved'; names: string[]; from: string; to: string; isHere: boolean }
  | { say: 'setting'; kind: SurfaceChange['kind']; change: SurfaceChange['change']; names: string[] }
  | { say: 'tests'; names: string[] }
  | { say: 'testsGone'; names: string[] }
  | { say: 'testsRenamed'; from: string; to: string; hasMore: boolean }
  | { say: 'testsMoved'; names: string[]; from: string; to: string }
  | { say: 'sections'; headings: string[]; isPart: boolean }
  | { say: 'addsText'; quote: string }
  | { say: 'dropsText'; quote: string }
  | { say: 'rewordsText'; from: string; to: string; isPart?: boolean }
  /** With the heading that it stands under, where that says what kind of entry it is. */
  | { say: 'changelog'; section: string | null; quote: string };

/** What deserves attention, and what it means for somebody. */
type PointStatement =
  | { say: 'publicApiRemoved'; names: Named[]; isPart: boolean }
  | { say: 'publicApiRenamed'; kind: Named['kind']; from: string; to: string }
  | { say: 'reliersBreak'; isOne: boolean }
  | { say: 'publicApiChanged'; names: Named[] }
  | { say: 'callersFollow' }
  | { say: 'closedToAdditions'; subjects: string[] }
  | { say: 'openedToAdditions'; subjects: string[] }
  | { say: 'minimumVersion'; isRaised: boolean; transitions: AttentionPoint['transitions'] }
  | { say: 'frameworksDropped'; names: string[] }
  | { say: 'fallbackRemoved'; subjects: string[] }
  | { say: 'defaultChanged'; transitions: AttentionPoint['transitions'] }
  | { say: 'reliersGetAnother' }
  | { say: 'schemaMigration'; subjects: string[] }
  | { say: 'migrationNeeded' }
  | { say: 'settingRemoved'; kind: SurfaceChange['kind']; subjects: string[] }
  | { say: 'majorUpgrade'; transitions: AttentionPoint['transitions'] }
  | { say: 'mayBreak' }
  | { say: 'dangerousCall'; subjects: string[] }
  | { say: 'lookWhereFrom' };

/** Why the change was made, as far as anybody said, and how large it is. */
type BackgroundStatement =
  | { say: 'titled'; title: string; bare: string; script: Script }
  | ({ say: 'authorSays' } & Quoted)
  | ({ say: 'commitSays'; speaker: string | null } & Quoted)
  | ({ say: 'commentSays'; speaker: string | null } & Quoted)
  | { say: 'commitsTitled'; titles: string[] }
  | { say: 'nobodySays' }
  | { say: 'closes'; issues: { number: number; title: string }[] }
  | ({ say: 'extent'; added: string[]; removed: string[] } & Extent)
  | { say: 'nothingToRead'; reason: 'empty' | 'binary' | 'mode' };

/** One thing that an article can say, in no language yet. */
export type Statement =
  | FileStatement
  | SymbolStatement
  | LineStatement
  | CompanyStatement
  | PointStatement
  | BackgroundStatement;

export type Saying<Result, Say extends Statement['say'] = Statement['say']> = {
  [One in Say]: (statement: Extract<Statement, { say: One }>) => Result;
};

/** Gives each statement to the function of its own name, which the compiler cannot follow through the index. */
export function sayWith<Result>(saying: Saying<Result>, statement: Statement): Result {
  return (saying[statement.say] as (statement: Statement) => Result)(statement);
}

export type OfFiles = FileStatement['say'];
export type OfSymbols = SymbolStatement['say'];
export type OfLines = LineStatement['say'];
export type OfCompany = CompanyStatement['say'];
export type OfPoints = PointStatement['say'];
export type OfBackground = BackgroundStatement['say'];
