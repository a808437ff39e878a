import type { FileDiff } from '../../../reading/file-diff.ts';
import { type Draft, emptyDraft, emptySentence, type Sentence } from '../../draft.ts';
import type { CheckedSentence } from '../../verify/check-sentence.ts';
import { sentenceFromReply } from '../draft-from-reply.ts';
import { saysTheSame } from '../echoes.ts';
import {
  type Finding,
  labelMaterial,
  type Material,
  type MaterialSource,
  oneLine,
  sizeOf,
} from '../material.ts';
import { type FilledPrompt, fillPrompt, type WritingDeps } from '../prompts.ts';
import { labelsOf, printCited, sizesOfCited } from '../references.ts';
import type { NotesReply } from '../reply-forms.ts';
import { holdsGuess } from '../sentence-rules.ts';
import { forParts, lookAround, partKey, partMaterial } from './pack-parts.ts';

export interface Note {
  sentence: Sentence;
  weight: number;
  /** The original text of a note if only a part of it passed the checks. */
  guess?: string;
}

export type PartReply = NotesReply | 'tooLong' | 'failed';

export interface PartReader {
  name: string;
  ask: (question: FilledPrompt) => Promise<PartReply>;
  find: (key: string) => Promise<Note[] | null>;
  save: (key: string, notes: Note[]) => Promise<void>;
  parallel: number;
}

interface PartsRead {
  notes: Note[];
  /** Files with lines that were not read, because the model failed on them. */
  unread: Set<string>;
  cutFiles: Set<string>;
  dropped: number;
}

type Checking = Pick<WritingDeps, 'check' | 'prompts' | 'project' | 'onProgress'>;

/** Reads all parts into notes, a few at a time, and checks each at once. Stored notes are reused. */
export async function readParts(
  checking: Checking,
  reader: PartReader,
  source: MaterialSource,
  parts: FileDiff[][],
): Promise<PartsRead> {
  const read: PartsRead = { notes: [], unread: new Set(), cutFiles: new Set(), dropped: 0 };
  const inOrder = new Map<number, Note[]>();
  const failures: unknown[] = [];
  checking.onProgress('reading parts', 0, parts.length);
  const common = forParts(source);
  const waiting = parts.entries();
  const work = async (): Promise<void> => {
    for (const [index, part] of waiting) {
      inOrder.set(index, await readPart(checking, reader, common, part, read));
      checking.onProgress('reading parts', inOrder.size, parts.length);
      if (failures.length > 0) return;
    }
  };
  // Running calls are paid for, so they finish and are stored before the failure is reported. The thread must not go on
  // after that, when it may have another task.
  const note = (failure: unknown) => void failures.push(failure);
  await Promise.all(
    Array.from({ length: Math.min(reader.parallel, parts.length) }, () => work().catch(note)),
  );
  if (failures.length > 0) throw failures[0];
  const notes = parts.flatMap((_, index) => inOrder.get(index) ?? []);
  return { ...read, notes: withoutRepeated(notes) };
}

/**
 * A model with nothing to say about a part repeats earlier notes, and parts with the same change get nearly the same
 * note. The first of such notes gets their highest weight.
 */
function withoutRepeated(notes: Note[]): Note[] {
  const kept: Note[] = [];
  for (const note of notes) {
    const { sentence, weight } = note;
    const isPlace = sentence.facts.some(({ relation }) => relation === 'found');
    const at = kept.findIndex(({ sentence: { text } }) => isSameNote(text, sentence.text));
    const known = kept[at];
    if (!known) kept.push(note);
    else {
      const added = isPlace || known.sentence.text !== sentence.text ? sentence.evidence : [];
      const evidence = [...known.sentence.evidence, ...added];
      kept[at] = {
        ...known,
        sentence: { ...known.sentence, evidence },
        weight: Math.max(known.weight, weight),
      };
    }
  }
  return kept;
}

