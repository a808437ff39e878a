import type { DeclaredThing, StatedFact, SurfaceThing, Thing } from '../../draft.ts';
import type { WatchedReason } from './watched.ts';

type Within = { within: string | null };
type Turn = { from: string; to: string };

/** What captions of each kind are about, here of declarations. Names are as the lines have them. */
export interface OfDeclarations {
  newDeclaration: { thing: DeclaredThing; name: string; isPublic: boolean; doc: string | null };
  removedDeclaration: { thing: Thing; name: string };
  renamed: Turn & { thing: Thing };
  /** From one file to another. */
  movedHere: Turn & { thing: DeclaredThing; name: string };
  movedAway: Turn & { thing: DeclaredThing; name: string };
  newParameter: { of: string; name: string; value: string | null };
  removedParameter: { of: string; name: string };
  parameterType: Turn & { of: string; name: string };
  returnType: Turn & { of: string };
  defaultValue: Turn & { of: string };
}

export interface OfStatements {
  throwsWhen: Within & { error: string; condition: string };
  throws: Within & { error: string };
  returnsEarly: Within & { condition: string };
  alsoNeeds: Within & { condition: string };
  alsoHolds: Within & { condition: string };
  noLongerNeeds: Within & { condition: string };
  otherCondition: Within & Turn;
  returnsInstead: Within & Turn;
  value: Within & Turn & { of: string };
  uses: Within & { name: string };
  edit: Within & Turn;
  newLines: Within & { texts: string[] };
  goneLines: Within & { texts: string[] };
  /** Several lines that begin with one word, as the entries of a list do. */
  newEntries: Within & { key: string; texts: string[] };
  sameEdit: Turn;
  sameAddition: { text: string };
}

/** Of what goes with code: packages, what is set and called from outside, tests, documents, and what deserves a look. */
export interface OfCompany {
  dependencies: { changes: { name: string; from: string | null; to: string | null }[] };
  surface: { surface: SurfaceThing; names: string[]; hasMore: boolean };
  tests: {
    /** Of each kind so many are named; the others are counted. */
    most: number;
    /** By the name that stands in its line, and with what it belongs to. */
    added: { name: string; path: string }[];
    changed: string[];
    removed: { name: string; path: string }[];
    renamed: Turn[];
  };
  newSections: { names: string[] };
  reworded: Turn;
  written: { text: string };
  morePassages: { path: string; told: number; count: number; isList: boolean };
  watch: { reason: WatchedReason; names: string[] };
}

/** Of files as wholes, and of where something stands. */
export interface OfFiles {
  newFile: { path: string; names: string[]; hasMore: boolean; doc: string | null; from: string | null };
  removedFile: { path: string; names: string[]; hasMore: boolean };
  renamedFile: { path: string; from: string };
  otherFile: { path: string; status: 'binary' | 'executable' | 'notExecutable' | 'submodule' };
  unread: { what: 'lock' | 'generated' | 'vendored' | 'binary' };
  layout: object;
  onlyComments: object;
  onlyImports: object;
  moreFiles: { status: 'added' | 'removed' | 'renamed' | 'changed'; paths: string[] };
  changed: object;
  same: { names: string[]; paths: string[]; hasMore: boolean; isExact: boolean };
  places: { names: string[] };
  within: { name: string };
  inFile: { path: string };
}

export type Captions = OfDeclarations & OfStatements & OfCompany & OfFiles;

export type Caption = { [Kind in keyof Captions]: { kind: Kind } & Captions[Kind] }[keyof Captions];

/** A kind of caption: how much it says beside others of the same piece, what the lines must show, and how it is said. */
export interface Row<Values> {
  weight: number;
  proof: (values: Values) => StatedFact[];
  en: (values: Values) => string;
  ja: (values: Values) => string;
}

export type Rows<Values> = { [Kind in keyof Values]: Row<Values[Kind]> };
