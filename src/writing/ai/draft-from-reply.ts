import type { ChangeType } from '../../domain/articles.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { CheckedDraft, Hunk, HunkLine } from '../articles.ts';
import {
  type Draft,
  type DraftChange,
  type DraftRow,
  emptyDraft,
  emptySentence,
  numberSentences,
  type Sentence,
  withoutRepeats,
} from '../draft.ts';
import { DiffLines, type PlacedLine } from '../verify/diff-lines.ts';
import { isTurning, readBeforeAfter } from './before-after.ts';
import type { Material } from './material.ts';
import { resolveReferences } from './references.ts';
import { type ArticleReply, noLabel, type ReplySentence, type SectionSentence } from './reply-forms.ts';
import { type DraftWithRests, restSummaries } from './summaries.ts';
import { marksIn } from './unchanged-lines.ts';

/** The limit for old and new lines together; readers skip longer hunks between two paragraphs. */
export const mostLines = 18;
const longestLine = 1_000;

/**
 * The lines that a model chose as one part of a hunk, with the lines they replace, cut to the part with the most cited
 * lines. Null if they cannot be shown this way, or none of them changed.
 */
export function chosenHunk(chosen: Evidence[], lines: DiffLines, cited: Evidence[] = []): Hunk | null {
  const own = chosen.flatMap(({ fileName, side, startLine, endLine }) =>
    lines.between(fileName, side, startLine, endLine),
  );
  const [first] = own;
  const path = chosen[0]?.fileName ?? '';
  const isOneHunk =
    chosen.every(({ fileName }) => fileName === path) && own.every(({ hunk }) => hunk === first?.hunk);
  if (!first || !isOneHunk) return null;
  const hunk = lines.ofHunk(path, first.hunk);
  const places = own.map((line) => hunk.indexOf(line));
  const isCited = (line: PlacedLine): boolean =>
    cited.some((one) => one.fileName === path && holds(one, line));
  const narrow = withReplaced(hunk, Math.min(...places), Math.max(...places) + 1);
  const said = hunk.flatMap((line, at) => (line.side === 'added' && isCited(line) ? [at] : []));
  const wide = withReplaced(hunk, Math.min(...places, ...said), Math.max(...places, ...said) + 1);
  const stretch = wide.length <= mostLines ? wide : narrow;
  const counts = (some: PlacedLine[]): number =>
    some.filter((line) => line.side !== 'context' && isCited(line)).length;
  const [best] = stretch
    .map((_, from) => from)
    .filter((from) => from === 0 || from <= stretch.length - mostLines || leavesOutDefinitions(stretch, from))
    .filter((from) => isReadable(hunk, stretch, from))
    .map((from) => {
      const shown = stretch.slice(from, from + mostLines);
      return { from, shown, news: counts(shown.filter(({ side }) => side === 'added')), all: counts(shown) };
    })
    .toSorted((one, other) => other.news - one.news || other.all - one.all || one.from - other.from);
  if (!best) return null;
  const { from, shown } = best;
  const changed = (some: PlacedLine[]): number => some.filter(({ block }) => block !== null).length;
  return {
    fileName: path,
    heading: null,
    lines: shown.map(({ side, oldLine, newLine, text }) => ({ kind: side, oldLine, newLine, text })),
    moreBefore: changed(stretch.slice(0, from)),
    moreAfter: changed(stretch.slice(from + mostLines)),
  };
}

function isReadable(hunk: PlacedLine[], stretch: PlacedLine[], from: number): boolean {
  const shown = stretch.slice(from, from + mostLines);
  const last = stretch[from - 1];
  const isAfterGap = leavesOutDefinitions(stretch, from);
  const isWhole =
    (isAfterGap || !isTorn(hunk, last, shown[0])) && !isTorn(hunk, shown.at(-1), stretch[from + mostLines]);
  return (
    isWhole &&
    shown.some(({ block }) => block !== null) &&
    shown.every(({ text }) => text.length <= longestLine) &&
    !onlyCloses.test(shown[0]?.text ?? '')
  );
}

/** Of a replacement, whole definitions at its beginning may be left out. */
const leavesOutDefinitions = (stretch: PlacedLine[], from: number): boolean =>
  stretch[from - 1]?.side === 'removed' &&
  stretch[from - 1]?.text.trim() === '' &&
  stretch[from]?.side === 'removed';

/** A part that begins with the end of another block is hard to read. */
const onlyCloses = /^\s*(?:[)\]}>;,]+|end)\s*$/;

