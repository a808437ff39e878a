import type { AuthorWords, DependencyTable, Hunk, Statement } from '../contract/article-parts.ts';
import type { ArticleContent, Counts } from '../contract/articles.ts';
import { fileKinds, type PointLabel } from '../domain/articles.ts';
import type { ChosenPoint } from '../domain/reviews.ts';
import type { Evidence, Facts, FileFacts } from '../reading/facts.ts';
import type { FileDiff } from '../reading/file-diff.ts';

export type { AuthorWords, Counts, Hunk };

export type HunkLine = Hunk['lines'][number];
export type Coverage = ArticleContent['coverage'];
export type Verification = ArticleContent['verification'];
export type WriterLabel = ArticleContent['writer'];
export type AuthorQuote = NonNullable<ArticleContent['quote']>;

export type BeforeAfter = Pick<NonNullable<ArticleContent['beforeAfter']>, 'before' | 'after'>;

/** Written articles have no links to lines: those depend on the host and are added when an article is shown. */
type Written<Part> = Omit<Part, 'description' | 'evidence' | 'point' | 'statement' | 'statements'>;
type WithStatement<Part> = Written<Part> & { statement: WrittenStatement };
type WithStatements<Part> = Written<Part> & { statements: WrittenStatement[] };

export interface WrittenStatement extends Omit<Statement, 'evidence'> {
  evidence: Evidence[];
  /** The label of a risk, for a sentence that stays in its section. */
  label?: PointLabel;
  beforeAfter?: BeforeAfter;
  /** The ids of the review comments that it rests on. */
  comments?: string[];
}

/** A draft without the sentences that failed their checks. */
export interface CheckedDraft extends Pick<ArticleContent, 'authorWords' | 'changeTypes'> {
  title: string;
  standfirst: WrittenStatement | null;
  scope: WithStatement<NonNullable<ArticleContent['scope']>> | null;
  background: WrittenStatement[];
  mainChanges: WithStatements<ArticleContent['mainChanges'][number]>[];
  beforeAfter: WithStatements<NonNullable<ArticleContent['beforeAfter']>> | null;
  notablePoints: WithStatements<ArticleContent['notablePoints'][number]>[];
  tests: WithStatements<NonNullable<ArticleContent['tests']>> | null;
  also: WithStatement<ArticleContent['also'][number]>[];
}

export interface WrittenArticle
  extends CheckedDraft,
    Pick<ArticleContent, 'quote' | 'counts' | 'writer' | 'coverage' | 'verification' | 'usage'> {
  dependencies: DependencyTable | null;
  /** The points of the review that a model chose. */
  chosen?: ChosenPoint[];
}

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

export interface SaidInReview {
  /** The id of the comment, and the place of the sentence in it. */
  comment: string;
  place: number;
  isByAuthor: boolean;
  /** The speaker's last decision; null without one. */
  state: 'approved' | 'changesRequested' | null;
  /** The commented line, and the last lines of its hunk as they were then. */
  line: string | null;
  hunk: string[];
}

/** A comment with what is known about its sentences; comments of other sources have only a text. */
export interface SpokenComment {
  author: string;
  body: string;
  said?: Omit<SaidInReview, 'place'>;
}

export interface ArticleSource {
  repository: string;
  title: string;
  body: string | null;
  author: string;
  /** In clones, the description of a pull request is the body of its commit. */
  isClone: boolean;
  commits: { author: string; message: string }[];
  comments: SpokenComment[];
  linkedIssues: { number: number; title: string; body?: string | null }[];
  facts: Facts;
  diff: FileDiff[];
}

/** Languages in which articles can be written without a model. */
export const offlineLanguages = ['en', 'ja'] as const;

export type OfflineLanguage = (typeof offlineLanguages)[number];

export const isOfflineLanguage = (code: string): code is OfflineLanguage =>
  offlineLanguages.some((known) => known === code);