const namesIn = (text: string): string => [...new Set(text.match(/`[^`]+`|\d+/g))].toSorted().join(' ');

const isSameNote = (one: string, other: string): boolean =>
  one === other || (namesIn(one) !== '' && namesIn(one) === namesIn(other) && saysTheSame(one, other));

async function readPart(
  checking: Checking,
  reader: PartReader,
  source: MaterialSource,
  part: FileDiff[],
  read: PartsRead,
): Promise<Note[]> {
  const material = partMaterial(source, part);
  for (const path of material.cutFiles) read.cutFiles.add(path);
  const key = partKey(material, reader.name);
  const known = await reader.find(key);
  if (known) return known;
  const { prompts, project } = checking;
  const lines = [...material.lines, ...lookAround(source, part)];
  const filled = fillPrompt(prompts['read-part'], { language: 'en', project, lines });
  const reply = await reader.ask(filled);
  if (reply === 'tooLong') {
    const halves = halvePart(part);
    if (halves) {
      const [first, second] = halves;
      // The two halves are read one after the other, because other parts are read at the same time.
      const notes = await readPart(checking, reader, source, first, read);
      return [...notes, ...(await readPart(checking, reader, source, second, read))];
    }
  }
  if (typeof reply === 'string') {
    for (const { path } of part) read.unread.add(path);
    return [];
  }
  const notes = await checkNotes(checking, reply, material);
  read.dropped += reply.notes.length - notes.length;
  await reader.save(key, notes);
  return notes;
}

/** Halves a part: between files, or between the hunks of a single file. Null for a single hunk. */
function halvePart(files: FileDiff[]): [FileDiff[], FileDiff[]] | null {
  const middle = Math.ceil(files.length / 2);
  if (files.length > 1) return [files.slice(0, middle), files.slice(middle)];
  const [file] = files;
  if (!file || file.hunks.length < 2) return null;
  const half = Math.ceil(file.hunks.length / 2);
  return [[{ ...file, hunks: file.hunks.slice(0, half) }], [{ ...file, hunks: file.hunks.slice(half) }]];
}

/** A model that sends more was probably tricked by the material. */
const mostNotes = 8;

const heaviest = 5;

/** The weight of changes that users or callers must know about; an article always mentions these. */
export const leastToName = 5;

/** The weight from which the lines of a rejected note are kept. */
const leastToKeep = 4;

/**
 * If a note fails the rules, only the clauses that pass are kept. For an important note at least its lines are kept, so
 * that the writer sees them.
 */
async function checkNotes({ check }: Checking, reply: NotesReply, material: Material): Promise<Note[]> {
  const drafted = reply.notes.slice(0, mostNotes).map(({ weight, ...replied }) => {
    const whole = sentenceFromReply({ ...replied, basis: 'diff' }, material);
    return {
      weight: Math.min(heaviest, Math.max(1, weight)),
      whole,
      isGuess: holdsGuess(whole.text),
      place: placeOf(whole),
      clauses: clausesOf(whole.text).map((text) => ({ ...whole, text })),
    };
  });
  const items = drafted.flatMap(({ whole, isGuess, place, clauses }) => [
    [place, isGuess ? { ...whole, basis: 'judgement' as const, quote: null } : whole],
    ...clauses.map((clause) => [clause]),
  ]);
  const outcomes = (await check(asDraft(items))).slice(1).values();
  const next = (): Sentence | null => keptOf(outcomes.next().value);
  return drafted.flatMap(({ whole, weight, isGuess, clauses }): Note[] => {
    const [place, judged] = [next(), next()];
    const [clause = null] = clauses.map(next).filter((kept) => kept !== null);
    if (judged && !isGuess) return [{ sentence: judged, weight }];
    const isKept = weight >= leastToKeep && whole.evidence.length > 0;
    const sentence = clause ?? (isKept ? place : null);
    if (!sentence) return [];
    // The writer sees the guess beside the lines, but it is never published.
    return [judged ? { sentence, weight, guess: whole.text } : { sentence, weight }];
  });
}

const keptOf = (outcome: CheckedSentence | undefined): Sentence | null =>
  outcome?.kept && outcome.kept.text !== '' ? outcome.kept : null;

/** Beginnings of a sentence that may be sentences themselves, longest first. */
const clausesOf = (text: string): string[] =>
  Array.from(
    text.matchAll(
      /;\s| so that\s|,\s(?=(?:and|but|because|so|which|while|whereas|instead|unless|if|when|where)\s)/g,
    ),
    ({ index }) => `${text.slice(0, index)}.`,
  )
    .filter((clause) => (clause.match(/`/g)?.length ?? 0) % 2 === 0 && /\s\p{L}+\s/u.test(clause))
    .toReversed();

