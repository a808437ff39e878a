import type { ChangeType, FileKind } from '../domain/article.ts';
import type { FileStatus } from './file-diff.ts';

export type { FileKind } from '../domain/article.ts';

/** Where in the diff something can be seen. Lines are those of the side that is named. */
export interface Evidence {
  fileName: string;
  startLine: number;
  endLine: number;
  side: 'old' | 'new';
  /** Lines outside of every hunk, of a definition that did not change. */
  unchanged?: true;
}

/** Something that did not change and that changed lines use, as the new side of its file has it. */
export interface Definition {
  name: string;
  startLine: number;
  /** The first of them where it is long. */
  lines: string[];
}

/** Something with a name that code defines: what happened to it, and where. */
export interface SymbolChange {
  kind: 'function' | 'method' | 'constructor' | 'class' | 'module' | 'type' | 'constant' | 'field';
  name: string;
  /** The class or type it belongs to, where that is visible. */
  container: string | null;
  change: 'added' | 'removed' | 'renamed' | 'moved' | 'signatureChanged' | 'bodyChanged';
  previousName: string | null;
  /** Where something that moved stood before: in another file, or elsewhere in the same one. */
  movedFrom: Evidence | null;
  /** Where it stands now; a change of the file that it left has its old place as `evidence`. */
  movedTo: Evidence | null;
  /** Whether something that moved, or has another name, is in other ways not as it was. */
  isEdited: boolean;
  /** As written, on one line; null where only the body changed. */
  signature: string | null;
  previousSignature: string | null;
  /** What is different in the signature, as far as its parameters and types say it. */
  signatureEdits: SignatureEdit[];
  /** What the value of a constant or a field was and is, where both stand on one line. */
  value: Transition | null;
  /** Whether others can certainly use it, by the rules of its language. */
  isPublic: boolean;
  /** Whether it cannot be ruled out: false only where nobody else can use it. */
  mayBePublic: boolean;
  /** What the comment that belongs to it says, in one sentence. */
  explanation: string | null;
  evidence: Evidence;
}

/** What something was, and what it is now. */
export interface Transition {
  from: string;
  to: string;
}

/** One difference between two signatures. A type is empty where none is written. */
export type SignatureEdit =
  | { kind: 'parameterAdded'; name: string; isOptional: boolean }
  | { kind: 'parameterRemoved'; name: string }
  | { kind: 'parameterRenamed'; from: string; to: string }
  | { kind: 'parameterType'; name: string; from: string; to: string }
  | { kind: 'default'; name: string; from: string; to: string }
  | { kind: 'returns'; from: string; to: string };

/** What became of a statement, a paragraph or a line, decided once for all who read it. */
export interface UnitChange {
  kind: /** The same but for white space, line breaks or a trailing comma. */
    | 'rewrapped'
    | 'replaced'
    | 'added'
    | 'removed'
    /** It stands elsewhere, as it was; both places have it, each with the other as counterpart. */
    | 'moved';
  of: 'code' | 'import' | 'comment' | 'text';
  old: Evidence | null;
  new: Evidence | null;
  counterpart: Evidence | null;
}

/** A function, class or section and the lines from its first to its last. */
export interface NamedRange {
  /** With what it belongs to, as `Class.method`. */
  name: string;
  /** Whether it is a function, so that what stands in it is done by it. */
  isFunction: boolean;
  side: Evidence['side'];
  startLine: number;
  endLine: number;
}

/** The same by its lines alone. */
export type NamedLines = Pick<NamedRange, 'name' | 'startLine' | 'endLine'>;

/** What the changed lines of a file lie in, and what is declared in them, as the whole file tells. */
export interface FileOutline {
  fileName: string;
  ranges: NamedRange[];
  /** Absent where it was read before there were any, or the language has none. */
  names?: SideNames[];
  /** What changed lines use of it and that did not change. */
  definitions?: Definition[];
}

/** Names of one side that others can certainly use, and that nobody else can, as `Class.method`. */
export interface SideNames {
  side: Evidence['side'];
  public: string[];
  hidden: string[];
}

export interface DependencyChange {
  name: string;
  change: 'added' | 'removed' | 'moved' | 'changed';
  /** Where one that moved to another manifest stood before, and where it stands now. */
  movedFrom: Evidence | null;
  movedTo: Evidence | null;
  from: string | null;
  to: string | null;
  /** Whether it is certainly not needed to run. */
  isForDevelopment: boolean;
  evidence: Evidence;
}

/** Something that people set or call from outside: an option of the command line. */
export interface SurfaceChange {
  kind: 'commandLineOption';
  name: string;
  change: 'added' | 'removed' | 'changed';
  evidence: Evidence;
}

export interface TestChange {
  /** What the test says it shows. */
  name: string;
  /** One that is kept only seems to come or go: it has another name, or stands elsewhere. */
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
  /** Null where none is sure, here and for the whole. */
  changeType: ChangeType | null;
  /** How much of the change is about this file; the heart has the most. */
  importance: number;
  symbols: SymbolChange[];
  dependencies: DependencyChange[];
  surfaces: SurfaceChange[];
  tests: TestChange[];
  changes: UnitChange[];
  /** What its changed lines lie in, as far as that is known. */
  ranges: NamedRange[];
  /** What did not change in it and is used by changed lines. */
  definitions: Definition[];
  isSubmodule: boolean;
  /** Whether it can be executed now, where that changed; otherwise null. */
  becameExecutable: boolean | null;
  /** Where its largest hunk stands; null where it has none. */
  place: Evidence | null;
  /** Why nothing was read in it, or null when it was read. */
  skipped: string | null;
}

export interface AttentionPoint {
  reason: 'permissionChanged' | 'testSkipped';
  /** What it is about, as written in the diff. */
  subjects: string[];
  evidence: Evidence[];
}

interface DescriptionFacts {
  /** What the author wrote, without templates, checklists, bot text, comments, trailers and badges. */
  text: string;
  linkedIssues: number[];
}

/** Everything that an article may say of a pull request. */
export interface Facts {
  changeType: ChangeType | null;
  files: FileFacts[];
  attention: AttentionPoint[];
  description: DescriptionFacts;
}

/** What its host says about a pull request, apart from the diff. */
export interface PullRequestText {
  title: string;
  body: string | null;
  commitMessages: string[];
  labels: string[];
}

export interface PullRequestOfRepository extends PullRequestText {
  /** Owner and name, by which its own issues may be named. */
  repository: string;
}
