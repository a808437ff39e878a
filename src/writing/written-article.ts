import type { Basis, QuoteSource, ReasonForOffline } from '../domain/article.ts';
import type { Category, ChangeType } from '../domain/change-types.ts';
import type { Evidence } from '../reading/facts.ts';

/** One sentence that holds, and the lines that bear it out. */
export interface WrittenStatement {
  text: string;
  basis: Basis;
  evidence: Evidence[];
}

/** A file's part of the change. */
export interface WrittenChange {
  fileName: string;
  changeTypes: ChangeType[];
  statements: WrittenStatement[];
}

/** Something that a reader should not miss, with its reason. */
export interface WrittenPoint {
  categories: Category[];
  statements: WrittenStatement[];
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

/** How many claims were checked against the diff, and what became of them. */
export interface Verification {
  claims: number;
  verified: number;
  repaired: number;
  dropped: number;
  /** Those that a second reader found borne out. */
  judged: number;
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
  changeTypes: ChangeType[];
  background: WrittenStatement[];
  mainChanges: WrittenChange[];
  notablePoints: WrittenPoint[];
}

/** An article in one language, checked, as it is published. */
export interface WrittenArticle extends CheckedDraft {
  quote: AuthorQuote | null;
  writer: WriterLabel;
  coverage: Coverage;
  verification: Verification;
  /** What a model used; absent without one. */
  usage?: { inputTokens: number; outputTokens: number; estimatedCostUsd?: number };
}
