import type { FileDiff } from '../../../reading/file-diff.ts';
import type { StatedFact } from '../../draft.ts';
import type { Mark, MarkedText } from '../marked-text.ts';
import type { Scope } from '../scope.ts';

/** What the words of a sentence say of the things that it marks. */
export type Said =
  /**
   * It is there now and was not before; `removed`: the reverse. `isDoing`: something does it now, or does it no longer,
   * whatever others do.
   */
  | { kind: 'side'; side: 'added' | 'removed'; marks: Mark[]; isDoing: boolean }
  /** One took the place of the other. */
  | { kind: 'turn'; from: Mark; to: Mark }
  /** Something left a file, or came from one. */
  | { kind: 'move'; marks: Mark[]; from: Mark | null; to: Mark | null }
  /** A version, or whatever else has an order, rose or fell. */
  | { kind: 'order'; from: Mark; to: Mark; isRise: boolean }
  /** Some things are given to something, or no longer are. */
  | { kind: 'take'; by: Mark; marks: Mark[] }
  | { kind: 'count'; of: 'additions' | 'deletions' | 'files' | 'tests' | 'places'; value: number }
  /** What happened to the file that is told of. */
  | { kind: 'file'; status: 'added' | 'removed' };

/** Everything that it is said of. */
export function marksOf(said: Said): Mark[] {
  switch (said.kind) {
    case 'side':
      return said.marks;
    case 'turn':
    case 'order':
      return [said.from, said.to];
    case 'move':
      return [...said.marks, said.from, said.to].filter((mark) => mark !== null);
    case 'take':
      return [said.by, ...said.marks];
    case 'count':
    case 'file':
      return [];
  }
}

/** What words are held against. */
export interface Sentence {
  marked: MarkedText;
  facts: StatedFact[];
  scope: Scope;
  /** The file that the item is about. */
  file: FileDiff | null;
}
