import type { ChangeType, QuoteSource, ScopeKind } from '../domain/articles.ts';
import type { Evidence, SurfaceChange, SymbolChange } from '../reading/facts.ts';
import type { AuthorWords, CheckedDraft } from './articles.ts';

/** As many characters as lists and pages have room for. */
export const longestTitle = 80;

export const longestHeading = 100;

/** An article as its writer hands it over, before anything in it was checked. Every writer hands over one of these. */
export interface Draft {
  title: Sentence;
  ownTitle: string;
  standfirst: Sentence | null;
  scope: { kind: ScopeKind; sentence: Sentence } | null;
  authorWords: AuthorWords | null;
  changeTypes: ChangeType[];
  background: Sentence[];
  mainChanges: DraftChange[];
  notablePoints: DraftPoint[];
  tests: { added: string[]; sentences: Sentence[] } | null;
  also: DraftRow[];
}

type Drafted<Part> = Omit<Part, 'statements'> & { sentences: Sentence[] };

export type DraftPoint = Drafted<CheckedDraft['notablePoints'][number]>;

export interface DraftChange extends Drafted<Omit<CheckedDraft['mainChanges'][number], 'heading'>> {
  /** By a model: a full statement, which rests on what the sentences cite. */
  heading: Sentence | null;
}

export interface DraftRow extends Omit<CheckedDraft['also'][number], 'statement' | 'filesTotal'> {
  sentence: Sentence;
}

/**
 * One sentence and what it rests on: the unit that is checked, kept or dropped. Two drafts that say the same in two
 * languages have the same sentences in the same places; an empty text says that this language has no need of it.
 */
export interface Sentence {
  text: string;
  /** What the lines do; what a person wrote; or what it means, which follows from the sentences before it. */
  basis: 'diff' | 'words' | 'judgement';
  /** The place of a text that is only a quotation; it need not say who speaks. */
  source?: QuoteSource;
  /** Copied exactly from one line or sentence that is cited; null where there is nothing to copy. */
  quote: string | null;
  evidence: Evidence[];
  words: SpokenWords[];
  /** What the sentence says, once more, for a program to look up in the lines. Empty if the writer does not know. */
  facts: StatedFact[];
}

export const emptySentence: Sentence = {
  text: '',
  basis: 'diff',
  quote: null,
  evidence: [],
  words: [],
  facts: [],
};

export const emptyDraft: Draft = {
  title: emptySentence,
  ownTitle: '',
  standfirst: null,
  scope: null,
  authorWords: null,
  changeTypes: [],
  background: [],
  mainChanges: [],
  notablePoints: [],
  tests: null,
  also: [],
};

export interface SpokenWords {
  speaker: string;
  where: 'title' | 'description' | 'commit' | 'issue' | 'comment' | 'code';
  text: string;
}

export type DeclaredThing = SymbolChange['kind'];

export type Thing = DeclaredThing | SurfaceChange['kind'] | 'test' | 'dependency';

/**
 * A relation between names and the two sides of a diff, true or false. Names are spelled as in the lines, and the
 * sentence names them too. What a sentence says of a name must be what its facts say of it.
 */
export type StatedFact =
  /** It is on an added line of what is cited, and on no removed line of the diff as such a thing; or the reverse. */
  | { relation: 'comes' | 'goes'; thing: Thing; name: string }
  /** It left one file and is in another, otherwise unchanged. */
  | { relation: 'moved'; thing: DeclaredThing; name: string; fromFile: string; toFile: string }
  /** Where the removed lines of what is cited say one thing, the added ones say the other, beside the names of `of`. */
  | { relation: 'becomes'; of: string[]; from: string; to: string }
  | { relation: 'parameter'; of: string; name: string; change: 'added' | 'removed' }
  | { relation: 'file'; path: string; status: 'added' | 'removed' | 'renamed'; from: string | null }
  | { relation: 'count'; of: 'additions' | 'deletions' | 'files'; value: number }
  /** A finding of the program, in its own words: its names and numbers need no other proof. */
  | { relation: 'found'; text: string };

export type FactOf<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

type SummingPart = 'title' | 'standfirst' | 'heading';
export type Part = SummingPart | 'scope' | 'background' | 'change' | 'point' | 'test' | 'also';

/** A sentence with its id, by which checks and models know it, and the part that it is in; `item` tells like parts apart. */
export interface PlacedSentence {
  id: number;
  part: Part;
  item: number;
  sentence: Sentence;
}

export const isSummary = (placed: PlacedSentence | undefined): boolean =>
  placed?.part === 'title' || placed?.part === 'standfirst' || placed?.part === 'heading';

/**
 * The same draft with what is made of each of its sentences, in their only order: those first that sum up. Where that is null,
 * one is left out.
 */
export function mapSentences(
  draft: Draft,
  map: (placed: PlacedSentence) => Sentence | null | undefined,
): Draft {
  let id = 0;
  const all = (part: Part, sentences: Sentence[], item = 0): Sentence[] =>
    sentences.flatMap((sentence) => map({ id: id++, part, item, sentence }) ?? []);
  const one = (part: Part, sentence: Sentence | null | undefined, item = 0): Sentence | null =>
    all(part, sentence ? [sentence] : [], item)[0] ?? null;
  const title = one('title', draft.title) ?? { ...draft.title, text: '' };
  const standfirst = one('standfirst', draft.standfirst);
  const headings = draft.mainChanges.map(({ heading }, item) => one('heading', heading, item));
  const scope = one('scope', draft.scope?.sentence);
  return {
    ...draft,
    title,
    standfirst,
    scope: draft.scope && scope && { ...draft.scope, sentence: scope },
    background: all('background', draft.background),
    mainChanges: draft.mainChanges.map((change, item) => ({
      ...change,
      heading: headings[item] ?? null,
      sentences: all('change', change.sentences, item),
    })),
    notablePoints: draft.notablePoints.map((point, item) => ({
      ...point,
      sentences: all('point', point.sentences, item),
    })),
    tests: draft.tests && { ...draft.tests, sentences: all('test', draft.tests.sentences) },
    also: draft.also.flatMap((row, item) =>
      all('also', [row.sentence], item).map((sentence) => ({ ...row, sentence })),
    ),
  };
}

export function placeSentences(draft: Draft): PlacedSentence[] {
  const placed: PlacedSentence[] = [];
  mapSentences(draft, (one) => {
    placed.push(one);
    return one.sentence;
  });
  return placed;
}

/** All sentences of a draft, each at the place of its id. */
export const numberSentences = (draft: Draft): Sentence[] =>
  placeSentences(draft).map(({ sentence }) => sentence);

export function withoutRepeats(evidence: Evidence[]): Evidence[] {
  const keyOf = ({ fileName, startLine, endLine, side }: Evidence) =>
    JSON.stringify([fileName, startLine, endLine, side]);
  return [...new Map(evidence.map((one) => [keyOf(one), one])).values()];
}
