import type { PointLabel, QuoteSource, RowKind, ScopeKind, Severity } from '../domain/article.ts';
import type { Category, ChangeType } from '../domain/change-types.ts';
import type { Evidence, SurfaceChange, SymbolChange } from '../reading/facts.ts';
import type { AuthorWords, Excerpt, Hunk } from './written-article.ts';

/** As many characters as lists and pages have room for. */
export const longestTitle = 80;

/** An article as its writer hands it over, before anything in it was checked. Every writer hands over one of these. */
export interface Draft {
  title: Sentence;
  /** The pull request's own title, tidied: it stands in where the other does not hold. */
  ownTitle: string;
  standfirst: Sentence | null;
  scope: { kind: ScopeKind; sentence: Sentence } | null;
  authorWords: AuthorWords | null;
  /** Of the whole change, the main one first; empty where none is sure. */
  changeTypes: ChangeType[];
  background: Sentence[];
  mainChanges: DraftChange[];
  notablePoints: DraftPoint[];
  tests: DraftTests | null;
  also: DraftRow[];
}

export interface DraftTests {
  /** Names of new cases; the first five are shown. */
  added: string[];
  sentences: Sentence[];
}

export interface DraftChange {
  heading: string | null;
  fileName: string;
  changeTypes: ChangeType[];
  sentences: Sentence[];
  hunk: Hunk | null;
  excerpts: Excerpt[];
}

export interface DraftPoint {
  categories: Category[];
  label: PointLabel | null;
  severity: Severity | null;
  sentences: Sentence[];
}

/** What is told of in one row: an edit that was made many times, or files that no main change tells of. */
export interface DraftRow {
  kind: RowKind;
  sentence: Sentence;
  /** How often an edit was made; null for other rows. */
  times: number | null;
  files: string[];
  additions: number;
  deletions: number;
}

/**
 * One sentence and what it rests on: the unit that is checked, kept or dropped. Two drafts that say the same in two
 * languages have the same sentences in the same places; an empty text says that this language has no need of it.
 */
export interface Sentence {
  text: string;
  /** What the lines do; what a person wrote; or what it means, which follows from the sentences before it. */
  basis: 'diff' | 'words' | 'judgement';
  /** Where a text stands that is a quotation and nothing else; then it need not say who speaks. */
  source?: QuoteSource;
  /** Copied exactly from one line or sentence that is cited; null where there is nothing to copy. */
  quote: string | null;
  evidence: Evidence[];
  words: SpokenWords[];
  /** What the sentence says, once more, for a program to look up in the lines. A writer that cannot tell leaves it empty. */
  facts: StatedFact[];
}

/** Something that a person wrote about the change, verbatim. */
export interface SpokenWords {
  speaker: string;
  where: 'title' | 'description' | 'commit' | 'issue' | 'comment' | 'code';
  text: string;
}

export type DeclaredThing = SymbolChange['kind'];

export type SurfaceThing = SurfaceChange['kind'];

export type Thing =
  | DeclaredThing
  | SurfaceThing
  | 'condition'
  | 'line'
  | 'heading'
  | 'text'
  | 'test'
  | 'dependency';

/**
 * A relation that holds between names and the two sides of a diff, or does not. Names are as the lines have them, and the
 * sentence names them too. What a sentence says of a name must be what its facts say of it.
 */
export type StatedFact =
  /** It stands on an added line of what is cited, and on no removed line of the diff as such a thing; or the reverse. */
  | { relation: 'comes' | 'goes'; thing: Thing; name: string }
  /** It left one file and stands in another, otherwise as it was. */
  | { relation: 'moved'; thing: DeclaredThing; name: string; fromFile: string; toFile: string }
  /** What is cited says the same as before, with other line breaks, blanks or indentation. */
  | { relation: 'reformatted' }
  /** Where the removed lines of what is cited say one thing, the added ones say the other, beside the names of `of`. */
  | { relation: 'becomes'; of: string[]; from: string; to: string }
  /** The same for words in a comment or document, however they are wrapped, marked and punctuated. */
  | { relation: 'reworded'; from: string; to: string }
  /** It stands on a changed line of what is cited, whatever else happened to it. */
  | { relation: 'changes'; name: string }
  /** What is cited lies inside of this declaration. */
  | { relation: 'within'; name: string }
  | { relation: 'parameter'; of: string; name: string; change: 'added' | 'removed' }
  | {
      relation: 'file';
      path: string;
      status:
        | 'added'
        | 'removed'
        | 'renamed'
        | 'binary'
        | 'executable'
        | 'notExecutable'
        | 'submodule'
        /** It is in the diff, whatever happened to it. */
        | 'changed';
      from: string | null;
    }
  /** How many there are of something in the whole diff. */
  | { relation: 'count'; of: 'additions' | 'deletions' | 'files'; value: number }
  /** How many passages a document newly has beside so many that are told. */
  | { relation: 'passages'; path: string; told: number; value: number }
  /** Of how many others, which the sentence does not name, something is so. */
  | { relation: 'others'; facts: StatedFact[]; value: number }
  /** Most lines of a file that is new stood in another one. */
  | { relation: 'carried'; fromFile: string; toFile: string };

export type FactOf<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;
