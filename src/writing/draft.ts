import type { ChangeType, PointLabel, QuoteSource, ScopeKind } from '../domain/articles.ts';
import type { Evidence, SurfaceChange, SymbolChange } from '../reading/facts.ts';
import type { AuthorWords, BeforeAfter, CheckedDraft, SaidInReview } from './articles.ts';

/** Lists and pages have room for this many characters. */
export const longestTitle = 80;

export const longestHeading = 100;

/** An article before its sentences are checked, as rules and models both return it. */
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
  /** Only articles by a model have headings; a heading is checked like a sentence, with what its section cites. */
  heading: Sentence | null;
}

export interface DraftRow extends Omit<CheckedDraft['also'][number], 'statement' | 'filesTotal'> {
  sentence: Sentence;
}

/**
 * One sentence with its evidence: the unit that is checked, kept or dropped. The drafts of two languages have the same
 * sentences in the same places; an empty text means that this language does not need the sentence.
 */
export interface Sentence {
  text: string;
  /** The basis of the sentence: the lines, texts of people, or judgment that follows from the sentences before it. */
  basis: 'diff' | 'words' | 'judgement';
  /** Whether a judgement certainly follows from the cited lines. */
  certain?: true;
  /** Where a sentence that is only a quotation comes from; such a sentence need not name the speaker. */
  source?: QuoteSource;
  /** The label of a risk, for a sentence that stays in its section. */
  label?: PointLabel;
  /** For a risk, the code that callers wrote before and the code that they write now. */
  beforeAfter?: BeforeAfter;
  /** Copied exactly from one cited line or sentence; null if there is nothing to copy. */
  quote: string | null;
  evidence: Evidence[];
  words: SpokenWords[];
  /**
   * The claims of the sentence in a form that a program can compare with the lines. Empty if the writer does not know.
   */
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
  /** The comment of a review that the words are from. */
  said?: SaidInReview;
}

export type DeclaredThing = SymbolChange['kind'];

export type Thing = DeclaredThing | SurfaceChange['kind'] | 'test' | 'dependency';

/**
 * A relation between names and the two sides of a diff, which a program can find true or false. Names are spelled as in
 * the diff and are also in the sentence.
 */
export type StatedFact =
  /** The name is on an added line that is cited, and declared on no removed line of the diff; `goes` is the reverse. */
  | { relation: 'comes' | 'goes'; thing: Thing; name: string }
  /** The declaration left one file and is in another, otherwise unchanged. */
  | { relation: 'moved'; thing: DeclaredThing; name: string; fromFile: string; toFile: string }
  /** Where cited removed lines say `from`, the added ones say `to`, on lines that also have the names in `of`. */
  | { relation: 'becomes'; of: string[]; from: string; to: string }
  | { relation: 'parameter'; of: string; name: string; change: 'added' | 'removed' }
  | { relation: 'file'; path: string; status: 'added' | 'removed' | 'renamed'; from: string | null }
  | { relation: 'count'; of: 'additions' | 'deletions' | 'files'; value: number }
  /** A finding of the program: its sentence may use the names and numbers in `text` without other evidence. */
  | { relation: 'found'; text: string };

export type FactOf<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

type SummingPart = 'title' | 'standfirst' | 'heading';
export type Part = SummingPart | 'scope' | 'background' | 'change' | 'point' | 'test' | 'also';

/**
 * A sentence with its place in the draft. Checks and models refer to it by `id`; `item` distinguishes parts of the same
 * kind.
 */
export interface PlacedSentence {
  id: number;
  part: Part;
  item: number;
  sentence: Sentence;
}

export const isSummary = (placed: PlacedSentence | undefined): boolean =>
  placed?.part === 'title' || placed?.part === 'standfirst' || placed?.part === 'heading';

/**
 * The draft with each sentence replaced, in the order of ids: summaries first. A sentence is dropped if `map` returns
 * null.
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

export const numberSentences = (draft: Draft): Sentence[] =>
  placeSentences(draft).map(({ sentence }) => sentence);

export function withoutRepeats(evidence: Evidence[]): Evidence[] {
  const keyOf = ({ fileName, startLine, endLine, side }: Evidence) =>
    JSON.stringify([fileName, startLine, endLine, side]);
  return [...new Map(evidence.map((one) => [keyOf(one), one])).values()];
}
