import type { ChangeType, QuoteSource, ScopeKind } from '../domain/article.ts';
import type { Evidence, SurfaceChange, SymbolChange } from '../reading/facts.ts';
import type { AuthorWords, CheckedDraft } from './written-article.ts';

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

/** All sentences of a draft, those first that sum up: the title, the standfirst, the headings. */
export function numberSentences(draft: Draft): Sentence[] {
  const { title, standfirst, scope, background, mainChanges, notablePoints, tests, also } = draft;
  return [
    title,
    ...(standfirst ? [standfirst] : []),
    ...mainChanges.flatMap(({ heading }) => heading ?? []),
    ...(scope ? [scope.sentence] : []),
    ...background,
    ...mainChanges.flatMap(({ sentences }) => sentences),
    ...notablePoints.flatMap(({ sentences }) => sentences),
    ...(tests?.sentences ?? []),
    ...also.map(({ sentence }) => sentence),
  ];
}

/** The same draft with other sentences in the same places; where there is null, one is left out. */
export function replaceSentences(draft: Draft, sentences: (Sentence | null)[]): Draft {
  let next = 0;
  const take = (old: Sentence[]): Sentence[] => {
    const taken = sentences.slice(next, next + old.length);
    next += old.length;
    return taken.filter((sentence) => sentence !== null);
  };
  const takeScope = (scope: Draft['scope']): Draft['scope'] => {
    const [sentence] = take(scope ? [scope.sentence] : []);
    return scope && sentence ? { ...scope, sentence } : null;
  };
  const title = take([draft.title])[0] ?? { ...draft.title, text: '' };
  const standfirst = take(draft.standfirst ? [draft.standfirst] : [])[0] ?? null;
  const headings = draft.mainChanges.map(({ heading }) => take(heading ? [heading] : [])[0] ?? null);
  return {
    ...draft,
    title,
    standfirst,
    scope: takeScope(draft.scope),
    background: take(draft.background),
    mainChanges: draft.mainChanges.map((change, index) => ({
      ...change,
      heading: headings[index] ?? null,
      sentences: take(change.sentences),
    })),
    notablePoints: draft.notablePoints.map((point) => ({ ...point, sentences: take(point.sentences) })),
    tests: draft.tests && { ...draft.tests, sentences: take(draft.tests.sentences) },
    also: draft.also.flatMap((row) => take([row.sentence]).map((sentence) => ({ ...row, sentence }))),
  };
}

export function withoutRepeats(evidence: Evidence[]): Evidence[] {
  const keyOf = ({ fileName, startLine, endLine, side }: Evidence) =>
    JSON.stringify([fileName, startLine, endLine, side]);
  return [...new Map(evidence.map((one) => [keyOf(one), one])).values()];
}