const isTorn = (hunk: PlacedLine[], last: PlacedLine | undefined, next: PlacedLine | undefined): boolean =>
  last?.block != null &&
  last.block === next?.block &&
  new Set(hunk.filter(({ block }) => block === last.block).map(({ side }) => side)).size > 1;

/** Extends a part by the rest of a replacement that it begins or ends within. */
function withReplaced(hunk: PlacedLine[], from: number, to: number): PlacedLine[] {
  const replaced = [hunk[from], hunk[to - 1]].flatMap((end) => {
    const block = hunk.filter((line) => end?.block != null && line.block === end.block);
    return new Set(block.map(({ side }) => side)).size > 1 ? block.map((line) => hunk.indexOf(line)) : [];
  });
  return hunk.slice(Math.min(from, ...replaced), Math.max(to - 1, ...replaced) + 1);
}

type Section = CheckedDraft['mainChanges'][number];

/**
 * Drops hunks without a changed line that their section cites, hunks that were already shown, hunks that only moved or
 * have another layout, and tests if the change has code. The other hunks get the name of the function around them.
 */
export function keepCitedHunks(
  sections: Section[],
  files: Pick<FileFacts, 'path' | 'ranges' | 'kind' | 'language' | 'changes'>[],
): Section[] {
  const shown = new Set<string>();
  const hasCode = files.some(({ kind }) => kind === 'source');
  return sections.map((section) => {
    const { hunk, statements } = section;
    if (!hunk) return section;
    const changed = hunk.lines.filter(({ kind }) => kind !== 'context');
    const isCited = changed.some((line) =>
      statements.some(
        ({ basis, evidence }) =>
          basis === 'diff' && evidence.some((one) => one.fileName === hunk.fileName && holds(one, line)),
      ),
    );
    const keys = changed.map(({ oldLine, newLine }) => `${hunk.fileName} ${oldLine} ${newLine}`);
    const file = files.find(({ path }) => path === hunk.fileName);
    const isTest = hasCode && file?.kind === 'test';
    if (!isCited || isTest || keys.some((key) => shown.has(key))) return { ...section, hunk: null };
    for (const key of keys) shown.add(key);
    const lines = file ? markedLines(hunk, file) : hunk.lines;
    if (lines.every(({ kind, unchanged }) => kind === 'context' || unchanged))
      return { ...section, hunk: null };
    return { ...section, hunk: { ...hunk, lines, heading: nameAround(changed, file?.ranges ?? []) } };
  });
}

function markedLines({ lines }: Hunk, file: Parameters<typeof marksIn>[0]): HunkLine[] {
  const marks = marksIn(file);
  return lines.map((line) => {
    const mark = line.kind === 'added' ? marks.new.get(line.newLine ?? 0) : marks.old.get(line.oldLine ?? 0);
    if (line.kind === 'context' || !mark) return line;
    return { ...line, unchanged: mark === 'moved' ? ('moved' as const) : ('layout' as const) };
  });
}

const holds = (
  { side, startLine, endLine }: Evidence,
  { oldLine, newLine }: Pick<HunkLine, 'oldLine' | 'newLine'>,
): boolean => {
  const line = side === 'new' ? newLine : oldLine;
  return line !== null && line >= startLine && line <= endLine;
};

function nameAround(own: HunkLine[], ranges: FileFacts['ranges']): string | null {
  for (const side of ['new', 'old'] as const) {
    const numbers = own.flatMap((line) => (side === 'new' ? line.newLine : line.oldLine) ?? []);
    const [startLine, endLine] = [numbers[0], numbers.at(-1)];
    if (startLine !== undefined && endLine !== undefined)
      return innermostRange(ranges, { side, startLine, endLine })?.name ?? null;
  }
  return null;
}

/**
 * The most sentences of each part of an article: more is too long for readers, and a model that sends more was probably
 * tricked by text in the diff or discussion.
 */
const most = { background: 4, sections: 8, rest: 1, sentences: 6 };

export interface AuthorFrame {
  title: string;
  changeTypes: ChangeType[];
  /** Headings would break up the text about a small change; a tiny one is as short as an excerpt. */
  size: 'tiny' | 'small' | 'usual';
}

/**
 * Makes a draft from a model's reply. References are resolved, but nothing is checked yet. Important notes whose lines
 * the reply does not cite become rows at the end.
 */
