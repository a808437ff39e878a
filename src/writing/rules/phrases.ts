import type { QuoteSource } from '../../domain/article.ts';
import type { DependencyChange, Evidence } from '../../reading/facts.ts';
import type { HeadlineFact } from './headline.ts';
import type { ChangeFact, RiskFact } from './lead.ts';
import type { ScopeFact } from './scope.ts';

/** A risk that is not a quotation. */
export type ShownRisk = Exclude<RiskFact, { kind: 'breaking' }>;

/** The first of some names, as Markdown, and how many more there are. */
export interface Names {
  names: string[];
  more: number;
}

export const firstOf = (names: string[], most: number): Names => {
  const all = [...new Set(names)];
  // A name costs no more room than the words that leave it out.
  const count = all.length === most + 1 ? all.length : most;
  return { names: all.slice(0, count), more: Math.max(0, all.length - count) };
};

/** A sentence before it has a language, with the lines that prove it. */
export interface RuleSentence {
  say: (phrases: RulePhrases) => string;
  evidence: Evidence[];
  /** For a quotation. */
  source?: QuoteSource;
}

/** An edit that was made many times, as a caption tells it. */
export interface ManyTimes {
  from: string;
  to: string;
  times: number | null;
  files: number;
}

export interface Assertion {
  test: string | null;
  from: string;
  to: string;
}

/** What is not read, by the number of files. */
interface UnreadFiles {
  locks: number;
  generated: number;
  vendored: number;
  binary: number;
  submodules: number;
  tooLarge: number;
}

/** How one language says what is certain. */
export interface RulePhrases {
  // The opening, without a full stop.
  scope: (fact: ScopeFact) => string;
  lead: (fact: ChangeFact) => string;
  risk: (fact: ShownRisk) => string;
  /** Null where a scope makes no headline. */
  headline: (fact: ChangeFact | ScopeFact | HeadlineFact) => string | null;
  stop: string;
  // Hunks, tests and what is left, in sentences.
  sameEdit: (places: number, where: Names) => string;
  renamed: (edit: ManyTimes) => string;
  replaced: (edit: ManyTimes) => string;
  addedOften: (edit: ManyTimes) => string;
  removedOften: (edit: ManyTimes) => string;
  moved: (what: Names, from: string, to: string) => string;
  fileMoved: (from: string, to: string, isEdited: boolean) => string;
  filesMoved: (files: number) => string;
  removedTests: (tests: Names) => string;
  assertion: (assertion: Assertion) => string;
  alsoAdded: (what: Names) => string;
  alsoChanged: (what: Names) => string;
  alsoRemoved: (what: Names) => string;
  changedTests: (tests: Names) => string;
  documentation: (sections: Names) => string;
  tooLong: (files: Names) => string;
  nothingButLayout: (files: Names) => string;
  dependencies: (changes: DependencyChange[], most: number) => string;
  unread: (files: UnreadFiles) => string;
  executable: (files: Names, isExecutable: boolean) => string;
}

/** Text as code; one that has a backtick of its own gets two around it. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

/** A version that is pinned says the same without its sign. */
export const bareVersion = (version: string | null): string => (version ?? '').replace(/^==?\s*/, '');
