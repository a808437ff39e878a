import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Category, ChangeType } from '../../domain/change-types.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { SpokenWords, StatedFact } from '../draft.ts';
import type { Script } from '../plain-text.ts';
import type { Statement } from './statements.ts';

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

/** Words that stand in the code, in a comment or a document, with the place where they stand. */
export const quoteCode = (statement: Statement & { quote: string }, evidence: Evidence): Told =>
  tell(statement, [evidence], [{ speaker: evidence.fileName, where: 'code', text: statement.quote }]);

/** Something to tell with what follows from it, and how much it matters to a reader. */
export interface Unit {
  told: Told[];
  weight: number;
  /** The function or type that it is about, so that what belongs together is told together. */
  about: string | null;
}

export interface PlannedChange {
  fileName: string;
  changeTypes: ChangeType[];
  told: Told[];
  /** Said where nothing of it holds. */
  fallback: Told | null;
}

export interface PlannedPoint {
  reason: AttentionReason;
  categories: Category[];
  told: Told[];
}

/** What a title can say from the diff alone. */
export interface TitleFacts {
  action: 'added' | 'removed' | 'renamed' | 'changed' | 'upgraded' | 'tested' | 'documented';
  /** A function, type, dependency, file or folder. */
  subject: string;
  from: string | null;
  to: string | null;
  hasMore: boolean;
  evidence: Evidence[];
  facts: StatedFact[];
}

/** Somebody's title: of the pull request, or of a commit where that one says nothing. */
export interface AuthorTitle {
  whole: SpokenWords;
  /** Without prefix, number, emoji and scope. */
  text: string;
  scope: string | null;
  /** What kind of change its prefix says that it is. */
  prefix: ChangeType | null;
  script: Script;
  /** Whether it says too little by itself. */
  isWeak: boolean;
  /** Whether it could stand over many changes, because it names nothing. */
  isGeneric: boolean;
}

/** Everything an article says, in the order in which it is said. */
export interface Outline {
  changeType: ChangeType;
  /** Null where nobody gave it a title that says anything. */
  authorTitle: AuthorTitle | null;
  titleFacts: TitleFacts | null;
  /** The one word that its author has for it, where nobody says more. */
  titleWord: AuthorTitle | null;
  /** Whether it is so small that one of its edits stands for it. */
  isSmall: boolean;
  /** What all files that change are, where the author's title does not say it. */
  unsaidKind: 'documentation' | 'test' | null;
  /** What the pull request is called, whatever that says. */
  ownTitle: string;
  background: Told[];
  changes: PlannedChange[];
  points: PlannedPoint[];
}

/** What a sentence repeats word for word: a comment, an entry, a message. */
export function quotesIn({ statement }: Told): string[] {
  if ('quote' in statement) return [statement.quote];
  return statement.say === 'raises' ? [statement.message] : [];
}
