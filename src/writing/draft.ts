import type { Category, ChangeType } from '../domain/change-types.ts';
import type { Evidence } from '../reading/facts.ts';

/** An article as its writer hands it over, before anything in it was checked. Whoever writes hands over one of these. */
export interface Draft {
  title: Sentence;
  background: Sentence[];
  mainChanges: DraftChange[];
  notablePoints: DraftPoint[];
}

export interface DraftChange {
  fileName: string;
  changeTypes: ChangeType[];
  sentences: Sentence[];
}

export interface DraftPoint {
  categories: Category[];
  sentences: Sentence[];
}

/** One sentence and what it rests on: the unit that is checked, kept or dropped. */
export interface Sentence {
  text: string;
  /** What the lines do; what somebody wrote; or what it means, which follows from the sentences before it. */
  basis: 'diff' | 'words' | 'judgement';
  /** Copied exactly from one line or sentence that is cited; null where there is nothing to copy. */
  quote: string | null;
  evidence: Evidence[];
  words: SpokenWords[];
  /** What the sentence says, once more, for a program to look up in the lines. A writer that cannot tell leaves it empty. */
  facts: StatedFact[];
}

/** Something that somebody wrote about the change, as they wrote it. */
export interface SpokenWords {
  speaker: string;
  where: 'title' | 'description' | 'commit' | 'issue' | 'comment' | 'code';
  text: string;
}

export type Thing =
  | 'function'
  | 'method'
  | 'class'
  | 'type'
  | 'constant'
  | 'call'
  | 'condition'
  | 'error'
  | 'line'
  | 'remark'
  | 'heading'
  | 'text'
  | 'test'
  | 'dependency'
  | 'configurationKey'
  | 'environmentVariable'
  | 'route'
  | 'commandLineOption';

/** A relation that holds between a name and the two sides of a diff, or does not. */
export type StatedFact =
  /** It stands on the new side of what is cited, and on no old side of the whole diff. */
  | { relation: 'comes'; thing: Thing; name: string }
  /** The reverse. */
  | { relation: 'goes'; thing: Thing; name: string }
  | { relation: 'renamed'; thing: Thing; from: string; to: string }
  /** It left one file, or one place of it, and stands in another, otherwise as it was. */
  | { relation: 'moved'; thing: Thing; name: string; fromFile: string; toFile: string }
  /** Where the old side says one thing, the new side says the other. */
  | { relation: 'becomes'; from: string; to: string }
  /** What is cited lies inside of this declaration. */
  | { relation: 'within'; name: string }
  | { relation: 'parameter'; of: string; name: string; change: 'added' | 'removed'; isOptional: boolean }
  | { relation: 'default'; of: string; from: string; to: string }
  | { relation: 'returns'; of: string; from: string; to: string }
  | { relation: 'version'; of: string; from: string | null; to: string | null }
  | {
      relation: 'file';
      path: string;
      status: 'added' | 'removed' | 'renamed' | 'copied' | 'binary' | 'executable' | 'submodule';
      from: string | null;
    }
  /** How many there are of something in these files; `name` is what is counted where that has one. */
  | {
      relation: 'count';
      of: 'additions' | 'deletions' | 'files' | 'tests' | 'places';
      name: string | null;
      paths: string[];
      value: number;
    };
