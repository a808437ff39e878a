import {
  type AuthorWordsSource,
  type Basis,
  type Category,
  type ChangeType,
  type FileKind,
  fileKinds,
  type HunkLineKind,
  type PointLabel,
  type QuoteSource,
  type ReasonForOffline,
  type ScopeKind,
  type Severity,
} from '../domain/article.ts';
import type { Evidence, Facts, FileFacts } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';

/** One checked sentence, and the lines that show it. */
export interface WrittenStatement {
  /** Stays as long as the sentence and its files do. */
  id: string;
  text: string;
  basis: Basis;
  /** The place of a quotation. */
  source?: QuoteSource;
  evidence: Evidence[];
}

/** One contiguous stretch of one hunk of the diff, in its order, without a gap. */
export interface Hunk {
  fileName: string;
  /** The function or section around it. */
  heading: string | null;
  /** At most 60. */
  lines: HunkLine[];
  /** Changed lines of the same piece, before and after, that are not shown. */
  moreBefore: number;
  moreAfter: number;
}

export interface HunkLine {
  kind: HunkLineKind;
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** How far a change reaches, where that is certain: tests only, formatting only, no exported name changes. */
interface Scope {
  kind: ScopeKind;
  statement: WrittenStatement;
}

/** What the author wrote about the change, verbatim, without templates and trailers. */
export interface AuthorWords {
  from: AuthorWordsSource;
  /** At most 4,000 characters. */
  markdown: string;
  /** Whether the author wrote more than that. */
  more: boolean;
}

/** What became of tests. */
interface TestChanges {
  /** The first five. */
  added: string[];
  addedTotal: number;
  statements: WrittenStatement[];
}

/** A section by a model, or a hunk without one. */
interface WrittenChange {
  /** A full statement by a model; null without one. */
  heading: string | null;
  fileName: string;
  changeTypes: ChangeType[];
  statements: WrittenStatement[];
  hunk: Hunk | null;
}

/** Something that a reader should not miss, with its reason. */
interface WrittenPoint {
  categories: Category[];
  label: PointLabel | null;
  severity: Severity | null;
  statements: WrittenStatement[];
}

/** One row of what no main change shows. */
interface WrittenRow {
  statement: WrittenStatement;
  times: number | null;
  /** The first of them; `filesTotal` says how many there are. */
  files: string[];
  filesTotal: number;
  additions: number;
  deletions: number;
}

/** How large a change is. */
export interface Counts {
  files: number;
  additions: number;
  deletions: number;
  commits: number;
  parts: { kind: FileKind; files: number }[];
}

/** What of a pull request was really read, and why the rest was not. */
export interface Coverage {
  filesRead: number;
  filesTotal: number;
  linesRead: number;
  linesTotal: number;
  /** The first of those that were not read; `skippedTotal` says how many there are. */
  skipped: { fileName: string; reason: string }[];
  skippedTotal: number;
  /** Of a change that a model read part by part: the notes on its parts, and how many of them its writer read. */
  notes?: { total: number; used: number };
}

/** What became of the claims: each was verified, repaired, left unjudged, or dropped. */
export interface Verification {
  claims: number;
  verified: number;
  repaired: number;
  dropped: number;
  /** Those that a second reader confirmed. */
  judged: number;
  /** Those that a second reader should have read and did not: rules alone have checked them. */
  unjudged: number;
}

export interface WriterLabel {
  kind: 'offline' | 'ai';
  provider?: string;
  model?: string;
  promptVersion?: string;
  standsIn?: boolean;
  because?: ReasonForOffline;
}

/** One sentence of the author's, word for word. */
export interface AuthorQuote {
  text: string;
  from: QuoteSource;
}

/** A draft without what failed its checks. */
export interface CheckedDraft {
  title: string;
  standfirst: WrittenStatement | null;
  scope: Scope | null;
  authorWords: AuthorWords | null;
  changeTypes: ChangeType[];
  background: WrittenStatement[];
  mainChanges: WrittenChange[];
  notablePoints: WrittenPoint[];
  tests: TestChanges | null;
  also: WrittenRow[];
}

/** An article in one language, checked, as it is published. */
export interface WrittenArticle extends CheckedDraft {
  quote: AuthorQuote | null;
  counts: Counts;
  writer: WriterLabel;
  coverage: Coverage;
  verification: Verification;
  /** What a model used; absent without one. */
  usage?: { inputTokens: number; outputTokens: number; estimatedCostUsd?: number };
}

/** How large a change is, and what kinds of files it is about, in the order of kinds. */
export function countChange(files: FileFacts[], commits: number): Counts {
  const sum = (of: (file: FileFacts) => number): number => files.reduce((total, file) => total + of(file), 0);
  const parts = fileKinds.map((kind) => ({ kind, files: sum((file) => (file.kind === kind ? 1 : 0)) }));
  return {
    files: files.length,
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    commits,
    parts: parts.filter((part) => part.files > 0),
  };
}

/** What an article is written from. */
export interface ArticleSource {
  /** Owner and name. */
  repository: string;
  title: string;
  body: string | null;
  /** Who made the pull request. */
  author: string;
  /** Whether it comes from a clone, which keeps of a description only what a commit has of it. */
  isClone: boolean;
  commits: { author: string; message: string }[];
  comments: { author: string; body: string }[];
  linkedIssues: { number: number; title: string; body?: string | null }[];
  facts: Facts;
  diff: FileDiff[];
}

/** Languages in which articles can be written without a model. */
export const offlineLanguages = ['en', 'ja'] as const;

export type OfflineLanguage = (typeof offlineLanguages)[number];

export function isOfflineLanguage(code: string): code is OfflineLanguage {
  return offlineLanguages.some((known) => known === code);
}