export function draftFromReply(
  reply: ArticleReply,
  material: Material,
  ground: AuthorFrame,
  notes: Sentence[] = [],
): DraftWithRests {
  const labels = new Map<Sentence, string>();
  const read = (
    item: string,
    sentences: (ReplySentence | SectionSentence)[],
    mostSentences = most.sentences,
  ): Sentence[] =>
    sentences.slice(0, mostSentences).map((replied, index) => {
      const sentence = sentenceFromReply(replied, material);
      if ('label' in replied && replied.label !== noLabel) sentence.label = replied.label;
      labels.set(sentence, `${item}${index + 1}`);
      return sentence;
    });
  const lines = new DiffLines([...material.files.values()]);
  const isTiny = ground.size === 'tiny';
  const background = read('b', reply.background, most.background);
  const mainChanges = reply.sections
    .slice(0, most.sections)
    .flatMap(({ changeTypes, sentences, show, heading }, index): DraftChange[] => {
      const own = read(`s${index + 1}.`, sentences);
      const hunk = chosenHunk(
        resolveReferences([show], material).evidence,
        lines,
        own.flatMap(({ evidence }) => evidence),
      );
      const cited = own.flatMap(({ evidence }) => evidence.map((one) => one.fileName));
      const changed =
        cited.find((path) => lines.file(path)) ?? lines.files[Symbol.iterator]().next().value?.path;
      const fileName = hunk?.fileName ?? changed;
      if (cited.length === 0 || fileName === undefined) return [];
      return [
        {
          heading: summary(ground.size === 'usual' ? heading : ''),
          fileName,
          changeTypes,
          sentences: own,
          hunk,
        },
      ];
    });
  const [block] = reply.beforeAfter;
  const risk = [...labels].find(
    ([sentence, label]) => isTurning(sentence) && label === block?.of.trim(),
  )?.[0];
  const beforeAfter = risk && readBeforeAfter(block, material);
  if (risk && beforeAfter) risk.beforeAfter = beforeAfter;
  const draft: Draft = {
    ...emptyDraft,
    title: summary(reply.title.text) ?? emptySentence,
    ownTitle: ground.title,
    standfirst: summary(reply.lead.text),
    changeTypes: ground.changeTypes,
    background,
    mainChanges,
    also: reply.rest.slice(0, isTiny ? 0 : most.rest).map((one) => rowOf(sentenceFromReply(one, material))),
  };
  draft.also.push(...rowsOfUncited(notes, draft));
  const summaries = [reply.title, ...(draft.standfirst ? [reply.lead] : [])];
  const labelled = numberSentences(draft).map((sentence) => labels.get(sentence) ?? null);
  const rests = summaries.map(({ of }) => idsOf(of, labelled));
  return restSummaries({ draft, rests });
}

/** The evidence of a summary is added once its sentences are known. */
const summary = (text: string): Sentence | null =>
  text.trim() === '' ? null : { ...emptySentence, text: text.trim() };

/** Rows for notes that a draft does not cite, without repeating existing rows. */
export const rowsOfUncited = (notes: Sentence[], draft: Draft): DraftRow[] =>
  notesNotCited(notes, draft).map(rowOf);

export function notesNotCited(notes: Sentence[], draft: Draft): Sentence[] {
  const written = numberSentences(draft).filter(({ text }) => text !== '');
  const cited = [...written, ...draft.also.map(({ sentence }) => sentence)].flatMap(
    ({ evidence }) => evidence,
  );
  const isCited = (one: Evidence): boolean =>
    cited.some(
      ({ fileName, side, startLine, endLine }) =>
        fileName === one.fileName &&
        side === one.side &&
        startLine <= one.endLine &&
        endLine >= one.startLine,
    );
  return notes.filter(({ evidence }) => !evidence.some(isCited));
}

/** The lines of the files in a row are counted when the article is published. */
const rowOf = (sentence: Sentence): DraftRow => ({
  sentence,
  times: null,
  files: [...new Set(sentence.evidence.map(({ fileName }) => fileName))],
  additions: 0,
  deletions: 0,
});

/** The ids of sentences named by `s1.2`, or by `s1` for all of a section; a string may contain several. */
function idsOf(named: string[], labels: (string | null)[]): number[] {
  const wanted = named.flatMap((text) => text.split(/[\s,;]+/)).filter((text) => text !== '');
  return labels.flatMap((label, id) =>
    wanted.some((one) => one === label || label?.startsWith(`${one}.`)) ? [id] : [],
  );
}

export function sentenceFromReply(replied: ReplySentence, material: Material): Sentence {
  const { evidence, words, facts } = resolveReferences(replied.refs, material);
  const quote = replied.quote.replace(/^\d+[+-]/, '').trim();
  return {
    text: replied.text.trim(),
    ...(replied.basis === 'consequence'
      ? { basis: 'judgement' as const, certain: true as const }
      : { basis: replied.basis }),
    quote: quote === '' ? null : quote,
    evidence: withoutRepeats(evidence),
    words,
    facts,
  };
}
