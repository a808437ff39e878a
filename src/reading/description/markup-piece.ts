/** Where a block begins, and which. */
export type BlockStart =
  | { kind: 'heading'; level: number }
  | { kind: 'paragraph' | 'quote' | 'table' | 'rule' }
  | { kind: 'code'; text: string }
  | { kind: 'item'; depth: number; marker: string; hasBlankBefore: boolean };

export interface Tag {
  name: string;
  isClosing: boolean;
  attributes: string;
}

/** Stands where a picture was taken out: Unicode's own sign for something among words that is none. */
export const pictureSign = '\ufffc';

/** What Markdown is made of, in the order in which it stands: nothing in a piece is taken for another. */
export type Piece =
  | { kind: 'start'; block: BlockStart }
  /** Line breaks in it are those of the author. */
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'tag'; tag: Tag; source: string }
  | { kind: 'comment'; text: string }
  /** To be taken as it is, whatever it looks like. */
  | { kind: 'verbatim'; text: string }
  /** A tag that is meant to be read. */
  | { kind: 'literal'; source: string; isElement: boolean };
