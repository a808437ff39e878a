import type { Category, ChangeType } from '../domain/change-types.ts';
import type { Evidence } from '../reading/facts.ts';

/** A file's part of the change, told in a sentence or two. */
export interface WrittenChange {
  fileName: string;
  changeTypes: ChangeType[];
  description: string;
  evidence: Evidence[];
}

/** Something that a reader should not miss, with its reason. */
export interface WrittenPoint {
  categories: Category[];
  point: string;
  evidence: Evidence[];
}

/** What of a pull request was really read, and why the rest was not. */
export interface Coverage {
  filesRead: number;
  filesTotal: number;
  linesRead: number;
  linesTotal: number;
  skipped: { fileName: string; reason: string }[];
}

/** How many claims were checked against the diff, and what became of them. */
export interface Verification {
  claims: number;
  verified: number;
  repaired: number;
  dropped: number;
}

export interface WriterLabel {
  kind: 'offline' | 'ai';
  provider?: string;
  model?: string;
  promptVersion?: string;
}

/** An article in one language, as its writer hands it over. */
export interface WrittenArticle {
  title: string;
  backgroundAndPurpose: string;
  mainChanges: WrittenChange[];
  notablePoints: WrittenPoint[];
  writer: WriterLabel;
  coverage: Coverage;
  verification: Verification;
}
