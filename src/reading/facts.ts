import type { ChangeType, FileKind } from '../domain/articles.ts';
import type { FileStatus } from './file-diff.ts';

export type { FileKind } from '../domain/articles.ts';

/** A place in the diff. Line numbers are those of `side`. */
export interface Evidence {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
  /** Set for lines that are in no hunk: of an unchanged definition, or found by a search in the repository. */
  unchanged?: true;
  /** The text of the lines, because the diff does not contain it. */
  lines?: string[];
}

/** Unchanged lines that were looked up in the repository. */
export interface LookedLines {
  fileName: string;
  side: Evidence['side'];
  startLine: number;
  lines: string[];
  /** The function around the lines; empty if unknown. */
  name: string;
}

export interface Definition {
  name: string;
  startLine: number;
  lines: string[];
  /** Set for lines of a changed function that are in none of its hunks. Articles do not show them. */
  isRest?: true;
}

export interface SymbolChange {
  kind: 'function' | 'method' | 'constructor' | 'class' | 'module' | 'type' | 'constant' | 'field';
  name: string;
  container: string | null;
  change: 'added' | 'removed' | 'renamed' | 'moved' | 'signatureChanged' | 'bodyChanged';
  previousName: string | null;
  movedFrom: Evidence | null;
  movedTo: Evidence | null;
  isEdited: boolean;
  signature: string | null;
  previousSignature: string | null;
  signatureEdits: SignatureEdit[];
  value: Transition | null;
  isPublic: boolean;
  /** Whether other code may use the symbol; false only if none can. */
  mayBePublic: boolean;
  /** Whether the whole old file certainly lacks the name, in any spelling. */
  isNew: boolean;
  evidence: Evidence;
}

export interface Transition {
  from: string;
  to: string;
}

/** One difference between two signatures. `type` is empty if none is written. */
export type SignatureEdit =
  | { kind: 'parameterAdded'; name: string; type: string; isOptional: boolean }
  | { kind: 'parameterRemoved'; name: string; type: string }
  | { kind: 'parameterRenamed'; from: string; to: string }
  | { kind: 'parameterType'; name: string; from: string; to: string }
  | { kind: 'default'; name: string; from: string; to: string }
  | { kind: 'returns'; from: string; to: string };

/** Changes of a statement, a paragraph or a line. Decided once, so that all readers agree. */
export interface UnitChange {
  kind: /** The same but for white space, line breaks or a trailing comma. */
  'rewrapped' | 'replaced' | 'added' | 'removed' | 'moved';
  of: 'code' | 'import' | 'comment' | 'text';
  old: Evidence | null;
  new: Evidence | null;
  counterpart: Evidence | null;
}

export interface NamedRange {
  /** The name of a symbol with its container, as in `Class.method`. */
  name: string;
  isFunction: boolean;
  side: Evidence['side'];
  startLine: number;
  endLine: number;
}

export type NamedLines = Pick<NamedRange, 'name' | 'startLine' | 'endLine'>;

export interface FileOutline {
  fileName: string;
  ranges: NamedRange[];
  /** Absent in facts stored by older versions, and for languages without rules. */
  names?: SideNames[];
  /** Names on added lines that were nowhere in the old file. */
  fresh?: string[];
  definitions?: Definition[];
}

/** Names of one side that other code can certainly use, and those that it cannot use, as `Class.method`. */
export interface SideNames {
  side: Evidence['side'];
  public: string[];
  hidden: string[];
}

export interface DependencyChange {
  name: string;
  change: 'added' | 'removed' | 'moved' | 'changed';
  movedFrom: Evidence | null;
  movedTo: Evidence | null;
  from: string | null;
  to: string | null;
  isForDevelopment: boolean;
  evidence: Evidence;
}

export interface SurfaceChange {
  kind: 'commandLineOption';
  name: string;
  change: 'added' | 'removed' | 'changed';
  isNew: boolean;
  evidence: Evidence;
}

export interface TestChange {
  name: string;
  /** A kept test only seems to be added or removed: it was renamed or moved. */
  change: 'added' | 'removed' | 'kept';
  evidence: Evidence;
}

export interface FileFacts {
  path: string;
  previousPath: string | null;
  status: FileStatus;
  kind: FileKind;
  language: string | null;
  additions: number;
  deletions: number;
  /** The type of change of this file; null if neither the file nor the whole pull request has a certain one. */
  changeType: ChangeType | null;
  importance: number;
  symbols: SymbolChange[];
  dependencies: DependencyChange[];
  surfaces: SurfaceChange[];
  tests: TestChange[];
  changes: UnitChange[];
  ranges: NamedRange[];
  definitions: Definition[];
  isSubmodule: boolean;
  becameExecutable: boolean | null;
  place: Evidence | null;
  skipped: string | null;
}

export interface AttentionPoint {
  reason: 'permissionChanged' | 'testSkipped';
  subjects: string[];
  evidence: Evidence[];
}

interface DescriptionFacts {
  text: string;
  linkedIssues: number[];
}

export interface Facts {
  changeType: ChangeType | null;
  files: FileFacts[];
  attention: AttentionPoint[];
  description: DescriptionFacts;
}

export interface PullRequestText {
  title: string;
  body: string | null;
  commitMessages: string[];
  labels: string[];
}

export interface PullRequestOfRepository extends PullRequestText {
  repository: string;
}
