import type { ArticleSource } from '../article-source.ts';
import type { Draft, DraftChange, DraftPoint, DraftRow, Sentence } from '../draft.ts';
import { type OfflineLanguage, offlineLanguages } from '../languages.ts';
import type { Ground } from '../verify/ground.ts';
import type { AuthorWords } from '../words/read-author-words.ts';
import type { Caption } from './captions/caption.ts';
import { say, weightOf } from './captions/captions.ts';
import type { PlannedPoint } from './plan-points.ts';
import type { Beat, Stop } from './plan-stops.ts';
import { planRowsBeside, planTour, type Tour } from './plan-tour.ts';
import { createProof, sentenceOf } from './prove-captions.ts';
import type { PlannedRow } from './row-of-file.ts';

/** What nothing else in an article tells of a change, in a language: for the articles of models. */
export function rowsBeside(
  { facts }: ArticleSource,
  told: ReadonlySet<string>,
  ground: Ground,
  language: OfflineLanguage,
): DraftRow[] {
  return planRowsBeside(facts, told, ground.lines, createProof(ground)).map((row) => rowIn(language, row));
}

/** Decides once what an article shows, and says it in each language. */
export function draftTour(
  source: ArticleSource,
  words: AuthorWords,
  ground: Ground,
): Record<OfflineLanguage, Draft> {
  const tour = planTour(source.facts, words.title.text, ground.lines, createProof(ground));
  const drafts = offlineLanguages.map(
    (language) => [language, draftIn(language, tour, source, words)] as const,
  );
  return Object.fromEntries(drafts) as Record<OfflineLanguage, Draft>;
}

function draftIn(language: OfflineLanguage, tour: Tour, { facts }: ArticleSource, words: AuthorWords): Draft {
  const { changeType } = facts;
  return {
    title: words.title,
    ownTitle: words.ownTitle,
    standfirst: standfirstOf(language, tour),
    changeTypes: changeType === null ? [] : [changeType],
    scope: null,
    authorWords: null,
    tests: null,
    background: words.why,
    mainChanges: tour.stops.map((stop) => changeIn(language, stop)),
    notablePoints: [...words.callouts, ...tour.points.map((point) => pointIn(language, point))],
    also: tour.rows.map((row) => rowIn(language, row)),
  };
}

/** Says no more than the caption of the first stop, where that says something by itself and is short in this language. */
function standfirstOf(language: OfflineLanguage, { stops }: Tour): Sentence | null {
  const [beat] = stops[0]?.beats ?? [];
  const [told] = beat?.told ?? [];
  if (!told || weightOf(told.caption) < leastStandfirst || isBare(told.caption)) return null;
  const text = say(language, told.caption);
  return sentenceOf(text.length <= longestStandfirst ? text : '', [told.caption], told.evidence);
}

/** That a file is new says nothing without what is in it. */
const isBare = (caption: Caption): boolean =>
  caption.kind === 'newFile' && caption.names.length === 0 && caption.doc === null;

const leastStandfirst = 7;
const longestStandfirst = 200;

function changeIn(language: OfflineLanguage, { beats }: Stop): DraftChange {
  const [first] = beats;
  const file = first?.file;
  const [excerpt] = beats.flatMap((beat) => beat.excerpt ?? []);
  const lines =
    excerpt?.lines.flatMap(({ kind, ...line }) => (kind === 'gap' ? [] : [{ kind, ...line }])) ?? [];
  return {
    fileName: file?.path ?? '',
    changeTypes: file?.changeType == null ? [] : [file.changeType],
    sentences: beats.flatMap((beat) => sentencesIn(language, beat)),
    heading: null,
    hunk: excerpt?.lines.length === lines.length ? { ...excerpt, lines, moreBefore: 0, moreAfter: 0 } : null,
  };
}

const sentencesIn = (language: OfflineLanguage, { told }: Beat): Sentence[] =>
  told.map(({ caption, evidence }) => sentenceOf(say(language, caption), [caption], evidence));

function pointIn(
  language: OfflineLanguage,
  { category, caption, quote, evidence }: PlannedPoint,
): DraftPoint {
  const sentence: Sentence = caption
    ? sentenceOf(say(language, caption), [caption], evidence)
    : {
        text: quote ?? '',
        basis: 'words',
        source: 'code',
        quote: null,
        evidence,
        words: [{ speaker: evidence[0]?.fileName ?? '', where: 'code', text: quote ?? '' }],
        facts: [],
      };
  return { categories: [category], label: null, severity: null, sentences: [sentence] };
}

function rowIn(language: OfflineLanguage, { captions, times, files, evidence }: PlannedRow): DraftRow {
  const text = captions.map((caption) => say(language, caption)).join(' ');
  const sum = (of: 'additions' | 'deletions'): number => files.reduce((total, file) => total + file[of], 0);
  return {
    sentence: sentenceOf(text, captions, evidence),
    times,
    files: files.map(({ path }) => path),
    additions: sum('additions'),
    deletions: sum('deletions'),
  };
}