function placeOf({ evidence }: Sentence): Sentence {
  const files = [...new Set(evidence.map(({ fileName }) => fileName.replaceAll('`', '')))].slice(0, 3);
  const text = `Lines of ${files.map((file) => `\`${file}\``).join(', ')} changed.`;
  return { ...emptySentence, text, evidence, facts: [{ relation: 'found', text }] };
}

/** A draft without a title that contains each item on its own. */
const asDraft = (items: Sentence[][]): Draft => ({
  ...emptyDraft,
  notablePoints: items.map((sentences) => ({
    categories: ['TECH'],
    label: null,
    severity: null,
    sentences,
  })),
});

/** Texts of people get a third, as in a diff that is read as a whole, and labels take a little. */
const shareOfNotes = 0.65;

/** The share of findings, so that they do not crowd out the model's notes. */
const shareOfFindings = 1 / 6;

/** There are many notes, and a few lines show what each is about. */
const breadth = { wholeHunkLines: 0, around: 3 };

/**
 * The material for the writer of the whole article: notes, heaviest first, with the lines that they cite, so that it
 * writes from the lines and not from the notes.
 */
export function composeMaterial(source: MaterialSource, notes: Note[], mostBytes: number): Material {
  const cited = new Set(notes.flatMap(({ sentence }) => sentence.evidence.map(({ fileName }) => fileName)));
  let room = mostBytes * shareOfFindings;
  const findings = source.findings.filter(({ text, evidence }) => {
    // Without its lines, a finding would look like one about the whole change.
    if (!evidence.every(({ fileName }) => cited.has(fileName))) return false;
    room -= sizeOf([`k99 ${oneLine(text)}`]);
    return room >= 0;
  });
  const all = labelMaterial(
    { ...source, findings, diff: source.diff.filter(({ path }) => cited.has(path)), sentences: [] },
    Number.POSITIVE_INFINITY,
  );
  if (!all) throw new Error('What has no limit did not fit.');
  const found = [...all.findings].map(([label, { text, evidence }]) => {
    const lines = labelsOf({ evidence, words: [], facts: [] }, all).join(', ');
    return `${label} ${lines === '' ? '' : `(${lines}) `}${oneLine(text)}`;
  });
  let left = mostBytes * shareOfNotes - sizeOf(found);
  const printed = new Set<string>();
  const ranked = notes.toSorted((one, other) => other.weight - one.weight);
  const kept = ranked.filter((note) => {
    // Lines cited by several notes are printed once.
    const lines = [...sizesOfCited(note.sentence.evidence, all, breadth)].filter(
      ([line]) => !printed.has(line),
    );
    const bytes = lines.reduce((sum, [, size]) => sum + size, sizeOf(printNotes([note], all)));
    if (bytes > left) return false;
    left -= bytes;
    for (const [line] of lines) printed.add(line);
    return true;
  });
  const evidence = kept.flatMap(({ sentence }) => sentence.evidence);
  const lines = [
    ...found,
    ...printNotes(kept, all),
    ...printCited({ evidence, words: [], facts: [] }, all, breadth),
  ];
  const spoken = labelMaterial({ ...source, findings: [], diff: [] }, mostBytes);
  const noted = kept.map(({ sentence }, index): [string, Finding] => [
    `n${index + 1}`,
    { text: sentence.text, evidence: sentence.evidence, facts: [] },
  ]);
  return {
    ...all,
    lines: [...lines, ...(spoken?.lines ?? [])],
    findings: new Map([...all.findings, ...noted]),
    words: spoken?.words ?? new Map(),
    definitions: new Map(),
  };
}

const printNotes = (notes: Note[], material: Material): string[] =>
  notes.map(({ sentence, weight, guess }, index) => {
    const labels = labelsOf({ ...sentence, facts: [] }, material).join(', ');
    return `n${index + 1} (${weight}; ${labels}) ${oneLine(guess ?? sentence.text)}`;
  });
