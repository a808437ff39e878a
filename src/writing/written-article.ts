import type {
  Basis,
  ExcerptLineKind,
  PointLabel,
  QuoteSource,
  ReasonForOffline,
  RowKind,
} from '../domain/article.ts';
import type { Category, ChangeType } from '../domain/change-types.ts';
import type { FileKind } from '../domain/file-kinds.ts';
import type { Evidence } from '../reading/facts.ts';

/** One sentence that holds, and the lines that bear it out. */
export interface WrittenStatement {
  /** Stays as long as the sentence and its files do. */
  id: string;
  text: string;
  basis: Basis;
  /** Where it stands, for a quotation. */
  source?: QuoteSource;
  evidence: Evidence[];
}

/** Lines of the diff, cut by code. */
export interface Excerpt {
  fileName: string;
  /** The function or section around them. */
  heading: string | null;
  lines: ExcerptLine[];
}

export interface ExcerptLine {
  kind: ExcerptLineKind;
  oldLine: number | null;
  newLine: number | null;
  text: string;
}

/** One decision of the change, under the file that it shows in most. */
interface WrittenChange {
  fileName: string;
  changeTypes: ChangeType[];
  statements: WrittenStatement[];
  excerpts: Excerpt[];
}

/** Something that a reader should not miss, with its reason. */
interface WrittenPoint {
  categories: Category[];
  label: PointLabel | null;
  statements: WrittenStatement[];
}

/** What no main change tells of, in one row. */
interface WrittenRow {
  kind: RowKind;
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
}

/** What became of the claims: each was verified, repaired, left unjudged, or dropped. */
export interface Verification {
  claims: number;
  verified: number;
  repaired: number;
  dropped: number;
  /** Those that a second reader found borne out. */
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

/** What holds of a draft. */
export interface CheckedDraft {
  title: string;
  standfirst: WrittenStatement | null;
  changeTypes: ChangeType[];
  background: WrittenStatement[];
  mainChanges: WrittenChange[];
  notablePoints: WrittenPoint[];
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
